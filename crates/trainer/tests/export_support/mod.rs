//! Float networks with random weights of the size that training gives.

use games::Random;
use nnue::{Architecture, FloatParameters};

/// What the steps of `examples/` train, from the smallest network that has integers to the largest.
pub(crate) const STAIRCASE: [&str; 6] = [
    "chess.piece-square-stm 769→128→64→1 relu,relu/tanh",
    "chess.piece-square (768→256)×2→1 screlu",
    "hexchess.piece-cell (1110→256)×2→1 screlu",
    "chess.piece-square-mirrored:0011/2222/3333/3333/3333/3333/3333/3333 (3072→128)×2→1 screlu buckets=pieces:8",
    "chess.halfka-hm (22528→128)×2→1+5+64/64 screlu",
    "chess.piece-square (768→256)×2→16→32→1+3 pairwise,screlu,crelu buckets=pieces:8",
];

/// A number from the standard normal distribution, near enough: the sum of twelve.
pub(crate) fn normal(random: &mut Random) -> f32 {
    let unit = |random: &mut Random| (random.next_u64() >> 40) as f32 / (1 << 24) as f32;
    (0..12).map(|_| unit(random)).sum::<f32>() - 6.0
}

/// Weights as large as those of trained networks: accumulators of about one, values of some hundred centipawns.
pub(crate) fn trained_like(architecture: &Architecture, seed: u64) -> FloatParameters {
    let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|n| Random::new(seed * 4 + n));
    let hidden = 1.0 / (architecture.accumulator_outputs() as f32).sqrt();
    let head = 3.0 / (architecture.head_inputs() as f32).sqrt();
    FloatParameters::generate(
        architecture,
        || 0.1 * normal(&mut a),
        || (3.0 * hidden * normal(&mut b)).clamp(-1.98, 1.98),
        || head * normal(&mut c),
        || 0.1 * normal(&mut d),
    )
}
