//! Optimisers: SGD, Adam, `AdamW`, `RAdam`, Ranger.

use serde::{Deserialize, Serialize};

use crate::real::Real;

/// The optimisers.
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

/// An optimiser and its settings. The learning rate comes with each step, because schedules change
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimiserSettings {
    /// The optimiser.
    pub kind: OptimiserKind,
    /// The momentum of SGD.
    pub momentum: f32,
    /// The decay rate of Adam's first moment.
    pub beta1: f32,
    /// The decay rate of Adam's second moment.
    pub beta2: f32,
    /// The term that prevents Adam from dividing by 0.
    pub epsilon: f32,
    /// The weight decay.
    pub weight_decay: f32,
    /// The maximum norm of the gradient; 0 for no limit.
    pub clip_norm: f32,
    /// The maximum absolute value of each gradient component; 0 for no limit.
    pub clip_value: f32,
    /// The number of steps between Ranger's lookahead updates.
    pub lookahead_steps: u32,
    /// The share of the way that Ranger's slow weights move towards the fast ones.
    pub lookahead_share: f32,
    /// Whether to update only the features of a batch. Unset: for large transformers only.
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

/// The numbers of a step, equal for all weights of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<T> {
    rule: Rule,
    /// The factor that limits the norm of the gradient.
    gradient_scale: T,
    clip_value: Option<T>,
    /// Weight decay as part of the gradient.
    l2: T,
    /// Weight decay as a factor of the weight.
    shrink: T,
    beta1: T,
    beta2: T,
    epsilon: T,
    /// The rate with bias correction.
    size: T,
    /// The bias correction of the second moment.
    root: T,
    /// The maximum weight.
    limit: Option<T>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Momentum,
    /// Adam's first moment without division by the root, while `RAdam` has too few gradients.
    Average,
    Adam,
}

impl OptimiserSettings {
    /// Step number `steps` (from 1) at this rate.
    pub(crate) fn step<T: Real>(&self, steps: u64, rate: f32, gradient_scale: f64) -> Step<T> {
        let real = |x: f64| T::from_f64(x);
        let (rate, t) = (f64::from(rate), steps as f64);
        let (beta1, beta2) = (f64::from(self.beta1), f64::from(self.beta2));
        let decoupled = !matches!(self.kind, OptimiserKind::Sgd | OptimiserKind::Adam);
        let decay = f64::from(self.weight_decay);
        let (rule, size) = match self.kind {
            OptimiserKind::Sgd => (Rule::Momentum, rate),
            OptimiserKind::Adam | OptimiserKind::Adamw => {
                (Rule::Adam, rate / (1.0 - beta1.powf(t)))
            }
            OptimiserKind::Radam | OptimiserKind::Ranger => match rectification(beta2, t) {
                Some(factor) => (Rule::Adam, rate * factor / (1.0 - beta1.powf(t))),
                None => (Rule::Average, rate / (1.0 - beta1.powf(t))),
            },
        };
        let beta1 = if rule == Rule::Momentum { f64::from(self.momentum) } else { beta1 };
        Step {
            rule,
            gradient_scale: real(gradient_scale),
            clip_value: (self.clip_value > 0.0).then_some(T::from_f32(self.clip_value)),
            l2: real(if decoupled { 0.0 } else { decay }),
            shrink: real(if decoupled { 1.0 - rate * decay } else { 1.0 }),
            beta1: real(beta1),
            beta2: real(beta2),
            epsilon: T::from_f32(self.epsilon),
            size: real(size),
            root: real(1.0 / (1.0 - beta2.powf(t)).sqrt()),
            limit: None,
        }
    }

    /// Whether it uses second moments.
    pub(crate) fn has_squares(&self) -> bool {
        self.kind != OptimiserKind::Sgd
    }

    /// Whether it has slow weights, and whether they are updated after this many steps.
    pub(crate) fn lookahead(&self) -> Option<u64> {
        (self.kind == OptimiserKind::Ranger).then_some(u64::from(self.lookahead_steps.max(1)))
    }
}

/// `RAdam`'s rectification of the variance; `None` while there are too few gradients.
fn rectification(beta2: f64, t: f64) -> Option<f64> {
    let max = 2.0 / (1.0 - beta2) - 1.0;
    let power = beta2.powf(t);
    let length = max - 2.0 * t * power / (1.0 - power);
    (length > 5.0).then(|| {
        let part = |x: f64| (x - 4.0) * (x - 2.0) / x;
        (part(length) / part(max)).sqrt()
    })
}

impl<T: Real> Step<T> {
    /// The same step for a layer whose weights are limited to ±`limit`.
    pub(crate) fn with_limit(self, limit: Option<f32>) -> Self {
        Self { limit: limit.map(T::from_f32), ..self }
    }

    #[inline(always)]
    fn one(&self, weight: &mut T, gradient: T, first: &mut T, second: &mut T) {
        let mut g = gradient * self.gradient_scale;
        if let Some(max) = self.clip_value {
            g = g.limit(-max, max);
        }
        g += self.l2 * *weight;
        let change = match self.rule {
            Rule::Momentum => {
                *first = self.beta1 * *first + g;
                *first
            }
            Rule::Average | Rule::Adam => {
                *first = self.beta1 * *first + (T::ONE - self.beta1) * g;
                *second = self.beta2 * *second + (T::ONE - self.beta2) * g * g;
                if self.rule == Rule::Adam {
                    *first / (second.sqrt() * self.root + self.epsilon)
                } else {
                    *first
                }
            }
        };
        *weight = *weight * self.shrink - self.size * change;
        if let Some(limit) = self.limit {
            *weight = weight.limit(-limit, limit);
        }
    }
}

/// A step of contiguous weights.
pub(crate) struct Update<'a, T> {
    pub(crate) step: Step<T>,
    pub(crate) weights: &'a mut [T],
    pub(crate) gradient: &'a [T],
    pub(crate) first: &'a mut [T],
    /// Empty if the optimiser does not use it.
    pub(crate) second: &'a mut [T],
}

impl<T: Real> pulp::NullaryFnOnce for Update<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { step, weights, gradient, first, second } = self;
        let moments = weights.iter_mut().zip(gradient).zip(first);
        if second.is_empty() {
            let mut unused = T::ZERO;
            for ((weight, &gradient), first) in moments {
                step.one(weight, gradient, first, &mut unused);
            }
        } else {
            for (((weight, &gradient), first), second) in moments.zip(second) {
                step.one(weight, gradient, first, second);
            }
        }
    }
}

/// Lookahead: moves Ranger's slow weights, and resets the fast ones to them.
pub(crate) fn look_ahead<T: Real>(share: f32, weights: &mut [T], slow: &mut [T]) {
    let share = T::from_f32(share);
    for (weight, slow) in weights.iter_mut().zip(slow) {
        *slow += share * (*weight - *slow);
        *weight = *slow;
    }
}
