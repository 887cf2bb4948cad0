//! A shell that runs the commands of pages in a folder that looks like a checkout.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::blocks::{for_this_program, root};

/// The time limit of a block, on a busy machine without optimisation.
const PATIENCE: Duration = Duration::from_mins(2);

/// A folder with `examples` and `nets` in it, and this program as `accrue`.
pub(crate) struct Shell(TempDir);

/// The output of a script.
pub(crate) struct Said {
    /// Standard output and error, interleaved.
    pub(crate) text: String,
    /// Why it failed.
    pub(crate) fault: Option<String>,
}

impl Shell {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["examples", "nets"] {
            let copy = folder.path().join(name);
            fs::create_dir(&copy).unwrap();
            for entry in fs::read_dir(root().join(name)).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_file() {
                    fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
                }
            }
        }
        symlink(fs::canonicalize(root().join("crates")).unwrap(), folder.path().join("crates"))
            .unwrap();
        let programs = folder.path().join(".programs");
        fs::create_dir(&programs).unwrap();
        symlink(env!("CARGO_BIN_EXE_accrue"), programs.join("accrue")).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs a script; the first command that fails ends it.
    pub(crate) fn run(&self, script: &str) -> Said {
        let output = self.path().join(".output");
        let file = fs::File::create(&output).unwrap();
        let mut path = vec![self.path().join(".programs")];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        let mut shell = Command::new("sh");
        shell
            .args(["-e", "-c", &for_this_program(script)])
            .current_dir(self.path())
            .env("PATH", std::env::join_paths(path).unwrap())
            .stdin(Stdio::null())
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .process_group(0);
        let mut shell = shell.spawn().unwrap();
        let end = Instant::now() + PATIENCE;
        let fault = loop {
            match shell.try_wait().unwrap() {
                Some(status) if status.success() => break None,
                Some(status) => break Some(format!("ended with {status}")),
                None if Instant::now() > end => {
                    // The whole group, which includes the process that the shell waits for.
                    let group = format!("-{}", shell.id());
                    Command::new("kill").args(["-9", "--", &group]).status().unwrap();
                    shell.wait().unwrap();
                    let limit = PATIENCE.as_secs();
                    break Some(format!(
                        "takes longer than {limit} s; write `long` after the fence"
                    ));
                }
                None => sleep(Duration::from_millis(5)),
            }
        };
        Said { text: fs::read_to_string(&output).unwrap(), fault }
    }
}

/// Whether lines match those of a page: `…` alone matches any lines, within a line any text.
pub(crate) fn is_as_shown(lines: &[&str], shown: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["…", rest @ ..] => (0..=lines.len()).any(|skip| is_as_shown(&lines[skip..], rest)),
        [first, rest @ ..] => {
            let Some((line, lines)) = lines.split_first() else { return false };
            is_line_as_shown(line.trim_end(), first.trim_end()) && is_as_shown(lines, rest)
        }
    }
}

fn is_line_as_shown(line: &str, shown: &str) -> bool {
    match shown.split_once('…') {
        None => line == shown,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.into_iter().any(|at| is_line_as_shown(&line[at..], rest))
        }),
    }
}
