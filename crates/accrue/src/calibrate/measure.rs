//! What is measured, on the games that nothing was fitted on.

use anyhow::bail;
use arena::calibration::{
    Coverage, Fan, Group, Observation, PolicyTally, Signals, is_fitted_on, pinball, pinball_skill,
    shuffled,
};
use games::Game;
use nnue::{Calibration, Network, PolicyCorrection, QUANTILE_LEVELS};
use serde::Serialize;

use super::Args;
use super::ordering::{Orders, tally};
use super::read::Seen;
use super::searches::Searches;

/// All that is told.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) network: String,
    pub(super) architecture: String,
    pub(super) game: &'static str,
    pub(super) data: Data,
    /// What is called `before` below: the network without corrections, or as it is.
    pub(super) before: &'static str,
    /// The quantiles' levels.
    pub(super) levels: [f32; QUANTILE_LEVELS.len()],
    pub(super) coverage: Vec<Row>,
    pub(super) loss: Losses,
    pub(super) signals: Vec<Signal>,
    pub(super) signal_positions: usize,
    pub(super) policy: Option<PolicyReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) searches: Option<Searches>,
    /// The share of scores between q10 and q90 of the network as it is; what --check decides by.
    pub(super) between: f64,
    pub(super) expected_between: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) too_narrow: Option<bool>,
    pub(super) written: Option<String>,
}

/// What the data is.
#[derive(Serialize)]
pub(super) struct Data {
    pub(super) records: u64,
    pub(super) damaged_records: u64,
    pub(super) in_check: u64,
    pub(super) without_depths: u64,
    pub(super) scores_of_mates: u64,
    pub(super) fitted_positions: usize,
    pub(super) fitted_scores: usize,
    pub(super) measured_positions: usize,
    pub(super) measured_games: usize,
    pub(super) measured_scores: usize,
}

/// The coverage of a group.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) group: String,
    #[serde(skip)]
    pub(super) kind: Group,
    pub(super) positions: usize,
    pub(super) scores: usize,
    pub(super) before: Cell,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Cell>,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Cell {
    pub(super) below: [f64; QUANTILE_LEVELS.len()],
    pub(super) between: f64,
    pub(super) off: bool,
}

impl From<Coverage> for Cell {
    fn from(coverage: Coverage) -> Self {
        Self { below: coverage.below, between: coverage.between(), off: coverage.is_off }
    }
}

#[derive(Serialize)]
pub(super) struct Losses {
    pub(super) before: Loss,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Loss>,
}

/// The pinball loss in centipawns, and its skill.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Loss {
    pub(super) pinball: f64,
    pub(super) skill: f64,
    pub(super) skill_with_shuffled_widths: f64,
}

impl Loss {
    fn of(fans: &[Fan]) -> Self {
        Self {
            pinball: pinball(fans),
            skill: pinball_skill(fans),
            skill_with_shuffled_widths: pinball_skill(&shuffled(fans)),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Signal {
    pub(super) name: String,
    /// `None` where it never changes.
    pub(super) spearman: Option<f64>,
}

/// How well moves are ordered.
#[derive(Serialize)]
pub(super) struct PolicyReport {
    /// As it is, or with the corrections that belong to the network.
    pub(super) before: Order,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Order>,
    /// Of a policy that says nothing.
    pub(super) log_loss_of_none: f64,
    pub(super) compared: Option<Compared>,
}

/// On the same positions.
#[derive(Serialize)]
pub(super) struct Compared {
    pub(super) policy: Order,
    pub(super) captures_by_gain: Order,
    pub(super) with_histories: Order,
    pub(super) history_depth: u8,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Order {
    pub(super) positions: u64,
    pub(super) top_1: f64,
    pub(super) top_3: f64,
    pub(super) top_5: f64,
    pub(super) mean_rank: f64,
    /// Only of what gives chances, not just places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) log_loss: Option<f64>,
}

impl Order {
    fn places(tally: &PolicyTally) -> Self {
        let [top_1, top_3, top_5] = tally.among();
        let (positions, mean_rank) = (tally.positions(), tally.mean_rank());
        Self { positions, top_1, top_3, top_5, mean_rank, log_loss: None }
    }

    fn chances(tally: &PolicyTally) -> Self {
        Self { log_loss: Some(tally.log_loss()), ..Self::places(tally) }
    }
}

/// How many games they are from.
fn games(observations: &[&Observation]) -> usize {
    let mut games: Vec<u32> = observations.iter().map(|seen| seen.game).collect();
    games.sort_unstable();
    games.dedup();
    games.len()
}

fn fans(observations: &[&Observation], calibration: Option<&Calibration>) -> Vec<Fan> {
    let fans = observations.iter().flat_map(|seen| seen.fans());
    fans.map(|fan| calibration.map_or(fan, |calibration| fan.corrected(calibration))).collect()
}

impl Report {
    /// Measures everything. `given` are corrections that belong to the network; `fitted` those that were just found.
    pub(super) fn new<G: Game>(
        args: &Args,
        network: &Network,
        given: Option<&Calibration>,
        fitted: Option<&Calibration>,
        seen: &Seen<G>,
        orders: Option<Orders>,
    ) -> anyhow::Result<Self> {
        let (known, new): (Vec<_>, Vec<_>) =
            seen.observations.iter().partition(|seen| is_fitted_on(seen.game));
        let raw = fans(&new, None);
        let before = fans(&new, given);
        let after = fitted.map(|calibration| fans(&new, Some(calibration)));
        let coverage = rows(&raw, &before, after.as_deref());
        let Some(all) = coverage.first() else { bail!("there are no scores to measure on") };
        let between = all.before.between;
        let expected_between = 0.8 - args.tolerance / 100.0;
        let signals = Signals::of(&new, given.or(fitted));
        let left_out = seen.observer.left_out();
        let spearman = |value: f64| value.is_finite().then_some(value);
        Ok(Self {
            network: args.net.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            architecture: network.architecture().to_string(),
            game: G::NAME,
            data: Data {
                records: seen.records,
                damaged_records: seen.damaged,
                in_check: left_out.in_check,
                without_depths: left_out.without_depths,
                scores_of_mates: left_out.mates,
                fitted_positions: known.len(),
                fitted_scores: known.iter().map(|seen| seen.scores.len()).sum(),
                measured_positions: new.len(),
                measured_games: games(&new),
                measured_scores: raw.len(),
            },
            before: if given.is_some() { "with its corrections" } else { "uncorrected" },
            levels: QUANTILE_LEVELS,
            coverage,
            loss: Losses { before: Loss::of(&before), after: after.as_deref().map(Loss::of) },
            signal_positions: signals.positions,
            signals: signals
                .correlations
                .into_iter()
                .map(|(name, value)| Signal { name, spearman: spearman(value) })
                .collect(),
            searches: None,
            policy: policy(args, seen, given, fitted, orders),
            between,
            expected_between,
            too_narrow: args.check.then_some(between < expected_between),
            written: args.out.as_ref().map(|out| out.display().to_string()),
        })
    }
}

/// The coverage of every group. Which group a score is in follows from the uncorrected quantiles.
fn rows(raw: &[Fan], before: &[Fan], after: Option<&[Fan]>) -> Vec<Row> {
    let row = |kind: Group| {
        let of = |fans: &[Fan]| {
            let members = raw.iter().zip(fans).filter(|(raw, _)| kind.has(raw));
            let members: Vec<Fan> = members.map(|(_, fan)| *fan).collect();
            Coverage::of(kind, members.iter())
        };
        let first = of(before);
        Row {
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

fn policy<G: Game>(
    args: &Args,
    seen: &Seen<G>,
    given: Option<&Calibration>,
    fitted: Option<&Calibration>,
    orders: Option<Orders>,
) -> Option<PolicyReport> {
    let all = |correction| Order::chances(&tally(seen.measured.iter(), correction));
    let alike = PolicyCorrection { stretch: 0.0, shifts: Vec::new() };
    (!seen.measured.is_empty()).then(|| PolicyReport {
        before: all(given.and_then(Calibration::policy)),
        after: fitted.and_then(Calibration::policy).map(|correction| all(Some(correction))),
        log_loss_of_none: tally(seen.measured.iter(), Some(&alike)).log_loss(),
        compared: orders.map(|orders| Compared {
            policy: Order::chances(&orders.policy),
            captures_by_gain: Order::places(&orders.captures),
            with_histories: Order::places(&orders.histories),
            history_depth: args.order_depth,
        }),
    })
}
