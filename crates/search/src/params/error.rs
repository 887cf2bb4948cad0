//! Parameter errors and renamed parameters: what is wrong with a name or a value, and the new name
//! of an old one.

use super::Params;

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// The parameter has another name now.
    #[error("the search parameter `{old}` is now called `{new}`")]
    Renamed {
        /// The name that was given.
        old: String,
        /// The name to use instead.
        new: &'static str,
    },
    /// No parameter has this name.
    #[error("the search has no parameter `{name}`; expected one of {}", .expected.join(", "))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names that exist.
        expected: Vec<&'static str>,
    },
    /// No number belongs to this group.
    #[error("the search has no group of parameters `{name}`; expected {}", .expected.join(", "))]
    UnknownGroup {
        /// The name that was given.
        name: String,
        /// The groups that exist.
        expected: Vec<&'static str>,
    },
    /// The value of a number is no number, or outside its range.
    #[error("{name} is `{value}`; expected a whole number from {min} to {max}")]
    Number {
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// The smallest value.
        min: i32,
        /// The largest value.
        max: i32,
    },
    /// The value of a choice is none of its names.
    #[error("{name} is `{value}`; expected {}", .expected.join(", "))]
    Choice {
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// The names that exist.
        expected: &'static [&'static str],
    },
    /// A choice was given as a number, as older versions had it.
    #[error("{name} is `{value}`, a number; choices have names now: expected `{new}`")]
    NumberedChoice {
        /// The parameter.
        name: &'static str,
        /// The number that was given.
        value: String,
        /// The name of the same choice.
        new: &'static str,
    },
    /// A choice was to be tuned like a number.
    #[error("{name} is not a number and cannot be tuned: it is one of {}", .expected.join(", "))]
    NotTunable {
        /// The parameter.
        name: &'static str,
        /// Its values.
        expected: &'static [&'static str],
    },
}

impl Params {
    /// The present name of a parameter that older versions called `old`.
    ///
    /// ```
    /// assert_eq!(search::Params::renamed("late_base"), Some("lmp_base"));
    /// assert_eq!(search::Params::renamed("lmp_base"), None);
    /// ```
    pub fn renamed(old: &str) -> Option<&'static str> {
        RENAMED.iter().find(|(name, _)| *name == old).map(|&(_, new)| new)
    }

    /// The error for a name that is neither a number nor a choice.
    pub(super) fn no_such(name: &str) -> ParamError {
        if let Some(new) = Self::renamed(name) {
            return ParamError::Renamed { old: name.to_owned(), new };
        }
        let numbers = Self::LIST.iter().map(|param| param.name);
        let choices = Self::CHOICES.iter().map(|choice| choice.name);
        ParamError::Unknown { name: name.to_owned(), expected: numbers.chain(choices).collect() }
    }
}

/// Old names and what they are called now.
#[rustfmt::skip]
pub(super) const RENAMED: &[(&str, &str)] = &[
    ("reverse_depth", "rfp_max_depth"),
    ("reverse_margin", "rfp_margin"),
    ("reverse_improving", "rfp_improving"),
    ("razor_depth", "razor_max_depth"),
    ("null_depth", "nmp_min_depth"),
    ("null_base", "nmp_base"),
    ("null_divisor", "nmp_depth_divisor"),
    ("null_margin", "nmp_eval_divisor"),
    ("null_verify", "nmp_verify_depth"),
    ("probcut_depth", "probcut_min_depth"),
    ("internal_depth", "iir_min_depth"),
    ("late_base", "lmp_base"),
    ("futility_depth", "futility_max_depth"),
    ("history_depth", "history_pruning_depth"),
    ("history_margin", "history_pruning_margin"),
    ("see_quiet", "see_quiet_margin"),
    ("see_capture", "see_noisy_margin"),
    ("singular_depth", "singular_min_depth"),
    ("singular_double", "singular_double_margin"),
    ("singular_most", "singular_max_doubles"),
    ("check_depth", "check_extension_depth"),
    ("reduction_base", "lmr_base"),
    ("reduction_scale", "lmr_scale"),
    ("reduction_tactical_base", "lmr_noisy_base"),
    ("reduction_tactical_scale", "lmr_noisy_scale"),
    ("reduction_cut", "lmr_cut_node"),
    ("reduction_pv", "lmr_tt_pv"),
    ("reduction_worse", "lmr_not_improving"),
    ("reduction_tactical_table", "lmr_tt_noisy"),
    ("reduction_check", "lmr_check"),
    ("reduction_killer", "lmr_killer"),
    ("reduction_history", "lmr_history_divisor"),
    ("deeper_margin", "lmr_deeper_margin"),
    ("bonus_scale", "history_bonus_scale"),
    ("bonus_most", "history_bonus_max"),
    ("malus_scale", "history_malus_scale"),
    ("malus_most", "history_malus_max"),
    ("correction_share", "correction_weight"),
    ("decided", "decided_score"),
    ("quiescence_margin", "qs_futility_margin"),
    ("learned_blend", "policy_blend"),
    ("learned_adapt", "policy_history_weight"),
    ("learned_policy_depth", "policy_min_depth"),
    ("learned_relief", "lmr_policy"),
    ("learned_spend", "policy_lmr_scale"),
    ("learned_free", "policy_lmr_offset"),
    ("learned_price", "policy_pruning_scale"),
    ("learned_credit", "policy_pruning_margin"),
    ("learned_expected", "policy_lmr_cut_node"),
    ("learned_width", "quantile_lmr_width"),
    ("learned_usual", "quantile_usual_width"),
    ("learned_hopeless", "quantile_lmr_fail_low"),
    ("learned_extensions", "policy_max_extensions"),
    ("learned_low", "quantile_lower"),
    ("learned_high", "quantile_upper"),
    ("learned_least", "quantile_min_margin"),
    ("learned_deepest", "quantile_max_depth"),
    ("learned_verify", "learned_verification"),
    ("learned_theta", "learned_gate_width"),
];
