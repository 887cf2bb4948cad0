//! Heads in training: a loss for each head, one file for each.
//!
//! A head's file holds its settings with their descriptions, its checks, its names and its loss
//! with the derivatives. To add a head, write its file beside that of `nnue`, add its settings to
//! [`LossSettings`] and [`Objective`], and follow the compiler: every `match` on heads is in this
//! file and names all of them.

use dataset::Batch;
use nnue::{Architecture, Head, MoveEncoding, PolicyHead, Scales, ValueOutput};
use serde::{Deserialize, Serialize};

use crate::config::{ClipSettings, ConfigError, Field, Kind, Limit, section};
use crate::layers::LayerMemory;
use crate::learner::{HeadLoss, Losses, TrainerError};
use crate::loss::Units;
use crate::real::Real;
use crate::shape::Shape;

mod anchored_quantiles;
mod policy;
mod quantiles;
mod value;
mod wdl;

pub use policy::{PolicyLoss, PolicyObjective};
pub use quantiles::{QuantileForm, QuantileObjective, QuantileTarget};
pub use value::{ValueLoss, ValueObjective};
pub use wdl::WdlObjective;

pub(crate) use value::win_probability;

section! {
    /// The loss of each head. Each table here gives the network that head; without any table there
    /// is a value head.
    LossSettings {
        /// The value of the position.
        value: Option<ValueObjective> = None; Kind::Table(value::FIELDS),
        /// The probabilities of win, draw and loss.
        wdl: Option<WdlObjective> = None; Kind::Table(wdl::FIELDS),
        /// Five quantiles of the value (10, 25, 50, 75, 90 %): the uncertainty of the network.
        quantiles: Option<QuantileObjective> = None; Kind::Table(quantiles::FIELDS),
        /// The best move.
        policy: Option<PolicyObjective> = None; Kind::Table(policy::FIELDS),
    }
}

/// The training objective: the losses of all heads. A head without a loss is not trained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Objective {
    /// The centipawns of one unit of log-odds: the win probability of a score is sigmoid(score /
    /// this).
    pub score_scale: f32,
    /// The value head.
    pub value: Option<ValueObjective>,
    /// The win, draw, loss head.
    pub wdl: Option<WdlObjective>,
    /// The quantile head, in either form.
    pub quantiles: Option<QuantileObjective>,
    /// The policy head.
    pub policy: Option<PolicyObjective>,
}

const WEIGHT: Field = Field::value("weight", &["The weight in the sum of losses."]);
const STOP_GRADIENT: Field = Field::value(
    "stop_gradient",
    &["Whether the gradient stops at the head and does not reach the layers below."],
);

/// The definitions of a head besides its loss.
pub(crate) trait TrainedHead {
    /// The name of its layer in checkpoints and in settings that name layers.
    fn layer(&self) -> &'static str;

    /// The name of its table in `[loss]`.
    fn table(&self) -> &'static str;

    /// What a record needs so that the head learns from it.
    fn needs(&self) -> &'static str;

    /// The weight of its loss; `None` if it is not trained.
    fn weight(&self, objective: &Objective) -> Option<f32>;

    /// Whether its gradient stops at its own weights.
    fn stops_gradient(&self, objective: &Objective) -> bool;

    /// Sets the default loss.
    fn set_usual(&self, losses: &mut LossSettings);

    /// The limit of its weights in the settings, and the maximum that quantisation can represent.
    fn clip(&self, clip: &ClipSettings, scales: &Scales) -> (Limit, f32);

    /// Checks its settings, if it has any.
    fn check(&self, architecture: &Architecture, objective: &Objective)
    -> Result<(), TrainerError>;
}

/// The trainer's definitions of a head.
pub(crate) fn trained(head: Head) -> &'static dyn TrainedHead {
    match head {
        Head::Value(_) => &value::Trained,
        Head::Wdl => &wdl::Trained,
        Head::Quantiles => &quantiles::Trained,
        Head::AnchoredQuantiles => &anchored_quantiles::Trained,
        Head::Policy(_) => &policy::Trained,
    }
}

/// The names of a network's heads in the configuration and in logs of their losses: `value`, `wdl`,
/// `quantiles` or `policy`.
pub fn loss_names(architecture: &Architecture) -> Vec<&'static str> {
    architecture.heads.iter().map(|&head| trained(head).table()).collect()
}

/// A loss setting, and its head.
struct LossTable {
    name: &'static str,
    weight: Option<f32>,
    /// The head in an architecture text.
    shape_text: &'static str,
}

impl Objective {
    fn tables(&self) -> [LossTable; 4] {
        let table = |name, weight, shape_text| LossTable { name, weight, shape_text };
        let Self { value, wdl, quantiles, policy, score_scale: _ } = self;
        let quantile_text = match quantiles.map(|loss| loss.form) {
            Some(QuantileForm::Anchored) => "4",
            Some(QuantileForm::Chain) | None => "5",
        };
        [
            table(value::TABLE, value.map(|loss| loss.weight), "1"),
            table(wdl::TABLE, wdl.map(|loss| loss.weight), "3"),
            table(quantiles::TABLE, quantiles.map(|loss| loss.weight), quantile_text),
            table(policy::TABLE, policy.map(|loss| loss.weight), "64/64"),
        ]
    }

    /// Checks the losses, alone and against the heads of a network.
    pub(crate) fn check(&self, architecture: &Architecture) -> Result<(), TrainerError> {
        let tables = self.tables();
        if tables.iter().all(|table| table.weight.is_none()) {
            return Err(fault(
                "loss",
                "no head has a loss; expected one or more, such as [loss.value]",
            ));
        }
        let names = loss_names(architecture);
        for LossTable { name, weight, .. } in tables {
            let Some(weight) = weight else { continue };
            if !names.contains(&name) {
                let found = format!("the network `{architecture}` has no such head");
                return Err(fault(&format!("loss.{name}"), found));
            }
            if !(weight.is_finite() && weight >= 0.0) {
                let found = format!("{weight}; expected 0 or more");
                return Err(fault(&format!("loss.{name}.weight"), found));
            }
        }
        architecture.heads.iter().try_for_each(|&head| trained(head).check(architecture, self))
    }
}

impl LossSettings {
    /// The losses of all heads.
    pub fn objective(&self, score_scale: f32) -> Objective {
        let Self { value, wdl, quantiles, policy } = *self;
        Objective { score_scale, value, wdl, quantiles, policy }
    }

    /// Whether no loss is set.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Sets the default loss of each of these heads.
    pub(crate) fn set_usual(&mut self, heads: &[Head]) {
        for &head in heads {
            trained(head).set_usual(self);
        }
    }

    /// The same with the default of each loss that is not set, for an example.
    pub(crate) fn with_all(mut self) -> Self {
        self.value.get_or_insert_default();
        self.wdl.get_or_insert_default();
        self.quantiles.get_or_insert_default();
        self.policy.get_or_insert_default();
        self
    }

    /// A head for each loss. `policy` returns the numbers of outputs for moves of the game.
    pub(crate) fn heads(
        &self,
        value_output: &str,
        policy: impl FnOnce(MoveEncoding) -> Result<PolicyHead, ConfigError>,
    ) -> Result<Vec<Head>, ConfigError> {
        let mut heads = Vec::new();
        if self.value.is_some() {
            let output = ValueOutput::from_name(value_output).ok_or_else(|| {
                let fault = format!("`{value_output}`; expected sigmoid, linear or tanh");
                ConfigError::value("network.value", fault)
            })?;
            heads.push(Head::Value(output));
        }
        if self.wdl.is_some() {
            heads.push(Head::Wdl);
        }
        if let Some(quantiles) = self.quantiles {
            heads.push(quantiles.form.head());
        }
        if let Some(loss) = self.policy {
            heads.push(Head::Policy(policy(loss.moves)?));
        }
        Ok(heads)
    }

    /// Refuses a loss for a head that the network does not have: it would have no effect.
    pub(crate) fn check_heads(&self, architecture: &Architecture) -> Result<(), ConfigError> {
        let names = loss_names(architecture);
        let other_form = self
            .quantiles
            .is_some_and(|quantiles| !architecture.heads.contains(&quantiles.form.head()));
        for LossTable { name, weight, shape_text } in self.objective(1.0).tables() {
            let missing = !names.contains(&name) || name == quantiles::TABLE && other_form;
            if weight.is_some() && missing {
                let fault = format!(
                    "the network has no such head; add `{shape_text}` to the end of \
                     network.architecture ({architecture}), joined by `+`"
                );
                return Err(ConfigError::value(&format!("loss.{name}"), fault));
            }
        }
        Ok(())
    }
}

fn fault(field: &str, fault: impl Into<String>) -> TrainerError {
    TrainerError::Setting { field: field.to_owned(), fault: fault.into() }
}

/// The maximum that 8-bit or 16-bit weights of a head that reads the last layer can represent.
fn layer_head_clip(clip: &ClipSettings, scales: &Scales) -> (Limit, f32) {
    (clip.heads, f32::from(i16::MAX) / f32::from(scales.head))
}

/// The inputs of the losses of a step, besides outputs and batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets<'a> {
    pub(crate) objective: &'a Objective,
    pub(crate) units: Units,
    pub(crate) result_share: f32,
    /// Win probabilities that replace score and result, one for each position of the batch.
    pub(crate) returns: Option<&'a [f32]>,
    /// The weight of a position in the gradient: one over their number in all shards.
    pub(crate) share: f64,
}

/// One position of a batch, and the scale of the derivatives of its loss.
struct Sample<'a, T> {
    targets: Targets<'a>,
    batch: &'a Batch,
    /// Its index in the batch.
    at: usize,
    scale: T,
}

/// Adds the losses of positions to `losses`, and derivatives by the outputs of heads to their
/// memories.
pub(crate) fn add_losses<T: Real>(
    shape: &Shape,
    targets: Targets<'_>,
    batch: &Batch,
    order: &[u32],
    memories: &mut [LayerMemory<T>],
    losses: &mut Losses,
) {
    losses.positions += order.len() as u64;
    losses.heads.resize(shape.heads.len(), HeadLoss::default());
    for (place, &(head, layer)) in shape.heads.iter().enumerate() {
        let Some(weight) = trained(head).weight(targets.objective) else { continue };
        let scale = T::from_f64(f64::from(weight) * targets.share);
        let sample = |position: u32| Sample { targets, batch, at: position as usize, scale };
        let width = shape.layers[layer].width;
        let (sum, count) = match head {
            Head::Value(output) => add(&mut memories[layer], width, order, |position, raw, d| {
                value::loss(&sample(position), output, raw, d)
            }),
            Head::Wdl => add(&mut memories[layer], width, order, |position, raw, d| {
                wdl::loss(&sample(position), raw, d)
            }),
            Head::Quantiles => add(&mut memories[layer], width, order, |position, raw, d| {
                quantiles::loss(&sample(position), raw, d)
            }),
            Head::AnchoredQuantiles => match value_layer(shape) {
                Some(value) => anchored_quantiles::add(memories, [value, layer], order, sample),
                None => (0.0, 0),
            },
            Head::Policy(policy) => add(&mut memories[layer], width, order, |position, raw, d| {
                policy::loss(&sample(position), policy, raw, d)
            }),
        };
        losses.heads[place].sum += sum;
        losses.heads[place].positions += count;
        losses.total += f64::from(weight) * sum;
    }
}

/// Adds the derivatives of a head that needs only its own outputs. `loss` is called with a
/// position, its outputs and the buffer of their derivatives. Returns the sum and the number of the
/// losses.
fn add<T: Real>(
    memory: &mut LayerMemory<T>,
    width: usize,
    order: &[u32],
    loss: impl Fn(u32, &[T], &mut [T]) -> Option<T>,
) -> (f64, u64) {
    let (mut sum, mut count) = (0.0, 0);
    let outputs = memory.sums.chunks_exact(width);
    let derivatives = memory.d_outputs.chunks_exact_mut(width);
    for ((&position, raw), d) in order.iter().zip(outputs).zip(derivatives) {
        if let Some(loss) = loss(position, raw, d) {
            sum += loss.to_f64();
            count += 1;
        }
    }
    (sum, count)
}

/// The index of the value head, if there is one.
fn value_layer(shape: &Shape) -> Option<usize> {
    let value = shape.heads.iter().find(|(head, _)| head.value_output().is_some());
    value.map(|&(_, layer)| layer)
}
