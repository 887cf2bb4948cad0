//! How a gradient becomes a step.

use serde::{Deserialize, Serialize};

/// The rules that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimiserKind {
    /// Steps along the gradient, with momentum.
    Sgd,
    /// Adam; weight decay is added to the gradient.
    Adam,
    /// Adam with decoupled weight decay.
    Adamw,
    /// Rectified Adam, decoupled weight decay.
    Radam,
    /// Rectified Adam with lookahead.
    Ranger,
}

/// A rule and its numbers. The rate itself comes with each step, because schedules change it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimiserSettings {
    /// The rule.
    pub kind: OptimiserKind,
    /// How much of the last step SGD keeps.
    pub momentum: f32,
    /// How long Adam remembers gradients.
    pub beta1: f32,
    /// How long Adam remembers their squares.
    pub beta2: f32,
    /// Keeps Adam from dividing by nothing.
    pub epsilon: f32,
    /// How fast weights shrink by themselves.
    pub weight_decay: f32,
    /// The largest length of the whole gradient; 0 for no limit.
    pub clip_norm: f32,
    /// The largest size of each part of the gradient; 0 for no limit.
    pub clip_value: f32,
    /// How many steps Ranger looks ahead.
    pub lookahead_steps: u32,
    /// How far Ranger then follows.
    pub lookahead_share: f32,
    /// Whether only the features that occur in a batch are updated. Unset: for large transformers only.
    pub sparse: Option<bool>,
}

impl Default for OptimiserSettings {
    fn default() -> Self {
        Self {
            kind: OptimiserKind::Adamw,
            momentum: 0.9,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            weight_decay: 0.01,
            clip_norm: 0.0,
            clip_value: 0.0,
            lookahead_steps: 6,
            lookahead_share: 0.5,
            sparse: None,
        }
    }
}
