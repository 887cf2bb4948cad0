//! Notation and rule variants: [`NotatedGame`], the interface to PGN, UCI and the command line.

use crate::{Game, MoveError, SettingError};

/// A rule with several variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name, for example `stalemate`.
    pub name: &'static str,
    /// The values, the default first.
    pub values: &'static [&'static str],
    /// A description in one line.
    pub about: &'static str,
}

/// A setting of a game and its value.
pub type NamedValue = (&'static str, &'static str);

/// The notation of a game. The defaults serve every game whose moves have one text.
///
/// ```
/// use games::{Game, NotatedGame, chess::Chess};
///
/// let position = Chess::start();
/// let mv = position.parse_san("Nf3")?;
/// assert_eq!(position.move_text(mv), "g1f3");
/// assert_eq!(position.san(mv), "Nf3");
/// # Ok::<(), games::MoveError>(())
/// ```
pub trait NotatedGame: Game {
    /// The move in PGN notation: SAN in chess.
    fn san(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// Parses a legal move in PGN notation.
    fn parse_san(&self, text: &str) -> Result<Self::Move, MoveError> {
        self.parse_move(text)
    }

    /// The value of PGN's `Variant` tag for games from this position; `None` for standard chess.
    fn variant_tag(&self) -> Option<&'static str> {
        Some(Self::NAME)
    }

    /// The settings that PGN's `Variant` tag implies; `None` if it names another game. Without the
    /// tag, a PGN game is chess.
    fn settings_of_variant(tag: Option<&str>) -> Option<&'static [NamedValue]> {
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(Self::NAME)).then_some(&[])
    }

    /// UCI options that an external engine needs for games from this position, such as
    /// `UCI_Chess960`.
    fn uci_options(&self) -> &'static [NamedValue] {
        &[]
    }

    /// The rules that can be set.
    fn settings() -> &'static [Setting] {
        &[]
    }

    /// Sets one of [`settings`](NotatedGame::settings) for this position and all that follow.
    fn set(&mut self, name: &str, _value: &str) -> Result<(), SettingError> {
        Err(unknown_setting::<Self>(name))
    }
}

/// The error for a setting that `G` does not have.
pub fn unknown_setting<G: NotatedGame>(name: &str) -> SettingError {
    let names: Vec<_> = G::settings().iter().map(|setting| setting.name).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    SettingError::Unknown { game: G::NAME, name: name.to_owned(), known }
}
