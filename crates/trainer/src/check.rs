//! Settings checks: contradictions between settings and with the network.

use nnue::Architecture;

use crate::{Objective, OptimiserSettings, TrainerError};

fn fault(field: &str, fault: impl Into<String>) -> TrainerError {
    TrainerError::Setting { field: field.to_owned(), fault: fault.into() }
}

/// Checks the settings of a learner.
pub(crate) fn settings(
    architecture: &Architecture,
    factors: &[u32],
    objective: &Objective,
    optimiser: &OptimiserSettings,
) -> Result<(), TrainerError> {
    if !factors.is_empty() && factors.len() != architecture.inputs {
        let found = format!("{} factors for {} features", factors.len(), architecture.inputs);
        return Err(fault("network.factorise", found));
    }
    check_objective(architecture, objective)?;
    check_optimiser(optimiser)
}

fn check_objective(architecture: &Architecture, objective: &Objective) -> Result<(), TrainerError> {
    let score_scale = objective.score_scale;
    if !(score_scale.is_finite() && score_scale > 0.0) {
        let found = format!("{score_scale}; expected a number of centipawns above 0");
        return Err(fault("target.score_scale", found));
    }
    objective.check(architecture)
}

fn check_optimiser(optimiser: &OptimiserSettings) -> Result<(), TrainerError> {
    let shares =
        [("momentum", optimiser.momentum), ("beta1", optimiser.beta1), ("beta2", optimiser.beta2)];
    for (name, share) in shares {
        if !(0.0..1.0).contains(&share) {
            let found = format!("{share}; expected 0 or more and less than 1");
            return Err(fault(&format!("optimiser.{name}"), found));
        }
    }
    let sizes = [
        ("epsilon", optimiser.epsilon),
        ("weight_decay", optimiser.weight_decay),
        ("clip_norm", optimiser.clip_norm),
        ("clip_value", optimiser.clip_value),
    ];
    for (name, size) in sizes {
        if !(size.is_finite() && size >= 0.0) {
            return Err(fault(&format!("optimiser.{name}"), format!("{size}; expected 0 or more")));
        }
    }
    if !(0.0..=1.0).contains(&optimiser.lookahead_share) {
        let found = format!("{}; expected 0 to 1", optimiser.lookahead_share);
        return Err(fault("optimiser.lookahead_share", found));
    }
    Ok(())
}
