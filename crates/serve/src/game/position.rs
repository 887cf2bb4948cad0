//! Positions for boards: pieces, legal moves with the cells that they change, and the outcome.

use std::collections::HashMap;

use games::{Color, Outcome, Setting, ToolkitGame};
use report::replay::{BoardDescription, Change, letters};
use serde::Serialize;

use super::line::PlayedLine;

/// A game as boards and forms see it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameDescription {
    #[serde(flatten)]
    board: BoardDescription,
    start_fen: String,
    settings: Vec<SettingView>,
    default_network: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
struct SettingView {
    name: &'static str,
    values: &'static [&'static str],
    about: &'static str,
}

impl GameDescription {
    pub(crate) fn of<G: ToolkitGame>(default_network: Option<&'static str>) -> Self {
        let setting =
            |&Setting { name, values, about }: &Setting| SettingView { name, values, about };
        Self {
            board: BoardDescription::of::<G>(),
            start_fen: G::start().to_fen(),
            settings: G::settings().iter().map(setting).collect(),
            default_network,
        }
    }
}

/// A move with what it does to the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct MoveView {
    pub(crate) text: String,
    pub(crate) san: String,
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
    /// What stands on `to` afterwards.
    piece: Option<char>,
    changes: Vec<Change>,
}

/// A move without what it does to the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct MoveName {
    pub(crate) text: String,
    pub(crate) san: String,
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct OutcomeView {
    white: f32,
    result: &'static str,
    reason: &'static str,
    text: String,
}

/// A position after a line of play.
#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    fen: String,
    side: String,
    ply: usize,
    start: Vec<Option<char>>,
    pieces: Vec<Option<char>>,
    history: Vec<MoveView>,
    moves: Vec<MoveView>,
    check: Vec<usize>,
    outcome: Option<OutcomeView>,
}

/// The numbers of cells by their names.
#[derive(Clone, Debug)]
pub(crate) struct CellNames {
    numbers: HashMap<String, usize>,
    cells: usize,
}

impl CellNames {
    pub(crate) fn of<G: ToolkitGame>() -> Self {
        let geometry = G::geometry().cells;
        let cells = geometry.len();
        let names = geometry.into_iter().enumerate().map(|(number, cell)| (cell.name, number));
        Self { numbers: names.collect(), cells }
    }

    /// The two cells that a text such as `e7e8q` begins with. What follows must be letters: `f1f11`
    /// is not `f1f1` with a 1 behind it.
    fn pair(&self, text: &str) -> Option<(usize, usize)> {
        let cell = |end: usize, begin: usize| self.numbers.get(text.get(begin..end)?).copied();
        let ends = |begin: usize| (begin + 1..=text.len().min(begin + 4)).rev();
        ends(0).find_map(|middle| {
            let from = cell(middle, 0)?;
            ends(middle).find_map(|end| {
                let to = cell(end, middle)?;
                let rest = text.get(end..)?;
                rest.chars().all(|c| c.is_alphabetic() || c == '=').then_some((from, to))
            })
        })
    }

    /// The move, named.
    pub(crate) fn name<G: ToolkitGame>(&self, position: &G, mv: G::Move) -> MoveName {
        let MoveView { text, san, from, to, .. } = self.view(position, mv);
        MoveName { text, san, from, to }
    }

    /// The move with what it does to the board.
    pub(crate) fn view<G: ToolkitGame>(&self, position: &G, mv: G::Move) -> MoveView {
        let mut after = position.clone();
        after.play(mv);
        let text = position.move_text(mv);
        let changes: Vec<Change> = (0..self.cells)
            .map(|cell| (cell, position.piece_on(cell), after.piece_on(cell)))
            .filter(|(_, before, after)| before != after)
            .collect();
        let (from, to) = if let Some((from, to)) = self.pair(&text) {
            (Some(from), Some(to))
        } else {
            // A placement: one cell gains a piece.
            let mut filled = changes.iter().filter(|change| change.1.is_none());
            let first = filled.next().map(|change| change.0);
            (None, first.filter(|_| filled.next().is_none()))
        };
        let piece = to.and_then(|to| after.piece_on(to));
        MoveView { san: position.san(mv), text, from, to, piece, changes }
    }

    /// The moves of a line that begins at a position, named.
    pub(crate) fn names<G: ToolkitGame>(&self, position: &G, moves: &[G::Move]) -> Vec<MoveName> {
        let mut position = position.clone();
        let named = moves.iter().map(|&mv| {
            let name = self.name(&position, mv);
            position.play(mv);
            name
        });
        named.collect()
    }
}

impl PositionView {
    pub(crate) fn of<G: ToolkitGame>(line: &PlayedLine<G>, cells: &CellNames) -> Self {
        let history = line.history();
        let position = history.position();
        let positions = line.positions();
        let moves = position.legal_moves();
        Self {
            fen: position.to_fen(),
            side: position.side_to_move().to_string(),
            ply: line.moves.len(),
            start: letters(&line.start),
            pieces: letters(position),
            history: line
                .moves
                .iter()
                .zip(&positions)
                .map(|(&mv, position)| cells.view(position, mv))
                .collect(),
            moves: moves.into_iter().map(|mv| cells.view(position, mv)).collect(),
            check: if position.is_check() { royal_cells(position) } else { Vec::new() },
            outcome: history.outcome().map(|outcome| OutcomeView::of(&outcome)),
        }
    }
}

/// The cells of the pieces of the side to move that cannot be lost.
fn royal_cells<G: ToolkitGame>(position: &G) -> Vec<usize> {
    let is_own = |letter: char| {
        letter.is_uppercase() == (position.side_to_move() == Color::White)
            && G::piece_value(letter.to_ascii_uppercase()).is_none()
    };
    let pieces = letters(position).into_iter().enumerate();
    pieces.filter(|(_, piece)| piece.is_some_and(is_own)).map(|(cell, _)| cell).collect()
}

impl OutcomeView {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let Outcome { white, reason } = *outcome;
        let text = match white.as_quarters() {
            0 => format!("Black wins by {reason}"),
            1 => format!("Black scores ¾ by {reason}"),
            2 => format!("Draw by {reason}"),
            3 => format!("White scores ¾ by {reason}"),
            _ => format!("White wins by {reason}"),
        };
        Self { white: white.as_f32(), result: arena::result_text(white), reason, text }
    }
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;
    use games::{BoardGame, Random};

    use super::super::line::Line;
    use super::*;

    fn read<G: ToolkitGame>(fen: &str, moves: &[&str]) -> PositionView {
        let line = Line {
            game: G::NAME.into(),
            fen: (!fen.is_empty()).then(|| fen.into()),
            moves: moves.iter().map(ToString::to_string).collect(),
            ..Line::default()
        };
        PositionView::of(&PlayedLine::<G>::read(&line).unwrap(), &CellNames::of::<G>())
    }

    #[test]
    fn cells_of_moves_come_from_their_texts() {
        let names = CellNames::of::<Hexchess>();
        let cell = |name: &str| names.numbers[name];
        assert_eq!(names.pair("f1f11"), Some((cell("f1"), cell("f11"))));
        assert_eq!(names.pair("f10f11"), Some((cell("f10"), cell("f11"))));
        assert_eq!(names.pair("e2"), None);
        let view = read::<Chess>("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", &[]);
        let promotions: Vec<_> = view.moves.iter().filter(|mv| mv.from == Some(48)).collect();
        assert_eq!(promotions.len(), 4);
        assert!(promotions.iter().all(|mv| mv.to == Some(56) && mv.changes.len() == 2));
        assert!(promotions.iter().any(|mv| mv.piece == Some('Q') && mv.san == "a8=Q+"));
        let castling = view.moves.iter().find(|mv| mv.text == "e1g1").unwrap();
        assert_eq!((castling.from, castling.to, castling.changes.len()), (Some(4), Some(6), 4));
    }

    #[test]
    fn placements_have_a_target_alone() {
        let view = read::<ConnectFour>("", &["d", "d"]);
        let mv = view.moves.iter().find(|mv| mv.text == "d").unwrap();
        assert_eq!((mv.from, mv.to, mv.piece), (None, Some(2 * 7 + 3), Some('X')));
        assert_eq!(view.history[1].changes, [(7 + 3, None, Some('o'))]);
    }

    #[test]
    fn check_and_outcome_are_shown() {
        let mate = read::<Chess>("", &["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!((mate.check, mate.moves.len()), (vec![4], 0));
        assert_eq!(mate.outcome.unwrap().text, "Black wins by checkmate");
        assert_eq!((mate.ply, mate.side.as_str()), (4, "white"));
        assert_eq!(read::<Chess>("", &[]).outcome, None);
    }

    /// Applying the changes of each move to the start gives the pieces of the end.
    #[test]
    fn changes_lead_from_start_to_end() {
        fn check<G: ToolkitGame>() {
            let mut random = Random::new(3);
            let mut position = G::start();
            let mut moves = Vec::new();
            while let Some(&mv) = random.pick(&position.legal_moves()) {
                if moves.len() == 60 {
                    break;
                }
                moves.push(position.move_text(mv));
                position.play(mv);
            }
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            let view = read::<G>("", &moves);
            let mut board = view.start.clone();
            for &(cell, before, after) in view.history.iter().flat_map(|mv| &mv.changes) {
                assert_eq!(board[cell], before);
                board[cell] = after;
            }
            assert_eq!(board, view.pieces);
            assert!(view.moves.iter().chain(&view.history).all(|mv| mv.to.is_some()));
        }
        check::<Chess>();
        check::<Hexchess>();
        check::<ConnectFour>();
    }

    #[test]
    fn wrong_lines_are_refused_with_a_sentence() {
        let line = |fen: Option<&str>, mv: &str| Line {
            game: "chess".into(),
            fen: fen.map(Into::into),
            moves: vec![mv.into()],
            ..Line::default()
        };
        let error = |line: &Line| PlayedLine::<Chess>::read(line).err().unwrap();
        assert_eq!(error(&line(None, "e2e5")).code, "bad_move");
        assert_eq!(error(&line(Some("x"), "e2e4")).code, "bad_fen");
        assert_eq!(error(&line(Some(&"x".repeat(500)), "e2e4")).code, "bad_fen");
        let rules = [("no".to_owned(), "x".to_owned())].into();
        assert_eq!(error(&Line { rules, ..line(None, "e2e4") }).code, "bad_rule");
        let long = Line { moves: vec!["e2e4".into(); 3000], ..line(None, "") };
        assert_eq!(error(&long).code, "too_many_moves");
        assert_eq!(Chess::geometry().cells.len(), 64);
    }
}
