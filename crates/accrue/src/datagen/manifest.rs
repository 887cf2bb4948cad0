//! What is said beside a finished file: `FILE.manifest.json`.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::report::Report;
use crate::toolkit::Toolkit;
use pipeline::files;

/// Nothing in it depends on when, where or how often the shard was run.
#[derive(Serialize)]
struct Manifest<'a> {
    format: &'static str,
    file: String,
    bytes: u64,
    sha256: String,
    #[serde(flatten)]
    contents: &'a super::report::Counts,
    made_by: Map<String, Value>,
}

/// The manifest's name.
pub(super) fn path_of(data: &Path) -> PathBuf {
    let mut name = OsString::from(data.as_os_str());
    name.push(".manifest.json");
    PathBuf::from(name)
}

/// Writes the manifest of a finished file.
pub(super) fn write(
    data: &Path,
    facts: &[(&'static str, String)],
    report: &Report,
) -> anyhow::Result<()> {
    let known = std::fs::metadata(data).with_context(|| format!("cannot read {}", data.display()));
    let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), Value::from(&**value)));
    let manifest = Manifest {
        format: "accrue datagen manifest 1",
        file: data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: known?.len(),
        sha256: checksum(data)?,
        contents: &report.contents,
        made_by: facts.collect(),
    };
    let mut text = serde_json::to_string_pretty(&manifest).context("cannot write the manifest")?;
    text.push('\n');
    Ok(files::replace(&path_of(data), text.as_bytes())?)
}

/// The SHA-256 of a file, in hexadecimal digits, as `sha256sum` prints it.
///
/// Not a CRC: many files end with their own, and then the CRC of the whole is always the same.
pub(crate) fn checksum(path: &Path) -> anyhow::Result<String> {
    let shown = path.display();
    let mut file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let mut sum = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut piece).with_context(|| format!("cannot read {shown}"))?;
        if read == 0 {
            return Ok(format!("{:x}", sum.finalize()));
        }
        sum.update(&piece[..read]);
    }
}

/// The same of a network: of a file, or of the built-in one with this name.
pub(crate) fn checksum_of_network(net: &Path, toolkit: &Toolkit) -> anyhow::Result<String> {
    let built_in = toolkit.networks().built_in();
    match net.to_str().and_then(|name| built_in.named(name)) {
        Some(network) => Ok(format!("{:x}", Sha256::digest(network.bytes))),
        None => checksum(net),
    }
}

/// A name and enough of a checksum to tell one content from another.
pub(super) fn named(name: &str, checksum: &str) -> String {
    format!("{name} {}", &checksum[..16])
}
