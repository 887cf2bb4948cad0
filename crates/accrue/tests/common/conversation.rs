//! Talking UCI with the built program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longer than anything takes that is not stuck, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine.
pub(crate) struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything that it said, for messages.
    heard: Vec<String>,
}

impl Conversation {
    pub(crate) fn new() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let line = line.expect("the program writes UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines, heard: Vec::new() }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn say_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the program reads");
    }

    /// The lines up to the first that begins with `start`, that one included.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let limit = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = limit.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                let last = &self.heard[self.heard.len().saturating_sub(40)..];
                panic!("no `{start}`; heard\n{}", last.join("\n"));
            };
            self.heard.push(line.clone());
            lines.push(line);
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// Says a line and gives what is answered before the answer to `isready`.
    pub(crate) fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.say("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Says a `go` and gives everything up to the best move.
    pub(crate) fn search(&mut self, go: &str) -> Vec<String> {
        self.say(go);
        self.until("bestmove")
    }

    /// Whether nothing is said for a while.
    pub(crate) fn is_silent_for(&mut self, time: Duration) -> bool {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                self.heard.push(line);
                false
            }
            Err(_) => true,
        }
    }

    /// Closes the pipe, and gives what is still said and the exit code.
    pub(crate) fn end(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.stdin.take());
        let limit = Instant::now() + PATIENCE;
        let mut rest = Vec::new();
        while let Ok(line) =
            self.lines.recv_timeout(limit.saturating_duration_since(Instant::now()))
        {
            rest.push(line);
        }
        assert!(Instant::now() < limit, "the program does not end");
        (rest, self.child.wait().expect("the program ends").code())
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // After a failed test; otherwise it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The move of a line `bestmove …`.
pub(crate) fn best_move(lines: &[String]) -> &str {
    let last = lines.last().expect("a line");
    last.split(' ').nth(1).unwrap_or_else(|| panic!("`{last}` has no move"))
}
