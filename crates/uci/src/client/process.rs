//! Engine process: a running program, the commands that it is sent and the lines that it sends.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command as Spawn, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use search::Control;

use super::{ClientError, EngineCommand};
use crate::text::Command;

/// Longer lines are cut: what matters is at their beginning.
const MAX_LINE: usize = 1 << 16;
/// How many lines may wait to be received. A program that sends more is made to wait.
const MAX_LINES: usize = 1024;
/// How often a wait checks whether to stop.
const POLL: Duration = Duration::from_millis(20);
/// How long a program has to end by itself.
const END_TIMEOUT: Duration = Duration::from_millis(300);

/// A line, and when it came.
type Line = (Instant, String);

/// A running program. It ends with this value.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Line>,
}

impl Process {
    /// Starts the program.
    pub(super) fn start(engine: &EngineCommand) -> Result<Self, ClientError> {
        let mut command = Spawn::new(&engine.command);
        command.args(&engine.arguments);
        if let Some(folder) = &engine.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the program that started it: an engine that it ended would have lost its
        // game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let fault = |source| ClientError::Start { command: engine.command.clone(), source };
        let mut child = command.spawn().map_err(fault)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(fault(io::Error::other("it has no pipes")));
        };
        let (sender, lines) = sync_channel(MAX_LINES);
        std::thread::spawn(move || listen(output, &sender));
        Ok(Self { child, input, lines })
    }

    /// Sends a command.
    pub(super) fn send(&mut self, command: &Command) -> Result<(), ClientError> {
        let line = format!("{command}\n");
        let sent = self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|error| self.ended_or(ClientError::Write(error)))
    }

    /// The next line, if it comes in time.
    pub(super) fn receive(
        &mut self,
        start: Instant,
        timeout: Duration,
        control: &Control,
    ) -> Result<Line, ClientError> {
        loop {
            let left = timeout.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.ended_or(ClientError::Closed));
                }
                Err(RecvTimeoutError::Timeout) if control.is_stopped() => {
                    return Err(ClientError::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(ClientError::Timeout(start.elapsed()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program ended, or else what happened.
    fn ended_or(&mut self, otherwise: ClientError) -> ClientError {
        // The pipe may break a moment before the program ends.
        match self.wait() {
            Ok(Some(status)) => ClientError::Ended { status },
            _ => otherwise,
        }
    }

    /// Waits a moment for the program to end; `None` if it does not.
    fn wait(&mut self) -> io::Result<Option<std::process::ExitStatus>> {
        let deadline = Instant::now() + END_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(None)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.input.write_all(format!("{}\n", Command::Quit).as_bytes());
        if let Ok(None) = self.wait() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Sends every line on, until the program sends no more or there is no receiver.
fn listen(output: ChildStdout, sender: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = output.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let arrived = Instant::now();
        if line.last() != Some(&b'\n') && skip_line(&mut output).is_err() {
            return;
        }
        // Names come in any encoding; what matters is ASCII.
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if sender.send((arrived, text)).is_err() {
            return;
        }
    }
}

/// Skips the rest of a line.
fn skip_line(output: &mut impl BufRead) -> io::Result<()> {
    loop {
        let held = output.fill_buf()?;
        let end = held.iter().position(|&byte| byte == b'\n');
        let count = end.map_or(held.len(), |end| end + 1);
        output.consume(count);
        if end.is_some() || count == 0 {
            return Ok(());
        }
    }
}
