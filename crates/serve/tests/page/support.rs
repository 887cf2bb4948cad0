//! A server on loopback, and a plain client for it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use arena::networks::{BuiltInNetwork, NetworkLoader};
use dataset::GameList;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use nnue::ScoreModel;
use pipeline::quickstart::Recipe;
use serde_json::Value;
use serve::{GameServer, ServeOptions, ServedGame, Server, Token};

/// A server that ends with this value.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) url: String,
    pub(crate) folder: tempfile::TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start() -> Self {
        Self::start_with(None)
    }

    pub(crate) fn start_with(token: Option<Token>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let networks = networks();
        let options = ServeOptions {
            host: "127.0.0.1".into(),
            port: 0,
            root: folder.path().to_owned(),
            threads: 2,
            token,
        };
        let server = Server::bind(options, games(&networks), networks).unwrap();
        let (address, url) = (server.address(), server.url());
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || server.run(&flag).unwrap());
        Self { address, url, folder, stop, thread: Some(thread) }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Sends a request; the answer's status and body.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let host = format!("{}", self.address);
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text += &["Host: ", &host, "\r\n"].concat();
        }
        for (name, value) in headers {
            text += &[name, ": ", value, "\r\n"].concat();
        }
        if !body.is_empty() {
            text += &["Content-Length: ", &body.len().to_string(), "\r\n"].concat();
        }
        self.raw(format!("{text}\r\n{body}").as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    /// Sends bytes and reads until the server closes the connection.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has heard enough may close before everything is written.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer::parse(&answer)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of the error in the body.
    pub(crate) fn code(&self) -> String {
        let json = self.json();
        let message = json["error"]["message"].as_str().unwrap_or_default();
        assert!(message.len() > 10, "no sentence: {json}");
        json["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

fn networks() -> NetworkLoader {
    let list = GameList::new().with::<Chess>().with::<Hexchess>().with::<ConnectFour>();
    let network = |game, name, bytes| BuiltInNetwork { game, name, bytes };
    let networks = [
        network("chess", "chess-small", include_bytes!("../../../../nets/chess-small.accrue")),
        network(
            "hexchess",
            "hexchess-small",
            include_bytes!("../../../../nets/hexchess-small.accrue") as &[u8],
        ),
    ];
    NetworkLoader::new(list, networks.into_iter().collect())
}

fn games(networks: &NetworkLoader) -> Vec<Arc<dyn ServedGame>> {
    let model = || ScoreModel::constant(154.0, 116.0);
    vec![
        Arc::new(GameServer::<Chess>::new(networks.clone(), Recipe::CHESS, model())),
        Arc::new(GameServer::<Hexchess>::new(networks.clone(), Recipe::HEXCHESS, model())),
        Arc::new(GameServer::<ConnectFour>::new(networks.clone(), Recipe::CONNECT_FOUR, model())),
    ]
}
