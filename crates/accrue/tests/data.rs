//! `accrue data` as a user or a script sees it: formats, counts, exit codes. Its care for files is in `data_files.rs`.

#[path = "common/command.rs"]
mod command;
#[path = "common/records.rs"]
mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use command::{accrue, complaint, lines, text};
use records::{Folder, random_games};

/// A JSON line of a record.
type Line = serde_json::Value;

fn zoo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../dataset/tests/data/zoo.pgn")
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Runs a command that must succeed and gives its last line.
fn last(args: &[&str]) -> String {
    lines(args).pop().expect("a last line")
}

/// The records of a file, by way of JSON Lines.
fn dump(folder: &Folder, file: &str) -> Vec<Line> {
    let out = folder.path("dump.jsonl");
    lines(&["data", "convert", &folder.path(file), "--out", &out]);
    let text = fs::read_to_string(out).expect("it was written");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_command_has_help_with_examples() {
    for command in ["info", "check", "convert", "shuffle", "filter", "dedup", "split"] {
        let help = lines(&["data", command, "--help"]).join("\n");
        assert!(help.contains("Examples:") && help.contains("--json"), "{command}: {help}");
    }
    assert!(lines(&["data", "--help"]).join("\n").contains("in N = out M + dropped D"));
}

#[test]
fn broken_games_are_named_counted_and_skipped() {
    let folder = Folder::new();
    let out = folder.path("zoo.data");
    let output = accrue(&["data", "convert", shown(&zoo()), "--out", &out]);
    assert!(output.status.success());
    let sum = "in 36 = out 27 + dropped 9 (malformed games 9)";
    assert_eq!(text(&output.stdout).lines().last(), Some(sum));
    let told = text(&output.stderr);
    assert_eq!(told.lines().count(), 9);
    assert!(told.contains("zoo.pgn: game 5, line 35: `Ke3` is not legal"), "{told}");
    // The file that was written is the one that was expected.
    let expected = fs::read_to_string(zoo().with_extension("jsonl")).expect("the data");
    let expected: Vec<Line> =
        expected.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(dump(&folder, "zoo.data"), expected);
}

#[test]
fn check_answers_with_its_exit_code() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(20));
    let (data, json) = (folder.path("games.data"), folder.path("games.jsonl"));
    let sum = last(&["data", "convert", &json, "--out", &data]);
    let records = random_games(20).lines().count();
    assert_eq!(sum, format!("in {records} = out {records} + dropped 0"));
    assert_eq!(last(&["data", "check", &data]), sum);
    // A flipped bit costs what its checksum covers, and is told.
    let mut bytes = fs::read(&data).expect("it was written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&data, &bytes).expect("it can be written again");
    for json in [&[][..], &["--json"]] {
        let output = accrue(&[&["data", "check", &data][..], json].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("checksum"), "{}", text(&output.stderr));
    }
    let output = accrue(&["data", "check", shown(&zoo())]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn every_format_leads_to_every_other() {
    let folder = Folder::new();
    folder.write("start.jsonl", &random_games(6));
    let start = folder.path("start.jsonl");
    let records = random_games(6).lines().count();
    let names = ["a.data", "a.vf", "a.txt", "a.epd", "a.bf", "a.jsonl"];
    let sum = format!("in {records} = out {records} + dropped 0");
    for name in names {
        assert_eq!(last(&["data", "convert", &start, "--out", &folder.path(name)]), sum, "{name}");
        let check = last(&["data", "check", &folder.path(name)]);
        assert_eq!(check, sum, "{name}");
    }
    let original = dump(&folder, "start.jsonl");
    for whole in ["a.data", "a.vf", "a.jsonl"] {
        assert_eq!(dump(&folder, whole), original, "{whole}");
    }
    // Games in the order of play are found again.
    for (name, keys) in
        [("a.txt", &["score", "result", "game"][..]), ("a.epd", &["result", "game"])]
    {
        for (left, original) in dump(&folder, name).iter().zip(&original) {
            assert_eq!(left["fen"], original["fen"], "{name}");
            for key in ["score", "result", "best_move", "game"] {
                let kept = if keys.contains(&key) { &original[key] } else { &Line::Null };
                assert_eq!(&left[key], kept, "{name} {key}");
            }
        }
    }
    // Without depths and quantiles the way through bulletformat's view keeps scores.
    let scores =
        |lines: &[Line]| lines.iter().map(|line| line["score"].clone()).collect::<Vec<_>>();
    assert_eq!(scores(&dump(&folder, "a.bf")), scores(&original));
}

#[test]
fn shuffling_keeps_everything_but_the_order() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(60));
    let input = folder.path("games.jsonl");
    let sorted = |lines: &[Line]| {
        let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        lines.sort();
        lines
    };
    let original = dump(&folder, "games.jsonl");
    let mut orders = Vec::new();
    for (out, seed) in [("a.data", "1"), ("b.data", "1"), ("c.data", "2")] {
        let out_path = folder.path(out);
        let shuffle =
            ["data", "shuffle", &input, "--out", &out_path, "--seed", seed, "--memory", "1"];
        assert_eq!(last(&shuffle), format!("in {0} = out {0} + dropped 0", original.len()));
        let order = dump(&folder, out);
        assert_ne!(order, original);
        assert_eq!(sorted(&order), sorted(&original));
        let told = lines(&["data", "info", &out_path]).join("\n");
        assert!(told.contains(&format!("records {}, games 60\n", original.len())), "{told}");
        orders.push(order);
    }
    assert_eq!(orders[0], orders[1]);
    assert_ne!(orders[0], orders[2]);
    assert_eq!(fs::read(folder.path("a.data")).ok(), fs::read(folder.path("b.data")).ok());
}

#[test]
fn filters_name_what_they_drop() {
    let folder = Folder::new();
    // One game is there twice.
    let games = random_games(40) + &random_games(1);
    folder.write("games.jsonl", &games);
    let (input, out) = (folder.path("games.jsonl"), folder.path("out.jsonl"));
    let options = [
        "--in-check",
        "--captures",
        "--mates",
        "--max-score",
        "2000",
        "--min-ply",
        "4",
        "--duplicates",
    ];
    let mut args = vec!["data", "filter", &input, "--out", &out, "--json"];
    args.extend(options);
    let report: Line = serde_json::from_str(&last(&args)).expect("JSON");
    let dropped: BTreeMap<String, u64> =
        serde_json::from_value(report["dropped"].clone()).expect("counts");
    let names: Vec<&str> = dropped.keys().map(String::as_str).collect();
    assert_eq!(names, ["captures", "duplicates", "early", "in check", "mates", "score"]);
    assert_eq!(report["in"], games.lines().count());
    let (read, kept) = (report["in"].as_u64(), report["out"].as_u64());
    assert_eq!(read, kept.map(|kept| kept + dropped.values().sum::<u64>()));
    // What is left passes, and once more drops nothing.
    let kept = dump(&folder, "out.jsonl");
    assert!(kept.iter().all(|line| line["score"].as_i64().expect("a score").abs() <= 2000));
    let mut again = vec!["data", "filter", &out, "--out", &input];
    again.extend(options);
    assert_eq!(last(&again), format!("in {0} = out {0} + dropped 0", kept.len()));
    assert!(complaint(&["data", "filter", &input, "--out", &out]).contains("nothing to drop"));
}

#[test]
fn dedup_keeps_the_first_of_each_position() {
    let folder = Folder::new();
    let games = random_games(10);
    folder.write("twice.jsonl", &format!("{games}{games}"));
    let (input, out) = (folder.path("twice.jsonl"), folder.path("once.jsonl"));
    lines(&["data", "dedup", &input, "--out", &out]);
    let key = |line: &Line| {
        let fen = line["fen"].as_str().expect("a FEN").to_owned();
        fen.split(' ').take(3).collect::<Vec<_>>().join(" ")
    };
    let mut seen = BTreeSet::new();
    let original = dump(&folder, "twice.jsonl");
    let kept = dump(&folder, "once.jsonl");
    // By pieces, turn and castling: a little coarser than what counts, en passant.
    let firsts = original.iter().filter(|line| seen.insert(key(line))).count();
    assert!(kept.len() >= firsts && kept.len() <= original.len() / 2);
    let positions: BTreeSet<_> = kept.iter().map(|line| line["fen"].to_string()).collect();
    assert_eq!(positions.len(), kept.len());
    let mut rest = original.iter();
    assert!(kept.iter().all(|line| rest.any(|other| other == line)), "the order is kept");
}

#[test]
fn split_never_divides_a_game() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(100));
    let input = folder.path("games.jsonl");
    let shuffled = folder.path("shuffled.data");
    lines(&["data", "shuffle", &input, "--out", &shuffled]);
    for input in [&input, &shuffled] {
        let (train, valid) = (folder.path("train.data"), folder.path("valid.data"));
        let args = ["data", "split", input, "--train", &train, "--validation", &valid];
        let sum = last(&[&args[..], &["--share", "0.2", "--seed", "3"]].concat());
        let records = random_games(100).lines().count();
        assert_eq!(sum, format!("in {records} = out {records} + dropped 0"));
        let games = |file: &str| -> BTreeSet<u64> {
            dump(&folder, file).iter().filter_map(|line| line["game"].as_u64()).collect()
        };
        let (train, valid) = (games("train.data"), games("valid.data"));
        assert!(train.is_disjoint(&valid));
        assert_eq!(train.len() + valid.len(), 100);
        assert!((8..=35).contains(&valid.len()), "{valid:?}");
    }
}

#[test]
fn games_of_several_files_stay_apart() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(3));
    let (input, out) = (folder.path("games.jsonl"), folder.path("both.data"));
    lines(&["data", "convert", &input, &input, "--out", &out]);
    let games: BTreeSet<_> =
        dump(&folder, "both.data").iter().map(|line| line["game"].to_string()).collect();
    assert_eq!(games.len(), 6, "{games:?}");
}

#[test]
fn info_tells_what_is_there() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(5));
    let data = folder.path("games.data");
    lines(&["data", "convert", &folder.path("games.jsonl"), "--out", &data]);
    let records = random_games(5).lines().count();
    let told = lines(&["data", "info", &data]).join("\n");
    for words in [
        "native",
        "game chess",
        "made by accrue",
        "data convert",
        "bytes a record",
        &format!("records {records}, games 5"),
        "scores:",
        "results:",
        "pieces:",
        &format!("in {records} = out {records} + dropped 0"),
    ] {
        assert!(told.contains(words), "no `{words}` in {told}");
    }
    let json: Line = serde_json::from_str(&last(&["data", "info", &data, "--json"])).expect("JSON");
    assert_eq!((&json["records"], &json["games"]), (&records.into(), &5.into()));
    let bars = |name: &str| -> u64 {
        let bars = json[name].as_array().expect("bars");
        bars.iter().filter_map(|bar| bar["records"].as_u64()).sum()
    };
    for name in ["scores", "results", "pieces"] {
        assert_eq!(bars(name), records as u64, "{name}");
    }
}

#[test]
fn what_is_wrong_is_named_and_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.write("games.jsonl", &random_games(2));
    folder.write("nothing.xyz", "hello\nworld\n");
    folder.write("broken.txt", "a | b | c\n");
    folder.write(
        "hex.txt",
        "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1 | 0 | 0.75\n",
    );
    let file = |name: &str| folder.path(name);
    let (games, out) = (file("games.jsonl"), file("out.data"));
    let missing = file("missing.data");
    let nowhere = file("no/such/folder/out.data");
    for (args, words) in [
        (vec!["data", "info", &missing], vec!["cannot read", "missing.data"]),
        (vec!["data", "info", &file("nothing.xyz")], vec!["nothing.xyz", "--from", "native, text"]),
        (vec!["data", "convert", &games, "--out", &nowhere], vec!["cannot write into"]),
        (
            vec!["data", "convert", &games, "--out", &file("x.pgn")],
            vec!["x.pgn", "can be read but not written"],
        ),
        (
            vec!["data", "convert", &file("broken.txt"), "--out", &out],
            vec!["nothing could be read"],
        ),
        (
            vec!["data", "convert", &file("hex.txt"), "--game", "hexchess", "--out", &file("x.bf")],
            vec!["x.bf", "chess only"],
        ),
        (vec!["data", "convert", &games, "--game", "go", "--out", &out], vec!["go"]),
        (
            vec![
                "data",
                "split",
                &games,
                "--share",
                "2",
                "--train",
                &out,
                "--validation",
                &file("v"),
            ],
            vec!["--share 2"],
        ),
        (vec!["data", "split", &games, "--train", &out, "--validation", &out], vec!["same file"]),
        (vec!["data", "shuffle", &games, "--out", &out, "--memory", "0"], vec!["0", "--memory"]),
    ] {
        let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
        let complaint = complaint(&args);
        for word in words {
            assert!(complaint.contains(word), "{args:?}: {complaint:?} does not say {word:?}");
        }
    }
    assert_eq!(folder.names(), ["broken.txt", "games.jsonl", "hex.txt", "nothing.xyz"]);
    // With the right game and a format that has quarters, the same line is fine.
    let sum = last(&["data", "convert", &file("hex.txt"), "--game", "hexchess", "--out", &out]);
    assert_eq!(sum, "in 1 = out 1 + dropped 0");
    assert!(lines(&["data", "info", &out]).contains(&"game hexchess".to_owned()));
}
