//! Records of random games, and a folder for them.

use std::fmt::Write;
use std::fs;

use games::chess::Chess;
use games::{Game, Random};

/// A folder that goes when it is dropped.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path in UTF-8").to_owned()
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        fs::write(self.0.path().join(name), content).expect("a small file");
    }

    /// What is in it, hidden things included.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// Whole games of chess as JSON Lines, with scores, mates, results and moves. The same each time.
pub(crate) fn random_games(count: u32) -> String {
    let mut text = String::new();
    for game in 1..=count {
        let mut random = Random::new(u64::from(game));
        let white = [0.0, 0.5, 1.0][random.below(3)];
        let mut position = Chess::start();
        for ply in 0..60 {
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            let score =
                if random.below(20) == 0 { 31_000 } else { random.below(6001) as i32 - 3000 };
            let result = if ply % 2 == 0 { white } else { 1.0 - white };
            let (fen, best) = (position.to_fen(), position.move_text(mv));
            writeln!(
                text,
                r#"{{"fen":"{fen}","best_move":"{best}","score":{score},"result":{result:?},"game":{game}}}"#
            )
            .expect("writing to a String cannot fail");
            position.play(mv);
        }
    }
    text
}
