//! Writing files so that a crash leaves either the old one or the new one.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::Context;

/// Writes `bytes` to a file beside `path`, syncs it and puts it in the place of `path`.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let shown = path.display();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    file.write_all(bytes).with_context(|| format!("cannot write {shown}"))?;
    file.as_file().sync_all().with_context(|| format!("cannot write {shown}"))?;
    // Temporary files are private; what users asked for is theirs to share.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = file.as_file().set_permissions(fs::Permissions::from_mode(0o644));
    }
    file.persist(path).with_context(|| format!("cannot put {shown} in place"))?;
    // The rename itself must reach the disk too, where folders can be synced.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
