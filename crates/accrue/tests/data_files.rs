//! What `accrue data` writes is there whole or not at all.

#[path = "common/command.rs"]
mod command;
#[path = "common/records.rs"]
mod records;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use command::{complaint, lines, text};
use records::{Folder, random_games};

/// Runs a command that must succeed and gives its last line.
fn last(args: &[&str]) -> String {
    lines(args).pop().expect("a last line")
}

#[test]
fn an_old_file_stays_until_the_new_one_is_complete() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(3));
    folder.write("old.vf", "precious");
    // Without its first lines the second half of a game is fine, but a gap is not.
    let games = random_games(3);
    let gap: Vec<&str> = games.lines().collect();
    folder.write("gap.jsonl", &format!("{}\n{}\n", gap[0], gap[2]));
    let complaint =
        complaint(&["data", "convert", &folder.path("gap.jsonl"), "--out", &folder.path("old.vf")]);
    assert!(complaint.contains("ply 2 of game 1 comes where ply 1 was expected"), "{complaint}");
    assert_eq!(fs::read(folder.path("old.vf")).ok().as_deref(), Some(&b"precious"[..]));
    assert_eq!(folder.names(), ["games.jsonl", "gap.jsonl", "old.vf"]);
    // And a file may be rewritten from itself.
    let path = folder.path("games.jsonl");
    let sum = last(&["data", "shuffle", &path, "--out", &path]);
    assert!(sum.ends_with("dropped 0"), "{sum}");
    assert_eq!(fs::read_to_string(&path).expect("it is there").lines().count(), gap.len());
}

#[test]
fn a_kill_leaves_no_half_file() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(200));
    let (input, out) = (folder.path("games.jsonl"), folder.path("out.data"));
    let records = random_games(200).lines().count();
    let mut killed = 0;
    for wait in 0..12 {
        let mut program = Command::new(env!("CARGO_BIN_EXE_accrue"));
        program.args(["data", "shuffle", &input, "--out", &out, "--memory", "1"]);
        program.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = program.spawn().expect("the program can be started");
        std::thread::sleep(Duration::from_millis(wait * 8));
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
        if Path::new(&out).exists() {
            // It was faster than the kill; then it is whole.
            assert_eq!(
                last(&["data", "check", &out]),
                format!("in {records} = out {records} + dropped 0")
            );
            fs::remove_file(&out).expect("it can be removed");
        } else {
            killed += 1;
        }
    }
    assert!(killed > 0, "every run was faster than the kill");
}

/// A limit on the size of files looks to a program like a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_that_leaves_nothing() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(30));
    folder.write("old.data", "precious");
    let input = folder.path("games.jsonl");
    for (command, out) in [("convert", "new.data"), ("convert", "new.txt"), ("shuffle", "old.data")]
    {
        let out = folder.path(out);
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, "sh", env!("CARGO_BIN_EXE_accrue")])
            .args(["data", command, &input, "--out", &out])
            .output()
            .expect("a shell");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(&format!("cannot write {out}")), "{told}");
    }
    assert_eq!(folder.names(), ["games.jsonl", "old.data"]);
    assert_eq!(fs::read(folder.path("old.data")).ok().as_deref(), Some(&b"precious"[..]));
}
