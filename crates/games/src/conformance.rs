//! Conformance suite: the properties that every game must have, whatever its rules.
//!
//! [`check`] plays random games and checks each position against every [`Property`].
//! [`check_symmetric`] also checks the symmetries of the rules. [`check_text`] checks a single
//! position that is given as text, for fuzzing. A game that passes can be searched, stored, trained
//! on and drawn.
//!
//! ```
//! use games::conformance::{Plan, check_symmetric};
//! use games::connect_four::ConnectFour;
//!
//! let report = check_symmetric::<ConnectFour>(&Plan { games: 2, ..Plan::default() })?;
//! assert!(report.positions > 0 && report.changes > 0);
//! # Ok::<(), games::conformance::Failure>(())
//! ```
//!
//! The suite relies on two conventions that the types do not express: the players alternate, and
//! the first field of a FEN holds one letter for each piece on the board.

mod board;
mod feature_sets;
mod notation;
mod places;
mod repetition;
mod report;
mod rules;
mod symmetry;

pub use report::{Failure, Property, Report};

use crate::{FeatureSet, GameHistory, Random, ToolkitGame};

/// A map between positions that must play identically.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry<G: ToolkitGame> {
    /// The name, for example `left-right`.
    pub name: &'static str,
    /// Whether the map swaps the players.
    pub swaps_colors: bool,
    /// The image of a position; `None` if the symmetry does not hold, for example with castling
    /// rights.
    pub position: fn(&G) -> Option<G>,
    /// The text of the image of a move, from the text of the move.
    pub move_text: fn(&str) -> String,
}

/// A game with known symmetries, for [`conformance`](crate::conformance) and data augmentation.
pub trait Symmetric: ToolkitGame {
    /// The symmetries of the rules. Empty if there are none.
    fn symmetries() -> Vec<Symmetry<Self>>;
}

/// The parameters of [`check`].
#[derive(Clone, Debug)]
pub struct Plan {
    /// The random seed. Equal seeds play equal games.
    pub seed: u64,
    /// The number of games.
    pub games: usize,
    /// The ply at which an unfinished game is aborted.
    pub max_plies: usize,
    /// FENs that the games start from in turn, for positions that random play rarely reaches. If
    /// empty, all games start from the initial position.
    pub starts: Vec<String>,
    /// Feature sets to check in addition to those that
    /// [`feature_set_names`](crate::BoardGame::feature_set_names) lists: those with a parameter.
    pub feature_sets: Vec<String>,
    /// Whether the first text is an alternative notation, which the game also parses, of the move
    /// written as the second: chess reads `e1h1` for `e1g1`. By default there are no alternatives.
    pub also_reads: AlsoReads,
}

/// See [`Plan::also_reads`].
pub type AlsoReads = fn(text: &str, written: &str) -> bool;

impl Default for Plan {
    fn default() -> Self {
        Self {
            seed: 0,
            games: 1,
            max_plies: 200,
            starts: Vec::new(),
            feature_sets: Vec::new(),
            also_reads: |_, _| false,
        }
    }
}

/// Plays random games and checks every position on the way.
pub fn check<G: ToolkitGame>(plan: &Plan) -> Result<Report, Failure> {
    Suite::<G>::new(plan, Vec::new())?.run()
}

/// Like [`check`], but also checks the symmetries.
pub fn check_symmetric<G: Symmetric>(plan: &Plan) -> Result<Report, Failure> {
    Suite::<G>::new(plan, G::symmetries())?.run()
}

/// Like [`check`], but also checks these symmetries, for a test of a game from another crate.
pub fn check_with<G: ToolkitGame>(
    plan: &Plan,
    symmetries: Vec<Symmetry<G>>,
) -> Result<Report, Failure> {
    Suite::<G>::new(plan, symmetries)?.run()
}

/// Parses a position and, if the game accepts it, checks it and the positions after each of its
/// moves. Returns `None` if the game rejects the text. Of the plan, only the seed and the
/// game-specific fields matter.
///
/// ```
/// use games::conformance::{Plan, check_text};
/// use games::connect_four::ConnectFour;
/// use games::Game;
///
/// let start = ConnectFour::start().to_fen();
/// assert!(check_text::<ConnectFour>(&start, &Plan::default())?.is_some());
/// assert!(check_text::<ConnectFour>("nonsense", &Plan::default())?.is_none());
/// # Ok::<(), games::conformance::Failure>(())
/// ```
pub fn check_text<G: ToolkitGame>(text: &str, plan: &Plan) -> Result<Option<Report>, Failure> {
    let Ok(position) = G::from_fen(text) else { return Ok(None) };
    let mut suite = Suite::new(plan, Vec::new())?;
    suite.check_position(&position)?;
    notation::check_pack(&position, 0, &mut suite.random)?;
    suite.sets.check_packed(&position, &mut suite.random)?;
    for mv in position.legal_moves() {
        let mut child = position.clone();
        child.play(mv);
        notation::check_fen(&child)?;
        board::check_pieces(&child, suite.cells)?;
    }
    Ok(Some(suite.report))
}

/// The state of one run.
struct Suite<'a, G: ToolkitGame> {
    plan: &'a Plan,
    report: Report,
    random: Random,
    /// The number of cells of the board.
    cells: usize,
    sets: feature_sets::Sets<G>,
    symmetries: Vec<Symmetry<G>>,
    /// Moves and their texts from earlier positions, most of which are illegal in other positions.
    foreign: Vec<(G::Move, String)>,
}

impl<'a, G: ToolkitGame> Suite<'a, G> {
    fn new(plan: &'a Plan, symmetries: Vec<Symmetry<G>>) -> Result<Self, Failure> {
        Ok(Self {
            plan,
            report: Report::default(),
            random: Random::new(plan.seed),
            cells: G::geometry().cells.len(),
            sets: feature_sets::Sets::new(&plan.feature_sets)?,
            symmetries,
            foreign: Vec::new(),
        })
    }

    fn run(mut self) -> Result<Report, Failure> {
        board::check_geometry::<G>()?;
        rules::check_settings::<G>()?;
        let plan = self.plan;
        for game in 0..plan.games {
            let start = match plan.starts.get(game % plan.starts.len().max(1)) {
                None => G::start(),
                Some(fen) => G::from_fen(fen).map_err(|error| Failure {
                    property: Property::Fen,
                    fen: fen.clone(),
                    detail: format!("the plan begins here, but {error}"),
                })?,
            };
            self.play_game(start, plan.max_plies)?;
            self.report.games += 1;
        }
        self.sets.check_updates()?;
        Ok(self.report)
    }

    fn play_game(&mut self, start: G, max_plies: usize) -> Result<(), Failure> {
        let mut line = GameHistory::new(start);
        let mut past: Vec<G> = Vec::new();
        loop {
            let position = line.position();
            self.check_position(position)?;
            notation::check_pack(position, line.plies(), &mut self.random)?;
            self.sets.check_packed(position, &mut self.random)?;
            repetition::check_history(&line, &past)?;
            if let Some(earlier) = self.random.pick(&past) {
                self.sets.check_pair(earlier, position, &mut self.report)?;
                self.sets.check_pair(position, earlier, &mut self.report)?;
            }
            if line.outcome().is_some() || line.plies() >= max_plies {
                return Ok(());
            }
            // The search for repetitions is more expensive than all other checks together.
            if line.plies() % 16 == 5 {
                repetition::check_cycle(position, &mut self.random, &mut self.report)?;
            }
            let mv = self.choose(position);
            past.push(position.clone());
            line.play(mv);
        }
    }

    /// Chooses a random legal move, with an increased probability of promotions.
    fn choose(&mut self, position: &G) -> G::Move {
        let moves = position.legal_moves();
        let promotions = moves.iter().filter(|&&mv| position.promotion_gain(mv) != 0);
        let promotions: Vec<_> = promotions.copied().collect();
        let few = if self.random.below(2) == 0 { &promotions } else { &moves };
        let chosen = self.random.pick(few).or_else(|| self.random.pick(&moves));
        *chosen.expect("the game is not over, so there is a move")
    }

    fn check_position(&mut self, position: &G) -> Result<(), Failure> {
        self.report.positions += 1;
        notation::check_fen(position)?;
        board::check_pieces(position, self.cells)?;
        rules::check_outcome(position)?;
        self.sets.check_active(position)?;

        let moves = position.legal_moves();
        self.report.moves += moves.len();
        notation::check_moves(position, &moves)?;
        notation::check_foreign(position, &moves, &self.foreign, self.plan, &mut self.random)?;
        rules::check_policy(position, &moves)?;
        let mut children = Vec::with_capacity(moves.len());
        for &mv in &moves {
            let child = rules::check_play(position, mv, self.cells, &mut self.report)?;
            self.sets.check_pair(position, &child, &mut self.report)?;
            children.push(child);
        }
        rules::check_siblings(position, &children)?;
        if let Some(passed) = rules::check_null_move(position, self.cells, &mut self.report)? {
            self.sets.check_pair(position, &passed, &mut self.report)?;
        }
        for symmetry in &self.symmetries {
            symmetry::check(symmetry, position, &self.sets, &mut self.report)?;
        }
        self.remember(position, &moves);
        Ok(())
    }

    /// Stores one of the moves for [`notation::check_foreign`].
    fn remember(&mut self, position: &G, moves: &[G::Move]) {
        const MOST: usize = 32;
        let Some(&mv) = self.random.pick(moves) else { return };
        let entry = (mv, position.move_text(mv));
        if self.foreign.len() < MOST {
            self.foreign.push(entry);
        } else {
            let place = self.random.below(MOST);
            self.foreign[place] = entry;
        }
    }
}

/// Fails with `detail` unless the property holds.
fn ensure<G: ToolkitGame>(
    holds: bool,
    property: Property,
    position: &G,
    detail: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if holds {
        return Ok(());
    }
    Err(Failure { property, fen: position.to_fen(), detail: detail() })
}

/// The feature sets to check: the names that a game lists (without those that take a parameter) and
/// the additional ones.
fn named_sets<G: ToolkitGame>(more: &[String]) -> impl Iterator<Item = String> {
    let listed = G::feature_set_names().into_iter().filter(|name| !name.contains(':'));
    listed.chain(more.iter().cloned())
}

/// A boxed feature set.
type AnySet<G> = Box<dyn FeatureSet<G>>;
