//! Game rules: [`Game`], the trait that every game implements.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Color, FenError, MoveError, Outcome, PolicyIndex, PolicyShape};

/// A position of a two-player game of perfect information, together with its rules.
///
/// Positions are values: `clone`, then `play`. A position does not store the moves that led to it;
/// [`GameHistory`](crate::GameHistory) adds them, and with them draws by repetition. Positions are
/// validated on construction ([`from_fen`](Game::from_fen)), so every method may rely on a playable
/// position. The players alternate.
///
/// The items without a default are all that the rules need. Further capabilities are in four small
/// traits, most of whose items have defaults: [`BoardGame`](crate::BoardGame),
/// [`SearchGame`](crate::SearchGame), [`PackedGame`](crate::PackedGame),
/// [`NotatedGame`](crate::NotatedGame).
///
/// `docs/03-your-own-game.md` develops a game step by step; [`ConnectFour`] is a small example.
///
/// [`ConnectFour`]: crate::connect_four::ConnectFour
///
/// ```
/// use games::{Game, Random, connect_four::ConnectFour};
///
/// /// Plays random moves to the end of a game of any kind.
/// fn random_game<G: Game>(random: &mut Random) -> G {
///     let mut position = G::start();
///     while position.outcome().is_none() {
///         let moves = position.legal_moves();
///         position.play(moves[random.below(moves.len())]);
///     }
///     position
/// }
///
/// let last = random_game::<ConnectFour>(&mut Random::new(1));
/// assert!(last.legal_moves().is_empty());
/// assert_eq!(ConnectFour::from_fen(&last.to_fen())?, last);
/// # Ok::<(), games::FenError>(())
/// ```
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// A move. It is only meaningful together with the position that it was generated for.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The name on the command line and in files: lower-case letters, digits and `_`.
    const NAME: &'static str;
    /// The numbers of origin and target cells: the shape of a policy head and of history tables.
    const POLICY: PolicyShape;

    /// The initial position.
    fn start() -> Self;
    /// Parses a position. Rejects an unplayable one and names the fault.
    fn from_fen(fen: &str) -> Result<Self, FenError>;
    /// The position as text that [`from_fen`](Game::from_fen) parses to an equal one.
    fn to_fen(&self) -> String;
    /// The side to move.
    fn side_to_move(&self) -> Color;
    /// A hash: equal for positions with the same pieces, side to move and legal moves.
    fn hash(&self) -> u64;
    /// Calls `visit` with each legal move. There is none if the position itself ends the game.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));
    /// Plays a legal move: one that [`for_each_move`](Game::for_each_move) or
    /// [`parse_move`](Game::parse_move) returned for this position. Other moves may panic.
    fn play(&mut self, mv: Self::Move);
    /// The result if the side to move has no legal move.
    fn outcome_without_moves(&self) -> Outcome;
    /// The move as text without spaces, in UCI notation where UCI defines it.
    fn move_text(&self, mv: Self::Move) -> String;
    /// An integer code for the move, for tables and files: unique among the legal moves of a
    /// position.
    fn move_code(mv: Self::Move) -> u32;
    /// The origin and target cells of a move, from the mover's perspective.
    fn policy_index(&self, mv: Self::Move) -> PolicyIndex;

    // Items with defaults that suit many games.

    /// How often a position must occur for a draw by repetition; `None` if positions cannot recur.
    const REPETITIONS: Option<usize> = None;

    /// The result if the game is over although there are legal moves: the fifty-move rule,
    /// insufficient material. [`GameHistory`](crate::GameHistory) handles repetition.
    fn outcome_by_rule(&self) -> Option<Outcome> {
        None
    }

    /// Plies since the last irreversible move, such as a capture: the farthest distance of an equal
    /// earlier position. 0 if positions cannot recur.
    fn reversible_plies(&self) -> usize {
        0
    }

    /// Parses a legal move.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let found = self.legal_moves().into_iter().find(|&mv| self.move_text(mv) == text);
        found.ok_or_else(|| MoveError::illegal(text, self.to_fen()))
    }

    /// The legal move with this code, if there is one. Accepts any code.
    fn move_from_code(&self, code: u32) -> Option<Self::Move> {
        self.legal_moves().into_iter().find(|&mv| Self::move_code(mv) == code)
    }

    /// Whether a move, possibly generated for another position, is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut legal = false;
        self.for_each_move(|other| legal |= other == mv);
        legal
    }

    /// Whether there is a legal move.
    fn has_moves(&self) -> bool {
        let mut any = false;
        self.for_each_move(|_| any = true);
        any
    }

    /// The legal moves as a list.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// The result if the game is over, not considering repetition.
    fn outcome(&self) -> Option<Outcome> {
        if self.has_moves() { self.outcome_by_rule() } else { Some(self.outcome_without_moves()) }
    }
}
