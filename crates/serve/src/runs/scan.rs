//! Scan: finds runs below the root folder by the names of their files.

use std::fs;
use std::path::{Path, PathBuf};

use super::summary::Kind;
use crate::limits;

/// How many runs are listed.
const MAX_RUNS: usize = 500;

/// A run: its file or folder, and its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
}

/// The runs below a folder, in a stable order. Links are not followed: what they lead to below the
/// root has a path of its own.
pub(super) fn scan(root: &Path) -> Vec<Found> {
    let mut scan = Scan { found: Vec::new(), entries: 0 };
    scan.folder(root, 0);
    scan.found
}

struct Scan {
    found: Vec<Found>,
    entries: usize,
}

impl Scan {
    fn folder(&mut self, path: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(path) else { return };
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in entries.flatten() {
            self.entries += 1;
            if self.entries > limits::FOLDER_ENTRIES {
                break;
            }
            // A name that is not UTF-8 could not be sent.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') {
                continue;
            }
            if kind.is_dir() && !limits::SKIPPED_FOLDERS.contains(&name.as_str()) {
                folders.push(name);
            } else if kind.is_file() {
                files.push(name);
            }
        }
        files.sort_unstable();
        folders.sort_unstable();
        // The root itself has no path that a request could name.
        if depth > 0
            && let Some(kind) = kind_of_folder(&files, &folders)
        {
            self.add(path.to_owned(), kind);
        }
        for name in &files {
            if let Some(kind) = kind_of_file(name) {
                self.add(path.join(name), kind);
            }
        }
        if depth < limits::FOLDER_DEPTH {
            for name in folders {
                self.folder(&path.join(name), depth + 1);
            }
        }
    }

    fn add(&mut self, path: PathBuf, kind: Kind) {
        if self.found.len() < MAX_RUNS {
            self.found.push(Found { path, kind });
        }
    }
}

fn kind_of_folder(files: &[String], folders: &[String]) -> Option<Kind> {
    let has = |names: &[String], name: &str| names.iter().any(|other| other == name);
    match () {
        () if has(files, "quickstart.toml") => Some(Kind::Quickstart),
        () if has(folders, "gen-0000") => Some(Kind::Loop),
        () if has(files, "log.jsonl") => Some(Kind::Training),
        () => None,
    }
}

fn kind_of_file(name: &str) -> Option<Kind> {
    match name.rsplit_once('.')? {
        (_, "data") => Some(Kind::Data),
        (_, "journal") => Some(Kind::Match),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_by_their_files() {
        let root = tempfile::tempdir().unwrap();
        let touch = |name: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        for name in [
            "q/quickstart.toml",
            "q/training/log.jsonl",
            "q/games.data",
            "q/match.journal",
            "l/gen-0000/net.accrue",
            "l/gen-0001/gate.journal",
            ".hidden/log.jsonl",
            "target/log.jsonl",
            "a/b/c/d/e/f/log.jsonl",
            "a/b/c/d/e/f/g/log.jsonl",
            "log.jsonl",
            "notes.txt",
        ] {
            touch(name);
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path(), root.path().join("again")).unwrap();
        let found = scan(root.path());
        let shown: Vec<_> = found
            .iter()
            .map(|found| {
                (found.path.strip_prefix(root.path()).unwrap().to_str().unwrap(), found.kind)
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("a/b/c/d/e/f", Kind::Training),
                ("l", Kind::Loop),
                ("l/gen-0001/gate.journal", Kind::Match),
                ("q", Kind::Quickstart),
                ("q/games.data", Kind::Data),
                ("q/match.journal", Kind::Match),
                ("q/training", Kind::Training),
            ]
        );
    }
}
