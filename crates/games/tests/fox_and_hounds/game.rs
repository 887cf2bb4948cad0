//! Fox and hounds: a game whose sides are not mirror images of each other.
//!
//! Four hounds (White) step diagonally forward, one fox (Black) steps diagonally anywhere. The fox
//! wins on the first row, the hounds win when the fox cannot move; a side without moves loses.

use games::{
    BoardGame, BoardGeometry, Color, FenError, Game, GameScore, NotatedGame, Outcome, PackedGame,
    PolicyIndex, PolicyShape, SearchGame, mix, parse_placement, print_placement,
};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FoxAndHounds {
    hounds: u64,
    fox: u8,
    side: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    from: u8,
    to: u8,
}

/// The diagonal neighbours of a cell in the row below or above.
fn neighbours(cell: u8, up: bool) -> impl Iterator<Item = u8> {
    let row = if up { cell / 8 + 1 } else { (cell / 8).wrapping_sub(1) };
    let columns = [(cell % 8).wrapping_sub(1), cell % 8 + 1];
    columns.into_iter().filter(move |&column| row < 8 && column < 8).map(move |c| row * 8 + c)
}

impl FoxAndHounds {
    fn is_free(&self, cell: u8) -> bool {
        self.hounds >> cell & 1 == 0 && self.fox != cell
    }
}

impl Game for FoxAndHounds {
    type Move = Step;
    const NAME: &'static str = "fox_and_hounds";
    const POLICY: PolicyShape = PolicyShape { from: 64, to: 64 };

    fn start() -> Self {
        Self { hounds: 0b1010_1010, fox: 60, side: Color::White }
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let (board, side) = fen
            .split_once(' ')
            .ok_or(FenError::FieldCount { found: 1, expected: "2: board, side to move" })?;
        let (mut hounds, mut foxes) = (0_u64, Vec::new());
        parse_placement(board, 8, 8, "Hf", |cell, letter| match letter {
            'H' => hounds |= 1 << cell,
            _ => foxes.push(cell as u8),
        })?;
        let side = Color::from_fen_letter(side)?;
        let &[fox] = &foxes[..] else { return Err(FenError::illegal("expected one fox")) };
        let dark = |cell: u8| (cell / 8 + cell % 8) % 2 == 1;
        let all_dark = dark(fox) && (0..64).all(|cell| hounds >> cell & 1 == 0 || dark(cell));
        if hounds.count_ones() != 4 || !all_dark {
            return Err(FenError::illegal("expected four hounds, all pieces on dark cells"));
        }
        if fox < 8 && side == Color::Black {
            return Err(FenError::illegal("the fox has won already and is to move"));
        }
        Ok(Self { hounds, fox, side })
    }

    fn to_fen(&self) -> String {
        let board = print_placement(8, 8, |cell| self.piece_on(cell));
        format!("{board} {}", self.side.fen_letter())
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn hash(&self) -> u64 {
        mix(mix(self.hounds) ^ u64::from(self.fox) << 1 ^ self.side as u64)
    }

    fn for_each_move(&self, mut visit: impl FnMut(Step)) {
        match self.side {
            Color::White if self.fox < 8 => {}
            Color::White => {
                for from in (0..64).filter(|&cell| self.hounds >> cell & 1 == 1) {
                    let free = neighbours(from, true).filter(|&to| self.is_free(to));
                    free.for_each(|to| visit(Step { from, to }));
                }
            }
            Color::Black => {
                let cells = neighbours(self.fox, true).chain(neighbours(self.fox, false));
                let free = cells.filter(|&to| self.is_free(to));
                free.for_each(|to| visit(Step { from: self.fox, to }));
            }
        }
    }

    fn play(&mut self, step: Step) {
        match self.side {
            Color::White => self.hounds ^= 1 << step.from | 1 << step.to,
            Color::Black => self.fox = step.to,
        }
        self.side = !self.side;
    }

    fn outcome_without_moves(&self) -> Outcome {
        Outcome::new(self.side, GameScore::LOSS, "no moves")
    }

    fn move_text(&self, step: Step) -> String {
        let name = |cell: u8| format!("{}{}", char::from(b'a' + cell % 8), cell / 8 + 1);
        name(step.from) + &name(step.to)
    }

    fn move_code(step: Step) -> u32 {
        u32::from(step.from) << 6 | u32::from(step.to)
    }

    fn policy_index(&self, step: Step) -> PolicyIndex {
        PolicyIndex { from: step.from.into(), to: step.to.into() }
    }
}

impl BoardGame for FoxAndHounds {
    const PIECES: &'static str = "HF";
    const MIRRORED: bool = false;

    fn geometry() -> BoardGeometry {
        BoardGeometry::squares(8, 8)
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        let hound = (self.hounds >> cell & 1 == 1).then_some('H');
        if usize::from(self.fox) == cell { Some('f') } else { hound }
    }
}

impl SearchGame for FoxAndHounds {}
impl PackedGame for FoxAndHounds {}
impl NotatedGame for FoxAndHounds {}
