//! Fit of the search: samples of a network's own searches, and the numbers of the search that follow
//! from them (`accrue datagen --sample`, `accrue fit`).

use std::path::PathBuf;

use arena::datagen::{DatagenOptions, Sampling, for_each_sample, sample};
use arena::fit::{RuleFit, SampleTable, fit};
use arena::networks::NetworkSource;
use games::ToolkitGame;
use nnue::FittedParams;
use search::{Engine, Params, SampleKind, SearchMode, SearchSample};
use serde::Serialize;

use super::GenerateData;
use crate::{Context, PipelineError, files};

/// Samples the searches of self-play games.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleSearches {
    /// What is sampled.
    pub kind: SampleKind,
    /// One in so many is taken.
    pub every: u64,
    /// The games; `positions` of its options is the number of samples.
    pub games: GenerateData,
}

impl SampleSearches {
    /// One in so many is taken where nothing else is said.
    pub fn default_every(kind: SampleKind) -> u64 {
        match kind {
            SampleKind::CutNodes => 8,
            SampleKind::LateMoves => 256,
            SampleKind::RfpNodes => 64,
        }
    }

    /// Plays until there are enough samples. `None` if the program is to stop before.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<SampleTable>, PipelineError> {
        let Self { kind, every, games } = self;
        let run = Sampling {
            options: &games.options,
            openings: &games.book::<G>()?,
            kind: *kind,
            every: *every,
            engines: games.engines::<G>(context)?,
        };
        Ok(sample(run, context.stop, progress)?)
    }

    /// The same with a call for each sample. False if the program is to stop before.
    pub(super) fn visit<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        progress: &mut dyn FnMut(u64),
        visit: &mut dyn FnMut(&SearchSample<G>),
    ) -> Result<bool, PipelineError> {
        let Self { kind, every, games } = self;
        let run = Sampling {
            options: &games.options,
            openings: &games.book::<G>()?,
            kind: *kind,
            every: *every,
            engines: games.engines::<G>(context)?,
        };
        Ok(for_each_sample(run, context.stop, progress, visit)?)
    }

    /// Writes samples with what they depend on.
    pub fn write<G: ToolkitGame>(
        &self,
        table: &SampleTable,
        context: &Context<'_>,
    ) -> Result<(), PipelineError> {
        let mode = self
            .games
            .engines::<G>(context)?
            .first_mut()
            .map_or(SearchMode::Classical, Engine::resolved_mode);
        let origin = self.games.origin::<G>(mode, context)?;
        let facts = origin.into_iter().chain(self.games.options.identity());
        let facts: Vec<_> = facts.map(|(name, value)| format!("{name} {value}")).collect();
        let facts = format!("{}; every {}", facts.join("; "), self.every);
        files::replace(&self.games.out, table.to_csv(&facts).as_bytes())
    }
}

/// Fits the numbers of the search to a network, by samples of its own searches.
#[derive(Clone, Debug, PartialEq)]
pub struct FitSearch {
    /// The name of the game.
    pub game: String,
    /// The network file.
    pub net: PathBuf,
    /// The file for the network with the numbers; nothing is written without it.
    pub out: Option<PathBuf>,
    /// Files of samples; without any, searches are sampled.
    pub samples: Vec<PathBuf>,
    /// How many samples of each kind are taken.
    pub count: u64,
    /// The soft node limit of the searches that are sampled.
    pub soft_nodes: u64,
    /// The seed of the games.
    pub seed: u64,
    /// The number of threads; `None` for all processors.
    pub threads: Option<usize>,
}

/// What a fit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitEvent {
    /// Searches are sampled: so many samples of a kind were taken of so many.
    Sampling(SampleKind, u64, u64),
    /// The samples are fitted.
    Fitting,
}

/// The result of a fit.
#[derive(Clone, Debug, Serialize)]
pub struct FitReport {
    /// The rules.
    pub rules: Vec<RuleFit>,
    /// The file of the network with the numbers.
    pub written: Option<String>,
}

impl FitReport {
    /// How many numbers were fitted.
    pub fn numbers(&self) -> usize {
        self.rules.iter().map(|rule| rule.params.len()).sum()
    }
}

impl FitSearch {
    /// The default number of samples of each kind.
    pub const COUNT: u64 = 20_000;
    /// The default soft node limit.
    pub const SOFT_NODES: u64 = 5000;

    /// Samples searches, unless files of samples are given, fits the rules, and writes the network.
    /// `None` if the program is to stop before.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        observe: &mut dyn FnMut(FitEvent),
    ) -> Result<Option<FitReport>, PipelineError> {
        let source = NetworkSource::new(&self.net);
        let file = context.networks.read_file(&source)?;
        let params = match file.fitted_params() {
            Some(fitted) => Params::default().with_fitted(fitted),
            None => Params::default(),
        };
        let mut tables = Vec::new();
        for path in &self.samples {
            let table = SampleTable::read(path);
            tables.push(table.map_err(|error| PipelineError::Refused(error.to_string()))?);
        }
        if self.samples.is_empty() {
            for &kind in SampleKind::ALL {
                let stage = self.sampling(kind, &source);
                let table = stage.run::<G>(context, &mut |done| {
                    observe(FitEvent::Sampling(kind, done, self.count));
                })?;
                let Some(table) = table else { return Ok(None) };
                tables.push(table);
            }
        }
        observe(FitEvent::Fitting);
        let rules: Vec<RuleFit> = tables.iter().flat_map(|table| fit(table, &params)).collect();
        let mut report = FitReport { rules, written: None };
        if let Some(out) = &self.out {
            let old = file.fitted_params().into_iter().flat_map(FittedParams::iter);
            let mut numbers: std::collections::BTreeMap<String, i32> =
                old.map(|(name, value)| (name.to_owned(), value)).collect();
            let fitted = report.rules.iter().flat_map(|rule| &rule.params);
            numbers.extend(fitted.map(|&(name, value)| (name.to_owned(), value)));
            let fitted = if numbers.is_empty() {
                None
            } else {
                let fitted = FittedParams::new(numbers);
                Some(fitted.map_err(|error| PipelineError::Refused(error.to_string()))?)
            };
            files::replace(out, &file.with_fitted_params(fitted).write())?;
            report.written = Some(out.display().to_string());
        }
        Ok(Some(report))
    }

    /// The sampling of one kind.
    fn sampling(&self, kind: SampleKind, net: &NetworkSource) -> SampleSearches {
        let games = GenerateData {
            net: Some(net.clone()),
            mode: SearchMode::Auto,
            threads: self.threads,
            options: DatagenOptions {
                positions: self.count,
                seed: self.seed,
                limits: DatagenOptions::soft(self.soft_nodes),
                ..DatagenOptions::default()
            },
            ..GenerateData::new(self.game.clone(), "")
        };
        SampleSearches { kind, every: SampleSearches::default_every(kind), games }
    }
}
