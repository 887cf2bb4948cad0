//! The policy beside the classical ordering of moves.

use arena::calibration::PolicyTally;
use games::{Game, Line};
use search::{Control, Engine, EngineOptions, Limits};

use super::Args;
use super::read::Seen;
use crate::evaluation::{Loaded, install};
use crate::progress::Progress;

/// How well the best move is placed on the same positions.
pub(super) struct Orders {
    pub(super) policy: PolicyTally,
    /// Captures by what they gain, before anything is searched.
    pub(super) captures: PolicyTally,
    /// The same, after a search has taught the histories.
    pub(super) histories: PolicyTally,
}

/// Orders the moves of the sample by policy and by classical rules; `None` if there is no sample.
pub(super) fn compare<G: Game>(
    args: &Args,
    loaded: &Loaded,
    seen: &mut Seen<G>,
) -> anyhow::Result<Option<Orders>> {
    let sample = std::mem::take(&mut seen.sample);
    if sample.is_empty() {
        return Ok(None);
    }
    let mut engine = Engine::<G>::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() })?;
    install(&mut engine, Some(loaded), 100)?;
    let [mut policy, mut captures, mut histories] = [PolicyTally::default(); 3];
    let progress = Progress::new("ordering moves", sample.len() as u64);
    let limits = Limits { depth: Some(args.order_depth.into()), ..Limits::default() };
    for (position, best) in &sample {
        let moves = position.legal_moves();
        let place = moves.iter().position(|mv| mv == best);
        if let (Some(scores), Some(place)) = (seen.observer.policy(position, &moves), place) {
            policy.add(&scores, place);
        }
        engine.new_game();
        add_order(&mut captures, &engine.order(position), best);
        engine.go(&Line::new(position.clone()), &limits, &Control::new(), &mut |_| {});
        add_order(&mut histories, &engine.order(position), best);
        progress.step();
    }
    progress.finish();
    Ok(Some(Orders { policy, captures, histories }))
}

fn add_order<M: PartialEq>(tally: &mut PolicyTally, order: &[M], best: &M) {
    let scores: Vec<f64> = (0..order.len()).map(|place| -(place as f64)).collect();
    if let Some(place) = order.iter().position(|mv| mv == best) {
        tally.add(&scores, place);
    }
}
