//! Gliński's hexagonal chess: the rules.
//!
//! 91 cells in eleven files a b c d e f g h i k l (there is no j). The rules are those of chess
//! except for the geometry and these points: a pawn may step twice from *any* cell that a pawn of
//! its colour starts on; there is no castling; and stalemate scores ¾ for the side that gives it,
//! unless the setting `stalemate` changes that. Bare kings are a draw only if stalemate is a draw,
//! because a bare king can give stalemate.
//!
//! The FEN has five fields, the board by ranks from 11 down:
//! `b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1`. The en-passant
//! cell is written after every double step. The clock stops at 100 plies, where the game is drawn.

mod attacks;
mod batch;
mod bitboard;
mod cell;
mod checks;
mod drawing;
mod features;
mod fen;
mod movegen;
mod moves;
mod pack;
mod piece;
mod position;
mod see;
mod symmetry;
mod tables;
mod validate;
mod zobrist;

use std::ops::ControlFlow;

pub use moves::Move;
pub use position::Hexchess;

use crate::{
    BoardGame, BoardGeometry, Capture, Color, FeatureSet, FeatureSetError, FenError, Game,
    GameScore, MoveError, NotatedGame, Outcome, PackedGame, PolicyIndex, PolicyShape, SearchGame,
    Setting, SettingError, Threats, unknown_setting,
};
use batch::Batch;
use bitboard::Bitboard;
use cell::{CELLS, Cell};
use piece::Piece;
use position::{MAX_CLOCK, Stalemate};

/// The setting for the score of a stalemate.
const STALEMATE: Setting = Setting {
    name: "stalemate",
    values: &["3/4", "1/2", "1"],
    about: "the score of a stalemate for the side that gives it",
};

/// An example of a move, for error messages.
const MOVE_EXAMPLE: &str = "e4e6 or e9d9q";

impl Game for Hexchess {
    type Move = Move;

    const NAME: &'static str = "hexchess";
    const REPETITIONS: Option<usize> = Some(3);
    const POLICY: PolicyShape = PolicyShape { from: CELLS, to: CELLS };

    fn start() -> Self {
        fen::read(fen::START).expect("the start is a position")
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        fen::read(fen)
    }

    fn to_fen(&self) -> String {
        fen::write(self)
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side()
    }

    #[inline]
    fn hash(&self) -> u64 {
        match self.passed() {
            Some(cell) if movegen::can_take_in_passing(self) => {
                self.key() ^ zobrist::EN_PASSANT[cell.file() & 15]
            }
            _ => self.key(),
        }
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        let mut batch = Batch::new();
        let _ = movegen::generate(self, Bitboard::BOARD, |mv| {
            if batch.push(mv) {
                batch.flush(&mut visit);
            }
            ControlFlow::Continue(())
        });
        batch.flush(&mut visit);
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.make(mv);
    }

    fn has_moves(&self) -> bool {
        movegen::generate(self, Bitboard::BOARD, |_| ControlFlow::Break(())).is_break()
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.find_from(mv.from(), |other| other == mv).is_some()
    }

    fn outcome_without_moves(&self) -> Outcome {
        let winner = !self.side();
        if self.is_check() {
            return Outcome::new(winner, GameScore::WIN, "checkmate");
        }
        let quarters = match self.stalemate() {
            Stalemate::ThreeQuarters => 3,
            Stalemate::Half => 2,
            Stalemate::Win => 4,
        };
        let points = GameScore::quarters(quarters).expect("a point has four quarters");
        Outcome::new(winner, points, "stalemate")
    }

    fn outcome_by_rule(&self) -> Option<Outcome> {
        if self.clock() >= MAX_CLOCK {
            return Some(Outcome::draw("fifty moves"));
        }
        // Under the other rules a bare king can still stalemate a bare king.
        let bare = self.pieces(Piece::King) == self.occupied();
        (bare && self.stalemate() == Stalemate::Half).then(|| Outcome::draw("bare kings"))
    }

    fn reversible_plies(&self) -> usize {
        usize::from(self.clock())
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let (from, to, promotion) =
            symmetry::read_text(text).ok_or_else(|| MoveError::syntax(text, MOVE_EXAMPLE))?;
        self.find_from(from, |mv| mv.to() == to && mv.promotion() == promotion)
            .ok_or_else(|| MoveError::illegal(text, self.to_fen()))
    }

    #[inline]
    fn move_code(mv: Move) -> u32 {
        mv.code()
    }

    fn move_from_code(&self, code: u32) -> Option<Move> {
        let from = code as usize / (5 * CELLS);
        if from >= CELLS {
            return None;
        }
        self.find_from(Cell::numbered(from), |mv| mv.code() == code)
    }

    fn policy_index(&self, mv: Move) -> PolicyIndex {
        PolicyIndex { from: self.seen(mv.from()), to: self.seen(mv.to()) }
    }
}

impl BoardGame for Hexchess {
    const PIECES: &'static str = "PNBRQK";

    fn geometry() -> BoardGeometry {
        drawing::geometry()
    }

    #[inline]
    fn piece_count(&self) -> usize {
        self.occupied().len() as usize
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        if cell >= CELLS {
            return None;
        }
        let (piece, color) = self.on(Cell::numbered(cell))?;
        Some(char::from(piece.letter_of(color)))
    }

    fn without_piece(&self, cell: usize) -> Option<Self> {
        let mut without = Self::empty(self.side());
        for other in (0..CELLS).filter(|&other| other != cell).map(Cell::numbered) {
            if let Some((piece, color)) = self.on(other) {
                without.put(piece, color, other);
            }
        }
        without.set_state(None, self.clock(), self.number());
        without.set_stalemate(self.stalemate());
        validate::validate(&without).is_ok().then_some(without)
    }

    fn feature_set_names() -> Vec<String> {
        features::NAMES.map(str::to_owned).to_vec()
    }

    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        features::named(name)
    }

    fn piece_value(letter: char) -> Option<i32> {
        let (piece, _) = Piece::from_letter(u8::try_from(letter).ok()?)?;
        (piece != Piece::King).then(|| piece.value())
    }
}

impl SearchGame for Hexchess {
    const BENCH_DEPTH_LESS: usize = 3;

    /// Positions from self-play games, each of which began with six random plies.
    fn bench_fens() -> Vec<String> {
        include_str!("bench/hexchess.fens").lines().map(str::to_owned).collect()
    }

    #[inline]
    fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// `None` if the side to move has only pawns and its king, because zugzwang is common there.
    fn null_move(&self) -> Option<Self> {
        let own = self.color(self.side());
        let pieces = own & !self.pieces(Piece::Pawn) & !self.pieces(Piece::King);
        if pieces.is_empty() || self.is_check() {
            return None;
        }
        let mut passed = *self;
        passed.pass();
        Some(passed)
    }

    #[inline]
    fn capture(&self, mv: Move) -> Option<Capture> {
        let value = |number: usize| Piece::numbered(number as u32).value();
        mv.is_capture().then(|| Capture { victim: value(mv.taken()), attacker: value(mv.moved()) })
    }

    #[inline]
    fn promotion_gain(&self, mv: Move) -> i32 {
        mv.promotion().map_or(0, |piece| piece.value() - Piece::Pawn.value())
    }

    const PIECE_KINDS: usize = Piece::ALL.len();

    #[inline]
    fn moved_kind(&self, mv: Move) -> usize {
        mv.moved()
    }

    #[inline]
    fn taken_kind(&self, mv: Move) -> Option<usize> {
        mv.is_capture().then(|| mv.taken())
    }

    /// The encoded move already contains both kinds.
    fn see_ge_by_kind(
        &self,
        mv: Move,
        _kind: usize,
        _taken: Option<usize>,
        threshold: i32,
    ) -> Option<bool> {
        Some(see::gains(self, mv, threshold))
    }

    fn threats(&self, least: i32) -> Threats {
        let attacked = see::attacked(self);
        let seen = |set: u128, cell: Cell| set | 1 << self.seen(cell);
        Threats {
            threatened: see::threatened(self, least, attacked).fold(0, seen),
            attacked: attacked.into_iter().fold(0, seen),
        }
    }

    fn attacked_cells(&self) -> u128 {
        see::attacked(self).into_iter().fold(0, |set, cell| set | 1 << self.seen(cell))
    }

    fn gives_check(&self, mv: Move) -> bool {
        see::gives_check(self, mv)
    }

    fn correction_keys(&self) -> [u64; 3] {
        see::correction_keys(self)
    }
}

impl PackedGame for Hexchess {
    fn pack(&self, ply: u16, bytes: &mut Vec<u8>) {
        pack::pack(self, ply, bytes);
    }

    fn unpack(ply: u16, bytes: &mut &[u8]) -> Option<Self> {
        pack::unpack(ply, bytes)
    }
}

impl NotatedGame for Hexchess {
    fn settings() -> &'static [Setting] {
        &[STALEMATE]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        if name != STALEMATE.name {
            return Err(unknown_setting::<Self>(name));
        }
        self.set_stalemate(match value {
            "3/4" => Stalemate::ThreeQuarters,
            "1/2" => Stalemate::Half,
            "1" => Stalemate::Win,
            _ => {
                return Err(SettingError::Value {
                    name: STALEMATE.name,
                    value: value.to_owned(),
                    expected: "3/4, 1/2 or 1",
                });
            }
        });
        Ok(())
    }
}

impl Hexchess {
    /// The legal move from a cell that `wanted` accepts.
    fn find_from(&self, from: Cell, wanted: impl Fn(Move) -> bool) -> Option<Move> {
        let mut found = None;
        let _ = movegen::generate(self, from.set(), |mv| {
            if wanted(mv) {
                found = Some(mv);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }
}

impl std::fmt::Debug for Hexchess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hexchess({}, stalemate {:?})", self.to_fen(), self.stalemate())
    }
}
