//! Breakthrough: pawns step forward, straight or diagonally, and capture diagonally. A side wins by
//! reaching the last row or by capturing every pawn.

use games::{
    BoardGame, BoardGeometry, Capture, Color, FenError, Game, GameScore, NotatedGame, Outcome,
    PackedGame, PolicyIndex, PolicyShape, SearchGame, mix, parse_placement, print_placement,
};

/// A position: the pawns of White and of Black, a bit for each cell from a1, b1 … to h8.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakthrough {
    pawns: [u64; 2],
    side: Color,
}

/// A move: the cell that a pawn leaves and the one that it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: u8,
    to: u8,
}

const LAST_ROWS: [u64; 2] = [0xFF << 56, 0xFF];

impl Breakthrough {
    fn has(&self, side: Color, cell: usize) -> bool {
        cell < 64 && self.pawns[side as usize] >> cell & 1 == 1
    }

    /// Whether a side has reached the last row, or the other has no pawn.
    fn has_won(&self, side: Color) -> bool {
        let own = self.pawns[side as usize] & LAST_ROWS[side as usize];
        own != 0 || self.pawns[!side as usize] == 0
    }
}

impl Game for Breakthrough {
    type Move = Step;
    const NAME: &'static str = "breakthrough";
    const POLICY: PolicyShape = PolicyShape { from: 64, to: 64 };

    fn start() -> Self {
        Self { pawns: [0xFFFF, 0xFFFF << 48], side: Color::White }
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let &[board, side] = fields.as_slice() else {
            let expected = "2: board, side to move";
            return Err(FenError::FieldCount { found: fields.len(), expected });
        };
        let mut pawns = [0; 2];
        parse_placement(board, 8, 8, "Pp", |cell, letter| {
            pawns[usize::from(letter == 'p')] |= 1 << cell;
        })?;
        let side = Color::from_fen_letter(side)?;
        let position = Self { pawns, side };
        if pawns.iter().any(|pawns| pawns.count_ones() > 16) {
            return Err(FenError::illegal("a side has more than 16 pawns"));
        }
        if position.has_won(side) {
            return Err(FenError::illegal(format!("{side} has won already and is to move")));
        }
        Ok(position)
    }

    fn to_fen(&self) -> String {
        let board = print_placement(8, 8, |cell| self.piece_on(cell));
        format!("{board} {}", self.side.fen_letter())
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn hash(&self) -> u64 {
        mix(mix(mix(self.pawns[0]) ^ self.pawns[1]) ^ self.side as u64)
    }

    fn for_each_move(&self, mut visit: impl FnMut(Step)) {
        if self.has_won(!self.side) {
            return;
        }
        for from in (0..64).filter(|&from| self.has(self.side, from)) {
            let row = if self.side == Color::White { from / 8 + 1 } else { from / 8 - 1 };
            for column in (from % 8).saturating_sub(1)..=(from % 8 + 1).min(7) {
                let to = row * 8 + column;
                let straight = column == from % 8;
                if !self.has(self.side, to) && !(straight && self.has(!self.side, to)) {
                    visit(Step { from: from as u8, to: to as u8 });
                }
            }
        }
    }

    fn play(&mut self, step: Step) {
        self.pawns[self.side as usize] ^= 1 << step.from | 1 << step.to;
        self.pawns[!self.side as usize] &= !(1 << step.to);
        self.side = !self.side;
    }

    fn outcome_without_moves(&self) -> Outcome {
        Outcome::new(self.side, GameScore::LOSS, "breakthrough")
    }

    fn move_text(&self, step: Step) -> String {
        let name = |cell: u8| format!("{}{}", char::from(b'a' + cell % 8), cell / 8 + 1);
        name(step.from) + &name(step.to)
    }

    fn move_code(step: Step) -> u32 {
        u32::from(step.from) << 6 | u32::from(step.to)
    }

    /// Black sees the board from the other end.
    fn policy_index(&self, step: Step) -> PolicyIndex {
        let flip = if self.side == Color::White { 0 } else { 56 };
        PolicyIndex { from: (step.from ^ flip).into(), to: (step.to ^ flip).into() }
    }
}

impl BoardGame for Breakthrough {
    const PIECES: &'static str = "P";

    fn geometry() -> BoardGeometry {
        BoardGeometry::squares(8, 8)
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        let black = self.has(Color::Black, cell).then_some('p');
        if self.has(Color::White, cell) { Some('P') } else { black }
    }

    fn piece_count(&self) -> usize {
        self.pawns.iter().map(|pawns| pawns.count_ones() as usize).sum()
    }
}

impl SearchGame for Breakthrough {
    /// Quiescence search and move ordering use it.
    fn capture(&self, step: Step) -> Option<Capture> {
        self.has(!self.side, step.to.into()).then_some(Capture { victim: 100, attacker: 100 })
    }
}

// The defaults serve: positions are stored as FENs, PGN has the texts of the moves.
impl PackedGame for Breakthrough {}
impl NotatedGame for Breakthrough {}
