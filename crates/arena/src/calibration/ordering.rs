//! Move ordering: the policy compared with the classical ordering of moves.

use games::{GameHistory, ToolkitGame};
use nnue::PolicyCalibration;
use search::{Control, Engine, EngineOptions, Limits};

use super::samples::{CalibrationSamples, SampledPosition};
use super::{
    CalibrationError, CalibrationOptions, CalibrationProgress, CalibrationStage, PolicySample,
    PolicyTally,
};
use crate::networks::{LoadedNetwork, NetworkLoadError, NetworkLoader};

/// Where each ordering puts the best moves of the same positions.
pub(super) struct OrderingTallies {
    pub(super) policy: PolicyTally,
    /// Captures by SEE, before anything is searched.
    pub(super) captures: PolicyTally,
    /// The same after a search has filled the histories.
    pub(super) histories: PolicyTally,
}

/// Orders the moves of the sampled positions by the policy and by classical rules; `None` without
/// such positions.
pub(super) fn compare<G: ToolkitGame>(
    options: &CalibrationOptions,
    network: &LoadedNetwork,
    samples: &CalibrationSamples<G>,
    calibration: Option<&PolicyCalibration>,
    networks: &NetworkLoader,
    progress: &mut dyn FnMut(CalibrationProgress),
) -> Result<Option<OrderingTallies>, CalibrationError> {
    if samples.positions.is_empty() {
        return Ok(None);
    }
    let engine = Engine::<G>::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() });
    let mut engine = engine.map_err(NetworkLoadError::from)?;
    networks.install(&mut engine, Some(network), 100)?;
    let [mut captures, mut histories] = [PolicyTally::default(); 2];
    let limits = Limits { depth: Some(options.order_depth.into()), ..Limits::default() };
    let (stage, total) = (CalibrationStage::Ordering, samples.positions.len() as u64);
    for (done, SampledPosition { position, best, .. }) in samples.positions.iter().enumerate() {
        progress(CalibrationProgress { stage, done: done as u64, total });
        engine.new_game();
        add_ordering(&mut captures, &engine.classical_order(position), best);
        engine.go(&GameHistory::new(position.clone()), &limits, &Control::new(), &mut |_| {});
        add_ordering(&mut histories, &engine.classical_order(position), best);
    }
    let sampled = samples.positions.iter().map(|sampled| &samples.measured_policy[sampled.index]);
    Ok(Some(OrderingTallies { policy: tally(sampled, calibration), captures, histories }))
}

/// Where a policy puts the best moves, calibrated or as it is.
pub(super) fn tally<'a>(
    samples: impl Iterator<Item = &'a PolicySample>,
    calibration: Option<&PolicyCalibration>,
) -> PolicyTally {
    let mut tally = PolicyTally::default();
    for sample in samples {
        let raw = || sample.moves.iter().map(|&(logit, _)| logit.into()).collect();
        let logits = calibration.map_or_else(raw, |calibration| sample.calibrated(calibration));
        tally.add(&logits, sample.best);
    }
    tally
}

fn add_ordering<M: PartialEq>(tally: &mut PolicyTally, order: &[M], best: &M) {
    let scores: Vec<f64> = (0..order.len()).map(|rank| -(rank as f64)).collect();
    if let Some(rank) = order.iter().position(|mv| mv == best) {
        tally.add(&scores, rank);
    }
}
