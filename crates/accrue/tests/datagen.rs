//! `accrue datagen` as a user, a job array or OpenBench sees it: killed, out of disk, finished, refused.

#[path = "common/command.rs"]
mod command;

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use command::{complaint, lines};
use games::chess::Chess;
use games::{Game, Random};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A folder that goes when it is dropped.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    /// What is in it, in order.
    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A shard that takes a second or two, in more than one block.
fn shard<'a>(out: &'a str, positions: &'a str) -> Vec<&'a str> {
    vec![
        "datagen",
        "--game",
        "connect_four",
        "--positions",
        positions,
        "--nodes",
        "100",
        "--seed",
        "5",
        "--hash",
        "1",
        "--keep",
        "all",
        "--threads",
        "2",
        "--out",
        out,
    ]
}

#[test]
fn a_shard_killed_at_any_time_ends_in_the_same_bytes() {
    let folder = Folder::new();
    let (whole, out) = (folder.path("whole.data"), folder.path("out.data"));
    lines(&shard(&whole, "12000"));
    let whole = fs::read(whole).unwrap();
    assert!(whole.len() > 1 << 17, "{}", whole.len());
    let mut random = Random::new(7);
    for _round in 0..4 {
        for _kill in 0..5 {
            let mut run = Command::new(env!("CARGO_BIN_EXE_accrue"));
            let run = run.args(shard(&out, "12000")).stdout(Stdio::null()).stderr(Stdio::null());
            let mut run = run.spawn().unwrap();
            sleep(Duration::from_millis(random.below(400) as u64));
            run.kill().unwrap();
            run.wait().unwrap();
        }
        lines(&shard(&out, "12000"));
        assert!(fs::read(&out).unwrap() == whole);
        fs::remove_file(&out).unwrap();
    }
    // Nothing temporary is left but what a kill between two steps of its beginning leaves.
    let left = folder.names().into_iter().filter(|name| !name.contains(".new"));
    let expected = ["out.data.manifest.json", "whole.data", "whole.data.manifest.json"];
    assert_eq!(left.collect::<Vec<_>>(), expected);
}

#[cfg(unix)]
#[test]
fn a_signal_saves_everything_and_the_same_command_goes_on() {
    let folder = Folder::new();
    let (whole, out) = (folder.path("whole.data"), folder.path("out.data"));
    lines(&shard(&whole, "12000"));
    let run = Command::new(env!("CARGO_BIN_EXE_accrue"))
        .args(shard(&out, "12000"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while fs::metadata(&out).map_or(0, |file| file.len()) < 1 << 16 {
        sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let said = run.wait_with_output().unwrap();
    assert_eq!(said.status.code(), Some(143));
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(
        said.starts_with("stopped after ") && said.contains("the same command resumes"),
        "{said}"
    );
    let found = lines(&["data", "check", &out]).pop().unwrap();
    assert!(found.ends_with("+ dropped 0"), "{found}");
    lines(&shard(&out, "12000"));
    assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn a_finished_shard_says_so_and_has_its_manifest() {
    let folder = Folder::new();
    let out = folder.path("out.data");
    let mut args = shard(&out, "500");
    args.extend(["--shard", "1/3"]);
    let first = lines(&args);
    assert!(first[0].starts_with(&format!("{out}: 167 positions of ")), "{first:?}");
    let bytes = fs::read(&out).unwrap();
    let manifest = fs::read_to_string(folder.path("out.data.manifest.json")).unwrap();
    let read: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(read["positions"], 167);
    assert_eq!(read["bytes"], bytes.len());
    assert_eq!(read["sha256"], format!("{:x}", Sha256::digest(&bytes)));
    assert_eq!(read["made_by"]["shard"], "1/3");
    assert_eq!(read["made_by"]["seed"], "5");
    assert_eq!(read["made_by"]["mode"], "classical");
    fs::remove_file(folder.path("out.data.manifest.json")).unwrap();
    let again = lines(&args);
    assert_eq!(again[0], format!("{out} was finished before; nothing to do"));
    assert_eq!(fs::read(&out).unwrap(), bytes);
    assert_eq!(fs::read_to_string(folder.path("out.data.manifest.json")).unwrap(), manifest);
    args.push("--json");
    let told: Value = serde_json::from_str(&lines(&args)[0]).unwrap();
    assert_eq!((&told["type"], &told["positions"]), (&"finished before".into(), &167.into()));
}

#[test]
fn other_options_and_other_files_are_refused() {
    let folder = Folder::new();
    let out = folder.path("out.data");
    lines(&shard(&out, "100"));
    let mut args = shard(&out, "100");
    args.extend(["--depth", "3"]);
    let said = complaint(&args);
    assert!(said.contains("it has `depth none`, expected `depth 3`"), "{said}");
    folder.write("book.epd", "7/7/7/7/7/7 w\n");
    let book = folder.path("book.epd");
    let mut args = shard(&out, "100");
    args.extend(["--openings", &book]);
    assert!(complaint(&args).contains("expected `openings book.epd "));
    folder.write("thesis.txt", "the only copy");
    let said = complaint(&shard(&folder.path("thesis.txt"), "100"));
    assert!(said.contains("not an accrue data file"), "{said}");
    assert_eq!(fs::read_to_string(folder.path("thesis.txt")).unwrap(), "the only copy");
    for (option, value) in [
        ("--shard", "3/3"),
        ("--threads", "0"),
        ("--positions", "0"),
        ("--tree-share", "0.5"),
        ("--depths", "0"),
        ("--net", "nothing.accrue"),
        ("--game", "go"),
        ("--max-opening-score", "much"),
    ] {
        let other = folder.path("other.data");
        let mut args = shard(&other, "100");
        if let Some(at) = args.iter().position(|&arg| arg == option) {
            args.drain(at..at + 2);
        }
        args.extend([option, value]);
        complaint(&args);
        assert!(fs::metadata(&other).is_err(), "{option}");
    }
}

/// A file that may not grow is what a full disk looks like.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_costs_nothing() {
    let folder = Folder::new();
    let (whole, out) = (folder.path("whole.data"), folder.path("out.data"));
    lines(&shard(&whole, "12000"));
    // In units of 1024 bytes in bash and of 512 in others; the file would have more than 128 KiB.
    let limited = "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\"";
    let full = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_accrue")])
        .args(shard(&out, "12000"))
        .output()
        .unwrap();
    assert_eq!(full.status.code(), Some(2));
    let said = String::from_utf8(full.stderr).unwrap();
    assert!(said.contains("out.data: cannot write: File too large"), "{said}");
    lines(&shard(&out, "12000"));
    assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn most_of_the_time_is_spent_in_search() {
    let folder = Folder::new();
    let out = folder.path("out.data");
    let args = ["datagen", "--positions", "100", "--threads", "1", "--json", "--out", &out];
    let told: Value = serde_json::from_str(&lines(&args)[0]).unwrap();
    let share = told["search_share"].as_f64().unwrap();
    assert!(share >= 0.95, "{share}");
}

#[test]
fn openbench_gets_openings_and_a_bench() {
    let openings = |line: &str| -> Vec<String> {
        let said = lines(&[line, "quit"]);
        let fens = said.iter().filter_map(|line| line.strip_prefix("info string genfens "));
        fens.map(String::from).collect()
    };
    let first = openings("genfens 5 seed 1 book None ");
    assert_eq!(first.len(), 5);
    for fen in &first {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        assert!(Chess::from_fen(fen).unwrap().outcome().is_none());
    }
    assert_eq!(openings("genfens 5 seed 1 book None"), first);
    assert_ne!(openings("genfens 5 seed 2 book None"), first);
    let folder = Folder::new();
    folder.write("book.epd", "4k3/4p3/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 1;\n");
    let book = format!("genfens 3 seed 1 book {} random-plies 2", folder.path("book.epd"));
    assert!(
        openings(&book)
            .iter()
            .all(|fen| fen.chars().filter(char::is_ascii_alphabetic).count() <= 6)
    );
    let said = complaint(&["genfens 3 seed 1 book /nowhere.epd", "quit"]);
    assert!(said.contains("/nowhere.epd"), "{said}");
    let said = lines(&["setoption name Hash value 8", "bench 2", "quit"]);
    assert!(said.last().unwrap().ends_with(" nps"), "{said:?}");
    assert_eq!(lines(&["bench", "2"]).last().unwrap().split(' ').nth(1), Some("nodes"));
}

/// The mode is recorded as it was resolved, and a file of one mode is not continued in another.
#[test]
fn the_mode_is_recorded() {
    let folder = Folder::new();
    let out = folder.path("out.data");
    let with = |mode: &'static str| {
        let limits = ["--positions", "60", "--soft-nodes", "50", "--hash", "1", "--threads", "1"];
        [&["datagen", "--out", &out, "--mode", mode], &limits[..]].concat()
    };
    lines(&with("auto"));
    let manifest = fs::read_to_string(folder.path("out.data.manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["made_by"]["mode"], "learned");
    assert_eq!(lines(&with("learned"))[0], format!("{out} was finished before; nothing to do"));
    let complaint = complaint(&with("classical"));
    assert!(complaint.contains("it has `mode learned`, expected `mode classical`"), "{complaint}");
}
