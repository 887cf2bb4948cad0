//! Export: quantises a trained network, measures the error and writes a file for engines.

mod positions;
mod source;

use std::path::PathBuf;
use std::slice;
use std::sync::Arc;

use arena::calibration::ScoreFitError;
use arena::networks::LoadedNetwork;
use nnue::{Architecture, Arithmetic, Network};
use serde::Serialize;
use trainer::export::{
    ErrorBound, ErrorReport, Export as Quantised, ExportOptions, LayerReport, measure, quantise,
};

use super::score_model::{FitScores, FittedScores, ScoreFitter, ScoreReport};
use crate::{CommandLine, Context, PipelineError, files};
use positions::Sample;
use source::Source;

/// Exports a trained network.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportNetwork {
    /// A checkpoint, a folder of them (the best is taken, or else the newest), or a network file of
    /// floats.
    pub checkpoint: PathBuf,
    /// The file to write.
    pub out: PathBuf,
    /// A data file whose positions measure the error and whose games fit the score model; without
    /// it the error is measured on random play and there is no score model.
    pub data: Option<PathBuf>,
    /// The number of positions that the error is measured on.
    pub positions: usize,
    /// The seed that selects the positions.
    pub seed: u64,
    /// The largest error that is accepted.
    pub bound: ErrorBound,
    /// The scale of each layer.
    pub options: ExportOptions,
}

/// The result of an export.
#[derive(Clone, Debug, Serialize)]
pub struct ExportReport {
    /// The file that is written.
    pub file: String,
    /// Its length.
    pub bytes: usize,
    /// The network, as text.
    #[serde(serialize_with = "as_text")]
    pub architecture: Architecture,
    /// `integers` or `floats`.
    pub arithmetic: &'static str,
    /// The layers; none for floats.
    pub layers: Vec<LayerReport>,
    /// Which positions the error is measured on; `None` for floats.
    pub positions_from: Option<String>,
    /// The error against the floats.
    pub error: Option<ErrorReport>,
    /// The score model, where there are games to fit it on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_model: Option<ScoreReport>,
    /// Why there is no score model in spite of data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_score_model: Option<String>,
}

fn as_text<S: serde::Serializer>(
    architecture: &Architecture,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(architecture)
}

impl ExportNetwork {
    /// The number of positions that the error is measured on by default.
    pub const POSITIONS: usize = 10_000;
    /// The seed that selects the positions by default.
    pub const SEED: u64 = 1;

    /// An export with the defaults of the command line.
    pub fn new(checkpoint: impl Into<PathBuf>, out: impl Into<PathBuf>) -> Self {
        Self {
            checkpoint: checkpoint.into(),
            out: out.into(),
            data: None,
            positions: Self::POSITIONS,
            seed: Self::SEED,
            bound: ErrorBound::default(),
            options: ExportOptions::default(),
        }
    }

    /// The equivalent command line.
    pub fn command(&self) -> CommandLine {
        let bound = |bound: ErrorBound| format!("{},{}", bound.mean, bound.max);
        let ExportOptions { float, accumulator, hidden_shift, policy_shift, head } = self.options;
        CommandLine::new("export")
            .file(&self.checkpoint)
            .option("out", self.out.display())
            .maybe("data", self.data.as_ref().map(|path| path.display()))
            .unless_default("positions", self.positions, Self::POSITIONS)
            .unless_default("seed", self.seed, Self::SEED)
            .unless_default("bound", bound(self.bound), bound(ErrorBound::default()))
            .flag("float", float)
            .maybe("accumulator-scale", accumulator)
            .maybe("hidden-shift", hidden_shift)
            .maybe("policy-shift", policy_shift)
            .maybe("head-scale", head)
    }

    /// Quantises the network, measures the error and writes the file. Nothing is written if the
    /// error exceeds the bound.
    pub fn run(
        &self,
        context: &Context<'_>,
        fit_scores: ScoreFitter<'_>,
    ) -> Result<ExportReport, PipelineError> {
        let source = Source::read(&self.checkpoint, context)?;
        let export =
            quantise(&source.architecture, &source.parameters, &self.options, context.games)
                .map_err(|error| PipelineError::from(error).cannot("export", &self.checkpoint))?;
        let (sample, error) = match export.parameters.arithmetic() {
            Arithmetic::Float => (None, None),
            Arithmetic::Integer => {
                let sample = self.sample(&source.architecture, context.games)?;
                let error = compare(&source, &export, &sample)?;
                (Some(sample), Some(error))
            }
        };
        if let Some(error) = error {
            error.check(self.bound)?;
        }
        let scores = self.fit_scores(&export, context, fit_scores)?;
        self.write(source, export, sample, error, scores)
    }

    /// The score model, where there is data of a known game; else why there is none.
    fn fit_scores(
        &self,
        export: &Quantised,
        context: &Context<'_>,
        fit_scores: ScoreFitter<'_>,
    ) -> Result<Option<Result<FittedScores, ScoreFitError>>, PipelineError> {
        let game = context.games.of_features(&export.architecture.features);
        let (Some(data), Some(_)) = (&self.data, game) else { return Ok(None) };
        let network = export.clone().into_file(String::new(), None)?.to_network()?;
        let loaded = LoadedNetwork::new(self.out.display().to_string(), Arc::new(network));
        let (data, positions) = (slice::from_ref(data), self.positions);
        fit_scores(&FitScores { loaded: &loaded, data, positions }).map(Some)
    }

    fn write(
        &self,
        source: Source,
        export: Quantised,
        sample: Option<Sample>,
        error: Option<ErrorReport>,
        scores: Option<Result<FittedScores, ScoreFitError>>,
    ) -> Result<ExportReport, PipelineError> {
        let layers = export.layers.clone();
        let file = export.into_file(source.provenance, error.as_ref())?;
        let (model, score_model, no_score_model) = match scores {
            Some(Ok(FittedScores { fit, report })) => (Some(fit.model), Some(report), None),
            Some(Err(reason)) => (None, None, Some(reason.to_string())),
            None => (None, None, None),
        };
        let file = file.with_score_model(model);
        let bytes = file.write();
        files::replace(&self.out, &bytes)?;
        Ok(ExportReport {
            file: self.out.display().to_string(),
            bytes: bytes.len(),
            architecture: file.architecture().clone(),
            arithmetic: match file.parameters().arithmetic() {
                Arithmetic::Integer => "integers",
                Arithmetic::Float => "floats",
            },
            layers,
            positions_from: sample.map(|sample| sample.from),
            error,
            score_model,
            no_score_model,
        })
    }
}

/// The error of the quantised network on positions.
fn compare(
    source: &Source,
    export: &Quantised,
    sample: &Sample,
) -> Result<ErrorReport, PipelineError> {
    if sample.batch.is_empty() {
        let fault = "there is no position to measure the error on";
        return Err(PipelineError::field("positions", fault));
    }
    let float = Network::from_floats(source.architecture.clone(), &source.parameters)?;
    let integer = export.clone().into_file(String::new(), None)?.to_network()?;
    Ok(measure(&float, &integer, slice::from_ref(&sample.batch)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_leaves_out_defaults() {
        let mut export = ExportNetwork::new("runs/first", "net.accrue");
        assert_eq!(export.command().to_string(), "accrue export runs/first --out net.accrue");
        export.data = Some("held.data".into());
        export.bound.mean = 2.5;
        export.options.hidden_shift = Some(6);
        assert_eq!(
            export.command().to_string(),
            "accrue export runs/first --out net.accrue --data held.data --bound 2.5,50 \
             --hidden-shift 6"
        );
    }
}
