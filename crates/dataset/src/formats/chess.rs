//! Formats of chess: bulletformat and viriformat.

use std::io::BufReader;
use std::path::Path;

use games::Game;
use games::chess::Chess;

use super::{FormatInfo, GameFormat, RecordSource, bullet, create, open, viri};

/// bullet's `ChessBoard`, 32 bytes a position.
pub(super) static BULLET: FormatInfo = FormatInfo {
    name: "bulletformat",
    game: Chess::NAME,
    extensions: &["bf", "bullet", "bulletformat"],
    min_record_bytes: bullet::SIZE as u64,
    detect: is_bullet,
};

/// Whole games in viriformat.
pub(super) static VIRI: FormatInfo = FormatInfo {
    name: "viriformat",
    game: Chess::NAME,
    extensions: &["vf", "viri", "viriformat"],
    // A move with its score.
    min_record_bytes: 4,
    detect: is_viri,
};

/// The formats of chess, to be registered with the game.
pub fn chess_formats() -> Vec<GameFormat<Chess>> {
    vec![
        GameFormat::new(
            &BULLET,
            |path| Ok(Box::new(bullet::Source::new(open(path)?, path))),
            |path| Ok(Box::new(bullet::Sink::new(create(path)?, path))),
        ),
        GameFormat::new(
            &VIRI,
            |path| Ok(Box::new(viri::Source::new(open(path)?, path))),
            |path| Ok(Box::new(viri::Sink::new(create(path)?, path))),
        ),
    ]
}

/// The format has no magic: all whole records must be positions.
fn is_bullet(start: &[u8], whole: bool, path: &Path) -> bool {
    let records = start.len() / bullet::SIZE * bullet::SIZE;
    let mut boards = bullet::Source::new(&start[..records], path);
    while let Ok(Some(_)) = boards.next() {}
    records > 0 && boards.faults().is_empty() && (!whole || records == start.len())
}

/// The format has no magic: the first game must be valid.
fn is_viri(start: &[u8], _whole: bool, path: &Path) -> bool {
    let mut games = viri::Source::new(BufReader::new(start), path);
    let first = games.next().ok().flatten();
    first.is_some_and(|record| record.game == 1)
}
