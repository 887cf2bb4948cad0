//! Search support: [`SearchGame`], the interface between a game and the search beyond the rules.

use crate::{BoardGame, PolicyIndex, Random};

/// The values of the pieces of a capture in centipawns, for move ordering (MVV-LVA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The value of the captured piece.
    pub victim: i32,
    /// The value of the capturing piece.
    pub attacker: i32,
}

/// Threats against the side to move: a bit for each of the first 128 cells, from its perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    /// Own pieces that the opponent would win by capturing them (SEE), if it were to move; indexed
    /// by [`PolicyIndex::from`].
    pub threatened: u128,
    /// Cells that the opponent attacks, or would attack if an own piece left its cell; indexed by
    /// [`PolicyIndex::to`]. An exchange on any other cell costs the side to move nothing.
    pub attacked: u128,
}

impl Threats {
    /// The value for a game without threats.
    pub const UNKNOWN: Self = Self { threatened: 0, attacked: u128::MAX };
}

/// A legal move with the properties that a search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveInfo<M> {
    /// The move.
    pub mv: M,
    /// Its cells, from the mover's perspective; see
    /// [`Game::policy_index`](crate::Game::policy_index).
    pub index: PolicyIndex,
    /// The kind of the moved piece; see [`SearchGame::moved_kind`].
    pub kind: usize,
    /// The kind of the captured piece; see [`SearchGame::taken_kind`].
    pub taken: Option<usize>,
    /// The value of the captured piece and of the promotion together, in centipawns.
    pub gain: i32,
    /// Whether it is quiet and gives check. Not computed for noisy moves.
    pub check: bool,
}

impl<M> MoveInfo<M> {
    /// Whether the move is noisy: a capture or a promotion.
    #[inline]
    pub fn is_noisy(&self) -> bool {
        self.taken.is_some() || self.gain != 0
    }
}

/// A game from the perspective of a search. Every item has a default: for a game without captures,
/// checks or a null move, the search omits the rules that need them.
pub trait SearchGame: BoardGame {
    /// The number of kinds of pieces, for history tables and policy heads.
    const PIECE_KINDS: usize = 1;

    /// By how many plies the bench depth is reduced, for a game with many moves per position.
    const BENCH_DEPTH_LESS: usize = 0;

    /// The positions of the bench. The default is the start and a few positions of random play.
    fn bench_fens() -> Vec<String> {
        let mut random = Random::new(1);
        let mut position = Self::start();
        let mut fens = vec![position.to_fen()];
        for ply in 1..=24 {
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
            if ply % 6 == 0 {
                fens.push(position.to_fen());
            }
        }
        fens
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        false
    }

    /// The position after a null move, if null-move pruning is sound: `None` in check, in positions
    /// prone to zugzwang, and in games where passing is meaningless.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// The values of the pieces of a capture.
    fn capture(&self, _mv: Self::Move) -> Option<Capture> {
        None
    }

    /// The material gain of a promotion, in centipawns.
    fn promotion_gain(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// The kind of the piece that a legal move moves, below [`PIECE_KINDS`](Self::PIECE_KINDS).
    fn moved_kind(&self, _mv: Self::Move) -> usize {
        0
    }

    /// The kind of the piece that a legal move captures, if it captures.
    fn taken_kind(&self, mv: Self::Move) -> Option<usize> {
        self.capture(mv).map(|_| 0)
    }

    /// Whether a legal move gives check. `false` if the game has no check, or if the test would
    /// cost as much as playing the move.
    fn gives_check(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Whether the static exchange evaluation (SEE) of a legal move is at least `threshold`
    /// centipawns. `None` if the game has no SEE. `kind` and `taken` are those of the move.
    fn see_ge_by_kind(
        &self,
        _mv: Self::Move,
        _kind: usize,
        _taken: Option<usize>,
        _threshold: i32,
    ) -> Option<bool> {
        None
    }

    /// [`see_ge_by_kind`](Self::see_ge_by_kind) for a move whose kinds are not at hand.
    fn see_ge(&self, mv: Self::Move, threshold: i32) -> Option<bool> {
        self.see_ge_by_kind(mv, self.moved_kind(mv), self.taken_kind(mv), threshold)
    }

    /// Threats against the side to move. A piece is threatened if the opponent gains at least
    /// `min_gain` centipawns by capturing it.
    fn threats(&self, _min_gain: i32) -> Threats {
        Threats::UNKNOWN
    }

    /// The cells that the opponent attacks, a bit for each of the first 128, from the perspective of
    /// the side to move; [`Threats::attacked`] without the rest. None by default: then histories do
    /// not distinguish moves from and to attacked cells.
    fn attacked_cells(&self) -> u128 {
        0
    }

    /// Correction-history keys: hashes of parts of the position, such as the pawns. 0 for a part
    /// that the game does not have.
    fn correction_keys(&self) -> [u64; 3] {
        [0; 3]
    }

    /// Whether a legal move is noisy: a capture or a promotion.
    fn is_noisy(&self, mv: Self::Move) -> bool {
        self.taken_kind(mv).is_some() || self.promotion_gain(mv) != 0
    }

    /// The properties of a legal move.
    fn move_info(&self, mv: Self::Move) -> MoveInfo<Self::Move> {
        let taken = self.taken_kind(mv);
        let promotion = self.promotion_gain(mv);
        let quiet = taken.is_none() && promotion == 0;
        MoveInfo {
            mv,
            index: self.policy_index(mv),
            kind: self.moved_kind(mv),
            taken,
            gain: promotion + self.capture(mv).map_or(0, |capture| capture.victim),
            check: quiet && self.gives_check(mv),
        }
    }

    /// Calls `visit` with each legal noisy move.
    fn for_each_noisy(&self, mut visit: impl FnMut(MoveInfo<Self::Move>)) {
        self.for_each_move(|mv| {
            if self.is_noisy(mv) {
                visit(self.move_info(mv));
            }
        });
    }

    /// Calls `visit` with each legal quiet move.
    fn for_each_quiet(&self, mut visit: impl FnMut(MoveInfo<Self::Move>)) {
        self.for_each_quiet_move(|mv| visit(self.move_info(mv)));
    }

    /// Calls `visit` with each legal quiet move that gives check.
    fn for_each_quiet_check(&self, mut visit: impl FnMut(MoveInfo<Self::Move>)) {
        self.for_each_quiet(|info| {
            if info.check {
                visit(info);
            }
        });
    }

    /// [`for_each_quiet`](Self::for_each_quiet) for a caller that needs only the moves.
    fn for_each_quiet_move(&self, mut visit: impl FnMut(Self::Move)) {
        self.for_each_move(|mv| {
            if !self.is_noisy(mv) {
                visit(mv);
            }
        });
    }
}
