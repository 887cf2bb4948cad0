//! A running program and the lines that it says.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use search::Control;

use super::Program;
use crate::player::Fault;

/// Longer lines are cut: what matters stands at their beginning.
const LONGEST_LINE: usize = 1 << 16;
/// How many lines may wait to be read. A program that says more is made to wait.
const MOST_LINES: usize = 1024;
/// How long to wait before asking again whether to stop.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long a program has to end by itself.
const FAREWELL: Duration = Duration::from_millis(300);

/// A line, and when it came.
type Line = (Instant, String);

/// A running program. It ends with this value.
#[derive(Debug)]
pub(super) struct Link {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Line>,
}

impl Link {
    /// Starts the program.
    pub(super) fn start(program: &Program) -> Result<Self, Fault> {
        let mut command = Command::new(&program.command);
        command.args(&program.arguments);
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for us: a program that it ended would have lost its game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let fault = |fault| Fault::Crash(format!("{} cannot be started: {fault}", program.command));
        let mut child = command.spawn().map_err(|error| fault(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(fault("it has no pipes".to_owned()));
        };
        let (sender, lines) = sync_channel(MOST_LINES);
        std::thread::spawn(move || listen(output, &sender));
        Ok(Self { child, input, lines })
    }

    /// Says lines. Each ends with its end of line.
    pub(super) fn say(&mut self, lines: &str) -> Result<(), Fault> {
        let said = self.input.write_all(lines.as_bytes()).and_then(|()| self.input.flush());
        said.map_err(|error| self.crash(&error.to_string()))
    }

    /// The next line, if it comes in time.
    pub(super) fn hear(
        &mut self,
        start: Instant,
        timeout: Duration,
        control: &Control,
    ) -> Result<Line, Fault> {
        loop {
            let left = timeout.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left.min(PATIENCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash("it said no more")),
                Err(RecvTimeoutError::Timeout) if control.is_stopped() => {
                    return Err(Fault::Crash("the match was stopped".into()));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(Fault::Stall(start.elapsed()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program ended, or else what happened.
    fn crash(&mut self, otherwise: &str) -> Fault {
        // The pipe may break a moment before the program is gone.
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Fault::Crash(format!("the program ended with {status}"));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Fault::Crash(otherwise.to_owned())
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ = self.input.write_all(b"quit\n");
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends every line on, until the program says no more or nobody listens.
fn listen(output: ChildStdout, sender: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = output.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line);
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
fn skip_line(output: &mut impl BufRead) -> std::io::Result<()> {
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
