//! Program output: results on standard output, errors on standard error.
//!
//! Everything is written through a handle whose errors are returned, because `println!` panics on a
//! closed pipe.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;
use serde::Serialize;

/// Writes lines to standard output.
pub(crate) fn lines(lines: impl IntoIterator<Item = impl Display>) -> anyhow::Result<()> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let write = || {
        for line in lines {
            writeln!(stdout, "{line}")?;
        }
        stdout.flush()
    };
    write().context("cannot write to standard output")
}

/// Writes one JSON value, on a line of its own, to standard output.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    lines([serde_json::to_string(value).context("cannot write the result as JSON")?])
}

/// Prints an error on standard error. A failure to do so is ignored.
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = writeln!(io::stderr().lock(), "accrue: {error:#}");
}
