//! Writing files so that a crash leaves either the old one or the new one.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

/// Writes `bytes` to a file beside `path`, syncs it and puts it in the place of `path`.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let shown = path.display();
    // What a link leads to is replaced, not the link: /dev/stdout is one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A folder cannot be replaced; a device could be, which would be worse.
    if fs::metadata(&target).is_ok_and(|existing| !existing.is_file()) {
        bail!("cannot write {shown}: something that is not a file stands there");
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // Temporary files are private; what users asked for is theirs to share, as far as their umask goes.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    file.write_all(bytes).with_context(|| format!("cannot write {shown}"))?;
    file.as_file().sync_all().with_context(|| format!("cannot write {shown}"))?;
    let placed = file.persist(&target).map_err(|error| error.error);
    placed.with_context(|| format!("cannot put {shown} in place"))?;
    // The rename itself must reach the disk too, where folders can be synced.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
