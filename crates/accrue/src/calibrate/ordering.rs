//! The policy beside the classical ordering of moves.

use arena::calibration::{Judged, PolicyTally};
use games::{Game, Line};
use nnue::PolicyCorrection;
use search::{Control, Engine, EngineOptions, Limits};

use super::Args;
use super::read::{Sampled, Seen};
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
    seen: &Seen<G>,
    correction: Option<&PolicyCorrection>,
) -> anyhow::Result<Option<Orders>> {
    if seen.sample.is_empty() {
        return Ok(None);
    }
    let mut engine = Engine::<G>::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() })?;
    install(&mut engine, Some(loaded), 100)?;
    let [mut captures, mut histories] = [PolicyTally::default(); 2];
    let progress = Progress::new("ordering moves", seen.sample.len() as u64);
    let limits = Limits { depth: Some(args.order_depth.into()), ..Limits::default() };
    for Sampled { position, best, .. } in &seen.sample {
        engine.new_game();
        add_order(&mut captures, &engine.order(position), best);
        engine.go(&Line::new(position.clone()), &limits, &Control::new(), &mut |_| {});
        add_order(&mut histories, &engine.order(position), best);
        progress.step();
    }
    progress.finish();
    let sampled = || seen.sample.iter().map(|sampled| &seen.measured[sampled.place]);
    Ok(Some(Orders { policy: tally(sampled(), correction), captures, histories }))
}

/// How well a policy places the best moves, corrected or as it is.
pub(super) fn tally<'a>(
    judged: impl Iterator<Item = &'a Judged>,
    correction: Option<&PolicyCorrection>,
) -> PolicyTally {
    let mut tally = PolicyTally::default();
    for judged in judged {
        let raw = || judged.moves.iter().map(|&(logit, _)| logit.into()).collect();
        tally.add(
            &correction.map_or_else(raw, |correction| judged.corrected(correction)),
            judged.best,
        );
    }
    tally
}

fn add_order<M: PartialEq>(tally: &mut PolicyTally, order: &[M], best: &M) {
    let scores: Vec<f64> = (0..order.len()).map(|place| -(place as f64)).collect();
    if let Some(place) = order.iter().position(|mv| mv == best) {
        tally.add(&scores, place);
    }
}
