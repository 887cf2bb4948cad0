//! Network settings: the architecture that a configuration describes.

use dataset::GameList;
use games::{FeatureSetShape, PolicyForm, PolicyShape};
use nnue::{
    Activation, Architecture, Arithmetic, BucketRule, Buckets, Description, Layer, MoveEncoding,
    Perspectives, PolicyHead, Scales,
};

use super::read::parse_line;
use super::{Config, ConfigError, Limit};
use crate::heads::trained;

/// The maximum weight of the first layer: the sum of 32 of them and a bias fits 16 bits at the
/// default scale of 255.
const ACCUMULATOR_LIMIT: f32 = 1.98;

impl Config {
    /// The architecture. Its features are those of one of `games`, or `raw:N`.
    pub fn architecture(&self, games: &GameList) -> Result<Architecture, ConfigError> {
        let architecture = match &self.network.architecture {
            Some(line) => parse_line(line)?,
            None => self.architecture_of_parts(games)?,
        };
        let setting = match &self.network.architecture {
            Some(_) => "network.architecture",
            None => "network.features",
        };
        check_features(setting, &architecture, games)?;
        self.loss.check_heads(&architecture)?;
        Ok(with_encoding(architecture, games))
    }

    fn architecture_of_parts(&self, games: &GameList) -> Result<Architecture, ConfigError> {
        let network = &self.network;
        let shape = shape("network.features", &network.features, games)?;
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
            heads: self.loss.heads(&network.value, |moves| policy_head(&shape, moves, games))?,
            features: shape.name,
            accumulator,
            hidden,
            buckets: Buckets { rule, count: network.buckets.count },
            scales,
        };
        Architecture::new(description)
            .map_err(|error| ConfigError::value("network", error.to_string()))
    }

    /// The weight limit of each layer, by its name.
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
        for head in architecture.heads.iter().map(|&head| trained(head)) {
            let (limit, auto) = head.clip(clip, scales);
            clips.push((head.layer().to_owned(), choose(limit, auto)));
        }
        clips
    }
}

fn shape(path: &str, features: &str, games: &GameList) -> Result<FeatureSetShape, ConfigError> {
    games.feature_set_shape(features).map_err(|error| ConfigError::value(path, error.to_string()))
}

fn perspectives(shape: &FeatureSetShape) -> Perspectives {
    match shape.perspectives {
        games::PerspectiveCount::One => Perspectives::One,
        games::PerspectiveCount::Two => Perspectives::Two,
    }
}

/// Checks that the features exist, and that their number and perspectives match the network.
fn check_features(
    path: &str,
    architecture: &Architecture,
    games: &GameList,
) -> Result<(), ConfigError> {
    let shape = shape(path, &architecture.features, games)?;
    let (inputs, own) = (architecture.inputs, architecture.perspectives);
    if (inputs, own) == (shape.size, perspectives(&shape)) {
        return Ok(());
    }
    let form = |inputs: usize, own: Perspectives| match own {
        Perspectives::One => format!("{inputs}→…"),
        Perspectives::Two => format!("({inputs}→…)×2"),
    };
    let fault = format!(
        "has the form {}; the features {} need {}",
        form(inputs, own),
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

/// A policy head for moves of the features' game.
fn policy_head(
    shape: &FeatureSetShape,
    moves: MoveEncoding,
    games: &GameList,
) -> Result<PolicyHead, ConfigError> {
    let form = PolicyForm::from_name(moves.name());
    let (Some(game), Some(form)) = (games.of_features(&shape.name), form) else {
        let fault = format!("the features {} belong to no game, so there are no moves", shape.name);
        return Err(ConfigError::value("loss.policy", fault));
    };
    let PolicyShape { from, to } = game.policy_shape(form);
    Ok(PolicyHead { from, to, moves: Some(moves) })
}

/// Names the move encoding of a policy that is given only by its numbers of outputs.
fn with_encoding(architecture: Architecture, games: &GameList) -> Architecture {
    let form = policy_form(&architecture, games);
    match form.and_then(|form| MoveEncoding::from_name(form.name())) {
        Some(moves) => architecture.with_move_encoding(moves),
        None => architecture,
    }
}

/// The move numbering of a network's policy head; `None` without one, or if it is not for moves of
/// the network's game.
pub fn policy_form(architecture: &Architecture, games: &GameList) -> Option<PolicyForm> {
    let policy = architecture.policy()?;
    let game = games.of_features(&architecture.features)?;
    game.policy_form(policy.encoding_name(), policy.from, policy.to)
}
