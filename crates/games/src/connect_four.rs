//! Connect four: the smallest complete game of this crate, a template for new games.
//!
//! Two players drop discs into seven columns of six cells. The first to have four in a row, in any
//! direction, wins. A game has four parts, and this file shows them in order: a position, its
//! notation with the validation of positions, the [`Game`] implementation, and a feature set. A
//! larger game uses one file for each.
//!
//! # FEN
//!
//! Two fields: `2o4/2X4/… w`. The first holds the rows from top to bottom, separated by `/`, each
//! from column a to g: `X` is a disc of White (who begins), `o` one of Black, a digit a run of
//! empty cells. The second is the side to move, `w` or `b`. The empty board is `7/7/7/7/7/7 w`.

mod pack;

use crate::conformance::{Symmetric, Symmetry};
use crate::{
    BoardGame, BoardGeometry, Cell, CellShape, Changes, Color, FeatureIndex, FeaturePlace,
    FeatureSet, FeatureSetError, FenError, Game, GameScore, MoveError, NotatedGame, Outcome,
    PackedGame, PolicyIndex, PolicyShape, SearchGame, Update, mix, parse_placement,
    print_placement, unknown_feature_set,
};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const CELLS: u32 = COLUMNS * ROWS;

/// Bits per column: six cells and a seventh bit that stays empty, so that a line that runs off the
/// top of one column does not continue at the bottom of the next.
const STRIDE: u32 = ROWS + 1;
const COLUMN: u64 = (1 << ROWS) - 1;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = BOTTOM * COLUMN;

/// A position: one bit for each disc, column by column from the left and from the bottom up.
///
/// Small and cheap to clone, because a search clones the position for every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    /// The discs of White and of Black.
    discs: [u64; 2],
    side: Color,
}

/// A move: the column that a disc is dropped into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

/// The bit of a cell; rows count from the bottom.
const fn bit(column: u32, row: u32) -> u64 {
    1 << (column * STRIDE + row)
}

/// The name of a cell, for example `d1`.
fn cell_name(column: u32, row: u32) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

fn column_letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// Whether there are four in a row. Each pass combines discs to pairs, then pairs to fours:
/// vertically, horizontally, and along both diagonals.
fn has_four(discs: u64) -> bool {
    [1, STRIDE, STRIDE - 1, STRIDE + 1].into_iter().any(|step| {
        let pairs = discs & (discs >> step);
        pairs & (pairs >> (2 * step)) != 0
    })
}

impl ConnectFour {
    fn occupied(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// The landing cell of each column, or the spare bit of a full column.
    fn landings(&self) -> u64 {
        self.occupied() + BOTTOM
    }

    /// Whether the player who just moved has won.
    fn is_lost(&self) -> bool {
        has_four(self.discs[!self.side as usize])
    }

    /// Rejects positions that cannot arise in play, and names the fault. Positions come only from
    /// `from_fen` and `play`, so all other code may rely on this. (The order of moves is not
    /// checked: a few unreachable positions pass, and they play like any other.)
    fn validate(&self) -> Result<(), FenError> {
        for (column, row) in (0..COLUMNS).flat_map(|c| (1..ROWS).map(move |r| (c, r))) {
            if self.occupied() & bit(column, row) != 0
                && self.occupied() & bit(column, row - 1) == 0
            {
                let (disc, gap) = (cell_name(column, row), cell_name(column, row - 1));
                return Err(FenError::illegal(format!(
                    "the disc on {disc} floats: {gap} is empty"
                )));
            }
        }
        let [white, black] = self.discs.map(u64::count_ones);
        let ahead = u32::from(self.side == Color::Black);
        if white != black + ahead {
            return Err(FenError::illegal(format!(
                "with {} to move White has {ahead} more discs than Black, but there are {white} and {black}",
                self.side
            )));
        }
        let [mover, last] = [self.discs[self.side as usize], self.discs[!self.side as usize]];
        match (has_four(mover), has_four(last)) {
            (true, true) => Err(FenError::illegal("both players have four in a row")),
            (true, false) => Err(FenError::illegal(format!(
                "{} already has four in a row, yet the game went on",
                self.side
            ))),
            (false, true) if !self.four_can_be_new() => {
                Err(FenError::illegal(format!("{}'s fours cannot come from one move", !self.side)))
            }
            _ => Ok(()),
        }
    }

    /// Whether removing some disc from the top of a column leaves the last mover without a four.
    fn four_can_be_new(&self) -> bool {
        let last = self.discs[!self.side as usize];
        // The cell below each landing cell. Below an empty column is the spare bit of its
        // neighbour, which is never set.
        let mut tops = (self.landings() >> 1) & last;
        while tops != 0 {
            let top = tops & tops.wrapping_neg();
            if !has_four(last & !top) {
                return true;
            }
            tops ^= top;
        }
        false
    }
}

/// An example of a move, for error messages.
const MOVE_EXAMPLE: &str = "d";

impl Game for ConnectFour {
    type Move = Column;

    const NAME: &'static str = "connect_four";
    // Discs never leave the board, so no position can recur.
    const REPETITIONS: Option<usize> = None;
    // Discs come from outside the board: one origin, seven targets.
    const POLICY: PolicyShape = PolicyShape { from: 1, to: COLUMNS as usize };

    fn start() -> Self {
        Self { discs: [0; 2], side: Color::White }
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let &[board, side] = fields.as_slice() else {
            let expected = "2: board, side to move";
            return Err(FenError::FieldCount { found: fields.len(), expected });
        };
        let side = Color::from_fen_letter(side)?;
        let mut discs = [0; 2];
        parse_placement(board, COLUMNS as usize, ROWS as usize, "Xo", |cell, letter| {
            let bit = bit(cell as u32 % COLUMNS, cell as u32 / COLUMNS);
            discs[usize::from(letter == 'o')] |= bit;
        })?;
        let position = Self { discs, side };
        position.validate()?;
        Ok(position)
    }

    fn to_fen(&self) -> String {
        let board = print_placement(COLUMNS as usize, ROWS as usize, |cell| self.piece_on(cell));
        format!("{board} {}", self.side.fen_letter())
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    /// White's discs plus a marker on top of each column identify a position (the side to move
    /// follows from the number of discs), and every step of the mixing is invertible, so no two
    /// positions share a hash. A game whose positions do not fit in 64 bits would use Zobrist keys
    /// instead.
    fn hash(&self) -> u64 {
        mix(self.landings() | self.discs[0])
    }

    fn for_each_move(&self, mut visit: impl FnMut(Column)) {
        if self.is_lost() {
            return;
        }
        let landings = self.landings() & BOARD;
        for column in 0..COLUMNS {
            if landings & (COLUMN << (column * STRIDE)) != 0 {
                visit(Column(column as u8));
            }
        }
    }

    fn play(&mut self, mv: Column) {
        let column = COLUMN << (u32::from(mv.0) * STRIDE);
        self.discs[self.side as usize] |= self.landings() & column;
        self.side = !self.side;
    }

    fn outcome_without_moves(&self) -> Outcome {
        if self.is_lost() {
            Outcome::new(self.side, GameScore::LOSS, "four in a row")
        } else {
            Outcome::draw("board full")
        }
    }

    fn move_text(&self, mv: Column) -> String {
        column_letter(u32::from(mv.0)).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Column, MoveError> {
        let &[letter @ b'a'..=b'g'] = text.as_bytes() else {
            return Err(MoveError::syntax(text, MOVE_EXAMPLE));
        };
        let mv = Column(letter - b'a');
        if self.is_legal(mv) { Ok(mv) } else { Err(MoveError::illegal(text, self.to_fen())) }
    }

    fn move_code(mv: Column) -> u32 {
        u32::from(mv.0)
    }

    fn policy_index(&self, mv: Column) -> PolicyIndex {
        PolicyIndex { from: 0, to: usize::from(mv.0) }
    }
}

impl BoardGame for ConnectFour {
    const PIECES: &'static str = "XO";

    const DROPS: bool = true;

    fn geometry() -> BoardGeometry {
        let cells = (0..CELLS).map(|cell| {
            let (column, row) = (cell % COLUMNS, cell / COLUMNS);
            let name = cell_name(column, row);
            Cell { name, x: column as f32, y: row as f32, shade: 0 }
        });
        BoardGeometry { shape: CellShape::Square, cells: cells.collect() }
    }

    fn piece_count(&self) -> usize {
        self.occupied().count_ones() as usize
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        let cell = bit(cell as u32 % COLUMNS, cell as u32 / COLUMNS);
        let [white, black] = self.discs.map(|discs| discs & cell != 0);
        if white { Some('X') } else { black.then_some('o') }
    }

    fn feature_set_names() -> Vec<String> {
        vec![Cells::NAME.to_owned()]
    }

    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        match name {
            Cells::NAME => Ok(Box::new(Cells)),
            _ => Err(unknown_feature_set::<Self>(name)),
        }
    }

    /// Both sides have the same number of discs, up to one, so material carries no information.
    fn piece_value(letter: char) -> Option<i32> {
        matches!(letter, 'X' | 'O').then_some(0)
    }
}

// No null move: zugzwang is central to connect four, so null-move pruning would be unsound. There
// are no captures and no checks.
impl SearchGame for ConnectFour {
    /// Positions from self-play games, each of which began with six random plies.
    fn bench_fens() -> Vec<String> {
        include_str!("bench/connect_four.fens").lines().map(str::to_owned).collect()
    }
}

impl PackedGame for ConnectFour {
    fn pack(&self, _ply: u16, bytes: &mut Vec<u8>) {
        pack::pack(self, bytes);
    }

    fn unpack(_ply: u16, bytes: &mut &[u8]) -> Option<Self> {
        pack::unpack(bytes)
    }
}

impl NotatedGame for ConnectFour {}

/// One input for each cell with an own disc (0 to 41), one for each with an opponent's disc (42 to
/// 83).
///
/// Cells are numbered as in [`BoardGame::geometry`]: a1, b1, … g1, a2, … g6. The board is not
/// flipped for Black: a perspective only decides whose discs come first.
#[derive(Clone, Copy, Debug)]
struct Cells;

impl Cells {
    const NAME: &'static str = "connect_four.cells";

    /// Calls `visit` with the feature index of each disc. `half` is 0 for own discs, 1 for the
    /// opponent's.
    fn for_each(mut discs: u64, half: u32, mut visit: impl FnMut(FeatureIndex)) {
        while discs != 0 {
            let bit = discs.trailing_zeros();
            visit(half * CELLS + bit % STRIDE * COLUMNS + bit / STRIDE);
            discs &= discs - 1;
        }
    }
}

impl FeatureSet<ConnectFour> for Cells {
    fn name(&self) -> String {
        Self::NAME.to_owned()
    }

    fn size(&self) -> usize {
        2 * CELLS as usize
    }

    fn max_active(&self) -> usize {
        CELLS as usize
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        let theirs = feature >= CELLS;
        let piece = if theirs { 'O' } else { 'X' };
        let cell = (feature % CELLS) as usize;
        (feature < 2 * CELLS).then_some(FeaturePlace { bucket: 0, piece, theirs, cell })
    }

    fn active(&self, position: &ConnectFour, perspective: Color, features: &mut Vec<FeatureIndex>) {
        for (half, owner) in [(0, perspective), (1, !perspective)] {
            Self::for_each(position.discs[owner as usize], half, |index| features.push(index));
        }
    }

    /// The difference is computed from the two boards, not from the move between them, so it is
    /// correct for any two positions.
    fn changes(
        &self,
        before: &ConnectFour,
        after: &ConnectFour,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        changes.clear();
        for (half, owner) in [(0, perspective), (1, !perspective)] {
            let [old, new] = [before, after].map(|position| position.discs[owner as usize]);
            Self::for_each(new & !old, half, |index| changes.added.push(index));
            Self::for_each(old & !new, half, |index| changes.removed.push(index));
        }
        Update::Changes
    }
}

impl Symmetric for ConnectFour {
    // Swapping the players is not a symmetry: the number of discs determines the side to move.
    fn symmetries() -> Vec<Symmetry<Self>> {
        fn mirror(discs: u64) -> u64 {
            let column = |c: u32| discs >> (c * STRIDE) & COLUMN;
            (0..COLUMNS).map(|c| column(c) << ((COLUMNS - 1 - c) * STRIDE)).sum()
        }
        vec![Symmetry {
            name: "left-right",
            swaps_colors: false,
            position: |position| {
                Some(Self { discs: position.discs.map(mirror), side: position.side })
            },
            move_text: |text| text.bytes().map(|c| char::from(b'a' + b'g' - c)).collect(),
        }]
    }
}
