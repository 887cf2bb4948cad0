//! How much less deeply late moves are looked at.

use crate::params::Params;

const DEPTHS: usize = 64;
const MOVES: usize = 64;

/// Reductions in 1024ths of a ply, by depth and by how many moves came before.
#[derive(Debug)]
pub(crate) struct Reductions {
    quiet: Vec<[i32; MOVES]>,
    tactical: Vec<[i32; MOVES]>,
    /// Natural logarithms of depths, in 1024ths.
    logarithms: [i32; DEPTHS],
}

impl Reductions {
    pub(crate) fn new(params: &Params) -> Self {
        let table = |base: i32, scale: i32| {
            let entry = |depth: usize, count: usize| {
                let product = (depth.max(1) as f64).ln() * (count.max(1) as f64).ln();
                base + (product * f64::from(scale)) as i32
            };
            let row = |depth| std::array::from_fn(|count| entry(depth, count));
            (0..DEPTHS).map(row).collect()
        };
        Self {
            quiet: table(params.reduction_base, params.reduction_scale),
            tactical: table(params.reduction_tactical_base, params.reduction_tactical_scale),
            logarithms: std::array::from_fn(|depth| ((depth.max(1) as f64).ln() * 1024.0) as i32),
        }
    }

    /// The reduction of the move that comes after `count` others.
    pub(crate) fn of(&self, tactical: bool, depth: i32, count: usize) -> i32 {
        let table = if tactical { &self.tactical } else { &self.quiet };
        table[depth.clamp(0, DEPTHS as i32 - 1) as usize][count.min(MOVES - 1)]
    }

    /// The natural logarithm of a depth, in 1024ths.
    pub(crate) fn logarithm(&self, depth: i32) -> i32 {
        self.logarithms[depth.clamp(0, DEPTHS as i32 - 1) as usize]
    }
}
