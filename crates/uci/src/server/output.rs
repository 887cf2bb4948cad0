//! Output of the server: lines of UCI that several threads write.

use std::fmt::{self, Display, Write as _};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use crate::text::{EngineLine, InfoLine};

/// A writer that the thread that reads and the thread that searches share. Lines are never mixed.
#[derive(Clone)]
pub struct SharedWriter(Arc<Mutex<dyn Write + Send>>);

impl fmt::Debug for SharedWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedWriter").finish_non_exhaustive()
    }
}

impl SharedWriter {
    /// Writes to `writer`, which is flushed after each line.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes one line.
    pub(super) fn line(&self, line: impl Display) {
        self.lines([line]);
    }

    /// Writes lines that belong together.
    ///
    /// Errors are ignored: a closed reader cannot be notified, and the end of the input follows.
    pub(super) fn lines(&self, lines: impl IntoIterator<Item = impl Display>) {
        let mut text = String::new();
        for line in lines {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{line}");
        }
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    }

    /// Writes a message for the user, on one line.
    pub(super) fn inform(&self, message: impl Display) {
        self.line(info_string(message));
    }
}

/// A message for the user, on one line.
pub(super) fn info_string(message: impl Display) -> EngineLine {
    let text = message.to_string();
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    EngineLine::Info(Box::new(InfoLine { string: Some(lines.join(". ")), ..InfoLine::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(info_string("bad\n  file\n").to_string(), "info string bad. file");
    }
}
