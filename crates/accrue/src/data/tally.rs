//! Record tally: records read, written, and dropped by reason.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use dataset::formats::Format;
use games::ToolkitGame;
use serde::Serialize;

use super::input::Input;
use crate::output;

/// The counts of a command.
pub(super) struct Tally {
    start: Instant,
    pub(super) out: u64,
    dropped: BTreeMap<String, u64>,
    faults: Vec<FaultEntry>,
    outputs: Vec<OutputEntry>,
}

/// A fault of an input file.
#[derive(Serialize)]
struct FaultEntry {
    file: String,
    place: String,
    reason: String,
}

/// A file that was written.
#[derive(Serialize)]
struct OutputEntry {
    file: String,
    format: &'static str,
    records: u64,
}

/// The result with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    command: &'static str,
    #[serde(rename = "in")]
    read: u64,
    out: u64,
    dropped: &'a BTreeMap<String, u64>,
    /// The first few.
    faults: &'a [FaultEntry],
    outputs: &'a [OutputEntry],
    seconds: f64,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            start: Instant::now(),
            out: 0,
            dropped: BTreeMap::new(),
            faults: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Counts a dropped record.
    pub(super) fn drop(&mut self, reason: &str) {
        match self.dropped.get_mut(reason) {
            Some(count) => *count += 1,
            None => _ = self.dropped.insert(reason.to_owned(), 1),
        }
    }

    /// Counts a file that was written.
    pub(super) fn wrote(&mut self, path: &Path, format: Format, records: u64) {
        let file = path.display().to_string();
        self.outputs.push(OutputEntry { file, format: format.name(), records });
    }

    /// Counts the faults after everything has been read, and prints them on standard error.
    pub(super) fn add_faults<G: ToolkitGame>(&mut self, input: &Input<G>) {
        for file in &input.faults {
            let faults = &file.faults;
            if faults.is_empty() {
                continue;
            }
            *self.dropped.entry(format!("malformed {}s", faults.unit)).or_default() += faults.count;
            let path = file.path.display().to_string();
            for fault in &faults.first {
                // A failure to print is ignored.
                let _ = writeln!(io::stderr().lock(), "accrue: {path}: {fault}; skipped");
                let (place, reason) = (fault.place.clone(), fault.reason.clone());
                self.faults.push(FaultEntry { file: path.clone(), place, reason });
            }
            let more = faults.count - faults.first.len() as u64;
            if more > 0 {
                let _ = writeln!(io::stderr().lock(), "accrue: {path}: and {more} more");
            }
        }
    }

    /// Refuses input with faults and without records.
    pub(super) fn require_records<G: ToolkitGame>(&self, input: &Input<G>) -> anyhow::Result<()> {
        if input.records == 0 && self.dropped() > 0 {
            bail!("nothing could be read; expected another format or game (--from, --game)");
        }
        Ok(())
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped.values().sum()
    }

    /// `in 10 = out 7 + dropped 3 (captures 2, in check 1)`
    pub(super) fn line(&self) -> String {
        let dropped = self.dropped();
        let line = format!("in {} = out {} + dropped {dropped}", self.out + dropped, self.out);
        if dropped == 0 {
            return line;
        }
        let reasons = self.dropped.iter().map(|(reason, count)| format!("{reason} {count}"));
        format!("{line} ({})", reasons.collect::<Vec<_>>().join(", "))
    }

    /// Prints the counts, with the sum on the last line.
    pub(super) fn report(&self, command: &'static str, json: bool) -> anyhow::Result<()> {
        if json {
            return output::json(&Report {
                command,
                read: self.out + self.dropped(),
                out: self.out,
                dropped: &self.dropped,
                faults: &self.faults,
                outputs: &self.outputs,
                seconds: self.start.elapsed().as_secs_f64(),
            });
        }
        let written = self.outputs.iter().map(|OutputEntry { file, format, records }| {
            format!("wrote {file}: {records} records, {format}")
        });
        output::lines(written.chain([self.line()]))
    }
}
