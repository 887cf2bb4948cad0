//! Parameter groups and modes: to which rule a number belongs, and whether a search of a mode reads
//! it.

use super::{CutoffVerification, Param, ParamError, Params, Selectivity};
use crate::engine::SearchMode;
use crate::learned::Sources;

impl Param {
    /// The group of the number, which is the rule that it belongs to: its name up to the first `_`.
    ///
    /// ```
    /// use search::Params;
    ///
    /// assert_eq!(Params::find("lmr_tt_pv")?.group(), "lmr");
    /// # Ok::<(), search::ParamError>(())
    /// ```
    pub fn group(&self) -> &'static str {
        self.name.split('_').next().unwrap_or(self.name)
    }

    /// Whether the number has an effect only where games are played by the clock.
    pub fn needs_clock(&self) -> bool {
        self.group() == "time"
    }
}

impl Params {
    /// The groups of all numbers, each once, in the order of the table.
    pub fn groups() -> Vec<&'static str> {
        let mut groups = Vec::new();
        for group in Self::LIST.iter().map(Param::group) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    /// The numbers of a group.
    ///
    /// ```
    /// use search::Params;
    ///
    /// let names: Vec<_> = Params::in_group("aspiration")?.iter().map(|param| param.name).collect();
    /// assert_eq!(names, ["aspiration_width", "aspiration_growth"]);
    /// # Ok::<(), search::ParamError>(())
    /// ```
    pub fn in_group(group: &str) -> Result<Vec<&'static Param>, ParamError> {
        let params: Vec<_> = Self::LIST.iter().filter(|param| param.group() == group).collect();
        if params.is_empty() {
            let (name, expected) = (group.to_owned(), Self::groups());
            return Err(ParamError::UnknownGroup { name, expected });
        }
        Ok(params)
    }

    /// Whether a search of the mode reads the number `param`, with the choices of these parameters
    /// and an evaluator of one network, for which `mode` is resolved: [`SearchMode::Auto`] reads
    /// what [`SearchMode::Classical`] reads.
    ///
    /// A number that no rule here restricts is read in all modes. The test of this module searches
    /// with the number at both ends of its range.
    ///
    /// ```
    /// use search::{Params, SearchMode};
    ///
    /// let (params, blend) = (Params::default(), Params::find("policy_blend")?);
    /// assert!(params.reads(blend, SearchMode::Learned));
    /// assert!(!params.reads(blend, SearchMode::Classical));
    /// # Ok::<(), search::ParamError>(())
    /// ```
    pub fn reads(&self, param: &Param, mode: SearchMode) -> bool {
        use Selectivity::{Both, Classical, Learned};

        let Sources { ordering, reductions, cutoffs } = Sources::new(mode, self);
        let calibrated = mode == SearchMode::Learned;
        let by_policy = reductions == Learned;
        let by_quantiles = cutoffs != Classical;
        match (param.group(), param.name) {
            // The policy beside histories.
            (_, "policy_blend") => ordering == Both,
            (_, name) if name.starts_with("policy_order_") => match ordering {
                Learned => false,
                Both => true,
                Classical => reductions == Both,
            },
            (_, "policy_min_depth") => match ordering {
                Learned => false,
                Both => true,
                Classical => reductions == Both,
            },
            (_, "lmr_policy") => reductions == Both,
            // The policy alone. The seed mode has rules without numbers.
            (_, "policy_history_weight") => calibrated && ordering == Learned,
            (_, "quantile_lmr_width" | "quantile_usual_width" | "quantile_lmr_fail_low") => {
                calibrated && by_policy
            }
            // Quantile intervals: of all nodes where reductions depend on them, else of those that
            // may be cut.
            (_, "quantile_lower" | "quantile_max_depth") => calibrated && by_quantiles,
            (_, "quantile_upper") => calibrated && (by_quantiles || by_policy),
            (_, "quantile_min_margin") => calibrated && by_quantiles && !by_policy,
            // The gate is of a second network.
            (_, "learned_gate_width") => false,
            ("policy", _) => calibrated && by_policy,
            ("quantile" | "learned", _) => calibrated && (by_policy || by_quantiles),

            // Classical rules, which learned ones may replace.
            ("rfp" | "razor", _) => !by_quantiles,
            ("probcut", _) => cutoffs != Learned,
            ("nmp", _) => {
                let verifies = self.learned_verification == CutoffVerification::NullMove;
                cutoffs != Learned || calibrated && verifies
            }
            // The seed mode limits its own extensions by it.
            (_, "singular_max_doubles") => !by_policy || mode == SearchMode::Seed,
            // Any reduced move may be searched again, and deeper.
            (_, "lmr_deeper_margin") => !by_policy || calibrated,
            (_, "history_pruning_policy") => {
                !by_policy && (ordering != Classical || reductions == Both)
            }
            ("iir" | "lmp" | "futility" | "see" | "singular" | "check" | "lmr", _)
            | (_, "history_pruning_depth" | "history_pruning_margin") => !by_policy,
            _ => true,
        }
    }
}
