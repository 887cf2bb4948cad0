//! `accrue serve` as a command: what it prints, refuses and leaves behind. The page itself is
//! tested in `crates/serve` and, in a browser, by `scripts/browser`.
#![cfg(all(unix, feature = "serve"))]

#[path = "common/command.rs"]
mod command;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use command::{complaint, lines};
use rustix::process::{Pid, Signal, kill_process};

/// The status line and the body of the answer to a request.
fn get(address: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.to_owned())
}

#[test]
fn the_page_is_served_until_a_signal_comes() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_accrue"));
    let serve = serve.args(["serve", "--port", "0", "--root"]).arg(folder.path());
    let mut serve = serve.stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(serve.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let address = first.trim().rsplit_once("http://").unwrap().1.trim_end_matches('/');
    assert!(address.starts_with("127.0.0.1:") && !first.contains("token"), "{first}");
    let (status, page) = get(address, "/");
    assert!(status.ends_with("200 OK") && page.contains("<title>"), "{status} {page}");
    let (_, games) = get(address, "/api/games");
    for game in ["chess", "hexchess", "connect_four"] {
        assert!(games.contains(&format!("\"name\":\"{game}\"")), "{games}");
    }
    let (_, networks) = get(address, "/api/networks");
    assert!(networks.contains("chess-small") && networks.contains("hexchess-small"), "{networks}");
    kill_process(Pid::from_child(&serve), Signal::TERM).unwrap();
    assert!(serve.wait().unwrap().success());
}

#[test]
fn the_help_has_examples() {
    let help = lines(&["serve", "--help"]).join("\n");
    for part in ["accrue serve --open", "--root", "token", "Ctrl-C"] {
        assert!(help.contains(part), "{help}");
    }
}

#[test]
fn what_cannot_be_served_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let missing = complaint(&["serve", "--root", &format!("{root}/nothing"), "--port", "0"]);
    assert!(missing.contains("nothing") && missing.contains("--root"), "{missing}");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let busy = complaint(&["serve", "--root", root, "--port", &port]);
    assert!(busy.contains(&port) && busy.contains("--port"), "{busy}");
    let host = complaint(&["serve", "--root", root, "--port", "0", "--host", "192.0.2.1"]);
    assert!(host.contains("192.0.2.1"), "{host}");
    let threads = complaint(&["serve", "--threads", "0"]);
    assert!(threads.contains("1 to 1024"), "{threads}");
}
