//! Calibration measurement: coverage, pinball loss, correlations and move ordering, on games that
//! nothing was fitted on.

use games::ToolkitGame;
use nnue::{Calibration, PolicyCalibration, QUANTILE_LEVELS};
use serde::Serialize;

use super::ordering::{OrderingTallies, tally};
use super::samples::CalibrationSamples;
use super::{
    CalibrationError, CalibrationOptions, Coverage, Group, LEVELS, Observation, PolicyTally,
    QuantileSample, SearchMeasurement, Signals, is_fitted_on, pinball, pinball_skill, shuffled,
};
use crate::networks::LoadedNetwork;

/// Everything that is measured of a network.
#[derive(Clone, Debug, Serialize)]
pub struct CalibrationMeasurement {
    /// The name of the network's file.
    pub network: String,
    /// The network in one line.
    pub architecture: String,
    /// The game.
    pub game: &'static str,
    /// The records of the data.
    pub data: CalibrationRecords,
    /// What `before` is below: the network without a calibration, or with its own.
    pub before: &'static str,
    /// The levels of the quantiles.
    pub levels: [f32; LEVELS],
    /// The coverage of groups of positions, all positions first.
    pub coverage: Vec<GroupCoverage>,
    /// The pinball loss.
    pub loss: PinballLosses,
    /// The correlation of each signal with the error of the median.
    pub signals: Vec<ErrorCorrelation>,
    /// The number of positions that these are of.
    pub signal_positions: usize,
    /// The move ordering, if the network has a policy.
    pub policy: Option<PolicyMeasurement>,
    /// Searches with the network, if it has a policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searches: Option<SearchMeasurement>,
    /// The share of scores between q10 and q90 before.
    pub between: f64,
    /// The minimum of this share.
    pub expected_between: f64,
    /// Whether it is below the minimum; only where nothing is fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_narrow: Option<bool>,
}

/// The records of the data, and how many could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CalibrationRecords {
    /// Records that were read.
    pub records: u64,
    /// Records that could not be read.
    pub damaged_records: u64,
    /// Positions in check, which are skipped.
    pub in_check: u64,
    /// Records without scores of several depths, which are skipped.
    pub without_depths: u64,
    /// Scores of a mate, which are skipped.
    pub scores_of_mates: u64,
    /// Positions of the games that are fitted on.
    pub fitted_positions: usize,
    /// Their scores.
    pub fitted_scores: usize,
    /// Positions of the games that are measured on.
    pub measured_positions: usize,
    /// Their games.
    pub measured_games: usize,
    /// Their scores.
    pub measured_scores: usize,
}

/// The coverage of a group of positions.
#[derive(Clone, Debug, Serialize)]
pub struct GroupCoverage {
    /// The group as text.
    pub group: String,
    /// The group.
    #[serde(skip)]
    pub kind: Group,
    /// The number of positions.
    pub positions: usize,
    /// The number of scores.
    pub scores: usize,
    /// The coverage before the fit.
    pub before: CoverageShares,
    /// The coverage after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<CoverageShares>,
}

/// Shares of the scores of a group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CoverageShares {
    /// Below each quantile.
    pub below: [f64; LEVELS],
    /// Between the lowest and the highest quantile.
    pub between: f64,
    /// Whether a share is significantly off its level.
    pub off: bool,
}

impl From<Coverage> for CoverageShares {
    fn from(coverage: Coverage) -> Self {
        Self { below: coverage.below, between: coverage.between(), off: coverage.is_off }
    }
}

/// The pinball loss before and after the fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PinballLosses {
    /// Before the fit.
    pub before: PinballLoss,
    /// After it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<PinballLoss>,
}

/// The pinball loss in centipawns, and its skill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PinballLoss {
    /// The mean loss.
    pub pinball: f64,
    /// See [`pinball_skill`].
    pub skill: f64,
    /// The skill with the widths of other positions of the same depth.
    pub skill_with_shuffled_widths: f64,
}

impl PinballLoss {
    fn of(samples: &[QuantileSample]) -> Self {
        Self {
            pinball: pinball(samples),
            skill: pinball_skill(samples),
            skill_with_shuffled_widths: pinball_skill(&shuffled(samples)),
        }
    }
}

/// Spearman's correlation of a signal with the error of the median.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorCorrelation {
    /// The signal.
    pub name: String,
    /// `None` where the signal never changes.
    pub spearman: Option<f64>,
}

/// Where the policy puts the best move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PolicyMeasurement {
    /// Before the fit.
    pub before: OrderingQuality,
    /// After it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<OrderingQuality>,
    /// The log-loss of a uniform policy.
    pub log_loss_of_none: f64,
    /// The policy and classical orderings on the same positions.
    pub compared: Option<OrderingComparison>,
}

/// Orderings of the moves of the same positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OrderingComparison {
    /// By the policy.
    pub policy: OrderingQuality,
    /// Captures by SEE.
    pub captures_by_gain: OrderingQuality,
    /// Captures by SEE, quiet moves by histories.
    pub with_histories: OrderingQuality,
    /// The depth of the search that filled the histories.
    pub history_depth: u8,
}

/// Where an ordering puts the best move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OrderingQuality {
    /// The number of positions.
    pub positions: u64,
    /// The share of positions in which it is first.
    pub top_1: f64,
    /// Among the first three.
    pub top_3: f64,
    /// Among the first five.
    pub top_5: f64,
    /// Its mean rank, from 1.
    pub mean_rank: f64,
    /// The mean negative log-probability in nats, of an ordering by probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<f64>,
}

impl OrderingQuality {
    fn of_ranks(tally: &PolicyTally) -> Self {
        let [top_1, top_3, top_5] = tally.among();
        let (positions, mean_rank) = (tally.positions(), tally.mean_rank());
        Self { positions, top_1, top_3, top_5, mean_rank, log_loss: None }
    }

    fn of_probabilities(tally: &PolicyTally) -> Self {
        Self { log_loss: Some(tally.log_loss()), ..Self::of_ranks(tally) }
    }
}

/// The calibrations that a network is measured with.
#[derive(Clone, Copy)]
pub(super) struct Calibrations<'a> {
    /// The network's own.
    pub(super) own: Option<&'a Calibration>,
    /// The one that was just fitted.
    pub(super) fitted: Option<&'a Calibration>,
}

impl CalibrationMeasurement {
    pub(super) fn new<G: ToolkitGame>(
        options: &CalibrationOptions,
        network: &LoadedNetwork,
        Calibrations { own, fitted }: Calibrations<'_>,
        samples: &CalibrationSamples<G>,
        orderings: Option<OrderingTallies>,
    ) -> Result<Self, CalibrationError> {
        let (known, new): (Vec<_>, Vec<_>) =
            samples.observations.iter().partition(|seen| is_fitted_on(seen.game));
        let raw = quantile_samples(&new, None);
        let before = quantile_samples(&new, own);
        let after = fitted.map(|calibration| quantile_samples(&new, Some(calibration)));
        let coverage = coverage(&raw, &before, after.as_deref());
        let all = coverage.first().ok_or(CalibrationError::NoMeasuredGames)?;
        let between = all.before.between;
        let expected_between = 0.8 - options.tolerance;
        let signals = Signals::of(&new, own.or(fitted));
        let skipped = samples.observer.skipped();
        let path = std::path::Path::new(network.file());
        Ok(Self {
            network: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            architecture: network.description(),
            game: G::NAME,
            data: CalibrationRecords {
                records: samples.records,
                damaged_records: samples.damaged,
                in_check: skipped.in_check,
                without_depths: skipped.without_depths,
                scores_of_mates: skipped.mates,
                fitted_positions: known.len(),
                fitted_scores: known.iter().map(|seen| seen.scores.len()).sum(),
                measured_positions: new.len(),
                measured_games: games(&new),
                measured_scores: raw.len(),
            },
            before: if own.is_some() { "as calibrated" } else { "uncalibrated" },
            levels: QUANTILE_LEVELS,
            coverage,
            loss: PinballLosses {
                before: PinballLoss::of(&before),
                after: after.as_deref().map(PinballLoss::of),
            },
            signal_positions: signals.positions,
            signals: correlations(signals),
            policy: policy(options, samples, own, fitted, orderings),
            searches: None,
            between,
            expected_between,
            too_narrow: (!options.fit).then_some(between < expected_between),
        })
    }
}

/// The number of games that they are from.
fn games(observations: &[&Observation]) -> usize {
    let mut games: Vec<u32> = observations.iter().map(|seen| seen.game).collect();
    games.sort_unstable();
    games.dedup();
    games.len()
}

fn quantile_samples(
    observations: &[&Observation],
    calibration: Option<&Calibration>,
) -> Vec<QuantileSample> {
    let samples = observations.iter().flat_map(|seen| seen.samples());
    let calibrated =
        |sample: QuantileSample| calibration.map_or(sample, |found| sample.calibrated(found));
    samples.map(calibrated).collect()
}

/// The coverage of every group. The group of a score depends on the uncalibrated quantiles.
fn coverage(
    raw: &[QuantileSample],
    before: &[QuantileSample],
    after: Option<&[QuantileSample]>,
) -> Vec<GroupCoverage> {
    let row = |kind: Group| {
        let of = |samples: &[QuantileSample]| {
            let members = raw.iter().zip(samples).filter(|(raw, _)| kind.has(raw));
            let members: Vec<QuantileSample> = members.map(|(_, sample)| *sample).collect();
            Coverage::of(kind, members.iter())
        };
        let first = of(before);
        GroupCoverage {
            group: kind.to_string(),
            kind,
            positions: first.positions,
            scores: first.count,
            before: first.into(),
            after: after.map(|after| of(after).into()),
        }
    };
    Group::all(raw).into_iter().map(row).collect()
}

fn correlations(signals: Signals) -> Vec<ErrorCorrelation> {
    let correlation = |(name, value): (String, f64)| ErrorCorrelation {
        name,
        spearman: value.is_finite().then_some(value),
    };
    signals.correlations.into_iter().map(correlation).collect()
}

fn policy<G: ToolkitGame>(
    options: &CalibrationOptions,
    samples: &CalibrationSamples<G>,
    own: Option<&Calibration>,
    fitted: Option<&Calibration>,
    orderings: Option<OrderingTallies>,
) -> Option<PolicyMeasurement> {
    let measured = &samples.measured_policy;
    let all = |policy| OrderingQuality::of_probabilities(&tally(measured.iter(), policy));
    let uniform = PolicyCalibration {
        move_classes: search::MOVE_CLASS_SCHEME.to_owned(),
        inverse_temperature: 0.0,
        class_biases: Vec::new(),
    };
    (!measured.is_empty()).then(|| PolicyMeasurement {
        before: all(own.and_then(Calibration::policy)),
        after: fitted.and_then(Calibration::policy).map(|policy| all(Some(policy))),
        log_loss_of_none: tally(measured.iter(), Some(&uniform)).log_loss(),
        compared: orderings.map(|orderings| OrderingComparison {
            policy: OrderingQuality::of_probabilities(&orderings.policy),
            captures_by_gain: OrderingQuality::of_ranks(&orderings.captures),
            with_histories: OrderingQuality::of_ranks(&orderings.histories),
            history_depth: options.order_depth,
        }),
    })
}
