//! Running the built program.

use std::process::{Command, Output, Stdio};

/// The program, nothing on its standard input.
pub(crate) fn accrue(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(args).stdin(Stdio::null());
    command.output().expect("the program can be started")
}

/// The lines of standard output of a run that must succeed.
pub(crate) fn lines(args: &[&str]) -> Vec<String> {
    let output = accrue(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// The complaint of a run that must end with exit code 2 and print nothing on standard output.
pub(crate) fn complaint(args: &[&str]) -> String {
    let output = accrue(args);
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
    assert!(!complaint.contains("panicked"), "{args:?}: {complaint}");
    complaint
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8")
}
