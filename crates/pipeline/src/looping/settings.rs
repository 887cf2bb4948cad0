//! Loop settings: the values of a loop's configuration that are passed on to stages.

use std::path::PathBuf;
use std::str::FromStr;

use arena::SearchLimits;
use arena::datagen::DatagenOptions;
use dataset::Filter;
use search::{SearchMode, UnknownName};
use serde::{Deserialize, Serialize};
use trainer::export::{ErrorBound, ExportOptions};

use crate::PipelineError;
use crate::stages::{CalibrateNetwork, ExportNetwork, GenerateData};

/// A limit in centipawns: a number, or `"none"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "LimitText", into = "LimitText")]
pub struct ScoreLimit(pub Option<i32>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum LimitText {
    Number(i32),
    Text(String),
}

impl TryFrom<LimitText> for ScoreLimit {
    type Error = String;

    fn try_from(text: LimitText) -> Result<Self, String> {
        match text {
            LimitText::Number(number) => number.to_string().parse(),
            LimitText::Text(text) => text.parse(),
        }
    }
}

impl FromStr for ScoreLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        let number = text.parse().ok().filter(|&number: &i32| number >= 0);
        number
            .map(|number| Self(Some(number)))
            .ok_or_else(|| "expected centipawns or `none`".into())
    }
}

impl From<ScoreLimit> for LimitText {
    fn from(ScoreLimit(limit): ScoreLimit) -> Self {
        limit.map_or_else(|| Self::Text("none".to_owned()), Self::Number)
    }
}

/// Positions that are written although they are filtered out by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeptPositions {
    /// In check.
    Check,
    /// The best move is a capture or promotion.
    Captures,
    /// The score is a mate score.
    Mates,
    /// All of these.
    All,
}

impl KeptPositions {
    /// The filter that keeps these positions.
    pub fn filter(kept: &[Self]) -> Filter {
        let keeps = |what| kept.iter().any(|&kept| kept == what || kept == Self::All);
        Filter {
            in_check: !keeps(Self::Check),
            captures: !keeps(Self::Captures),
            mates: !keeps(Self::Mates),
            ..Filter::default()
        }
    }
}

/// A search mode, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModeName(pub SearchMode);

impl TryFrom<String> for ModeName {
    type Error = UnknownName;

    fn try_from(text: String) -> Result<Self, UnknownName> {
        text.parse().map(Self)
    }
}

impl From<ModeName> for String {
    fn from(ModeName(mode): ModeName) -> Self {
        mode.to_string()
    }
}

/// Other options of `accrue datagen`, by their names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct GenerateOptions {
    mode: Option<ModeName>,
    nodes: Option<u64>,
    depth: Option<usize>,
    openings: Option<PathBuf>,
    win_score: Option<ScoreLimit>,
    win_moves: Option<usize>,
    draw_score: Option<ScoreLimit>,
    draw_moves: Option<usize>,
    draw_after: Option<usize>,
    max_plies: Option<usize>,
    per_game: Option<usize>,
    tree_share: Option<f64>,
    depths: Vec<u8>,
}

impl GenerateOptions {
    /// The stage with these options.
    pub(super) fn apply(&self, mut stage: GenerateData) -> GenerateData {
        let DatagenOptions { limits, adjudication, per_game, tree_share, depths, .. } =
            &mut stage.options;
        *limits = SearchLimits {
            nodes: self.nodes.or(limits.nodes),
            depth: self.depth.or(limits.depth),
            ..*limits
        };
        adjudication.win = adjudication.win.and_then(|mut rule| {
            rule.score = self.win_score.map_or(Some(rule.score), |limit| limit.0)?;
            rule.moves = self.win_moves.unwrap_or(rule.moves);
            Some(rule)
        });
        adjudication.draw = adjudication.draw.and_then(|mut rule| {
            rule.score = self.draw_score.map_or(Some(rule.score), |limit| limit.0)?;
            rule.moves = self.draw_moves.unwrap_or(rule.moves);
            rule.after = self.draw_after.unwrap_or(rule.after);
            Some(rule)
        });
        adjudication.max_plies = self.max_plies.or(adjudication.max_plies);
        *per_game = self.per_game.unwrap_or(*per_game);
        *tree_share = self.tree_share.unwrap_or(*tree_share);
        depths.clone_from(&self.depths);
        stage.openings.clone_from(&self.openings);
        stage.mode = self.mode.map_or(stage.mode, |ModeName(mode)| mode);
        stage
    }
}

/// The error bound of an export in centipawns, as text: `"MEAN,MAX"`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ExportBound(pub ErrorBound);

impl TryFrom<String> for ExportBound {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let numbers: Vec<f32> =
            text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        match numbers[..] {
            [mean, max] if mean >= 0.0 && max >= 0.0 => Ok(Self(ErrorBound { mean, max })),
            _ => Err(format!("`{text}` is not two numbers of centipawns, as in \"5,50\"")),
        }
    }
}

impl From<ExportBound> for String {
    fn from(ExportBound(ErrorBound { mean, max }): ExportBound) -> Self {
        format!("{mean},{max}")
    }
}

/// Other options of `accrue export`, by their names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ExportSettings {
    positions: Option<usize>,
    seed: Option<u64>,
    float: bool,
    accumulator_scale: Option<i16>,
    hidden_shift: Option<u32>,
    policy_shift: Option<u32>,
    head_scale: Option<i16>,
}

impl ExportSettings {
    /// Refuses values that no export takes.
    pub(super) fn check(&self) -> Result<(), PipelineError> {
        let within = |name: &str, value: Option<i64>, min: i64, max: i64| match value {
            Some(value) if !(min..=max).contains(&value) => {
                let field = format!("training.export_options.{name}");
                Err(PipelineError::field(field, format!("is {value}; expected {min} to {max}")))
            }
            _ => Ok(()),
        };
        within("positions", self.positions.map(|n| n as i64), 1, 1_000_000)?;
        within("accumulator-scale", self.accumulator_scale.map(i64::from), 1, 511)?;
        within("hidden-shift", self.hidden_shift.map(i64::from), 0, 16)?;
        within("policy-shift", self.policy_shift.map(i64::from), 0, 16)?;
        within("head-scale", self.head_scale.map(i64::from), 1, 16_384)
    }

    /// The stage with these options.
    pub(super) fn apply(&self, stage: ExportNetwork) -> ExportNetwork {
        ExportNetwork {
            positions: self.positions.unwrap_or(stage.positions),
            seed: self.seed.unwrap_or(stage.seed),
            options: ExportOptions {
                float: self.float,
                accumulator: self.accumulator_scale,
                hidden_shift: self.hidden_shift,
                policy_shift: self.policy_shift,
                head: self.head_scale,
            },
            ..stage
        }
    }
}

/// Other options of `accrue calibrate`, by their names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct CalibrateSettings {
    clip: Option<u16>,
    positions: Option<u64>,
    order_positions: Option<usize>,
    order_depth: Option<u8>,
    search_positions: Option<usize>,
    search_depth: Option<u8>,
    score_positions: Option<usize>,
}

impl CalibrateSettings {
    /// The stage with these options.
    pub(super) fn apply(&self, mut stage: CalibrateNetwork) -> CalibrateNetwork {
        let options = &mut stage.options;
        options.clip = self.clip.unwrap_or(options.clip);
        options.max_records = self.positions.unwrap_or(options.max_records);
        options.order_positions = self.order_positions.unwrap_or(options.order_positions);
        options.order_depth = self.order_depth.unwrap_or(options.order_depth);
        options.search_positions = self.search_positions.unwrap_or(options.search_positions);
        options.search_depth = self.search_depth.unwrap_or(options.search_depth);
        stage.score_positions = self.score_positions.unwrap_or(stage.score_positions);
        stage
    }
}
