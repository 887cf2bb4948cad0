//! Architecture checks: the limits of a description, and the quantities derived from it.

use alloc::format;

use super::{
    Architecture, ArchitectureError, Arithmetic, BucketRule, Description, MAX_ACTIVATION,
    MAX_BUCKETS, MAX_FEATURES, MAX_HIDDEN_LAYERS, MAX_HIDDEN_WIDTH, MAX_WEIGHTS, MAX_WIDTH,
};
use crate::heads::MAX_OUTPUTS;
use crate::{Head, HeadInput, MoveEncoding, PolicyHead, ValueOutput};

impl Architecture {
    /// Checks a description.
    pub fn new(description: Description) -> Result<Self, ArchitectureError> {
        let architecture = Self(description);
        architecture.check_shape()?;
        architecture.check_heads()?;
        architecture.check_scales()?;
        Ok(architecture)
    }

    /// The description, for example to modify it.
    pub fn into_description(self) -> Description {
        self.0
    }

    /// The number of values that all perspectives pass to the next layer.
    pub fn accumulator_outputs(&self) -> usize {
        self.accumulator.outputs() * self.perspectives.count()
    }

    /// The number of inputs of the value, WDL and quantile heads.
    pub fn head_inputs(&self) -> usize {
        self.hidden.last().map_or_else(|| self.accumulator_outputs(), |layer| layer.outputs())
    }

    /// The heads that read the last layer, in order: all except the policy.
    pub fn layer_heads(&self) -> impl Iterator<Item = Head> + Clone + '_ {
        self.heads.iter().copied().filter(|head| head.input() == HeadInput::LastLayer)
    }

    /// The policy head, if there is one.
    pub fn policy(&self) -> Option<PolicyHead> {
        self.heads.iter().find_map(|head| head.policy())
    }

    /// The same network with the given move encoding for its policy, if it has one.
    #[must_use]
    pub fn with_move_encoding(mut self, moves: MoveEncoding) -> Self {
        for head in &mut self.0.heads {
            if let Some(policy) = head.policy() {
                *head = Head::Policy(PolicyHead { moves: Some(moves), ..policy });
            }
        }
        self
    }

    /// The meaning of the value head's output, if there is one.
    pub fn value_output(&self) -> Option<ValueOutput> {
        self.heads.iter().find_map(|head| head.value_output())
    }

    /// Whether the network estimates quantiles of the value, in either form.
    pub fn has_quantiles(&self) -> bool {
        self.heads.iter().any(|head| head.has_quantiles())
    }

    /// Whether the network is evaluated in integers or floats.
    pub fn arithmetic(&self) -> Arithmetic {
        let activation = self.accumulator.activation;
        let direct = self.hidden.is_empty() && self.policy().is_none();
        let first = activation.squash().is_some() || direct && activation.factor().is_some();
        let rest = self.hidden.iter().all(|layer| layer.activation.hidden_squash().is_some());
        if first && rest { Arithmetic::Integer } else { Arithmetic::Float }
    }

    /// The number of weights and biases.
    pub fn parameters(&self) -> usize {
        crate::parameters::Counts::of(self).total()
    }

    /// 1.0 in the integer activations of the accumulator.
    pub fn activation_unit(&self) -> f32 {
        let limit = f32::from(self.scales.accumulator);
        let shifted = (1u32 << self.scales.activation_shift) as f32;
        let product = self.accumulator.activation.is_product();
        if product { limit * limit / shifted } else { limit / shifted }
    }

    /// 1.0 in the integer outputs of the value, WDL and quantile heads.
    pub fn output_unit(&self) -> f32 {
        let activation = match self.hidden.last() {
            None => f32::from(self.scales.accumulator),
            // Float networks never use the unit of integers.
            Some(layer) => {
                layer.activation.hidden_squash().map_or(MAX_ACTIVATION as f32, |(_, unit)| unit)
            }
        };
        activation * f32::from(self.scales.head)
    }

    /// 1.0 in the integer outputs of the policy head.
    pub fn policy_unit(&self) -> f32 {
        self.activation_unit() * (1u32 << self.scales.policy_shift) as f32
    }

    fn check_shape(&self) -> Result<(), ArchitectureError> {
        within("features", self.inputs, 1, MAX_FEATURES)?;
        let arrow = self.features.contains('→') || self.features.contains("->");
        if self.features.is_empty() || arrow || self.features.chars().any(char::is_whitespace) {
            return Err(ArchitectureError(format!(
                "the feature set is called `{}`; expected a name without spaces and arrows",
                self.features
            )));
        }
        within("accumulator width", self.accumulator.width, 1, MAX_WIDTH)?;
        within(
            "feature weights",
            self.inputs.saturating_mul(self.accumulator.width),
            1,
            MAX_WEIGHTS,
        )?;
        within("number of hidden layers", self.hidden.len(), 0, MAX_HIDDEN_LAYERS)?;
        for layer in &self.hidden {
            within("hidden layer width", layer.width, 1, MAX_HIDDEN_WIDTH)?;
        }
        for layer in core::iter::once(&self.accumulator).chain(&self.hidden) {
            if layer.activation.is_pairwise() && layer.width % 2 != 0 {
                return Err(ArchitectureError(format!(
                    "a pairwise layer is {} wide; expected an even width",
                    layer.width
                )));
            }
        }
        within("number of buckets", self.buckets.count, 1, MAX_BUCKETS)?;
        if (self.buckets.rule == BucketRule::None) != (self.buckets.count == 1) {
            return Err(ArchitectureError(format!(
                "{} buckets by rule `{}`; expected one bucket with `none`, more with a rule",
                self.buckets.count,
                self.buckets.rule.name()
            )));
        }
        Ok(())
    }

    fn check_heads(&self) -> Result<(), ArchitectureError> {
        if self.heads.is_empty() {
            return Err(ArchitectureError("the network has no head; expected one or more".into()));
        }
        for (place, head) in self.heads.iter().enumerate() {
            let same = core::mem::discriminant(head);
            if self.heads[..place].iter().any(|other| core::mem::discriminant(other) == same) {
                return Err(ArchitectureError(format!("two heads of a kind: {head:?}")));
            }
            if let Some(fault) = head.fault(&self.heads) {
                return Err(ArchitectureError(fault));
            }
        }
        let outputs = self.layer_heads().map(Head::outputs).sum();
        within("outputs of all heads but the policy", outputs, 0, MAX_OUTPUTS)
    }

    fn check_scales(&self) -> Result<(), ArchitectureError> {
        let scales = &self.scales;
        if !(scales.centipawns.is_finite() && (1e-3..=1e6).contains(&scales.centipawns)) {
            return Err(ArchitectureError(format!(
                "{} centipawns for an output of 1; expected 0.001 to 1000000",
                scales.centipawns
            )));
        }
        if scales.hidden_shifts.len() != self.hidden.len() {
            return Err(ArchitectureError(format!(
                "{} weight scales for {} hidden layers; expected one each",
                scales.hidden_shifts.len(),
                self.hidden.len()
            )));
        }
        within("accumulator scale", scales.accumulator.max(0) as usize, 1, i16::MAX as usize)?;
        within("head scale", scales.head.max(0) as usize, 1, i16::MAX as usize)?;
        for &shift in &scales.hidden_shifts {
            within("hidden weight shift", shift as usize, 0, 24)?;
        }
        within("policy weight shift", scales.policy_shift as usize, 0, 24)?;
        within("activation shift", scales.activation_shift as usize, 0, 30)?;
        let layered = !self.hidden.is_empty() || self.policy().is_some();
        if layered && self.arithmetic() == Arithmetic::Integer {
            let limit = scales.accumulator as u32;
            let product = self.accumulator.activation.is_product();
            let largest = if product { limit * limit } else { limit } >> scales.activation_shift;
            if largest > MAX_ACTIVATION {
                return Err(ArchitectureError(format!(
                    "activations reach {largest} with accumulator scale {limit} and shift {}; \
                     expected at most {MAX_ACTIVATION}",
                    scales.activation_shift
                )));
            }
        }
        Ok(())
    }
}

fn within(what: &str, value: usize, min: usize, max: usize) -> Result<(), ArchitectureError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(ArchitectureError(format!("{what} is {value}; expected {min} to {max}")))
}
