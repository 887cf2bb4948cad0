//! Self-play game: plays the game of a number and returns its records.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use dataset::Record;
use games::{GameHistory, Random, ToolkitGame};
use search::{Control, Engine, Limits, Score, SearchResult};

use super::records::{self, as_written};
use super::trees::{Trees, VisitedPosition};
use super::{DatagenError, DatagenOptions, trees};
use crate::game_record::Opening;
use crate::openings::{Openings, extend};
use crate::play::{Rules, play};
use crate::player::{ChosenMove, PlayerFault};

/// The records of a game.
pub(super) struct Made<G: ToolkitGame> {
    pub(super) records: Vec<Record<G>>,
    /// Nodes of its searches.
    pub(super) nodes: u64,
}

/// Plays games, one after the other.
pub(super) struct Maker<'a, G: ToolkitGame> {
    pub(super) options: &'a DatagenOptions,
    pub(super) openings: &'a Openings<G>,
    pub(super) engine: &'a mut Engine<G>,
    pub(super) control: &'a Control,
    /// Time spent in searches.
    pub(super) searching: Duration,
    nodes: u64,
}

/// Calls `each` with the openings that [`generate`](super::generate) would use, until it breaks.
///
/// Uses the options on which openings depend: seed, shard, random plies, the limit of their score
/// and the limits of the search that finds it.
pub fn generate_openings<G: ToolkitGame>(
    options: &DatagenOptions,
    openings: &Openings<G>,
    engine: &mut Engine<G>,
    control: &Control,
    each: &mut dyn FnMut(&Opening<G>) -> bool,
) -> Result<(), DatagenError> {
    options.check()?;
    let mut maker = Maker::new(options, openings, engine, control);
    let (mut game, mut barren) = (0, 0);
    loop {
        let mut random = maker.random(game);
        let opening = maker.opening(game, &mut random);
        game += 1;
        if control.is_stopped() {
            return Ok(());
        }
        match opening {
            Some(opening) if !each(&opening) => return Ok(()),
            Some(_) => barren = 0,
            None if barren >= super::run::BARREN => {
                return Err(DatagenError::Barren { games: barren });
            }
            None => barren += 1,
        }
    }
}

/// The number of openings to try before a game is skipped.
const TRIES: usize = 100;

impl<'a, G: ToolkitGame> Maker<'a, G> {
    pub(super) fn new(
        options: &'a DatagenOptions,
        openings: &'a Openings<G>,
        engine: &'a mut Engine<G>,
        control: &'a Control,
    ) -> Self {
        Self { options, openings, engine, control, searching: Duration::ZERO, nodes: 0 }
    }

    /// Plays the game of this number of the shard. Returns `None` if it was stopped.
    pub(super) fn make(&mut self, game: u64) -> Option<Made<G>> {
        self.nodes = 0;
        let mut random = self.random(game);
        let mut records = Vec::new();
        if let Some(opening) = self.opening(game, &mut random) {
            let mut trees = Trees::new(self.options.tree_share);
            records = self.play(opening, game, &mut trees, &mut random)?;
            self.add_tree_positions(&mut records, game, trees, &mut random);
            self.add_depths(&mut records);
        }
        // A stopped search has no valid score.
        let made = Made { records, nodes: self.nodes };
        (!self.control.is_stopped()).then_some(made)
    }

    /// The random numbers of a game.
    fn random(&self, game: u64) -> Random {
        // Advance the generator between the two, so that nearby seeds and games are independent.
        let seed = Random::new(self.options.seed).next_u64();
        let game = Random::new(self.options.shard.global(game) ^ seed).next_u64();
        Random::new(game)
    }

    /// An opening that is not over, and balanced if requested.
    fn opening(&mut self, game: u64, random: &mut Random) -> Option<Opening<G>> {
        let base = self.openings.get(self.options.shard.global(game));
        let max = self.options.random_plies;
        // Without random moves there is only one opening to try.
        for _ in 0..if max == 0 { 1 } else { TRIES } {
            // Add one ply at random, so that both sides get the first move.
            let plies = if max == 0 { 0 } else { max + random.below(2) };
            let opening = extend(&base, plies, random)?;
            if self.control.is_stopped() || self.is_balanced(&opening) {
                return Some(opening);
            }
        }
        None
    }

    fn is_balanced(&mut self, opening: &Opening<G>) -> bool {
        let Some(max) = self.options.max_opening_score else { return true };
        self.engine.new_game();
        match self.search(&opening.line(), &self.options.limits.with_clock(None), None).score {
            Score::Centipawns(score) => score.abs() <= max,
            Score::Mate(_) => false,
        }
    }

    /// Plays a game to its end. Returns `None` if it was stopped.
    fn play(
        &mut self,
        opening: Opening<G>,
        game: u64,
        trees: &mut Trees<G>,
        random: &mut Random,
    ) -> Option<Vec<Record<G>>> {
        let options = self.options;
        let (limits, adjudication) = ([options.limits; 2], options.adjudication);
        let rules = Rules { limits, adjudication, ..Rules::default() };
        self.engine.new_game();
        let played = play(opening, &rules, self.control, |_, request| {
            let line = request.record.line();
            let answer = self.search(line, &request.limits, Some(trees));
            let mv = answer.best.ok_or_else(|| PlayerFault::Illegal("none".into()))?;
            let SearchResult { score, depth, nodes, time, .. } = answer;
            Ok(ChosenMove { mv, score: Some(score), depth, nodes, time: Some(time) })
        })?;
        Some(records::of_game(&played, game, options, random))
    }

    fn search(
        &mut self,
        line: &GameHistory<G>,
        limits: &Limits<G>,
        trees: Option<&mut Trees<G>>,
    ) -> SearchResult<G> {
        let start = Instant::now();
        let answer = match trees.filter(|trees| trees.is_wanted()) {
            None => self.engine.go(line, limits, self.control, &mut |_| {}),
            Some(trees) => {
                let seen = Mutex::new(trees);
                self.engine.go_sampling(line, limits, self.control, &mut |_| {}, &|at, ply| {
                    let mut trees = seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    trees.look(at, line.plies() + ply);
                })
            }
        };
        self.searching += start.elapsed();
        self.nodes += answer.nodes;
        SearchResult { score: self.raw(answer.score), ..answer }
    }

    /// A score in the unit of data files, which is the network's own, so that data keep their
    /// meaning whatever the score model.
    fn raw(&self, score: Score) -> Score {
        match score {
            Score::Centipawns(score) => Score::Centipawns(self.engine.score_unit().raw(score)),
            mate @ Score::Mate(_) => mate,
        }
    }

    /// Adds positions of the search trees of the game, each scored by a search of its own.
    fn add_tree_positions(
        &mut self,
        records: &mut Vec<Record<G>>,
        game: u64,
        trees: Trees<G>,
        random: &mut Random,
    ) {
        let mut wanted = trees::wanted(records.len(), self.options.tree_share, random);
        for VisitedPosition { position, ply } in trees.shuffled(random) {
            if wanted == 0 || self.control.is_stopped() {
                return;
            }
            // Skip positions that the game or another search reached.
            let hash = position.hash();
            if records.iter().any(|known| known.position.hash() == hash) {
                continue;
            }
            // The result of a game from here is unknown.
            let mut record = Record { ply, game: records::number(game), ..Record::new(position) };
            if self.options.filter.reason(&record).is_some() {
                continue;
            }
            self.engine.new_game();
            let line = GameHistory::new(record.position.clone());
            let answer = self.search(&line, &self.options.limits.with_clock(None), None);
            (record.score, record.best_move) = (Some(as_written(answer.score)), answer.best);
            if self.options.filter.reason(&record).is_none() {
                records.push(record);
                wanted -= 1;
            }
        }
    }

    /// Adds the scores of several depths. Each position is searched with empty tables.
    fn add_depths(&mut self, records: &mut [Record<G>]) {
        let Some(&deepest) = self.options.depths.last() else { return };
        let limits = Limits { full_window: true, ..Limits::to_depth(deepest.into()) };
        for record in records {
            if self.control.is_stopped() {
                return;
            }
            self.engine.new_game();
            let start = Instant::now();
            // The score of a depth does not depend on deeper iterations: one search gives all of
            // them.
            let mut found = Vec::with_capacity(deepest.into());
            let line = GameHistory::new(record.position.clone());
            let answer = self.engine.go(&line, &limits, self.control, &mut |info| {
                found.push((info.depth, info.score));
            });
            self.searching += start.elapsed();
            self.nodes += answer.nodes;
            let found: Vec<_> =
                found.into_iter().map(|(depth, score)| (depth, self.raw(score))).collect();
            record.depths = records::depth_scores(&self.options.depths, &found);
        }
    }
}
