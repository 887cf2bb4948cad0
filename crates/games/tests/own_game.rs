//! The smallest game: three in a row, complete, and the conformance suite on it.
//! `docs/03-your-own-game.md` explains a larger one.

use games::conformance::{Plan, check};
use games::{
    BoardGame, BoardGeometry, Cell, CellShape, Changes, Color, FeatureIndex, FeatureSet,
    FeatureSetError, FenError, Game, GameScore, NotatedGame, Outcome, PackedGame, PolicyIndex,
    PolicyShape, SearchGame, Update,
};

/// The marks of both players, a bit for each of nine cells, and who is to move.
#[derive(Clone, Debug, PartialEq)]
struct Three {
    marks: [u16; 2],
    side: Color,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Three {
    fn is_lost(&self) -> bool {
        LINES.iter().any(|line| line & !self.marks[!self.side as usize] == 0)
    }
}

impl Game for Three {
    type Move = u8;
    const NAME: &'static str = "three";
    const REPETITIONS: Option<usize> = None;
    const POLICY: PolicyShape = PolicyShape { from: 1, to: 9 };

    fn start() -> Self {
        Self { marks: [0; 2], side: Color::White }
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut marks = [0; 2];
        for (cell, letter) in fen.chars().enumerate() {
            match letter {
                'X' if cell < 9 => marks[0] |= 1 << cell,
                'o' if cell < 9 => marks[1] |= 1 << cell,
                '.' if cell < 9 => {}
                _ => return Err(FenError::field("board", fen, "expected nine of X, o and .")),
            }
        }
        let [white, black] = marks.map(u16::count_ones);
        let side = if white == black { Color::White } else { Color::Black };
        let position = Self { marks, side };
        let over = Self { side: !side, ..position.clone() }.is_lost();
        if fen.len() != 9 || white.wrapping_sub(black) > 1 || over {
            return Err(FenError::illegal("no game comes to this"));
        }
        Ok(position)
    }

    fn to_fen(&self) -> String {
        (0..9).map(|cell| self.piece_on(cell).unwrap_or('.')).collect()
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn hash(&self) -> u64 {
        let key = u64::from(self.marks[0]) << 9 | u64::from(self.marks[1]);
        (key + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn for_each_move(&self, visit: impl FnMut(u8)) {
        if !self.is_lost() {
            (0..9).filter(|cell| (self.marks[0] | self.marks[1]) & 1 << cell == 0).for_each(visit);
        }
    }

    fn play(&mut self, cell: u8) {
        self.marks[self.side as usize] |= 1 << cell;
        self.side = !self.side;
    }

    fn outcome_without_moves(&self) -> Outcome {
        if self.is_lost() {
            Outcome::new(self.side, GameScore::LOSS, "three in a row")
        } else {
            Outcome::draw("board full")
        }
    }

    fn move_text(&self, cell: u8) -> String {
        cell.to_string()
    }

    fn move_code(cell: u8) -> u32 {
        cell.into()
    }

    fn policy_index(&self, cell: u8) -> PolicyIndex {
        PolicyIndex { from: 0, to: cell.into() }
    }
}

impl BoardGame for Three {
    const PIECES: &'static str = "XO";

    fn geometry() -> BoardGeometry {
        let cell = |i: u8| Cell {
            name: i.to_string(),
            x: f32::from(i % 3),
            y: f32::from(i / 3),
            shade: 0,
        };
        BoardGeometry { shape: CellShape::Square, cells: (0..9).map(cell).collect() }
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        let [white, black] = self.marks.map(|marks| marks >> cell & 1 == 1);
        if white { Some('X') } else { black.then_some('o') }
    }

    fn feature_set_names() -> Vec<String> {
        vec!["three.cells".to_owned()]
    }

    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        if name == "three.cells" {
            return Ok(Box::new(Cells));
        }
        let known = "three.cells".to_owned();
        Err(FeatureSetError::Unknown { name: name.to_owned(), known })
    }
}

impl SearchGame for Three {}

impl PackedGame for Three {}

impl NotatedGame for Three {}

/// Own marks 0 to 8, theirs 9 to 17.
#[derive(Debug)]
struct Cells;

impl Cells {
    fn seen(position: &Three, perspective: Color) -> u32 {
        let [own, theirs] =
            [perspective, !perspective].map(|side| u32::from(position.marks[side as usize]));
        own | theirs << 9
    }
}

fn bits(set: u32) -> impl Iterator<Item = FeatureIndex> {
    (0..18).filter(move |bit| set >> bit & 1 == 1)
}

impl FeatureSet<Three> for Cells {
    fn name(&self) -> String {
        "three.cells".to_owned()
    }

    fn size(&self) -> usize {
        18
    }

    fn max_active(&self) -> usize {
        9
    }

    fn active(&self, position: &Three, perspective: Color, features: &mut Vec<FeatureIndex>) {
        features.extend(bits(Self::seen(position, perspective)));
    }

    fn changes(
        &self,
        before: &Three,
        after: &Three,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        changes.clear();
        let [before, after] = [before, after].map(|position| Self::seen(position, perspective));
        changes.added.extend(bits(after & !before));
        changes.removed.extend(bits(before & !after));
        Update::Changes
    }
}

#[test]
fn three_in_a_row_is_a_game() {
    let report = check::<Three>(&Plan { games: 50, ..Plan::default() }).unwrap();
    assert!(report.positions > 200 && report.changes > 200, "{report:?}");
}

#[test]
fn it_takes_no_more_than_150_lines() {
    let source = include_str!("own_game.rs");
    let (game, _) = source.split_once("#[test]").unwrap();
    let lines = game.lines().map(str::trim);
    let count = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    assert!(count <= 150, "{count}");
}
