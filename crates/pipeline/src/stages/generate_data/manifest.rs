//! Manifest of a finished data file: `FILE.manifest.json`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use arena::checksum_of_file;
use serde::Serialize;
use serde_json::{Map, Value};

use super::report::{DataCounts, DataReport};
use crate::{PipelineError, files};

/// Nothing in it depends on when, where or how often the shard was run.
#[derive(Serialize)]
struct Manifest<'a> {
    format: &'static str,
    file: String,
    bytes: u64,
    sha256: String,
    #[serde(flatten)]
    contents: &'a DataCounts,
    made_by: Map<String, Value>,
}

fn path_of(data: &Path) -> PathBuf {
    let mut name = OsString::from(data.as_os_str());
    name.push(".manifest.json");
    PathBuf::from(name)
}

/// Writes the manifest of a finished file.
pub(super) fn write(
    data: &Path,
    facts: &[(&'static str, String)],
    report: &DataReport,
) -> Result<(), PipelineError> {
    let known = std::fs::metadata(data).map_err(PipelineError::io("read", data))?;
    let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), Value::from(&**value)));
    let manifest = Manifest {
        format: "accrue datagen manifest 1",
        file: data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: known.len(),
        sha256: checksum_of_file(data)?,
        contents: &report.contents,
        made_by: facts.collect(),
    };
    let path = path_of(data);
    let text = serde_json::to_string_pretty(&manifest);
    let text = text.map_err(|error| PipelineError::io("write", &path)(error.into()))?;
    files::replace(&path, format!("{text}\n").as_bytes())
}
