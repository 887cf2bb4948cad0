//! C API of evaluators: evaluation of positions by one thread.

use std::sync::Arc;

use nnue::{Accumulator, Network, Perspectives, Workspace};

use crate::accumulator::AccrueAccumulator;
use crate::network::AccrueNetwork;
use crate::pointers::{exclusive, free, hand_over, list, list_mut, shared, write};
use crate::status::{AccrueStatus, Failure, guard};

/// A network with the buffers of its evaluation. Not for several threads at once: make one for
/// each.
#[derive(Debug)]
pub struct AccrueEvaluator {
    network: Arc<Network>,
    workspace: Workspace,
}

/// The outputs of a network for a position, for the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccrueOutputs {
    /// The value in centipawns: that of the value head; without one the median of the quantiles, or
    /// the value of the win, draw and loss probabilities.
    pub value: i32,
    /// Whether the network has probabilities of win, draw and loss.
    pub has_wdl: bool,
    /// Whether the network has quantiles.
    pub has_quantiles: bool,
    /// The probabilities of win, draw and loss; 0 without them.
    pub wdl: [f32; 3],
    /// The quantiles of the value at 10, 25, 50, 75 and 90 %, in centipawns; 0 without them.
    pub quantiles: [i32; 5],
}

/// Makes an evaluator for `network` and sets `*out` to it.
///
/// Free it with `accrue_evaluator_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_evaluator_new(
    network: *const AccrueNetwork,
    out: *mut *mut AccrueEvaluator,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let network = &shared(network, "network")?.network;
            let workspace = || network.workspace();
            hand_over(out, || {
                Ok(AccrueEvaluator { network: Arc::clone(network), workspace: workspace() })
            })
        }
    })
}

/// Frees an evaluator. Does nothing for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_evaluator_free(evaluator: *mut AccrueEvaluator) {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe { free(evaluator) };
        Ok(())
    });
}

/// The two perspectives of a position, and the side to move.
struct Question<'a> {
    accumulators: [&'a Accumulator; 2],
    side_to_move: usize,
}

impl Question<'_> {
    /// # Safety
    ///
    /// The pointers are null, or valid accumulators that no thread changes.
    #[inline]
    unsafe fn new(
        network: &Arc<Network>,
        white: *const AccrueAccumulator,
        black: *const AccrueAccumulator,
        side_to_move: u32,
    ) -> Result<Self, Failure> {
        if side_to_move > 1 {
            let message = format!("`side_to_move` is {side_to_move}; expected 0 or 1");
            return Err(Failure::argument(message));
        }
        // SAFETY: guaranteed by the caller.
        let white = unsafe { accumulator(network, white, "white") }?;
        let black = match network.architecture().perspectives {
            Perspectives::One if black.is_null() => white,
            // SAFETY: guaranteed by the caller.
            _ => unsafe { accumulator(network, black, "black") }?,
        };
        Ok(Self { accumulators: [white, black], side_to_move: side_to_move as usize })
    }
}

/// # Safety
///
/// The pointer is null, or a valid accumulator that no thread changes.
#[inline]
unsafe fn accumulator<'a>(
    network: &Arc<Network>,
    accumulator: *const AccrueAccumulator,
    name: &str,
) -> Result<&'a Accumulator, Failure> {
    // SAFETY: the pointer is checked; the caller guarantees the rest.
    let accumulator = unsafe { shared(accumulator, name) }?;
    if !Arc::ptr_eq(network, &accumulator.network) {
        let message = format!("`{name}` and `evaluator` are of different networks");
        return Err(Failure::argument(message));
    }
    Ok(&accumulator.sums)
}

/// Sets `*out` to the value of a position in centipawns, for the side to move.
///
/// `white` and `black` are the perspectives of the two players; for a network with one perspective
/// `black` may be NULL. `side_to_move` is 0 for White and 1 for Black. `pieces`, the number of
/// pieces on the board, selects the output bucket.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_evaluate(
    evaluator: *mut AccrueEvaluator,
    white: *const AccrueAccumulator,
    black: *const AccrueAccumulator,
    side_to_move: u32,
    pieces: usize,
    out: *mut i32,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let AccrueEvaluator { network, workspace } = exclusive(evaluator, "evaluator")?;
            let Question { accumulators, side_to_move } =
                Question::new(network, white, black, side_to_move)?;
            write(out, "out", network.evaluate(accumulators, side_to_move, pieces, workspace))
        }
    })
}

/// Sets `*out` to all outputs of the network for a position but the policy; see `accrue_evaluate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_outputs(
    evaluator: *mut AccrueEvaluator,
    white: *const AccrueAccumulator,
    black: *const AccrueAccumulator,
    side_to_move: u32,
    pieces: usize,
    out: *mut AccrueOutputs,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let AccrueEvaluator { network, workspace } = exclusive(evaluator, "evaluator")?;
            let Question { accumulators, side_to_move } =
                Question::new(network, white, black, side_to_move)?;
            let outputs = network.outputs(accumulators, side_to_move, pieces, workspace);
            let outputs = AccrueOutputs {
                value: outputs.value,
                has_wdl: outputs.wdl.is_some(),
                has_quantiles: outputs.quantiles.is_some(),
                wdl: outputs.wdl.unwrap_or_default(),
                quantiles: outputs.quantiles.unwrap_or_default(),
            };
            write(out, "out", outputs)
        }
    })
}

/// Writes the policy logits of `rows` to `logits`, `count` of each; see `accrue_evaluate`.
///
/// Rows for the cell that a move leaves come first, then those for the cell that it enters, from
/// the perspective of the side to move. The logit of a move is the sum of its two. A network
/// without a policy is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_policy(
    evaluator: *mut AccrueEvaluator,
    white: *const AccrueAccumulator,
    black: *const AccrueAccumulator,
    side_to_move: u32,
    rows: *const u16,
    logits: *mut f32,
    count: usize,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let AccrueEvaluator { network, workspace } = exclusive(evaluator, "evaluator")?;
            let Question { accumulators, side_to_move } =
                Question::new(network, white, black, side_to_move)?;
            let rows = list(rows, count, "rows")?;
            check_rows(network, rows)?;
            let logits = list_mut(logits, count, "logits")?;
            network.policy(accumulators, side_to_move, rows, logits, workspace);
            Ok(())
        }
    })
}

/// Checks that the policy has all rows.
fn check_rows(network: &Network, rows: &[u16]) -> Result<(), Failure> {
    let Some(head) = network.architecture().policy() else {
        return Err(Failure::argument("the network has no policy"));
    };
    match rows.iter().position(|&row| usize::from(row) >= head.outputs()) {
        None => Ok(()),
        Some(place) => Err(Failure::argument(format!(
            "`rows[{place}]` is {}; expected a row below {}",
            rows[place],
            head.outputs()
        ))),
    }
}
