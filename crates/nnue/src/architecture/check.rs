//! What a description must keep to, and what follows from it.

use alloc::format;

use super::{
    Activation, Architecture, ArchitectureError, Arithmetic, BucketRule, Description, Head,
    MOST_ACTIVATION, MOST_BUCKETS, MOST_FEATURES, MOST_HIDDEN_LAYERS, MOST_HIDDEN_WIDTH,
    MOST_POLICY, MOST_WEIGHTS, MOST_WIDTH, ValueOutput,
};

impl Architecture {
    /// Checks a description.
    pub fn new(description: Description) -> Result<Self, ArchitectureError> {
        let architecture = Self(description);
        architecture.check_shape()?;
        architecture.check_heads()?;
        architecture.check_scales()?;
        Ok(architecture)
    }

    /// The description, to change a copy of it.
    pub fn into_description(self) -> Description {
        self.0
    }

    /// How many values the views together hand to the next layer.
    pub fn accumulator_outputs(&self) -> usize {
        self.accumulator.outputs() * self.perspectives.count()
    }

    /// How many values enter the value, WDL and quantile heads.
    pub fn head_inputs(&self) -> usize {
        self.hidden.last().map_or_else(|| self.accumulator_outputs(), |layer| layer.outputs())
    }

    /// The policy head, if there is one.
    pub fn policy(&self) -> Option<(usize, usize)> {
        self.heads.iter().find_map(|head| match *head {
            Head::Policy { from, to } => Some((from, to)),
            _ => None,
        })
    }

    /// Whether it says how sure it is: quantiles of the value, in either form.
    pub fn has_quantiles(&self) -> bool {
        self.heads.iter().any(|head| matches!(head, Head::Quantiles | Head::Widths))
    }

    /// Whether integers can evaluate it.
    pub fn arithmetic(&self) -> Arithmetic {
        use Activation::{Crelu, Identity, Pairwise, Relu, Screlu};
        let bounded = matches!(self.accumulator.activation, Crelu | Screlu | Pairwise);
        let direct = self.hidden.is_empty() && self.policy().is_none();
        let first = bounded || direct && matches!(self.accumulator.activation, Identity | Relu);
        let rest = self.hidden.iter().all(|layer| matches!(layer.activation, Crelu | Screlu));
        if first && rest { Arithmetic::Integer } else { Arithmetic::Float }
    }

    /// How many weights and biases there are.
    pub fn parameters(&self) -> usize {
        crate::parameters::Counts::of(self).total()
    }

    /// 1.0 in the integer activations that leave the accumulator.
    pub fn activation_unit(&self) -> f32 {
        let limit = f32::from(self.scales.accumulator);
        let shifted = (1u32 << self.scales.activation_shift) as f32;
        match self.accumulator.activation {
            Activation::Screlu | Activation::Pairwise => limit * limit / shifted,
            _ => limit / shifted,
        }
    }

    /// 1.0 in the integer outputs of the value, WDL and quantile heads.
    pub fn output_unit(&self) -> f32 {
        let activation = match self.hidden.last().map(|layer| layer.activation) {
            None => f32::from(self.scales.accumulator),
            Some(Activation::Screlu) => (MOST_ACTIVATION * MOST_ACTIVATION) as f32 / 128.0,
            Some(_) => MOST_ACTIVATION as f32,
        };
        activation * f32::from(self.scales.head)
    }

    /// 1.0 in the integer outputs of the policy head.
    pub fn policy_unit(&self) -> f32 {
        self.activation_unit() * (1u32 << self.scales.policy_shift) as f32
    }

    fn check_shape(&self) -> Result<(), ArchitectureError> {
        within("features", self.inputs, 1, MOST_FEATURES)?;
        let arrow = self.features.contains('→') || self.features.contains("->");
        if self.features.is_empty() || arrow || self.features.chars().any(char::is_whitespace) {
            return Err(ArchitectureError(format!(
                "the feature set is called `{}`; expected a name without spaces and arrows",
                self.features
            )));
        }
        within("accumulator width", self.accumulator.width, 1, MOST_WIDTH)?;
        within(
            "feature weights",
            self.inputs.saturating_mul(self.accumulator.width),
            1,
            MOST_WEIGHTS,
        )?;
        within("number of hidden layers", self.hidden.len(), 0, MOST_HIDDEN_LAYERS)?;
        for layer in &self.hidden {
            within("hidden layer width", layer.width, 1, MOST_HIDDEN_WIDTH)?;
        }
        for layer in core::iter::once(&self.accumulator).chain(&self.hidden) {
            if layer.activation == Activation::Pairwise && layer.width % 2 != 0 {
                return Err(ArchitectureError(format!(
                    "a pairwise layer is {} wide; expected an even width",
                    layer.width
                )));
            }
        }
        within("number of buckets", self.buckets.count, 1, MOST_BUCKETS)?;
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
            if let Head::Policy { from, to } = *head {
                within("policy outputs for the cell left", from, 1, MOST_POLICY)?;
                within("policy outputs for the cell entered", to, 1, MOST_POLICY)?;
            }
        }
        self.check_widths()
    }

    /// Widths need a median that is measured as they are.
    fn check_widths(&self) -> Result<(), ArchitectureError> {
        if !self.heads.contains(&Head::Widths) {
            return Ok(());
        }
        let value = self.heads.iter().find_map(|head| match head {
            Head::Value(output) => Some(*output),
            _ => None,
        });
        let fault = if self.heads.contains(&Head::Quantiles) {
            "quantiles twice, by themselves (5) and around the value (4); expected one of them"
        } else {
            match value {
                Some(ValueOutput::Sigmoid | ValueOutput::Linear) => return Ok(()),
                Some(ValueOutput::Tanh) => {
                    "quantiles around a value (4) that is tanh; expected sigmoid or linear"
                }
                None => "quantiles around a value (4), but no value; expected 1+4",
            }
        };
        Err(ArchitectureError(fault.into()))
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
            let largest = match self.accumulator.activation {
                Activation::Screlu | Activation::Pairwise => limit * limit,
                _ => limit,
            } >> scales.activation_shift;
            if largest > MOST_ACTIVATION {
                return Err(ArchitectureError(format!(
                    "activations reach {largest} with accumulator scale {limit} and shift {}; \
                     expected at most {MOST_ACTIVATION}",
                    scales.activation_shift
                )));
            }
        }
        Ok(())
    }
}

fn within(what: &str, value: usize, least: usize, most: usize) -> Result<(), ArchitectureError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(ArchitectureError(format!("{what} is {value}; expected {least} to {most}")))
}
