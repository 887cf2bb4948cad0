//! Outputs: the evaluation of a position by all heads except the policy.

use crate::heads::Decoded;
use crate::{Architecture, QUANTILE_LEVELS};

/// The outputs of a network for a position, from the perspective of the side to move.
///
/// ```
/// use nnue::Outputs;
///
/// let outputs = Outputs { value: 40, wdl: Some([0.5, 0.3, 0.2]), quantiles: None };
/// assert_eq!(outputs.wdl_per_mille(), Some([500, 300, 200]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outputs {
    /// Centipawns: of the value head; without one, the median of the quantiles; without those, the
    /// logit of the expected score of the WDL head.
    pub value: i32,
    /// The probabilities of a win, a draw and a loss.
    pub wdl: Option<[f32; 3]>,
    /// Centipawns at [`QUANTILE_LEVELS`], ascending.
    pub quantiles: Option<[i32; QUANTILE_LEVELS.len()]>,
}

impl Outputs {
    /// Decodes the outputs of all heads except the policy, in units of 1.0. `value` is the exact
    /// value, if it is already known.
    #[inline]
    pub(crate) fn new(architecture: &Architecture, mut raw: &[f32], value: Option<i32>) -> Self {
        let centipawns = architecture.scales.centipawns;
        let mut decoded = Decoded { value, ..Decoded::default() };
        for head in &architecture.heads {
            raw = head.decode(raw, centipawns, &mut decoded);
        }
        let value = decoded.finish(centipawns);
        Self { value, wdl: decoded.wdl, quantiles: decoded.quantiles }
    }

    /// Wins, draws and losses per thousand games by the WDL head; `None` without one. They sum to
    /// 1000.
    pub fn wdl_per_mille(&self) -> Option<[u16; 3]> {
        let [win, _, loss] = self.wdl?;
        let rounded = |chance: f32| ((chance * 1000.0 + 0.5) as u16).min(1000);
        let (win, loss) = (rounded(win), rounded(loss));
        // Both may be rounded up; the less likely outcome is then reduced.
        let (win, loss) =
            if win >= loss { (win, loss.min(1000 - win)) } else { (win.min(1000 - loss), loss) };
        Some([win, 1000 - win - loss, loss])
    }
}
