//! Hidden layers of 8-bit weights: 1024 → 16 → 32 → 1.

use bench::floor::Floor;
use bench::networks::{RandomWeights, random_parameters};
use bench::{Race, Stopwatch};
use nnue::{Accumulator, Architecture, Network};

use super::{by_kernel, print_rows};

const WIDTH: usize = 512;
/// Each feature is a pattern of activations, and each position has one.
const PATTERNS: usize = 64;

pub(super) fn measure() {
    for (name, share, limits) in [
        ("dense", 100, [("avx2", 185.0), ("avx512vnni", 88.0)]),
        ("a quarter of inputs in use", 25, [("avx2", 98.0), ("avx512vnni", 55.0)]),
    ] {
        let network = network(share);
        let networks = by_kernel(&network);
        let mut race = Race::default();
        let mut floor = Floor::new(WIDTH, 34);
        race.enter("floor", move |watch: &mut Stopwatch| {
            watch.time(PATTERNS, || {
                for _ in 0..PATTERNS {
                    // The accumulators, and the weights in use.
                    (0..2 + 16 * share / 100).for_each(|row| floor.copy(row));
                }
                0
            })
        });
        for network in &networks {
            let accumulator = |pattern| {
                let mut accumulator = Accumulator::new(network);
                network.refresh(&mut accumulator, &[pattern]);
                accumulator
            };
            let views: Vec<_> = (0..PATTERNS as u32).map(accumulator).collect();
            let mut workspace = network.workspace();
            race.enter(network.kernel().name(), move |watch: &mut Stopwatch| {
                watch.time(PATTERNS, || {
                    let mut sum = 0;
                    for (own, theirs) in views.iter().zip(views.iter().rev()) {
                        sum += i64::from(network.evaluate([own, theirs], 0, 32, &mut workspace));
                    }
                    sum
                })
            });
        }
        print_rows(&format!("1024→16→32→1 int8: evaluate, {name}"), &race.run(), &limits);
    }
}

/// A network where `share` percent of the groups of four activations are not zero.
fn network(share: u32) -> Network {
    let text = format!("({PATTERNS}→{WIDTH})×2→16→32→1 crelu");
    let architecture: Architecture = text.parse().expect("it is move_info soundly");
    let mut parameters = random_parameters(&architecture, 6);
    let mut random = RandomWeights::new(7);
    parameters.feature_bias.fill(0);
    for group in parameters.feature_weights.chunks_exact_mut(4) {
        let used = random.below(100) < share as usize;
        group.fill_with(|| if used { 2 + random.below(200) as i16 } else { -100 });
    }
    Network::from_integers(architecture, &parameters)
        .expect("the parameters are the architecture's")
}
