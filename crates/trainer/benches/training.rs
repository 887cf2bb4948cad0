//! How fast networks are trained: `cargo bench -p trainer`.
//!
//! Positions a second on two threads in batches of 16384, all 32 men on the board, with the share of each phase;
//! in memory and from disk; beside noru and, if `ACCRUE_TORCH_PYTHON` names a Python that has it, `PyTorch` on the
//! same positions; and beside what the second-level caches can deliver. The rounds of all competitors alternate
//! and medians count. Every training is checked to have learnt something.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "training/bound.rs"]
mod bound;
#[path = "training/competitor.rs"]
mod competitor;
#[path = "training/data.rs"]
mod data;
#[path = "training/disk.rs"]
mod disk;
#[path = "training/peers.rs"]
mod peers;

use competitor::{Competitor, median};
use dataset::Batch;
use disk::Disk;

const BATCH: usize = 16_384;
const THREADS: usize = 2;
const ROUNDS: usize = 7;
const PLAIN: &str = "chess.piece-square (768→256)×2→1 screlu";
const HIDDEN: &str = "chess.piece-square (768→256)×2→32→1 screlu,crelu";
const LARGE: &str = "chess.halfka-hm (22528→512)×2→1 screlu";

fn main() {
    // `cargo test --benches` only asks whether it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let positions = data::positions(BATCH * 4, 1);
    let batches = |features: &str, count: usize| -> Vec<Vec<Batch>> {
        let parts = positions.chunks_exact(BATCH).take(count);
        parts.map(|part| data::shards(part, features, THREADS)).collect()
    };
    let plain = batches("chess.piece-square", 4);
    let mut memory = [
        Competitor::new(PLAIN, plain.clone()),
        Competitor::new(HIDDEN, plain.clone()),
        Competitor::new(LARGE, batches("chess.halfka-hm", 1)),
    ];
    let mut disk = Disk::new(PLAIN, &positions);
    let (mut noru, mut bandwidth) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for competitor in &mut memory {
            competitor.round();
        }
        disk.round();
        noru.push(peers::noru(&plain[0][0], 1024));
        bandwidth.push(bound::bytes_a_second(THREADS));
    }
    let speeds = memory.each_ref().map(Competitor::report);
    disk.report();
    let noru = median(&noru);
    println!("noru 2.2.1, (768→256)×2→32→1 screlu, one thread as it has");
    println!("  {noru:>9.0} positions/s");
    println!("  accrue: {:.0} times that on the same network", speeds[1] / noru);
    println!("          {:.0} times that on {PLAIN}", speeds[0] / noru);
    if let Some(torch) = peers::torch(&plain, ROUNDS) {
        println!("PyTorch, EmbeddingBag, Adam, {PLAIN}, {THREADS} threads");
        println!("  {torch:>9.0} positions/s; accrue: {:.1} times that", speeds[0] / torch);
    }
    let (bytes, bandwidth) = (bound::bytes_a_position(256, 32), median(&bandwidth));
    println!("second-level caches, {THREADS} threads");
    println!("  {:>9.0} GB/s read; a position takes {:.0} KiB", bandwidth / 1e9, bytes / 1024.0);
    let bound = bandwidth / bytes;
    println!("  {bound:>9.0} positions/s if nothing else took time");
    println!("  {:>8.1} % of it reached by {PLAIN}", 100.0 * speeds[0] / bound);
}
