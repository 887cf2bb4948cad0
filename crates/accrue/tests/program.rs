//! What holds for the program as a whole: help, exit codes, pipes.

#[path = "common/command.rs"]
mod command;

use std::process::{Command, Stdio};

use command::{accrue, complaint, lines, text};

#[test]
fn every_command_has_help_with_examples() {
    for args in
        [&["--help"][..], &["perft", "--help"], &["features", "--help"], &["games", "--help"]]
    {
        let help = lines(args).join("\n");
        assert!(help.contains("Usage: accrue") && help.contains("Examples:"), "{args:?}: {help}");
    }
    assert!(lines(&["help", "perft"]).join("\n").contains("--divide"));
    assert!(lines(&["--version"])[0].starts_with("accrue "));
}

#[test]
fn without_arguments_it_speaks_uci() {
    // Nothing is said to nobody.
    assert_eq!(lines(&[]), [""; 0]);
    assert!(lines(&["--help"]).join("\n").contains("UCI"));
}

#[test]
fn unknown_commands_are_bad_input() {
    assert!(complaint(&["pferd"]).contains("pferd"));
    assert!(complaint(&["--depth", "3"]).contains("--depth"));
}

#[test]
fn arguments_that_are_not_unicode_do_not_panic() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let strange = std::ffi::OsStr::from_bytes(b"\xff\xfe");
        let mut program = Command::new(env!("CARGO_BIN_EXE_accrue"));
        let output = program.args(["perft", "--depth", "1", "--fen"]).arg(strange).output();
        assert_eq!(output.expect("the program can be started").status.code(), Some(2));
    }
}

#[test]
fn a_reader_that_leaves_early_is_not_an_error() {
    for args in [&["games"][..], &["perft", "--depth", "1", "--divide"], &["--help"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_accrue"));
        program.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().expect("the program can be started");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "");
    }
}

#[test]
fn a_short_run_reports_no_progress() {
    let output = accrue(&["perft", "--depth", "3"]);
    assert_eq!(text(&output.stderr), "");
}
