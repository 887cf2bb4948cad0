//! Replays: a game to click through, as the data of the element `<game-replay>`.

use games::{BoardGame, CellShape, ToolkitGame};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// The board and the pieces of a game, for boards that a script draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardDescription {
    /// The name of the game.
    pub name: &'static str,
    /// The name for people, such as `Connect four`.
    pub title: String,
    /// The shape of the cells: `square` or `hexagon`.
    pub shape: &'static str,
    /// Whether pieces fall to the lowest free cell of a column.
    pub drops: bool,
    /// The cells, by the game's numbers.
    pub cells: Vec<CellDescription>,
    /// The letters of White's pieces.
    pub pieces: &'static str,
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellDescription {
    /// Its name, such as `e4`.
    pub name: String,
    /// The centre, in cells to the right of the leftmost centre.
    pub x: f32,
    /// The centre, in cells above the lowest centre, which is at White's side.
    pub y: f32,
    /// The index of its colour.
    pub shade: u8,
}

impl BoardDescription {
    /// The board of the game `G`.
    pub fn of<G: ToolkitGame>() -> Self {
        let geometry = G::geometry();
        let cell = |cell: games::Cell| {
            let games::Cell { name, x, y, shade } = cell;
            CellDescription { name, x, y, shade }
        };
        Self {
            name: G::NAME,
            title: title(G::NAME),
            shape: match geometry.shape {
                CellShape::Square => "square",
                CellShape::Hexagon => "hexagon",
            },
            drops: G::DROPS,
            cells: geometry.cells.into_iter().map(cell).collect(),
            pieces: G::PIECES,
        }
    }
}

/// The name of a game for people: `Connect four` for `connect_four`.
pub fn title(name: &str) -> String {
    let spaced = name.replace('_', " ");
    let mut letters = spaced.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A cell with its piece before and after a move.
pub type Change = (usize, Option<char>, Option<char>);

/// The cells whose pieces differ between two positions.
///
/// ```
/// use games::Game;
/// use games::chess::Chess;
/// use report::replay::changes;
///
/// let before = Chess::start();
/// let mut after = before.clone();
/// after.play(after.parse_move("e2e4")?);
/// assert_eq!(changes(&before, &after), [(12, Some('P'), None), (28, None, Some('P'))]);
/// # Ok::<(), games::MoveError>(())
/// ```
pub fn changes<G: BoardGame>(before: &G, after: &G) -> Vec<Change> {
    (0..G::geometry().cells.len())
        .map(|cell| (cell, before.piece_on(cell), after.piece_on(cell)))
        .filter(|(_, before, after)| before != after)
        .collect()
}

/// The letter of the piece on each cell.
pub fn letters<G: BoardGame>(position: &G) -> Vec<Option<char>> {
    (0..G::geometry().cells.len()).map(|cell| position.piece_on(cell)).collect()
}

/// A move of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayMove {
    /// The move for people.
    pub san: String,
    /// What it does to the board.
    pub changes: Vec<Change>,
}

/// A game to click through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// The board.
    pub game: BoardDescription,
    /// The pieces before the first move.
    pub start: Vec<Option<char>>,
    /// The moves.
    pub history: Vec<ReplayMove>,
    /// The name of the first player.
    pub white: String,
    /// The name of the second player.
    pub black: String,
    /// The result, such as `1-0`.
    pub result: String,
    /// Why it ended.
    pub reason: String,
}

impl Replay {
    /// A game of `[White, Black]` by its positions and the moves between them.
    pub fn of<G: ToolkitGame>(players: &[String; 2], positions: &[G], moves: &[G::Move]) -> Self {
        let history = positions.windows(2).zip(moves).map(|(pair, &mv)| ReplayMove {
            san: pair[0].san(mv),
            changes: changes(&pair[0], &pair[1]),
        });
        let [white, black] = players.clone();
        Self {
            game: BoardDescription::of::<G>(),
            start: positions.first().map(letters).unwrap_or_default(),
            history: history.collect(),
            white,
            black,
            result: "*".to_owned(),
            reason: String::new(),
        }
    }

    /// The same game with its result, and why it ended.
    #[must_use]
    pub fn ended(self, result: &str, reason: &str) -> Self {
        Self { result: result.to_owned(), reason: reason.to_owned(), ..self }
    }

    /// The element `<game-replay>`. `fallback` is shown where scripts do not run.
    pub fn markup(&self, fallback: &Markup) -> Markup {
        html! {
            game-replay {
                script type="application/json" { (PreEscaped(script_json(self))) }
                (fallback)
            }
        }
    }
}

/// How the markup of a replay begins.
pub(crate) const REPLAY: &str = "<game-replay>";

/// JSON that cannot end the script element that it stands in, or begin a comment there.
fn script_json(value: &impl Serialize) -> String {
    // Numbers, texts and lists of them: nothing here can fail.
    let json = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    // In JSON, `<` stands in texts only.
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    use super::*;

    #[test]
    fn a_replay_has_the_changes_of_each_move() {
        let start = ConnectFour::start();
        let mv = start.legal_moves()[0];
        let mut after = start.clone();
        after.play(mv);
        let players = ["</script><!--".to_owned(), "b".to_owned()];
        let replay = Replay::of(&players, &[start, after], &[mv]).ended("1-0", "four in a row");
        let json = serde_json::to_value(&replay).unwrap();
        assert_eq!(json["history"][0]["changes"], serde_json::json!([[0, null, "X"]]));
        assert_eq!(
            (&json["game"]["drops"], &json["game"]["title"]),
            (&true.into(), &"Connect four".into())
        );
        assert_eq!(json["start"].as_array().map(Vec::len), Some(42));
        let html = replay.markup(&html! { p { "boards" } }).into_string();
        assert!(html.starts_with(REPLAY) && html.contains("<p>boards</p>"), "{html}");
        assert_eq!((html.matches("</script>").count(), html.matches("<!--").count()), (1, 0));
        assert!(html.contains("\\u003c/script>"), "{html}");
    }

    #[test]
    fn hexagons_are_named() {
        let board = BoardDescription::of::<Hexchess>();
        assert_eq!((board.shape, board.cells.len(), board.drops), ("hexagon", 91, false));
    }
}
