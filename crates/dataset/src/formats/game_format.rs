//! Game formats: record formats that belong to one game and are registered with it.

use std::path::Path;

use games::ToolkitGame;

use super::{FormatError, RecordSink, RecordSource};

/// A format of one game, without the game's type: what its name and its detection need.
#[derive(Debug)]
pub struct FormatInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// The game that it belongs to.
    pub game: &'static str,
    /// The endings of the names of such files.
    pub extensions: &'static [&'static str],
    /// The minimum size of a record in such a file.
    pub min_record_bytes: u64,
    /// Whether a file begins like one of this format; `whole` if the bytes are all of it.
    pub detect: fn(start: &[u8], whole: bool, path: &Path) -> bool,
}

impl PartialEq for FormatInfo {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.game) == (other.name, other.game)
    }
}

impl Eq for FormatInfo {}

/// A function that opens a file of a game's format.
pub type OpenSource<G> = fn(&Path) -> Result<Box<dyn RecordSource<G>>, FormatError>;
/// A function that creates a file of a game's format.
pub type CreateSink<G> = fn(&Path) -> Result<Box<dyn RecordSink<G>>, FormatError>;

/// A format of the game `G`: a reader and a writer.
#[derive(Debug)]
pub struct GameFormat<G> {
    /// Its name and how it is detected.
    pub info: &'static FormatInfo,
    open: OpenSource<G>,
    create: CreateSink<G>,
}

impl<G: ToolkitGame> GameFormat<G> {
    /// A format with these functions.
    pub fn new(info: &'static FormatInfo, open: OpenSource<G>, create: CreateSink<G>) -> Self {
        Self { info, open, create }
    }

    pub(super) fn open(&self, path: &Path) -> Result<Box<dyn RecordSource<G>>, FormatError> {
        (self.open)(path)
    }

    pub(super) fn create(&self, path: &Path) -> Result<Box<dyn RecordSink<G>>, FormatError> {
        (self.create)(path)
    }

    /// The format of this name among those of the game.
    pub(super) fn find<'a>(
        formats: &'a [Self],
        info: &'static FormatInfo,
    ) -> Result<&'a Self, FormatError> {
        formats.iter().find(|format| format.info == info).ok_or(FormatError::OtherGame {
            format: info.name,
            holds: info.game,
            game: G::NAME,
        })
    }
}
