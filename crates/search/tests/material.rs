//! Material evaluation of a game whose feature set gives no places: the board is scanned instead.

use games::{
    BoardGame, BoardGeometry, Cell, CellShape, Changes, Color, FeatureIndex, FeatureSet,
    FeatureSetError, FenError, Game, GameHistory, GameScore, Outcome, PolicyIndex, PolicyShape,
    SearchGame, Update,
};
use search::{Control, Engine, EngineOptions, Evaluator, Limits, Linear, LinearError, Material};

const CELLS: usize = 9;

/// A row of cells. Pieces step one cell forward, or capture two cells ahead; who cannot move has
/// lost. `A` is worth a pawn, `B` three.
#[derive(Clone, Debug, PartialEq)]
struct Corridor {
    cells: [char; CELLS],
    side: Color,
}

impl Corridor {
    fn is_own(&self, cell: usize) -> bool {
        let letter = self.cells[cell];
        letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() == (self.side == Color::White)
    }

    /// The cell so many steps ahead for the side to move.
    fn ahead(&self, cell: usize, steps: usize) -> Option<usize> {
        match self.side {
            Color::White => Some(cell + steps).filter(|&cell| cell < CELLS),
            Color::Black => cell.checked_sub(steps),
        }
    }
}

impl Game for Corridor {
    type Move = (u8, u8);
    const NAME: &'static str = "corridor";
    const POLICY: PolicyShape = PolicyShape { from: CELLS, to: CELLS };

    fn start() -> Self {
        Self { cells: ['A', 'B', 'A', '.', '.', '.', 'a', 'b', 'a'], side: Color::White }
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let (cells, side) = fen.split_once(' ').unwrap_or((fen, "w"));
        let cells: Vec<char> = cells.chars().collect();
        let expected = || FenError::field("board", fen, "expected nine of A, B, a, b and .");
        let cells = cells.try_into().map_err(|_| expected())?;
        Ok(Self { cells, side: if side == "w" { Color::White } else { Color::Black } })
    }

    fn to_fen(&self) -> String {
        let side = if self.side == Color::White { 'w' } else { 'b' };
        format!("{} {side}", self.cells.iter().collect::<String>())
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn hash(&self) -> u64 {
        let text = self.to_fen();
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325, step);
        (hash ^ hash >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn for_each_move(&self, mut visit: impl FnMut((u8, u8))) {
        for from in (0..CELLS).filter(|&cell| self.is_own(cell)) {
            for steps in [1, 2] {
                let Some(to) = self.ahead(from, steps) else { continue };
                let target = self.cells[to];
                let captures = target.is_ascii_alphabetic() && !self.is_own(to);
                if if steps == 1 { target == '.' } else { captures } {
                    visit((from as u8, to as u8));
                }
            }
        }
    }

    fn play(&mut self, (from, to): (u8, u8)) {
        self.cells[usize::from(to)] = std::mem::replace(&mut self.cells[usize::from(from)], '.');
        self.side = !self.side;
    }

    fn outcome_without_moves(&self) -> Outcome {
        Outcome::new(self.side, GameScore::LOSS, "no moves")
    }

    fn move_text(&self, (from, to): (u8, u8)) -> String {
        format!("{from}{to}")
    }

    fn move_code((from, to): (u8, u8)) -> u32 {
        u32::from(from) * CELLS as u32 + u32::from(to)
    }

    fn policy_index(&self, (from, to): (u8, u8)) -> PolicyIndex {
        PolicyIndex { from: from.into(), to: to.into() }
    }
}

impl BoardGame for Corridor {
    const PIECES: &'static str = "AB";

    fn geometry() -> BoardGeometry {
        let cell = |x: usize| Cell { name: x.to_string(), x: x as f32, y: 0.0, shade: 0 };
        BoardGeometry { shape: CellShape::Square, cells: (0..CELLS).map(cell).collect() }
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        Some(self.cells[cell]).filter(char::is_ascii_alphabetic)
    }

    fn piece_value(letter: char) -> Option<i32> {
        match letter {
            'A' => Some(100),
            'B' => Some(300),
            _ => None,
        }
    }

    fn feature_set_names() -> Vec<String> {
        vec!["corridor.occupied".to_owned()]
    }

    fn feature_set(_: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        Ok(Box::new(Occupied))
    }
}

impl SearchGame for Corridor {}

/// Which cells are occupied, and nothing more.
#[derive(Debug)]
struct Occupied;

impl FeatureSet<Corridor> for Occupied {
    fn name(&self) -> String {
        "corridor.occupied".to_owned()
    }

    fn size(&self) -> usize {
        CELLS
    }

    fn max_active(&self) -> usize {
        CELLS
    }

    fn active(&self, position: &Corridor, _: Color, features: &mut Vec<FeatureIndex>) {
        let occupied = (0..CELLS).filter(|&cell| position.piece_on(cell).is_some());
        features.extend(occupied.map(|cell| cell as u32));
    }

    fn changes(&self, before: &Corridor, after: &Corridor, _: Color, out: &mut Changes) -> Update {
        out.clear();
        self.active(before, Color::White, &mut out.removed);
        self.active(after, Color::White, &mut out.added);
        Update::Changes
    }
}

#[test]
fn a_set_without_places_has_no_linear_material_and_says_so() {
    let error = Linear::<Corridor>::material().unwrap_err();
    assert_eq!(error, LinearError::NoPlaces { name: "corridor.occupied".to_owned() });
    assert!(error.to_string().contains("`FeatureSet::place`"), "{error}");
}

#[test]
fn material_is_the_sum_of_piece_values_on_the_board() {
    let mut material = Material::<Corridor>::new().unwrap();
    // A piece in the centre is worth 24 more than one at the rim.
    for (fen, expected) in [
        ("ABA...aba w", 0),
        ("ABA...aba b", 0),
        ("AB....a.. w", 100 + 306 - 112),
        ("AB....a.. b", 112 - 306 - 100),
        ("......b.. w", -312),
        (".b...B.A. w", 318 + 106 - 306),
    ] {
        material.reset(&Corridor::from_fen(fen).unwrap());
        assert_eq!(material.evaluate(), expected, "{fen}");
    }
}

#[test]
fn the_engine_captures_the_more_valuable_piece() {
    // The first piece can capture `b`, the last one `a`.
    let game = GameHistory::new(Corridor::from_fen("A.b...A.a w").unwrap());
    let mut engine = Engine::<Corridor>::new(EngineOptions::default()).unwrap();
    let result = engine.go(&game, &Limits::to_depth(1), &Control::new(), &mut |_| {});
    assert_eq!(result.best, Some((0, 2)));
}
