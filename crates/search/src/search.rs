//! A plain search: to be replaced.

use std::time::{Duration, Instant};

use games::{Game, Line};

use crate::evaluator::Evaluator;
use crate::limits::{Control, Limits};
use crate::report::{Answer, Bound, Info};
use crate::score::{self, INFINITE};

/// What is to be searched.
pub(crate) struct Job<'a, G: Game> {
    pub(crate) line: &'a Line<G>,
    pub(crate) limits: &'a Limits<G>,
    pub(crate) control: &'a Control,
    pub(crate) start: Instant,
}

/// A thread's search, whatever its evaluator.
pub(crate) trait Worker<G: Game>: Send {
    fn search(&mut self, job: &Job<'_, G>, report: &mut dyn FnMut(&Info<G>)) -> Answer<G>;
}

/// A search with one kind of evaluator.
pub(crate) struct Search<E> {
    evaluator: E,
    nodes: u64,
    stopped: bool,
}

impl<E> Search<E> {
    pub(crate) fn new(evaluator: E) -> Self {
        Self { evaluator, nodes: 0, stopped: false }
    }
}

impl<G: Game, E: Evaluator<G>> Worker<G> for Search<E> {
    fn search(&mut self, job: &Job<'_, G>, report: &mut dyn FnMut(&Info<G>)) -> Answer<G> {
        let root = job.line.position();
        self.evaluator.reset(root);
        (self.nodes, self.stopped) = (0, false);
        let mut info = Info::<G> {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: score::for_users(self.evaluator.evaluate()),
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            pv: root.legal_moves().into_iter().take(1).collect(),
        };
        if info.pv.is_empty() {
            let lost = score::of_outcome(root, root.outcome_without_moves(), 0);
            info.score = score::for_users(lost);
        }
        report(&info);
        let depths = if info.pv.is_empty() { 0 } else { job.limits.depth.unwrap_or(30) };
        for depth in 1..=depths {
            let mut pv = Vec::new();
            let value = self.negamax(job, root, depth, 0, -INFINITE, INFINITE, &mut pv);
            if self.stopped {
                break;
            }
            info = Info { depth, score: score::for_users(value), nodes: self.nodes, pv, ..info };
            info.seldepth = depth;
            info.time = job.start.elapsed();
            report(&info);
        }
        let waits = || job.limits.infinite || job.limits.ponder && !job.control.is_ponder_hit();
        while waits() && !job.control.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Answer {
            best: info.pv.first().copied(),
            ponder: info.pv.get(1).copied(),
            score: info.score,
            depth: info.depth,
            nodes: self.nodes,
            time: job.start.elapsed(),
        }
    }
}

impl<E> Search<E> {
    #[allow(clippy::too_many_arguments)]
    fn negamax<G: Game>(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        depth: usize,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        pv: &mut Vec<G::Move>,
    ) -> i32
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            let time = job.limits.movetime.or(job.limits.clock.map(|clock| clock.remaining / 30));
            self.stopped |= job.control.is_stopped();
            self.stopped |= time.is_some_and(|time| job.start.elapsed() >= time);
        }
        self.stopped |= job.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        if self.stopped {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return score::of_outcome(position, outcome, ply);
        }
        if depth == 0 {
            return score::clamp_evaluation(self.evaluator.evaluate());
        }
        let mut best = -INFINITE;
        let mut moves = position.legal_moves();
        moves.sort_by_key(|&mv| -position.capture(mv).map_or(0, |c| c.victim * 16 - c.attacker));
        for mv in moves {
            let mut child = position.clone();
            child.play(mv);
            self.evaluator.push(&child);
            let mut line = Vec::new();
            let value = -self.negamax(job, &child, depth - 1, ply + 1, -beta, -alpha, &mut line);
            self.evaluator.pop();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                pv.clear();
                pv.push(mv);
                pv.append(&mut line);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
