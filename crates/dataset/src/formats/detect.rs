//! Which format a file has.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use games::Game;
use games::chess::Chess;
use games::registry::GAMES;

use super::{Format, FormatError, RecordSource, archive, bullet, pgn, viri};
use crate::Header;
use crate::native::walk::Walker;

/// How much of the file is looked at.
const PEEK: usize = 1 << 16;

/// Finds out by the first bytes, and where they leave it open by the ending of the name.
pub fn detect(path: &Path) -> Result<Format, FormatError> {
    let (start, whole) = peek(path)?;
    let by_name = || Format::of_extension(path);
    let found = if crate::native::is_native(&start) {
        Some(Format::Native)
    } else if start.iter().take(32).any(|&byte| byte < 9) {
        binary(&start, whole, path).or_else(by_name)
    } else {
        text(&start).or_else(by_name)
    };
    found.ok_or_else(|| {
        let known = Format::ALL.map(Format::name).join(", ");
        FormatError::Unrecognised { path: path.to_owned(), known }
    })
}

/// What the file itself says about its game and about how it was made; `None` if the format has no place for it
/// or the game is not one of ours.
pub fn header(path: &Path, format: Format) -> Result<Option<Header>, FormatError> {
    match format {
        Format::Native => {
            let file = File::open(path).map_err(|source| FormatError::read(path, source))?;
            Ok(Some(Walker::new(file, path, None)?.1))
        }
        Format::Bullet | Format::Viri => {
            Ok(Some(Header { game: Chess::NAME.to_owned(), made_by: String::new() }))
        }
        Format::Pgn => {
            let (start, _) = peek(path)?;
            let start = String::from_utf8_lossy(&start);
            let mut tags = start.lines().filter_map(pgn::tag_in);
            let variant = tags.find_map(|(name, value, _)| (name == "Variant").then_some(value));
            let variant = variant.unwrap_or_else(|| Chess::NAME.to_owned()).to_ascii_lowercase();
            let named = GAMES.contains(&variant.as_str());
            Ok(named.then_some(Header { game: variant, made_by: String::new() }))
        }
        Format::Text | Format::Epd | Format::Jsonl => Ok(None),
    }
}

/// The first bytes, and whether they are all.
fn peek(path: &Path) -> Result<(Vec<u8>, bool), FormatError> {
    let read = |source| FormatError::read(path, source);
    let file = archive::open(path).map_err(read)?;
    let mut start = Vec::new();
    file.take(PEEK as u64).read_to_end(&mut start).map_err(read)?;
    let whole = start.len() < PEEK;
    Ok((start, whole))
}

/// Formats of bytes have no mark; the first whole records must make sense.
fn binary(start: &[u8], whole: bool, path: &Path) -> Option<Format> {
    let records = start.len() / bullet::SIZE * bullet::SIZE;
    let mut boards = bullet::Source::new(&start[..records], path);
    while let Ok(Some(_)) = boards.next() {}
    if records > 0 && boards.faults().is_empty() && (!whole || records == start.len()) {
        return Some(Format::Bullet);
    }
    let mut games = viri::Source::new(BufReader::new(start), path);
    let first = games.next().ok().flatten();
    first.is_some_and(|record| record.game == 1).then_some(Format::Viri)
}

/// By the first line that says something.
fn text(start: &[u8]) -> Option<Format> {
    let start = String::from_utf8_lossy(start);
    let start = start.trim_start_matches('\u{FEFF}');
    let mut lines = start.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '%']))?;
    if line.starts_with('{') {
        Some(Format::Jsonl)
    } else if line.starts_with('[') || line.starts_with("1.") {
        Some(Format::Pgn)
    } else if line.contains('|') {
        Some(Format::Text)
    } else {
        line.contains('/').then_some(Format::Epd)
    }
}
