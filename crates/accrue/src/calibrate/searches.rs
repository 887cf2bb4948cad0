//! What the learned search does with the network: how often its cutoffs are wrong, and what a depth costs.

use games::{Game, Line};
use search::{Control, EngineOptions, Limits, Params, SearchMode, Shadow};
use serde::Serialize;

use super::Args;
use super::read::Sampled;
use crate::evaluation::{Loaded, engine};
use crate::progress::Progress;

/// One in so many cutoffs is checked by a search in its place.
const CHECK_EVERY: u64 = 100;
/// Nodes after which a search to the depth is given up.
const MOST_NODES: u64 = 1_000_000;

/// What was counted in all searches together.
#[derive(Serialize)]
pub(super) struct Searches {
    pub(super) positions: usize,
    pub(super) depth: u8,
    /// Nodes to the depth, by who orders the moves: classical rules, the policy beside them, the policy alone. Everything
    /// else is classical.
    pub(super) nodes_by_ordering: [u64; 3],
    /// Nodes to the depth of the learned search as it is by default.
    pub(super) nodes_learned: u64,
    pub(super) cutoffs_above_beta: Cutoffs,
    pub(super) cutoffs_below_alpha: Cutoffs,
}

/// How often cutoffs by quantiles were made, checked, and wrong.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Cutoffs {
    pub(super) made: u64,
    pub(super) checked: u64,
    pub(super) wrong: u64,
}

impl Cutoffs {
    fn of(shadow: Shadow, side: usize) -> Self {
        Self { made: shadow.cuts[side], checked: shadow.checked[side], wrong: shadow.wrong[side] }
    }
}

/// Searches positions by all means; `None` if there are none, or if the network has no policy.
pub(super) fn search<G: Game>(
    args: &Args,
    loaded: &Loaded,
    sample: &[Sampled<G>],
) -> anyhow::Result<Option<Searches>> {
    let sample = &sample[..sample.len().min(args.search_positions as usize)];
    if sample.is_empty() || loaded.network().architecture().policy().is_none() {
        return Ok(None);
    }
    let options = EngineOptions { hash_mib: 1, mode: SearchMode::Learned, ..Default::default() };
    let mut engine = engine::<G>(options, Some(loaded), 100)?;
    let progress = Progress::new("searching", 5 * sample.len() as u64);
    let mut nodes = |params: Params| {
        engine.set_params(params);
        let go = |Sampled { position, .. }: &Sampled<G>| {
            engine.new_game();
            let limits =
                Limits { nodes: Some(MOST_NODES), ..Limits::to_depth(args.search_depth.into()) };
            progress.step();
            let line = Line::new(position.clone());
            engine.go(&line, &limits, &Control::new(), &mut |_| {}).nodes
        };
        sample.iter().map(go).sum::<u64>()
    };
    // The policy is asked at every depth: it is what is measured, not where asking pays.
    let ordered = |ordering| Params {
        learned_ordering: ordering,
        learned_policy_depth: 1,
        learned_reductions: 0,
        learned_cutoffs: 0,
        ..Params::default()
    };
    let nodes_by_ordering = [0, 2, 1].map(|ordering| nodes(ordered(ordering)));
    let nodes_learned = nodes(Params::default());
    // They are asked whether they would be right, also while the learned search goes without them.
    engine.set_params(Params { learned_cutoffs: 2, ..Params::default() });
    engine.set_shadow(CHECK_EVERY);
    for Sampled { position, .. } in sample {
        engine.new_game();
        let limits =
            Limits { nodes: Some(MOST_NODES), ..Limits::to_depth(args.search_depth.into()) };
        engine.go(&Line::new(position.clone()), &limits, &Control::new(), &mut |_| {});
        progress.step();
    }
    let shadow = engine.set_shadow(0);
    progress.finish();
    Ok(Some(Searches {
        positions: sample.len(),
        depth: args.search_depth,
        nodes_by_ordering,
        nodes_learned,
        cutoffs_above_beta: Cutoffs::of(shadow, 0),
        cutoffs_below_alpha: Cutoffs::of(shadow, 1),
    }))
}

/// The figures as lines.
pub(super) fn lines(searches: &Searches) -> Vec<String> {
    let Searches { positions, depth, nodes_by_ordering, nodes_learned, .. } = searches;
    let per = |nodes: u64| nodes as f64 / *positions as f64;
    let wrong = |cutoffs: Cutoffs| {
        let share = match cutoffs.checked {
            0 => "–".to_owned(),
            checked => format!("{:.1} %", cutoffs.wrong as f64 / checked as f64 * 100.0),
        };
        format!("{:>9} made, {:>6} checked, {share} wrong", cutoffs.made, cutoffs.checked)
    };
    let [classical, both, policy] = nodes_by_ordering.map(per);
    vec![
        format!("\nnodes to depth {depth}, mean of {positions} positions"),
        format!("ordered by classical rules     {classical:>9.0}"),
        format!("and by the policy              {both:>9.0}"),
        format!("by the policy and histories    {policy:>9.0}"),
        format!("the learned search             {:>9.0}", per(*nodes_learned)),
        "\ncutoffs by quantiles in these searches, one in 100 checked by a search".to_owned(),
        format!("above beta                     {}", wrong(searches.cutoffs_above_beta)),
        format!("below alpha                    {}", wrong(searches.cutoffs_below_alpha)),
    ]
}
