//! Game history: a position and the hashes of earlier positions, for draws by repetition.

use crate::{Game, MoveError, Outcome};

/// A position with the hashes of the positions before it.
///
/// ```
/// use games::{Game, GameHistory, chess::Chess};
///
/// let mut game = GameHistory::new(Chess::start());
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
///     assert!(game.outcome().is_none());
///     game.play_text(text)?;
/// }
/// // The start position occurs for the third time.
/// assert_eq!((game.plies(), game.occurrences()), (8, 3));
/// assert_eq!(game.outcome().map(|outcome| outcome.reason), Some("repetition"));
/// # Ok::<(), games::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameHistory<G: Game> {
    position: G,
    /// Hashes of the positions before `position`, oldest first.
    past: Vec<u64>,
}

impl<G: Game> GameHistory<G> {
    /// A history that begins at `position`.
    pub fn new(position: G) -> Self {
        Self { position, past: Vec::new() }
    }

    /// The current position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The hashes of all earlier positions, oldest first.
    pub fn past(&self) -> &[u64] {
        &self.past
    }

    /// The number of moves played.
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// Plays a legal move; see [`Game::play`].
    pub fn play(&mut self, mv: G::Move) {
        self.past.push(self.position.hash());
        self.position.play(mv);
    }

    /// Parses a move and plays it if it is legal.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, MoveError> {
        let mv = self.position.parse_move(text)?;
        self.play(mv);
        Ok(mv)
    }

    /// How often the position has occurred, including now.
    pub fn occurrences(&self) -> usize {
        let hash = self.position.hash();
        // Only positions since the last irreversible move, with the same side to move, can be
        // equal.
        let reach = self.position.reversible_plies().min(self.past.len());
        let window = &self.past[self.past.len() - reach..];
        1 + window.iter().rev().skip(1).step_by(2).filter(|&&past| past == hash).count()
    }

    /// The result if the game is over, including by repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let limit = G::REPETITIONS?;
            (self.occurrences() >= limit).then(|| Outcome::draw("repetition"))
        })
    }
}
