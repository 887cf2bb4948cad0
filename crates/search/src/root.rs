//! The root: one depth after the other, in windows around the last score.

use games::Game;

use crate::evaluator::Evaluator;
use crate::report::{Answer, Bound, Info, Score};
use crate::score::{self, INFINITE, MAX_PLY};
use crate::search::{Finding, Job, Search};
use crate::table::Table;
use crate::time::Progress;

/// From this depth on windows are narrow.
const NARROW_FROM: i32 = 5;

/// Positions after which missed windows are reported: before, they would only be many.
const TELL_MISSES_FROM: u64 = 100_000;

/// A move that may be played, and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<G: Game> {
    pub(crate) mv: G::Move,
    /// What it was found to be worth at this depth; −∞ if it was not better than another.
    pub(crate) score: i32,
    /// The same of the last depth at which it was the best.
    previous: i32,
    pub(crate) pv: Vec<G::Move>,
    /// Positions looked at below it.
    pub(crate) nodes: u64,
}

impl<G: Game> RootMove<G> {
    pub(crate) fn new(mv: G::Move) -> Self {
        Self { mv, score: -INFINITE, previous: -INFINITE, pv: vec![mv], nodes: 0 }
    }

    fn known_score(&self) -> Option<i32> {
        [self.score, self.previous].into_iter().find(|&score| score != -INFINITE)
    }
}

/// The last line that was reported first among the best.
struct Reported<G: Game> {
    depth: i32,
    line: Option<(G::Move, i32)>,
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Searches deeper and deeper until a limit is reached.
    pub(crate) fn deepen(
        &mut self,
        job: &Job<'_, G>,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Finding<G> {
        let most = job.limits.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY - 1) as i32;
        let lines = job.multi_pv.min(self.root_moves.len());
        let mut reported = Reported { depth: 0, line: None };
        let mut stable = 0;
        let mut scores = Vec::new();
        for depth in 1..=most {
            self.root_depth = depth;
            let best_before = self.root_moves[0].mv;
            self.deepen_lines(job, depth, lines, &mut reported, report);
            if self.stopped {
                break;
            }
            self.tell(job, depth, lines, &mut reported, report);
            let best = &self.root_moves[0];
            stable = if best.mv == best_before { stable + 1 } else { 0 };
            let earlier = scores.iter().rev().nth(2).copied().unwrap_or(best.score);
            scores.push(best.score);
            let effort = best.nodes as f64 / self.nodes.max(1) as f64;
            let progress = Progress { stable, effort, fall: earlier - best.score };
            if self.is_first() && self.is_enough(job, progress) {
                break;
            }
        }
        self.conclude(job, &mut reported, report)
    }

    /// Searches to one depth, once for each line that is wanted.
    fn deepen_lines(
        &mut self,
        job: &Job<'_, G>,
        depth: i32,
        lines: usize,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&Info<G>),
    ) {
        for root_move in &mut self.root_moves {
            root_move.previous = root_move.known_score().unwrap_or(-INFINITE);
            root_move.score = -INFINITE;
        }
        for line in 0..lines {
            self.lines = line;
            self.seldepth = 0;
            self.aspirate(job, depth, reported, report);
            // What a stopped search has found so far stands: the best move of the depth before was tried first.
            self.root_moves[line..].sort_by_key(|root_move| -root_move.score);
            if self.stopped {
                return;
            }
            self.root_moves[..=line].sort_by_key(|root_move| -root_move.score);
        }
    }

    /// Searches in a window around the last score, wider each time that the score lies outside.
    fn aspirate(
        &mut self,
        job: &Job<'_, G>,
        depth: i32,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&Info<G>),
    ) {
        let root = job.line.position();
        let guess = self.root_moves[self.lines].previous;
        let mut width = self.params.aspiration_width;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= NARROW_FROM && guess != -INFINITE && !job.limits.full_window {
            width += guess.abs() / 128;
            (alpha, beta) = ((guess - width).max(-INFINITE), (guess + width).min(INFINITE));
        }
        let mut failed_high = 0;
        loop {
            let reduced = if job.selective { (depth - failed_high).max(1) } else { depth };
            let score = self.node::<true>(job, root, (alpha, beta), reduced, 0, false);
            if self.stopped {
                return;
            }
            let missed = if score <= alpha && alpha > -INFINITE {
                Bound::Upper
            } else if score >= beta && beta < INFINITE {
                Bound::Lower
            } else {
                return;
            };
            self.tell_miss(job, depth, (score, missed), reported, report);
            if missed == Bound::Upper {
                beta = i32::midpoint(alpha, beta);
                alpha = (score - width).max(-INFINITE);
                failed_high = 0;
                for root_move in &mut self.root_moves[self.lines..] {
                    root_move.score = -INFINITE;
                }
            } else {
                beta = (score + width).min(INFINITE);
                failed_high = (failed_high + 1).min(3);
            }
            width = (width * self.params.aspiration_growth / 64).min(INFINITE) + 4;
            if width > 1000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Remembers that a root move has a new score, which is the best so far.
    pub(crate) fn raise_root(&mut self, mv: G::Move, score: i32) {
        let pv = std::mem::take(&mut self.plies[1].pv);
        if let Some(root_move) = self.root_moves.iter_mut().find(|other| other.mv == mv) {
            root_move.score = score;
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend_from_slice(&pv);
        }
        // Those that were better before this one was found are no longer.
        let lines = self.lines;
        for other in self.root_moves[lines..].iter_mut().filter(|other| other.mv != mv) {
            other.score = other.score.min(score - 1).max(-INFINITE);
        }
        self.plies[1].pv = pv;
    }

    /// Whether a root move belongs to the line that is being searched.
    pub(crate) fn is_candidate(&self, mv: G::Move) -> bool {
        self.root_moves[self.lines..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Adds to the positions looked at below a root move.
    pub(crate) fn count_root_nodes(&mut self, mv: G::Move, nodes: u64) {
        if let Some(root_move) = self.root_moves.iter_mut().find(|other| other.mv == mv) {
            root_move.nodes += nodes;
        }
    }

    /// Whether it is not worth going deeper.
    fn is_enough(&self, job: &Job<'_, G>, progress: Progress) -> bool {
        if job.limits.infinite || job.is_pondering() {
            return false;
        }
        let best = self.root_moves[0].score;
        let in_time = |mate: u32| match score::for_users(best) {
            Score::Mate(moves) => moves > 0 && moves.unsigned_abs() <= mate,
            Score::Centipawns(_) => false,
        };
        let only_move = self.root_moves.len() == 1 && job.limits.clock.is_some();
        job.limits.mate.is_some_and(in_time)
            || job.limits.soft_nodes.is_some_and(|limit| job.shared.total() >= limit)
            || only_move && self.root_depth >= 6
            || job.timer.is_enough(progress)
    }

    fn info(&self, job: &Job<'_, G>, depth: i32, line: usize, score: i32) -> Info<G> {
        let root_move = &self.root_moves[line];
        Info {
            depth: depth as usize,
            seldepth: self.seldepth.max(root_move.pv.len()),
            multipv: line + 1,
            score: score::for_users(score),
            bound: Bound::Exact,
            nodes: job.shared.total(),
            time: job.timer.elapsed(),
            hashfull: job.table.map_or(0, Table::fullness),
            tb_hits: 0,
            pv: root_move.pv.clone(),
        }
    }

    /// Reports the best lines of a depth.
    fn tell(
        &mut self,
        job: &Job<'_, G>,
        depth: i32,
        lines: usize,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&Info<G>),
    ) {
        self.publish_nodes(job);
        reported.depth = depth;
        reported.line = Some((self.root_moves[0].mv, self.root_moves[0].score));
        if self.is_first() {
            for line in 0..lines {
                report(&self.info(job, depth, line, self.root_moves[line].score));
            }
        }
    }

    /// Reports that the score lies outside the window, which is about to be searched again.
    fn tell_miss(
        &mut self,
        job: &Job<'_, G>,
        depth: i32,
        (score, bound): (i32, Bound),
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&Info<G>),
    ) {
        if !self.is_first() || self.nodes < TELL_MISSES_FROM {
            return;
        }
        self.publish_nodes(job);
        // The line that is too good is the best so far; the one that is too bad is still the first.
        let candidates = self.root_moves[self.lines..].iter();
        let best = candidates.enumerate().rev().max_by_key(|(_, root_move)| root_move.score);
        let best = if bound == Bound::Lower { best.map_or(0, |(place, _)| place) } else { 0 };
        let info = self.info(job, depth, self.lines + best, score);
        reported.line = None;
        report(&Info { multipv: self.lines + 1, bound, ..info });
    }

    /// Gives the answer, after a report of its line if that was not the last one.
    fn conclude(
        &mut self,
        job: &Job<'_, G>,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Finding<G> {
        self.publish_nodes(job);
        let best = &self.root_moves[0];
        let score = best.known_score().unwrap_or_else(|| {
            // Stopped before anything was found: the position itself is all there is to say.
            let root = job.line.position();
            self.evaluator.reset(root);
            self.fresh_evaluation()
        });
        let info = self.info(job, self.root_depth, 0, score);
        let best = &self.root_moves[0];
        if self.is_first() && reported.line != Some((best.mv, score)) {
            report(&info);
        }
        let answer = Answer {
            best: Some(best.mv),
            ponder: best.pv.get(1).copied().or_else(|| Self::expected_reply(job, best.mv)),
            score: info.score,
            depth: reported.depth as usize,
            nodes: info.nodes,
            time: info.time,
        };
        Finding { answer, info, score }
    }

    /// What the table expects after a move.
    fn expected_reply(job: &Job<'_, G>, mv: G::Move) -> Option<G::Move> {
        let mut child = job.line.position().clone();
        child.play(mv);
        let entry = job.table?.probe(child.hash())?;
        child.move_from_code(entry.code()?)
    }
}
