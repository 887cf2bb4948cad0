//! A page's WebSocket.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, client};

use crate::support::Running;

pub(crate) struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub(crate) fn open(server: &Running) -> Self {
        Self::with_origin(server, None).unwrap()
    }

    /// Opens a socket as a page of that origin does.
    pub(crate) fn with_origin(server: &Running, origin: Option<&str>) -> Result<Self, String> {
        let stream = server.connect();
        let url = format!("ws://{}/api/live", server.address);
        let mut request = url.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let opened = client(request, stream);
        let (socket, _) = opened.map_err(|error| error.to_string())?;
        Ok(Self(socket))
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.0.send(Message::Text(message.to_string().into())).unwrap();
    }

    pub(crate) fn send_text(&mut self, text: String) -> Result<(), Error> {
        self.0.send(Message::Text(text.into()))
    }

    /// The next message, or `None` if none comes in that time or the socket is closed.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<Value> {
        let until = Instant::now() + patience;
        loop {
            let left = until.checked_duration_since(Instant::now())?;
            let left = left.max(Duration::from_millis(1));
            self.0.get_ref().set_read_timeout(Some(left)).unwrap();
            match self.0.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(_) => {}
                Err(Error::Io(error))
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                    ) => {}
                Err(_) => return None,
            }
        }
    }

    /// The next message of a type.
    pub(crate) fn wait_for(&mut self, kind: &str, patience: Duration) -> Value {
        let until = Instant::now() + patience;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            match self.next(left) {
                Some(message) if message["type"] == kind => return message,
                Some(message) if message["type"] == "error" => panic!("{message}"),
                Some(_) => {}
                None => break,
            }
        }
        panic!("no `{kind}` in {patience:?}");
    }
}
