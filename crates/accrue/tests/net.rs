//! `accrue net`: what it tells about a file, what it imports, and what every command says of a bad file.

#[path = "common/command.rs"]
mod command;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "common/networks.rs"]
mod networks;

use std::path::Path;

use command::{complaint, lines};
use networks::{FLOAT, FULL, PROVENANCE, Random, SIMPLE, bullet, json, native, noru, put};
use nnue::{Activation, NetworkFile, read_bullet, read_json};
use serde_json::{Value, json};

fn info(args: &[&str]) -> Value {
    let lines = lines(&[&["net", "info", "--json"], args].concat());
    assert_eq!(lines.len(), 1, "{lines:?}");
    serde_json::from_str(&lines[0]).expect("JSON")
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A complaint of our own that says all the words.
fn complains(args: &[&str], words: &[&str]) {
    let complaint = complaint(args);
    assert!(complaint.starts_with("accrue: "), "{args:?}: {complaint}");
    for word in words {
        assert!(complaint.contains(word), "{args:?}: {complaint:?} does not say {word:?}");
    }
}

#[test]
fn info_tells_what_a_file_holds() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = native(FULL);
    let path = put(folder.path(), "full.accrue", file.write());
    let text = lines(&["net", "info", &path]).join("\n");
    let parameters = format!("parameters    {}", file.architecture().parameters());
    for words in [
        &path,
        FULL,
        "kind          accrue",
        "features      chess.piece-square (768)",
        "value (sigmoid); win, draw, loss; quantiles 10 25 50 75 90 %; policy 64 + 64",
        &parameters,
        "arithmetic    integers",
        "accumulator 255, activation shift 9, hidden shifts [6], heads 64, policy shift 6, 400 centi",
        "off by 0.25 centipawns on average, 3.50 at most, on 1234 positions",
        "provenance\n  made by a test\n  of two lines",
    ] {
        assert!(text.contains(words), "{text} does not say {words:?}");
    }
    let value = info(&[&path]);
    assert_eq!(value["bytes"], file.write().len());
    assert_eq!((&value["architecture"], &value["features"]), (&FULL.into(), &SET.into()));
    assert_eq!((&value["inputs"], &value["perspectives"]), (&768.into(), &2.into()));
    assert_eq!((&value["accumulator"], &value["hidden"]), (&32.into(), &json!([16])));
    assert_eq!((&value["buckets"], &value["provenance"]), (&8.into(), &PROVENANCE.into()));
    let error = json!({"positions": 1234, "mean_centipawns": 0.25, "most_centipawns": 3.5});
    assert_eq!(value["quantisation_error"], error);
    assert_eq!(value["scales"]["accumulator"], 255);
    assert_eq!(value["kernel"], nnue::Kernel::best().name());
}

const SET: &str = "chess.piece-square";

#[test]
fn info_of_other_kinds() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let float = info(&[&put(folder.path(), "float.accrue", native(FLOAT).write())]);
    assert_eq!((&float["arithmetic"], &float["scales"]), (&"floats".into(), &Value::Null));
    assert_eq!((&float["architecture"], &float["perspectives"]), (&FLOAT.into(), &1.into()));
    let noru = info(&[&put(folder.path(), "noru.bin", noru())]);
    assert_eq!((&noru["kind"], &noru["features"]), (&"noru".into(), &"raw:768".into()));
    assert_eq!((&noru["scales"], &noru["quantisation_error"]), (&Value::Null, &Value::Null));
    let bullet = put(folder.path(), "quantised.bin", bullet());
    let bullet = info(&[&bullet, "--architecture", SIMPLE]);
    assert_eq!(bullet["architecture"], SIMPLE);
    let matrix = put(folder.path(), "weights.json", json());
    complains(&["net", "info", &matrix], &["weights.json", "feature set", "--features", SET]);
    let matrix = info(&[&matrix, "--features", SET]);
    assert_eq!(matrix["architecture"], "chess.piece-square (768→8)×2→1 screlu");
}

#[test]
fn import_writes_an_equal_network() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let simple = SIMPLE.parse().expect("an architecture");
    let bullet = (bullet(), &["--architecture", SIMPLE][..]);
    let matrix = (json().into_bytes(), &["--features", SET][..]);
    let ours = (native(FULL).write(), &[][..]);
    for ((bytes, args), expected) in [
        (&bullet, read_bullet(&bullet.0, &simple)),
        (&matrix, read_json(&matrix.0, SET, Activation::Screlu)),
        (&ours, NetworkFile::read(&ours.0)),
    ] {
        let expected = expected.expect("a network");
        let from = put(folder.path(), "from.bin", bytes);
        let out = folder.path().join("out.accrue");
        let out = out.to_str().expect("plain text");
        let said = lines(&[&["net", "import", &from, "--out", out], *args].concat());
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(out), "{said:?}");
        // The file names the encoding of a policy that the source gives by its size alone.
        let unnamed = |text: &str| text.replace(":from-to", "");
        assert!(
            unnamed(&said[0]).contains(&unnamed(&expected.architecture().to_string())),
            "{said:?}"
        );
        let written = NetworkFile::read(&std::fs::read(out).expect("the file")).expect("a network");
        let [written_as, expected_as] =
            [&written, &expected].map(|file| unnamed(&file.architecture().to_string()));
        assert_eq!(written_as, expected_as);
        assert_eq!(written.parameters(), expected.parameters());
        assert!(!written.provenance().is_empty());
        let folder_name = folder.path().to_str().expect("plain text");
        assert!(!written.provenance().contains(folder_name), "{}", written.provenance());
        // Nothing but what was asked for; the second and third import replaced the file of the first.
        assert_eq!(names(folder.path()), ["from.bin", "out.accrue"]);
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";
        let before = lines(&[&["eval", "--net", &from, "--fen", fen], *args].concat());
        let after = lines(&["eval", "--net", out, "--fen", fen]);
        assert_eq!(before.last(), after.last());
    }
}

#[test]
fn networks_with_an_arithmetic_of_their_own_are_not_imported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.accrue");
    let out = out.to_str().expect("plain text");
    let noru = put(folder.path(), "noru.bin", noru());
    let words = ["noru.bin", "arithmetic of its own", "accrue eval"];
    complains(&["net", "import", &noru, "--out", out], &words);
    let stockfish = put(folder.path(), "nn.nnue", stockfish());
    let words = ["nn.nnue", "Stockfish", "arithmetic of its own", "accrue eval"];
    complains(&["net", "import", &stockfish, "--out", out], &words);
    assert_eq!(names(folder.path()), ["nn.nnue", "noru.bin"]);
}

/// A network of Stockfish's form without any weight.
fn stockfish() -> Vec<u8> {
    let (transformer, stack) = (0x7F23_44B8_u32, 0x6333_6A4A_u32);
    let words = [0x7AF3_2F20, transformer ^ stack, 0, transformer];
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.resize(bytes.len() + 2 * 1024 + 2 * 22528 * 1024 + 4 * 22528 * 8, 0);
    for _ in 0..8 {
        bytes.extend_from_slice(&stack.to_le_bytes());
        bytes.resize(bytes.len() + 4 * 16 + 16 * 1024 + 4 * 32 + 32 * 32 + 4 + 32, 0);
    }
    bytes
}

#[test]
fn a_failed_import_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let from = put(folder.path(), "weights.json", json());
    let refused = |out: &Path, words: &[&str]| {
        let out = out.to_str().expect("plain text");
        complains(&["net", "import", &from, "--features", SET, "--out", out], words);
    };
    let missing = folder.path().join("missing");
    let shown = missing.to_str().expect("plain text");
    refused(&missing.join("out.accrue"), &["cannot write into", shown, "No such file"]);
    assert_eq!(names(folder.path()), ["weights.json"]);
    // A folder stands where the file should go.
    let taken = folder.path().join("taken");
    std::fs::create_dir(&taken).expect("a folder");
    refused(&taken, &[taken.to_str().expect("plain text"), "not a regular file"]);
    assert_eq!(names(folder.path()), ["taken", "weights.json"]);
    assert_eq!(names(&taken), [""; 0]);
    // What stood there before stays when the input is bad.
    let out = put(folder.path(), "out.accrue", "precious");
    let bad = put(folder.path(), "bad.json", "{");
    complains(&["net", "import", &bad, "--features", SET, "--out", &out], &["bad.json", "JSON"]);
    complains(&["net", "import", &bad, "--out", &out], &["bad.json", "--features"]);
    assert_eq!(std::fs::read(&out).expect("the file"), b"precious");
    assert_eq!(names(folder.path()), ["bad.json", "out.accrue", "taken", "weights.json"]);
}

/// Writing to a device must not put a file in its place.
#[cfg(unix)]
#[test]
fn only_files_are_replaced() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let from = put(folder.path(), "weights.json", json());
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let out = socket.to_str().expect("plain text");
    let import = ["net", "import", &from, "--features", SET, "--out"];
    complains(&[&import[..], &[out]].concat(), &[out, "not a regular file"]);
    assert_eq!(names(folder.path()), ["socket", "weights.json"]);
    // A link still leads to the file that was replaced.
    let (file, link) = (put(folder.path(), "file", "old"), folder.path().join("link"));
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    lines(&[&import[..], &[link.to_str().expect("plain text")]].concat());
    assert!(link.is_symlink(), "the link is still one");
    let written = std::fs::read(&file).expect("the file");
    assert!(NetworkFile::read(&written).is_ok(), "the network is where the link leads");
}

#[test]
fn every_command_says_what_is_wrong_with_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, bytes: &[u8]| put(folder.path(), name, bytes);
    let whole = native(FULL).write();
    let mut random = Random(9);
    let noise: Vec<u8> = (0..5000).map(|_| random.within(1 << 20) as u8).collect();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0x10;
    let mut longer = whole.clone();
    longer.push(0);
    let mut newer = whole.clone();
    newer[8] = 9;
    let missing = folder.path().join("missing.accrue");
    let folder_itself = folder.path().to_str().expect("plain text").to_owned();
    let columns = r#"{"ft.weight":[[1,2]],"ft.bias":[1],"out.weight":[1,2],"out.bias":[1]}"#;
    let cases = [
        (missing.to_str().expect("plain text").to_owned(), &["cannot open", "missing.accrue"][..]),
        (folder_itself.clone(), &["is not a file", &folder_itself]),
        (put("empty", b""), &["empty: not a network file", "it is empty"]),
        (put("noise", &noise), &["noise: not a network file", "quantised.bin", "--architecture"]),
        (put("cut.accrue", &whole[..whole.len() / 2]), &["cut.accrue", "bytes", "cut off"]),
        (put("start.accrue", &whole[..10]), &["start.accrue", "24 bytes", "10", "cut off"]),
        (put("longer.accrue", &longer), &["longer.accrue", "added to it"]),
        (put("flipped.accrue", &flipped), &["flipped.accrue", "checksum", "damaged"]),
        (put("newer.accrue", &newer), &["newer.accrue", "version is 9", "newer accrue"]),
        (put("magic", b"\x89accrue"), &["magic", "cut off"]),
        (put("pointer", b"version https://git-lfs.github.com/spec/v1\n"), &["pointer", "LFS"]),
        (put("noru.bin", &noru()[..100]), &["noru.bin", "bytes"]),
        (put("nn.nnue", b"\x20\x2f\xf3\x7a1234"), &["nn.nnue"]),
        (put("columns.json", columns.as_bytes()), &["columns.json", "--features", SET]),
    ];
    let matrices = [
        (put("bad.json", b"{\"ft.weight\": [1, x]}"), &["bad.json", "JSON", "a number"]),
        (put("columns.json", columns.as_bytes()), &["columns.json", "2 columns", "768"]),
    ];
    for (path, words) in &matrices {
        complains(&["net", "info", path, "--features", SET], &words[..]);
        complains(&["eval", "--net", path, "--features", SET], &words[..]);
    }
    let out = folder.path().join("out.accrue");
    let out = out.to_str().expect("plain text");
    for (path, words) in &cases {
        complains(&["net", "info", path], words);
        complains(&["net", "info", path, "--json"], words);
        complains(&["net", "import", path, "--out", out], words);
        complains(&["eval", "--net", path], words);
        complains(&["speed", "--net", path, "--seconds", "0.001"], words);
    }
    assert!(!Path::new(out).exists());
}

#[test]
fn what_a_file_does_not_say_must_be_said_right() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bullet = put(folder.path(), "quantised.bin", bullet());
    let matrix = put(folder.path(), "weights.json", json());
    let ours = put(folder.path(), "net.accrue", native(FULL).write());
    for (path, option, value, words) in [
        (&bullet, "--architecture", "", &["--architecture", "empty", "looks like this"][..]),
        (&bullet, "--architecture", "(768→16)×2→1 scrulu", &["--architecture", "scrulu", "screlu"]),
        (&bullet, "--architecture", "(768→16)×2", &["--architecture", "(768→16)×2`"]),
        (&bullet, "--architecture", "(768→17)×2→1 screlu", &["quantised.bin", "bytes"]),
        (
            &bullet,
            "--architecture",
            "(768→16)×2→8→1 screlu",
            &["quantised.bin", "one value output"],
        ),
        (&bullet, "--architecture", "(99999999→16)×2→1 screlu", &["99999999", "1048576"]),
        (&ours, "--architecture", SIMPLE, &["net.accrue", "leave out --architecture"]),
        (&matrix, "--features", "chess.pieces", &["--features", "`chess.pieces`", SET]),
        (&matrix, "--features", "hexchess.piece-cell", &["weights.json", "768", "1110"]),
    ] {
        complains(&["net", "info", path, option, value], words);
        complains(&["eval", "--net", path, option, value], words);
    }
}

#[test]
fn every_command_has_help_with_examples() {
    for args in [&["net", "info"][..], &["net", "import"], &["eval"], &["speed"]] {
        let help = lines(&[args, &["--help"]].concat()).join("\n");
        assert!(help.contains("Usage: accrue") && help.contains("Examples:"), "{args:?}: {help}");
    }
    assert!(complaint(&["net"]).contains("import"));
}
