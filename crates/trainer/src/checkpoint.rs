//! Checkpoint: weights, optimiser state and progress of a training.
//!
//! ```text
//! 8   magic
//! u32 version, u32 length of the configuration, u64 length of the file
//! …   configuration, TOML
//! …   progress: whole numbers of 64 bits, floats of 64 bits (see `progress.rs`)
//! u32 number of tensors; for each u32 length of the name, name, u64 number of values
//! …   the values of all tensors, f32, in that order
//! u32 CRC-32 of everything before
//! ```
//! All numbers are little-endian.

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

mod bytes;
mod folder;
mod progress;
#[cfg(test)]
mod tests;

use bytes::{Checked, Reader};
pub use folder::{CheckpointFolder, FoundCheckpoint};
pub use progress::{Best, TrainingProgress};

/// The first eight bytes. A byte that is not text and a line feed reveal conversion as text.
const MAGIC: [u8; 8] = *b"\x89acctrn\n";
const VERSION: u32 = 1;
const PREFIX: usize = 24;
const SUFFIX: usize = 4;
/// The maximum number of tensors and length of a name: far more than any network has.
const MAX_TENSORS: usize = 4096;
const MAX_NAME: usize = 256;

/// Why a checkpoint cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The operating system reported an error.
    #[error("{action} {path}: {error}")]
    Io {
        /// The action.
        action: &'static str,
        /// The file.
        path: String,
        /// The error.
        error: io::Error,
    },
    /// The file is not a checkpoint, or it is damaged.
    #[error("{path} cannot be used: {fault}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// Weights are infinite or undefined.
    #[error("{tensor} holds {value}; such weights are not kept")]
    NotFinite {
        /// The tensor.
        tensor: String,
        /// The number.
        value: f32,
    },
    /// A requested tensor does not exist or has another size.
    #[error("the checkpoint has {found} values of {tensor}; the network needs {expected}")]
    Tensor {
        /// Its name.
        tensor: String,
        /// The number of values that exist.
        found: usize,
        /// The number of values that are needed.
        expected: usize,
    },
}

/// A checkpoint that has been read.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    config: String,
    progress: TrainingProgress,
    tensors: Vec<(String, Range<usize>)>,
    bytes: Vec<u8>,
}

impl Checkpoint {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| CheckpointError::Io {
            action: "cannot read",
            path: shown.clone(),
            error,
        })?;
        Self::from_bytes(bytes).map_err(|fault| CheckpointError::Damaged { path: shown, fault })
    }

    /// Whether a file that starts with these bytes is a checkpoint, intact or damaged.
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Parses the bytes of a file; the error describes the fault.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, String> {
        let mut reader = Reader::new(&bytes);
        if reader.take(8, "magic").is_ok_and(|magic| magic != MAGIC) {
            return Err("it is not a checkpoint of accrue".into());
        }
        let version = reader.u32("version")?;
        if version != VERSION {
            return Err(format!("it has version {version}; this program reads {VERSION}"));
        }
        let config = reader.u32("length of the configuration")? as usize;
        let length = reader.u64("length of the file")?;
        if length != bytes.len() as u64 || bytes.len() < PREFIX + SUFFIX {
            return Err(format!("it should have {length} bytes and has {}", bytes.len()));
        }
        let (content, sum) = bytes.split_at(bytes.len() - SUFFIX);
        if crc32fast::hash(content).to_le_bytes() != sum {
            return Err("its checksum is wrong: bytes have changed since it was written".into());
        }
        let mut reader = Reader::new(content);
        reader.take(PREFIX, "prefix")?;
        let config = reader.text(config, "configuration")?;
        let progress = TrainingProgress::read(&mut reader)?;
        let tensors = read_index(&mut reader)?;
        if reader.left() > 0 {
            return Err(format!("{} bytes are left over", reader.left()));
        }
        Ok(Self { config, progress, tensors, bytes })
    }

    /// The configuration that it was written with, as TOML.
    pub fn config(&self) -> &str {
        &self.config
    }

    /// The progress of the training.
    pub fn progress(&self) -> &TrainingProgress {
        &self.progress
    }

    /// The names of the tensors.
    pub fn tensors(&self) -> impl Iterator<Item = &str> {
        self.tensors.iter().map(|(name, _)| name.as_str())
    }

    /// Copies a tensor, for [`Learner::restore`](crate::Learner::restore).
    pub fn copy(&self, name: &str, values: &mut [f32]) -> Result<(), CheckpointError> {
        let range = self.tensors.iter().find(|(known, _)| known == name).map(|(_, range)| range);
        let bytes = range.map_or(&[][..], |range| &self.bytes[range.clone()]);
        let (stored, _) = bytes.as_chunks::<4>();
        if stored.len() != values.len() {
            return Err(CheckpointError::Tensor {
                tensor: name.to_owned(),
                found: stored.len(),
                expected: values.len(),
            });
        }
        for (value, bytes) in values.iter_mut().zip(stored) {
            *value = f32::from_le_bytes(*bytes);
        }
        Ok(())
    }
}

/// Reads the names and places of the tensors, whose values end at the end of the reader.
fn read_index(reader: &mut Reader<'_>) -> Result<Vec<(String, Range<usize>)>, String> {
    let count = reader.u32("number of tensors")? as usize;
    if count > MAX_TENSORS {
        return Err(format!("it has {count} tensors; expected at most {MAX_TENSORS}"));
    }
    let mut sizes = Vec::new();
    for _ in 0..count {
        let length = reader.u32("length of a name")? as usize;
        if length > MAX_NAME {
            return Err(format!("a name has {length} bytes; expected at most {MAX_NAME}"));
        }
        let name = reader.text(length, "name of a tensor")?;
        sizes.push((name, reader.u64("size of a tensor")?));
    }
    let mut tensors = Vec::new();
    for (name, size) in sizes {
        let bytes = size.checked_mul(4).and_then(|bytes| usize::try_from(bytes).ok());
        let start = reader.place();
        reader.take(bytes.unwrap_or(usize::MAX), &name)?;
        tensors.push((name, start..reader.place()));
    }
    Ok(tensors)
}

/// Refuses weights that are not finite.
pub fn check_finite(tensors: &[(String, &[f32])]) -> Result<(), CheckpointError> {
    for (tensor, values) in tensors {
        if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
            return Err(CheckpointError::NotFinite { tensor: tensor.clone(), value });
        }
    }
    Ok(())
}

/// Writes a checkpoint. The caller has called [`check_finite`].
pub fn write_checkpoint(
    writer: &mut dyn Write,
    config: &str,
    progress: &TrainingProgress,
    tensors: &[(String, &[f32])],
) -> io::Result<()> {
    let mut index = Vec::new();
    progress.write(&mut index);
    index.extend((tensors.len() as u32).to_le_bytes());
    for (name, values) in tensors {
        index.extend((name.len() as u32).to_le_bytes());
        index.extend(name.as_bytes());
        index.extend((values.len() as u64).to_le_bytes());
    }
    let values: usize = tensors.iter().map(|(_, values)| 4 * values.len()).sum();
    let length = PREFIX + config.len() + index.len() + values + SUFFIX;
    let mut writer = Checked::new(writer);
    writer.put(&MAGIC)?;
    writer.put(&VERSION.to_le_bytes())?;
    writer.put(&(config.len() as u32).to_le_bytes())?;
    writer.put(&(length as u64).to_le_bytes())?;
    writer.put(config.as_bytes())?;
    writer.put(&index)?;
    for (_, values) in tensors {
        writer.put_floats(values)?;
    }
    writer.finish()
}
