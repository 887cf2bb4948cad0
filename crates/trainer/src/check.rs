//! Settings that contradict each other or the network.

use nnue::{Architecture, Head, ValueOutput};

use crate::{Objective, OptimiserSettings, QuantileForm, TrainerError, ValueLoss};

fn fault(field: &str, fault: impl Into<String>) -> TrainerError {
    TrainerError::Setting { field: field.to_owned(), fault: fault.into() }
}

/// Checks what a learner is made of.
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
    let Objective { score_scale, value, wdl, quantiles, policy } = objective;
    if !(score_scale.is_finite() && *score_scale > 0.0) {
        let found = format!("{score_scale}; expected a number of centipawns above 0");
        return Err(fault("target.score_scale", found));
    }
    let has = |wanted: fn(&Head) -> bool| architecture.heads.iter().any(wanted);
    let losses = [
        ("value", value.map(|loss| loss.weight), has(|head| matches!(head, Head::Value(_)))),
        ("wdl", wdl.map(|loss| loss.weight), has(|head| matches!(head, Head::Wdl))),
        ("quantiles", quantiles.map(|q| q.weight), architecture.has_quantiles()),
        ("policy", policy.map(|p| p.weight), has(|head| matches!(head, Head::Policy { .. }))),
    ];
    if losses.iter().all(|(_, weight, _)| weight.is_none()) {
        return Err(fault(
            "loss",
            "no head has a loss; expected one or more, such as [loss.value]",
        ));
    }
    for (name, weight, present) in losses {
        let Some(weight) = weight else { continue };
        if !present {
            let found = format!("the network `{architecture}` has no such head");
            return Err(fault(&format!("loss.{name}"), found));
        }
        if !(weight.is_finite() && weight >= 0.0) {
            let found = format!("{weight}; expected 0 or more");
            return Err(fault(&format!("loss.{name}.weight"), found));
        }
    }
    if let Some(value) = value {
        let is_tanh = architecture.heads.contains(&Head::Value(ValueOutput::Tanh));
        if value.loss == ValueLoss::TanhMse && !is_tanh {
            let found = "tanh-mse is for a value head of output tanh; expected mse, bce or power";
            return Err(fault("loss.value.loss", found));
        }
        if !(value.power.is_finite() && value.power > 1.0) {
            let found = format!("{}; expected more than 1", value.power);
            return Err(fault("loss.value.power", found));
        }
    }
    let anchored = has(|head| matches!(head, Head::Widths));
    if quantiles.is_some_and(|quantiles| anchored != (quantiles.form == QuantileForm::Anchored)) {
        let form = if anchored { "anchored" } else { "chain" };
        return Err(fault("loss.quantiles.form", format!("the network's quantiles are `{form}`")));
    }
    if quantiles.is_some_and(|quantiles| quantiles.pull_value && quantiles.stop_gradient) {
        let found = "the value would carry on what stop_gradient stops; expected one of the two";
        return Err(fault("loss.quantiles.pull_value", found));
    }
    if anchored && value.is_none() && !quantiles.is_some_and(|quantiles| quantiles.pull_value) {
        let found = "anchored, but nothing trains the value that is their median; expected [loss.value], or \
                     loss.quantiles.pull_value = true";
        return Err(fault("loss.quantiles.form", found));
    }
    if quantiles.is_some_and(|quantiles| quantiles.clip.is_nan() || quantiles.clip <= 0.0) {
        return Err(fault("loss.quantiles.clip", "expected more than 0 centipawns"));
    }
    Ok(())
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
