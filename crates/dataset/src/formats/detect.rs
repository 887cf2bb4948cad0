//! Format detection: by the first bytes of a file, then by the ending of its name.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{Format, FormatError, FormatInfo, archive, pgn};
use crate::native::walk::{ExpectedGame, Walker};
use crate::{GameList, Header};

/// The number of bytes that are read.
const PEEK: usize = 1 << 16;

/// The formats that a program reads: the general ones and those of its games.
#[derive(Clone, Debug, Default)]
pub struct Formats {
    of_games: Vec<&'static FormatInfo>,
}

impl Formats {
    /// The general formats and these.
    pub fn new(of_games: impl IntoIterator<Item = &'static FormatInfo>) -> Self {
        Self { of_games: of_games.into_iter().collect() }
    }

    /// All of them.
    pub fn all(&self) -> Vec<Format> {
        let of_games = self.of_games.iter().map(|&info| Format::OfGame(info));
        Format::GENERAL.into_iter().chain(of_games).collect()
    }

    /// The names of all.
    pub fn names(&self) -> Vec<&'static str> {
        self.all().into_iter().map(Format::name).collect()
    }

    /// The format of that name.
    pub fn named(&self, name: &str) -> Option<Format> {
        self.all().into_iter().find(|format| format.name() == name)
    }

    /// The format of the file extension.
    pub fn of_extension(&self, path: &Path) -> Option<Format> {
        let mut name = Path::new(path.file_name()?);
        // Skip the extension of the compression: `games.pgn.bz2`.
        while name.extension().is_some_and(|end| end == "bz2" || end == "tar") {
            name = Path::new(name.file_stem()?);
        }
        let extension = name.extension()?.to_str()?.to_ascii_lowercase();
        self.all().into_iter().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The format of a file, by its first bytes or, if these do not decide, by its name.
    pub fn detect(&self, path: &Path) -> Result<Format, FormatError> {
        let (start, whole) = peek(path)?;
        let by_name = || self.of_extension(path);
        let found = if crate::native::is_native(&start) {
            Some(Format::Native)
        } else if start.iter().take(32).any(|&byte| byte < 9) {
            let fits = |info: &&&FormatInfo| (info.detect)(&start, whole, path);
            self.of_games.iter().find(fits).map(|&info| Format::OfGame(info)).or_else(by_name)
        } else {
            text(&start).or_else(by_name)
        };
        found.ok_or_else(|| FormatError::Unrecognised {
            path: path.to_owned(),
            known: self.names().join(", "),
        })
    }
}

/// The game and the origin in the header of a file; `None` if the format has no header or the game
/// is not one of `games`.
pub(crate) fn header(
    path: &Path,
    format: Format,
    games: &GameList,
) -> Result<Option<Header>, FormatError> {
    let of_game = |game: &str| Some(Header { game: game.to_owned(), made_by: String::new() });
    match format {
        Format::Native => {
            let file = File::open(path).map_err(|source| FormatError::read(path, source))?;
            Ok(Some(Walker::new(file, path, ExpectedGame::OneOf(&games.names()))?.1))
        }
        Format::OfGame(info) => Ok(of_game(info.game)),
        Format::Pgn => {
            let (start, _) = peek(path)?;
            let start = String::from_utf8_lossy(&start);
            let mut tags = start.lines().filter_map(pgn::tag_in);
            let variant = tags.find_map(|(name, value, _)| (name == "Variant").then_some(value));
            Ok(games.of_variant(variant.as_deref()).and_then(|game| of_game(game.name())))
        }
        Format::Text | Format::Epd | Format::Jsonl => Ok(None),
    }
}

/// The first bytes, and whether they are the whole file.
fn peek(path: &Path) -> Result<(Vec<u8>, bool), FormatError> {
    let read = |source| FormatError::read(path, source);
    let file = archive::open(path).map_err(read)?;
    let mut start = Vec::new();
    file.take(PEEK as u64).read_to_end(&mut start).map_err(read)?;
    let whole = start.len() < PEEK;
    Ok((start, whole))
}

/// By the first line that is not empty.
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
