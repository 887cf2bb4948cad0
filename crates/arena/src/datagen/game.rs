//! One game, from its number to its records.

use std::time::{Duration, Instant};

use dataset::Record;
use games::Game;
use games::conformance::Random;
use search::{Answer, Control, Engine, Limits, Score};

use super::{DatagenOptions, records};
use crate::course::{Course, Opening};
use crate::play::{Rules, play};
use crate::player::{Choice, Fault};
use crate::random_opening;

/// What came of a game.
pub(super) struct Made<G: Game> {
    pub(super) records: Vec<Record<G>>,
    /// Positions that searches looked at.
    pub(super) nodes: u64,
}

/// Plays games, one after the other.
pub(super) struct Maker<'a, G: Game> {
    pub(super) options: &'a DatagenOptions,
    pub(super) engine: Engine<G>,
    pub(super) control: &'a Control,
    /// Time spent in searches.
    pub(super) searching: Duration,
    nodes: u64,
}

/// How many openings are tried before a game is given up.
const TRIES: usize = 100;

impl<'a, G: Game> Maker<'a, G> {
    pub(super) fn new(
        options: &'a DatagenOptions,
        engine: Engine<G>,
        control: &'a Control,
    ) -> Self {
        Self { options, engine, control, searching: Duration::ZERO, nodes: 0 }
    }

    /// Plays this shard's game of that number. `None` if told to stop.
    pub(super) fn make(&mut self, game: u64) -> Option<Made<G>> {
        self.nodes = 0;
        let mut random = self.random(game);
        let mut records = Vec::new();
        if let Some(opening) = self.opening(&mut random) {
            let options = self.options;
            let rules = Rules {
                pace: [options.pace; 2],
                adjudication: options.adjudication,
                ..Rules::default()
            };
            self.engine.new_game();
            let control = self.control;
            let played = play(opening, &rules, control, |_, situation| {
                let answer = self.search(situation.course, &situation.limits);
                let mv = answer.best.ok_or_else(|| Fault::Illegal("none".into()))?;
                let Answer { score, depth, nodes, time, .. } = answer;
                Ok(Choice { mv, score: Some(score), depth, nodes, time: Some(time) })
            })?;
            records = records::of_game(&played, game, options, &mut random);
            self.add_depths(&mut records);
        }
        // A search that was stopped has not said what it thinks.
        let made = Made { records, nodes: self.nodes };
        (!self.control.is_stopped()).then_some(made)
    }

    /// The random numbers of a game.
    fn random(&self, game: u64) -> Random {
        // A step of the generator between the two, so that seeds and games that lie close have nothing in common.
        let seed = Random::new(self.options.seed).next_u64();
        let game = Random::new(self.options.shard.global(game) ^ seed).next_u64();
        Random::new(game)
    }

    /// An opening that is not over, and balanced if that is asked for.
    fn opening(&mut self, random: &mut Random) -> Option<Opening<G>> {
        for _ in 0..TRIES {
            let plies = self.options.random_plies;
            // Zero means none; otherwise neither side has always the first move.
            let plies = if plies == 0 { 0 } else { plies + random.below(2) };
            let opening = random_opening(&G::start(), plies, random)?;
            if self.control.is_stopped() || self.is_balanced(&opening) {
                return Some(opening);
            }
        }
        None
    }

    fn is_balanced(&mut self, opening: &Opening<G>) -> bool {
        let Some(most) = self.options.max_opening_score else { return true };
        self.engine.new_game();
        let course = Course::new(opening.clone());
        match self.search(&course, &self.options.pace.limits(None)).score {
            Score::Centipawns(score) => score.abs() <= most,
            Score::Mate(_) => false,
        }
    }

    fn search(&mut self, course: &Course<G>, limits: &Limits<G>) -> Answer<G> {
        let start = Instant::now();
        let answer = self.engine.go(course.line(), limits, self.control, &mut |_| {});
        self.searching += start.elapsed();
        self.nodes += answer.nodes;
        answer
    }

    /// Adds the scores of several depths, each position by itself: nothing is known from before.
    fn add_depths(&mut self, records: &mut [Record<G>]) {
        let Some(&deepest) = self.options.depths.last() else { return };
        let limits = Limits { full_window: true, ..Limits::to_depth(deepest.into()) };
        for record in records {
            self.engine.new_game();
            let start = Instant::now();
            // A depth's score does not hang on how much deeper the search goes on: one search gives all of them.
            let mut found = Vec::with_capacity(self.options.depths.len());
            let line = games::Line::new(record.position.clone());
            let answer = self.engine.go(&line, &limits, self.control, &mut |info| {
                found.push((info.depth, info.score));
            });
            self.searching += start.elapsed();
            self.nodes += answer.nodes;
            record.depths = records::depth_scores(&self.options.depths, &found);
            if self.control.is_stopped() {
                return;
            }
        }
    }
}
