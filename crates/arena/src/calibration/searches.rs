//! Learned searches: how many nodes a depth costs, and how often cutoffs by quantiles are wrong.

use games::{GameHistory, ToolkitGame};
use search::{Control, EngineOptions, Limits, Params, SearchMode, Selectivity, ShadowStats};
use serde::Serialize;

use super::samples::SampledPosition;
use super::{CalibrationError, CalibrationOptions, CalibrationProgress, CalibrationStage};
use crate::networks::{LoadedNetwork, NetworkLoader};

/// One in so many cutoffs is verified by a search.
const VERIFY_EVERY: u64 = 100;
/// The maximum number of nodes of a search to the depth.
const MAX_NODES: u64 = 1_000_000;

/// The counts of all searches together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchMeasurement {
    /// The number of positions that were searched.
    pub positions: usize,
    /// The depth.
    pub depth: u8,
    /// Nodes to the depth by the source of the move ordering: classical rules, the policy beside
    /// them, the policy alone. Everything else is classical.
    pub nodes_by_ordering: [u64; 3],
    /// Nodes to the depth of the learned search with default parameters.
    pub nodes_learned: u64,
    /// Cutoffs because quantiles are above beta.
    pub cutoffs_above_beta: CutoffCounts,
    /// Cutoffs because quantiles are below alpha.
    pub cutoffs_below_alpha: CutoffCounts,
}

/// Cutoffs by quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CutoffCounts {
    /// How many were made.
    pub made: u64,
    /// How many were verified by a search.
    pub checked: u64,
    /// How many of these were wrong.
    pub wrong: u64,
}

impl CutoffCounts {
    fn of(shadow: ShadowStats, side: usize) -> Self {
        Self {
            made: shadow.cutoffs[side],
            checked: shadow.checked[side],
            wrong: shadow.wrong[side],
        }
    }
}

/// Searches positions in every way; `None` without positions or without a policy.
pub(super) fn measure<G: ToolkitGame>(
    options: &CalibrationOptions,
    network: &LoadedNetwork,
    positions: &[SampledPosition<G>],
    networks: &NetworkLoader,
    progress: &mut dyn FnMut(CalibrationProgress),
) -> Result<Option<SearchMeasurement>, CalibrationError> {
    let positions = &positions[..positions.len().min(options.search_positions)];
    if positions.is_empty() || network.network().architecture().policy().is_none() {
        return Ok(None);
    }
    let engine = EngineOptions { hash_mib: 1, mode: SearchMode::Learned, ..Default::default() };
    let mut engine = networks.engine::<G>(engine, Some(network), 100)?;
    let (stage, total) = (CalibrationStage::Searching, 5 * positions.len() as u64);
    let mut done = 0;
    let depth = options.search_depth;
    let mut nodes = |engine: &mut search::Engine<G>| {
        let search = |SampledPosition { position, .. }: &SampledPosition<G>| {
            progress(CalibrationProgress { stage, done, total });
            done += 1;
            engine.new_game();
            let limits = Limits { nodes: Some(MAX_NODES), ..Limits::to_depth(depth.into()) };
            let history = GameHistory::new(position.clone());
            engine.go(&history, &limits, &Control::new(), &mut |_| {}).nodes
        };
        positions.iter().map(search).sum::<u64>()
    };
    let orderings = [Selectivity::Classical, Selectivity::Both, Selectivity::Learned];
    let nodes_by_ordering = orderings.map(|ordering| {
        // The policy is used at every depth: the ordering is measured, not where it pays.
        engine.set_params(Params {
            learned_ordering: ordering,
            policy_min_depth: 1,
            learned_reductions: Selectivity::Classical,
            learned_cutoffs: Selectivity::Classical,
            ..Params::default()
        });
        nodes(&mut engine)
    });
    engine.set_params(Params::default());
    let nodes_learned = nodes(&mut engine);
    // Cutoffs are verified even if the learned search does not make them by default.
    engine.set_params(Params { learned_cutoffs: Selectivity::Both, ..Params::default() });
    engine.set_shadow_rate(VERIFY_EVERY);
    nodes(&mut engine);
    let shadow = engine.set_shadow_rate(0);
    Ok(Some(SearchMeasurement {
        positions: positions.len(),
        depth,
        nodes_by_ordering,
        nodes_learned,
        cutoffs_above_beta: CutoffCounts::of(shadow, 0),
        cutoffs_below_alpha: CutoffCounts::of(shadow, 1),
    }))
}
