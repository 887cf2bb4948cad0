//! Titles of the stages, in the order of the stages.

pub(super) const START: &str = "the evaluation to start from";
pub(super) const DATA: &str = "self-play";
pub(super) const TRAIN: &str = "training";
pub(super) const EXPORT: &str = "export: quantisation";
pub(super) const FIT: &str = "fit of the search";
