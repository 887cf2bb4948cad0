//! Root folder: paths from requests, resolved and kept below `--root`.

use std::path::{Component, Path, PathBuf};

use crate::error::{ApiError, ServeError};

/// The folder below which the server reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    path: PathBuf,
}

impl Root {
    /// Opens the folder.
    pub(crate) fn new(path: &Path) -> Result<Self, ServeError> {
        let refuse = |error| ServeError::Root { path: path.to_owned(), error };
        let found = path.canonicalize().map_err(refuse)?;
        if !found.is_dir() {
            return Err(refuse(std::io::ErrorKind::NotADirectory.into()));
        }
        Ok(Self { path: found })
    }

    /// The folder, without links in its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file or folder that a request names. It exists, and lies below the root after all links
    /// are resolved.
    pub(crate) fn resolve(&self, relative: &str) -> Result<PathBuf, ApiError> {
        let missing = || {
            ApiError::not_found("no_such_path", format!("there is no `{relative}` below the root"))
        };
        let path = self.new_path(relative)?.canonicalize().map_err(|_| missing())?;
        if path.starts_with(&self.path) { Ok(path) } else { Err(missing()) }
    }

    /// The path of a file or folder that need not exist. Only plain names are accepted.
    pub(crate) fn new_path(&self, relative: &str) -> Result<PathBuf, ApiError> {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        let is_hostile = |letter: char| letter.is_control() || letter == '\\';
        if relative.contains(is_hostile) || !Path::new(relative).components().all(is_plain) {
            return Err(ApiError::bad_request(
                "bad_path",
                "the path must be relative to the root, without `..`",
            ));
        }
        Ok(self.path.join(relative))
    }

    /// A path below the root as requests name it.
    pub(crate) fn relative(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.path).unwrap_or(path);
        path.to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_root() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "x").unwrap();
        let inside = outside.path().join("root");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(inside.join("file"), "x").unwrap();
        let root = Root::new(&inside).unwrap();
        assert_eq!(root.relative(&root.resolve("file").unwrap()), "file");
        for path in ["../secret", "/etc/passwd", "a/../../secret", "..", "nothing", "a\\b", "a\0"] {
            assert!(root.resolve(path).is_err(), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.path(), inside.join("link")).unwrap();
            assert!(root.resolve("link/secret").is_err());
            assert!(root.resolve("link").is_err());
        }
    }
}
