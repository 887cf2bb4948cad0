//! The network that a configuration describes.

use games::registry::{FeatureSetShape, GameVisitor, feature_set_shape, with_game};
use games::{Game, PolicyForm, PolicyShape};
use nnue::{
    Activation, Architecture, Arithmetic, BucketRule, Buckets, Description, Head, Layer,
    Perspectives, Scales, ValueOutput,
};

use super::read::parse_line;
use super::{Config, ConfigError, Limit};
use crate::QuantileForm;

/// The largest weight of the first layer: 32 of them, at the usual 255 for 1.0, are just within 16 bits with
/// what the bias needs.
const ACCUMULATOR_LIMIT: f32 = 1.98;

impl Config {
    /// The network.
    pub fn architecture(&self) -> Result<Architecture, ConfigError> {
        let architecture = match &self.network.architecture {
            Some(line) => parse_line(line)?,
            None => self.architecture_of_parts()?,
        };
        let setting = match &self.network.architecture {
            Some(_) => "network.architecture",
            None => "network.features",
        };
        check_features(setting, &architecture)?;
        self.check_heads(&architecture)?;
        Ok(architecture)
    }

    fn architecture_of_parts(&self) -> Result<Architecture, ConfigError> {
        let network = &self.network;
        let shape = shape("network.features", &network.features)?;
        let accumulator = Layer {
            width: network.accumulator,
            activation: activation("network.activation", &network.activation)?,
        };
        let mut hidden = Vec::new();
        for (place, layer) in network.hidden.iter().enumerate() {
            let (path, name) = match &layer.activation {
                Some(name) => (format!("network.hidden[{place}].activation"), name),
                None => ("network.hidden_activation".to_owned(), &network.hidden_activation),
            };
            hidden.push(Layer { width: layer.width, activation: activation(&path, name)? });
        }
        let rule = BucketRule::from_name(&network.buckets.rule).ok_or_else(|| {
            let fault = format!("`{}`; expected none, pieces or fours", network.buckets.rule);
            ConfigError::value("network.buckets.rule", fault)
        })?;
        let scales = Scales {
            centipawns: network.centipawns,
            ..Scales::usual(accumulator.activation, hidden.len())
        };
        let description = Description {
            inputs: shape.size,
            perspectives: perspectives(&shape),
            heads: self.heads(&shape)?,
            features: shape.name,
            accumulator,
            hidden,
            buckets: Buckets { rule, count: network.buckets.count },
            scales,
        };
        Architecture::new(description)
            .map_err(|error| ConfigError::value("network", error.to_string()))
    }

    /// A head for each loss.
    fn heads(&self, shape: &FeatureSetShape) -> Result<Vec<Head>, ConfigError> {
        let mut heads = Vec::new();
        if self.loss.value.is_some() {
            let output = ValueOutput::from_name(&self.network.value).ok_or_else(|| {
                let fault = format!("`{}`; expected sigmoid, linear or tanh", self.network.value);
                ConfigError::value("network.value", fault)
            })?;
            heads.push(Head::Value(output));
        }
        if self.loss.wdl.is_some() {
            heads.push(Head::Wdl);
        }
        if let Some(quantiles) = self.loss.quantiles {
            heads.push(quantile_head(quantiles.form));
        }
        if let Some(policy) = self.loss.policy {
            let PolicyShape { from, to } = policy_shape(shape, policy.moves.into())?;
            heads.push(Head::Policy { from, to });
        }
        Ok(heads)
    }

    /// A loss for a head that the network does not have would be forgotten in silence.
    fn check_heads(&self, architecture: &Architecture) -> Result<(), ConfigError> {
        let has = |wanted: fn(&Head) -> bool| architecture.heads.iter().any(wanted);
        for (path, lost, shown) in [
            ("loss.value", self.loss.value.is_some() && !has(|h| matches!(h, Head::Value(_))), "1"),
            ("loss.wdl", self.loss.wdl.is_some() && !has(|h| matches!(h, Head::Wdl)), "3"),
            (
                "loss.quantiles",
                self.loss.quantiles.is_some_and(|quantiles| {
                    !architecture.heads.contains(&quantile_head(quantiles.form))
                }),
                match self.loss.quantiles.map(|quantiles| quantiles.form) {
                    Some(QuantileForm::Anchored) => "4",
                    _ => "5",
                },
            ),
            (
                "loss.policy",
                self.loss.policy.is_some() && !has(|h| matches!(h, Head::Policy { .. })),
                "64/64",
            ),
        ] {
            if lost {
                let fault = format!(
                    "the network has no such head; add `{shown}` to the end of network.architecture \
                     ({architecture}), joined by `+`"
                );
                return Err(ConfigError::value(path, fault));
            }
        }
        Ok(())
    }

    /// The limits of each layer's weights, by its name.
    pub fn clips(&self, architecture: &Architecture) -> Vec<(String, Option<f32>)> {
        let scales = &architecture.scales;
        let integer = architecture.arithmetic() == Arithmetic::Integer;
        let bytes = |shift: u32| 127.0 / (1u64 << shift) as f32;
        let choose = |limit: Limit, auto: f32| match limit {
            Limit::Auto => integer.then_some(auto),
            Limit::Off => None,
            Limit::At(limit) => Some(limit),
        };
        let clip = &self.clip;
        let mut clips =
            vec![("accumulator".to_owned(), choose(clip.accumulator, ACCUMULATOR_LIMIT))];
        for (place, &shift) in scales.hidden_shifts.iter().enumerate() {
            clips.push((format!("hidden.{place}"), choose(clip.hidden, bytes(shift))));
        }
        let heads = f32::from(i16::MAX) / f32::from(scales.head);
        for head in &architecture.heads {
            clips.push(match head {
                Head::Value(_) => ("value".to_owned(), choose(clip.heads, heads)),
                Head::Wdl => ("wdl".to_owned(), choose(clip.heads, heads)),
                Head::Quantiles => ("quantiles".to_owned(), choose(clip.heads, heads)),
                Head::Widths => ("widths".to_owned(), choose(clip.heads, heads)),
                Head::Policy { .. } => {
                    ("policy".to_owned(), choose(clip.policy, bytes(scales.policy_shift)))
                }
            });
        }
        clips
    }
}

fn quantile_head(form: QuantileForm) -> Head {
    match form {
        QuantileForm::Chain => Head::Quantiles,
        QuantileForm::Anchored => Head::Widths,
    }
}

fn shape(path: &str, features: &str) -> Result<FeatureSetShape, ConfigError> {
    feature_set_shape(features).map_err(|error| ConfigError::value(path, error.to_string()))
}

fn perspectives(shape: &FeatureSetShape) -> Perspectives {
    match shape.perspectives {
        games::Perspectives::One => Perspectives::One,
        games::Perspectives::Two => Perspectives::Two,
    }
}

/// The features must exist, and be as many and seen from as many sides as the network says.
fn check_features(path: &str, architecture: &Architecture) -> Result<(), ConfigError> {
    let shape = shape(path, &architecture.features)?;
    let (inputs, views) = (architecture.inputs, architecture.perspectives);
    if (inputs, views) == (shape.size, perspectives(&shape)) {
        return Ok(());
    }
    let form = |inputs: usize, views: Perspectives| match views {
        Perspectives::One => format!("{inputs}→…"),
        Perspectives::Two => format!("({inputs}→…)×2"),
    };
    let fault = format!(
        "has the form {}; the features {} need {}",
        form(inputs, views),
        shape.name,
        form(shape.size, perspectives(&shape))
    );
    Err(ConfigError::value(path, fault))
}

fn activation(path: &str, name: &str) -> Result<Activation, ConfigError> {
    Activation::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Activation::ALL.iter().map(|known| known.name()).collect();
        ConfigError::value(path, format!("`{name}`; expected one of {}", known.join(", ")))
    })
}

fn policy_shape(shape: &FeatureSetShape, form: PolicyForm) -> Result<PolicyShape, ConfigError> {
    struct Policy(PolicyForm);
    impl GameVisitor for Policy {
        type Output = PolicyShape;
        fn visit<G: Game>(self) -> PolicyShape {
            self.0.shape::<G>()
        }
    }
    let known = shape.game.and_then(|game| with_game(game, Policy(form)).ok());
    known.ok_or_else(|| {
        let fault = format!("the features {} belong to no game, so there are no moves", shape.name);
        ConfigError::value("loss.policy", fault)
    })
}

/// How the policy head of a network numbers moves; `None` without one, or if it is not for moves of the network's game.
pub fn policy_form(architecture: &Architecture) -> Option<PolicyForm> {
    struct Form(usize, usize);
    impl GameVisitor for Form {
        type Output = Option<PolicyForm>;
        fn visit<G: Game>(self) -> Option<PolicyForm> {
            PolicyForm::of::<G>(self.0, self.1)
        }
    }
    let (from, to) = architecture.policy()?;
    let game = architecture.features.split('.').next()?;
    with_game(game, Form(from, to)).ok()?
}
