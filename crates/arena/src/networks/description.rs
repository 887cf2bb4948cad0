//! Network description: what a network file contains, for people and programs.

use std::collections::BTreeMap;

use nnue::{Arithmetic, Dialect, FittedParams, Network, ScoreModel};
use search::Params;
use serde::Serialize;

/// What a network file contains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetworkDescription {
    /// The file, or the name of a built-in network.
    pub file: String,
    /// The length of the file.
    pub bytes: u64,
    /// The format.
    pub kind: &'static str,
    /// The architecture in one line.
    pub architecture: String,
    /// The feature set.
    pub features: String,
    /// The number of features.
    pub inputs: usize,
    /// The number of perspectives.
    pub perspectives: usize,
    /// The width of the accumulator.
    pub accumulator: usize,
    /// The widths of the hidden layers.
    pub hidden: Vec<usize>,
    /// The number of output buckets.
    pub buckets: usize,
    /// The labels of the heads.
    pub heads: Vec<String>,
    /// Integers or floats.
    pub arithmetic: &'static str,
    /// The number of weights and biases.
    pub parameters: usize,
    /// The quantisation scales of an integer network of accrue.
    pub scales: Option<ScaleDescription>,
    /// How the network was made.
    pub provenance: String,
    /// The difference between the network and its float original, if it is recorded.
    pub quantisation_error: Option<QuantisationDescription>,
    /// The calibration of a network with quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<CalibrationDescription>,
    /// The score model, if it was fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_model: Option<ScoreModelDescription>,
    /// The search parameters that were fitted for the network, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_params: Option<BTreeMap<String, i32>>,
    /// The instructions that compute it here.
    pub kernel: &'static str,
}

/// Quantisation scales: the integers that stand for 1.0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScaleDescription {
    /// In the accumulator.
    pub accumulator: i16,
    /// The right shift of the accumulator's activations.
    pub activation_shift: u32,
    /// In each hidden layer, as a power of 2.
    pub hidden_shifts: Vec<u32>,
    /// In the heads.
    pub head: i16,
    /// In the policy head, as a power of 2.
    pub policy_shift: u32,
    /// Centipawns for an output of 1.0.
    pub centipawns: f32,
}

impl ScaleDescription {
    /// Names and values.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("accumulator", self.accumulator.to_string()),
            ("activation shift", self.activation_shift.to_string()),
            ("hidden shifts", format!("{:?}", self.hidden_shifts)),
            ("heads", self.head.to_string()),
            ("policy shift", self.policy_shift.to_string()),
            ("centipawns", self.centipawns.to_string()),
        ]
    }
}

/// The difference between a network and its float original.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct QuantisationDescription {
    /// Positions that it was measured on.
    pub positions: u64,
    /// The mean.
    pub mean_centipawns: f32,
    /// The maximum.
    pub most_centipawns: f32,
}

impl QuantisationDescription {
    /// The difference in one line.
    pub fn text(&self) -> String {
        let Self { positions, mean_centipawns, most_centipawns } = self;
        format!(
            "off by {mean_centipawns:.2} centipawns on average, {most_centipawns:.2} at most, on \
             {positions} positions"
        )
    }
}

/// Whether quantiles are calibrated, and what was measured for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum CalibrationDescription {
    /// They are as trained.
    None,
    /// They are calibrated.
    Measured {
        /// Scores that it was measured on.
        scores: u64,
        /// The limits between ranges of depths.
        depths: Vec<u16>,
        /// The limits between ranges of numbers of pieces.
        pieces: Vec<u16>,
        /// The limits between ranges of values.
        values: Vec<u16>,
    },
}

impl CalibrationDescription {
    fn of(network: &Network) -> Option<Self> {
        let measured = network.calibration().map(|calibration| Self::Measured {
            scores: calibration.positions(),
            depths: calibration.ranges().depths.clone(),
            pieces: calibration.ranges().pieces.clone(),
            values: calibration.ranges().values.clone(),
        });
        network.architecture().has_quantiles().then(|| measured.unwrap_or(Self::None))
    }

    /// The calibration in one line.
    pub fn text(&self) -> String {
        match self {
            Self::None => "none: `accrue calibrate` measures it".to_owned(),
            Self::Measured { scores, depths, pieces, values } => format!(
                "by {scores} scores, in {} ranges of depth, {} of pieces and {} of values",
                depths.len() + 1,
                pieces.len() + 1,
                values.len() + 1
            ),
        }
    }
}

/// A score model that was fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreModelDescription {
    /// Games that it was fitted on.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// The lowest and the highest number of pieces.
    pub pieces: [u16; 2],
    /// The coefficients of the midpoint.
    pub midpoint: Vec<f64>,
    /// The coefficients of the scale.
    pub scale: Vec<f64>,
}

impl ScoreModelDescription {
    fn of(model: &ScoreModel) -> Self {
        let [midpoint, scale] = model.coefficients().map(<[f64]>::to_vec);
        Self {
            games: model.games(),
            positions: model.positions(),
            pieces: [*model.pieces().start(), *model.pieces().end()],
            midpoint,
            scale,
        }
    }

    /// The model in one line.
    pub fn text(&self) -> String {
        match self.games {
            // Not fitted: the scores are normalised by declaration.
            0 => format!("half of the games are won at {}", self.midpoint[0]),
            games => format!("by {} positions of {games} games", self.positions),
        }
    }
}

impl NetworkDescription {
    /// Describes a network that was read from a file of that name and length.
    pub fn new(file: impl Into<String>, bytes: u64, network: &Network) -> Self {
        let architecture = network.architecture();
        let own = network.dialect() == Dialect::Accrue;
        let scales = &architecture.scales;
        let integer = own && !network.is_float();
        Self {
            file: file.into(),
            bytes,
            kind: match network.dialect() {
                Dialect::Accrue => "accrue",
                Dialect::Noru => "noru",
                Dialect::Stockfish => "Stockfish 15 (HalfKAv2_hm)",
            },
            architecture: architecture.to_string(),
            features: architecture.features.clone(),
            inputs: architecture.inputs,
            perspectives: architecture.perspectives.count(),
            accumulator: architecture.accumulator.width,
            hidden: architecture.hidden.iter().map(|layer| layer.width).collect(),
            buckets: architecture.buckets.count,
            heads: architecture.heads.iter().map(nnue::Head::label).collect(),
            arithmetic: match (own, architecture.arithmetic()) {
                (false, _) => "integers, by the rules of the program that made it",
                (true, Arithmetic::Integer) if !network.is_float() => "integers",
                (true, _) => "floats",
            },
            parameters: architecture.parameters(),
            scales: integer.then(|| ScaleDescription {
                accumulator: scales.accumulator,
                activation_shift: scales.activation_shift,
                hidden_shifts: scales.hidden_shifts.clone(),
                head: scales.head,
                policy_shift: scales.policy_shift,
                centipawns: scales.centipawns,
            }),
            provenance: network.provenance().to_owned(),
            quantisation_error: network.quantisation_error().map(|error| QuantisationDescription {
                positions: error.positions,
                mean_centipawns: error.mean,
                most_centipawns: error.max,
            }),
            calibration: CalibrationDescription::of(network),
            score_model: network.score_model().map(ScoreModelDescription::of),
            search_params: network.fitted_params().map(search_params),
            kernel: network.kernel().name(),
        }
    }

    /// Names and values of what every network has, and the number of its fitted search parameters
    /// if it has any.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("file", format!("{} ({} bytes)", self.file, self.bytes)),
            ("kind", self.kind.to_owned()),
            ("architecture", self.architecture.clone()),
            ("features", format!("{} ({})", self.features, self.inputs)),
            ("heads", self.heads.join("; ")),
            ("parameters", self.parameters.to_string()),
            ("arithmetic", self.arithmetic.to_owned()),
        ];
        facts.extend(self.search_params.as_ref().map(|params| {
            let plural = if params.len() == 1 { "" } else { "s" };
            let known = |name: &&String| Params::LIST.iter().any(|param| param.name == **name);
            let unknown: Vec<_> = params.keys().filter(|name| !known(name)).cloned().collect();
            let ignored = match unknown.as_slice() {
                [] => String::new(),
                unknown => format!("; this version does not know {}", unknown.join(", ")),
            };
            ("search", format!("{} fitted parameter{plural}{ignored}", params.len()))
        }));
        facts
    }
}

fn search_params(params: &FittedParams) -> BTreeMap<String, i32> {
    params.iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
