//! How fast networks are trained: `cargo bench -p trainer`.
//!
//! Positions a second, with the time of each phase, beside noru on the same positions and beside what the
//! second-level caches can deliver. The rounds of all competitors alternate, medians count. Every training is
//! checked to have learnt something.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "training/bound.rs"]
mod bound;
#[path = "training/data.rs"]
mod data;
#[path = "training/peers.rs"]
mod peers;

use std::time::Instant;

use dataset::Batch;
use nnue::Architecture;
use trainer::{Learner, Objective, OptimiserSettings, Phases, StepSettings, ValueObjective};

const BATCH: usize = 16_384;
const THREADS: usize = 2;
const ROUNDS: usize = 7;

/// A network that is trained on the same batches again and again.
struct Competitor {
    name: &'static str,
    learner: Learner,
    batches: Vec<Vec<Batch>>,
    losses: Vec<f64>,
    speeds: Vec<f64>,
    phases: Phases,
    seconds: f64,
}

impl Competitor {
    fn new(name: &'static str, batches: Vec<Vec<Batch>>) -> Self {
        let architecture: Architecture = name.parse().expect("an architecture");
        let objective = Objective {
            score_scale: 400.0,
            value: Some(ValueObjective::default()),
            ..Objective::default()
        };
        let settings = OptimiserSettings::default();
        let learner = Learner::new(architecture, None, objective, settings, THREADS, 1);
        let learner = learner.expect("a learner");
        let (losses, speeds, phases) = (Vec::new(), Vec::new(), Phases::default());
        Self { name, learner, batches, losses, speeds, phases, seconds: 0.0 }
    }

    fn round(&mut self) {
        let settings = StepSettings { rate: 1e-3, result_share: 0.0, td_lambda: None };
        let begin = Instant::now();
        let (mut loss, mut positions) = (0.0, 0);
        for shards in &self.batches {
            let losses = self.learner.step(shards, settings).expect("a step");
            loss += losses.total;
            positions += losses.positions;
        }
        let seconds = begin.elapsed().as_secs_f64();
        self.losses.push(loss / positions as f64);
        self.speeds.push(positions as f64 / seconds);
        self.seconds += seconds;
        self.phases = self.learner.phases();
    }

    fn report(&self) -> f64 {
        let (first, last) = (self.losses[0], self.losses[self.losses.len() - 1]);
        assert!(last < 0.9 * first, "{} has learnt nothing: {first} then {last}", self.name);
        let speed = median(&self.speeds);
        println!("{}", self.name);
        println!("  {speed:>9.0} positions/s   loss {first:.5} → {last:.5}");
        let Phases { gather, layers, loss, scatter, optimiser } = self.phases;
        let all = self.seconds * THREADS as f64;
        let threads = THREADS as f64;
        let parts = [
            ("gather", gather.as_secs_f64()),
            ("layers", layers.as_secs_f64()),
            ("loss", loss.as_secs_f64()),
            ("scatter", scatter.as_secs_f64()),
            ("optimiser", optimiser.as_secs_f64() * threads),
        ];
        let known: f64 = parts.iter().map(|(_, part)| part).sum();
        for (name, part) in parts.into_iter().chain([("waiting", all - known)]) {
            println!("  {:>8.1} % {name}", 100.0 * part / all);
        }
        speed
    }
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let positions = data::positions(BATCH * 4, 1);
    let batches = |features: &str, count: usize| -> Vec<Vec<Batch>> {
        positions
            .chunks_exact(BATCH)
            .take(count)
            .map(|p| data::shards(p, features, THREADS))
            .collect()
    };
    let plain = batches("chess.piece-square", 4);
    let mut race = [
        Competitor::new("chess.piece-square (768→256)×2→1 screlu", plain.clone()),
        Competitor::new("chess.piece-square (768→256)×2→32→1 screlu,crelu", plain.clone()),
        Competitor::new("chess.halfka-hm (22528→512)×2→1 screlu", batches("chess.halfka-hm", 1)),
    ];
    let mut noru = Vec::new();
    let mut bandwidth = Vec::new();
    for _ in 0..ROUNDS {
        for competitor in &mut race {
            competitor.round();
        }
        noru.push(peers::noru(&plain[0][0], 1024));
        bandwidth.push(bound::bytes_a_second(THREADS));
    }
    let speeds = race.each_ref().map(Competitor::report);
    let noru = median(&noru);
    println!("noru 2.2.1 (768→256)×2→32→1 screlu, one thread as it has");
    println!("  {noru:>9.0} positions/s");
    println!(
        "  accrue is {:.0} times as fast on the same network, {:.0} times on the first",
        speeds[1] / noru,
        speeds[0] / noru
    );
    let bytes = bound::bytes_a_position(256, 32);
    let bandwidth = median(&bandwidth);
    let bound = bandwidth / bytes;
    println!(
        "second-level caches: {:.0} GB/s read, {:.0} KiB a position",
        bandwidth / 1e9,
        bytes / 1024.0
    );
    println!(
        "  {bound:>9.0} positions/s if nothing else took time; (768→256)×2→1 reaches {:.0} %",
        100.0 * speeds[0] / bound
    );
}
