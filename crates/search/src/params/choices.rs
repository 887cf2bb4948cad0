//! Parameters with named values: which source decides each part of the learned search.

use crate::named::named_enum;

named_enum! {
    "a source of decisions";
    /// Which source decides a part of the learned search.
    pub enum Selectivity {
        /// The classical rules: margins, histories, tables of reductions.
        Classical = "classical",
        /// The network alone: its policy and its quantiles.
        Learned = "learned",
        /// The network beside the classical rules.
        Both = "both",
    }
}

named_enum! {
    "a verification of cutoffs";
    /// How a likely fail high is verified where cutoffs are learned.
    pub enum CutoffVerification {
        /// Not at all: the node is searched.
        Off = "off",
        /// By a null-move search.
        NullMove = "null-move",
    }
}

named_enum! {
    "a gate rule";
    /// When the large network of a pair is evaluated.
    pub enum GateRule {
        /// Never.
        Never = "never",
        /// Where the quantile interval of the small network overlaps the window, so that it decides
        /// nothing.
        Decision = "decision",
        /// Where the quantile interval of the small network is wider than `learned_gate_width`.
        Width = "width",
    }
}
