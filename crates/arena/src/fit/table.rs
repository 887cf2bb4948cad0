//! Table of samples: what a search was sampled for, as whole numbers in named columns, and its file,
//! a CSV.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use games::SearchGame;
use search::{SampleKind, SearchSample};

/// The first words of a file.
const MAGIC: &str = "# accrue samples 1";
/// The maximum length of a line, in bytes.
const MAX_LINE: u64 = 4096;

/// Why a file of samples cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The file cannot be read.
    #[error("{}: {error}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("{}, line {line}: found `{found}`, expected {expected}", .file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
}

/// Samples of one kind, a row of whole numbers each; of a cut node, a row for each quiet move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleTable {
    kind: SampleKind,
    values: Vec<i32>,
    samples: usize,
}

impl SampleTable {
    /// A table without samples.
    pub fn new(kind: SampleKind) -> Self {
        Self { kind, values: Vec::new(), samples: 0 }
    }

    /// What is sampled.
    pub fn kind(&self) -> SampleKind {
        self.kind
    }

    /// The number of samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The names of the columns.
    pub fn columns(kind: SampleKind) -> &'static [&'static str] {
        match kind {
            SampleKind::CutNodes => &[
                "node",
                "depth",
                "cuts",
                "butterfly",
                "threats",
                "one",
                "two",
                "four",
                "six",
                "check",
                "has_policy",
                "policy",
            ],
            SampleKind::LateMoves => &[
                "depth",
                "number",
                "noisy",
                "tt_pv",
                "cut_node",
                "tt_move",
                "tt_noisy",
                "cutoffs",
                "improving",
                "check",
                "killer",
                "correction",
                "eval",
                "history",
                "policy",
                "reduction",
                "nodes",
                "fails_high",
            ],
            SampleKind::RfpNodes => {
                &["depth", "surplus", "improving", "correction", "margin", "fails_high"]
            }
        }
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[i32]> {
        self.values.chunks_exact(Self::columns(self.kind).len())
    }

    /// Adds a sample of the table's kind; others are ignored.
    pub fn push<G: SearchGame>(&mut self, sample: &SearchSample<G>) {
        match (self.kind, sample) {
            (SampleKind::CutNodes, SearchSample::CutNode(node)) => {
                let number = self.samples as i32;
                for (index, (_, features)) in node.moves.iter().enumerate() {
                    let cuts = i32::from(index + 1 == node.moves.len());
                    self.values.extend([number, node.depth, cuts]);
                    self.values.extend(features.histories);
                    let policy = features.policy;
                    let has_policy = i32::from(policy.is_some());
                    self.values.extend([features.check.into(), has_policy, policy.unwrap_or(0)]);
                }
            }
            (SampleKind::LateMoves, SearchSample::LateMove(sample)) => {
                self.values.extend([sample.depth, sample.number as i32]);
                self.values.extend(
                    [
                        sample.noisy,
                        sample.tt_pv,
                        sample.cut_node,
                        sample.tt_move,
                        sample.tt_noisy,
                        sample.cutoffs,
                        sample.improving,
                        sample.check,
                        sample.killer,
                    ]
                    .map(i32::from),
                );
                let nodes = i32::try_from(sample.nodes).unwrap_or(i32::MAX);
                self.values.extend([sample.correction, sample.eval, sample.history, sample.policy]);
                self.values.extend([sample.reduction, nodes, sample.fails_high.into()]);
            }
            (SampleKind::RfpNodes, SearchSample::RfpNode(sample)) => {
                let improving = sample.improving.into();
                self.values.extend([sample.depth, sample.surplus, improving, sample.correction]);
                self.values.extend([sample.margin, sample.fails_high.into()]);
            }
            _ => return,
        }
        self.samples += 1;
    }

    /// The text of the file, with further facts about its origin.
    pub fn to_csv(&self, facts: &str) -> String {
        let facts = facts.replace(['\n', '\r'], " ");
        let mut text = format!("{MAGIC} {}; {facts}\n", self.kind);
        text += &Self::columns(self.kind).join(",");
        text.push('\n');
        for row in self.rows() {
            for (index, value) in row.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                // Writing to a string cannot fail.
                let _ = write!(text, "{comma}{value}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, SampleError> {
        let io = |error| SampleError::Io { file: file.to_owned(), error };
        let mut reader = BufReader::new(std::fs::File::open(file).map_err(io)?);
        let mut number = 0;
        let mut next = || -> Result<Option<(usize, String)>, SampleError> {
            let mut line = String::new();
            let mut limited = std::io::Read::take(&mut reader, MAX_LINE);
            limited.read_line(&mut line).map_err(io)?;
            number += 1;
            Ok((!line.is_empty()).then(|| (number, line.trim_end_matches('\n').to_owned())))
        };
        let wrong = |line: usize, found: &str, expected: String| SampleError::Line {
            file: file.to_owned(),
            line,
            found: found.chars().take(80).collect(),
            expected,
        };
        let first = next()?.map_or(String::new(), |(_, line)| line);
        let kind = first.strip_prefix(MAGIC).and_then(|rest| rest.trim_start().split(';').next());
        let kind: SampleKind = kind.and_then(|kind| kind.parse().ok()).ok_or_else(|| {
            let kinds = SampleKind::NAMES.join(", ");
            wrong(
                1,
                &first,
                format!("`{MAGIC}` and one of {kinds}; `accrue datagen --sample` writes it"),
            )
        })?;
        let columns = Self::columns(kind);
        let names = next()?.map_or(String::new(), |(_, line)| line);
        if names != columns.join(",") {
            return Err(wrong(2, &names, format!("the columns {}", columns.join(","))));
        }
        let mut table = Self::new(kind);
        let mut last = None;
        while let Some((line, text)) = next()? {
            let before = table.values.len();
            for value in text.split(',') {
                let value =
                    value.parse().map_err(|_| wrong(line, value, "a whole number".into()))?;
                table.values.push(value);
            }
            if table.values.len() - before != columns.len() {
                return Err(wrong(line, &text, format!("{} numbers", columns.len())));
            }
            let node = (kind == SampleKind::CutNodes).then(|| table.values[before]);
            table.samples += usize::from(node.is_none() || node != last);
            last = node;
        }
        Ok(table)
    }
}
