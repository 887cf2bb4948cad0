//! Stockfish itself, asked through its command line.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path of Stockfish 15.1, if it is there to compare with: in `ACCRUE_STOCKFISH`.
#[expect(clippy::print_stderr, reason = "a test that was skipped must say so")]
pub(super) fn path() -> Option<PathBuf> {
    let path = std::env::var_os("ACCRUE_STOCKFISH").filter(|path| !path.is_empty());
    if path.is_none() {
        eprintln!("skipped: set ACCRUE_STOCKFISH to the path of Stockfish 15.1");
    }
    path.map(PathBuf::from)
}

/// The network that Stockfish carries in itself.
pub(super) fn export_network(engine: &Path, name: &str) -> Vec<u8> {
    let file = format!("accrue-{name}-{}.nnue", std::process::id());
    let file = std::env::temp_dir().join(file);
    run(engine, format!("export_net {}\nquit\n", file.display()));
    let bytes = std::fs::read(&file).expect("Stockfish has written its network");
    std::fs::remove_file(&file).expect("what was read can be removed");
    bytes
}

/// What the `eval` command prints about a position.
#[derive(Debug, Default)]
pub(super) struct Printed {
    /// Material, positional and total for each bucket, the side to move's view; spaces left out.
    pub(super) buckets: Vec<[String; 3]>,
    /// The bucket that is used.
    pub(super) used: usize,
    /// The network's evaluation, White's view.
    pub(super) nnue: String,
}

/// Asks for the evaluation of each position.
pub(super) fn evaluate(engine: &Path, fens: &[String]) -> Vec<Printed> {
    let commands = fens.iter().flat_map(|fen| ["position fen ", fen, "\neval\n"]);
    let commands = commands.chain(["quit\n"]).collect();
    let output = run(engine, commands);
    let mut printed = Vec::new();
    let mut current = Printed::default();
    for line in output.lines() {
        let cells: Vec<String> =
            line.split('|').map(|cell| cell.split_whitespace().collect()).collect();
        if let [_, bucket, cells @ .., note] = cells.as_slice()
            && let (Ok(bucket), Ok(cells)) = (bucket.parse(), cells.to_vec().try_into())
        {
            current.buckets.push(cells);
            if note.contains("thisbucketisused") {
                current.used = bucket;
            }
        } else if let Some(rest) = line.strip_prefix("NNUE evaluation") {
            let nnue = rest.trim().trim_end_matches("(white side)").trim().to_owned();
            printed.push(Printed { nnue, ..std::mem::take(&mut current) });
        }
    }
    printed
}

fn run(engine: &Path, commands: String) -> String {
    let mut child = Command::new(engine)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ACCRUE_STOCKFISH is a program");
    let mut input = child.stdin.take().expect("a pipe was asked for");
    // By another thread, because neither side reads on when both pipes are full.
    let writer = std::thread::spawn(move || input.write_all(commands.as_bytes()));
    let output = child.wait_with_output().expect("Stockfish runs to its end");
    writer.join().expect("writing does not panic").expect("Stockfish reads its commands");
    String::from_utf8(output.stdout).expect("Stockfish prints text")
}
