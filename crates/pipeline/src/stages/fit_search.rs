//! Fit stage: numbers of the search that follow from samples of a network's own searches
//! (`accrue fit`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use arena::datagen::DatagenOptions;
use arena::fit::{RuleFit, SampleTable, fit};
use arena::networks::NetworkSource;
use games::ToolkitGame;
use nnue::{FittedParams, NetworkFile};
use search::{Params, SampleKind, SearchMode};
use serde::Serialize;

use super::{GenerateData, SampleSearches};
use crate::{CommandLine, Context, PipelineError, files};

/// Fits the numbers of the search to a network, by samples of its own searches.
#[derive(Clone, Debug, PartialEq)]
pub struct FitSearch {
    /// The name of the game.
    pub game: String,
    /// The network file.
    pub net: PathBuf,
    /// The file for the network with the numbers; nothing is written without it.
    pub out: Option<PathBuf>,
    /// The file for what was fitted, as JSON. It is written before the network.
    pub report: Option<PathBuf>,
    /// Files of samples; without any, searches are sampled.
    pub samples: Vec<PathBuf>,
    /// How many samples of each kind are taken.
    pub count: u64,
    /// The maximum number of games for each kind. Without one it follows from `count`.
    pub max_games: Option<u64>,
    /// The soft node limit of the searches that are sampled.
    pub soft_nodes: u64,
    /// The number of random plies at the start of the games.
    pub random_plies: usize,
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

    /// Why each rule stays as it is, where nothing was fitted.
    pub fn nothing_fitted(&self) -> Option<String> {
        let reasons = self.rules.iter().map(|rule| {
            let reason = rule.reason.as_deref().unwrap_or("it has no numbers to fit");
            format!("{}: {reason}", rule.rule)
        });
        (self.numbers() == 0).then(|| reasons.collect::<Vec<_>>().join("; "))
    }
}

impl FitSearch {
    /// The default number of samples of each kind.
    pub const COUNT: u64 = 20_000;
    /// The default soft node limit.
    pub const SOFT_NODES: u64 = 5000;
    /// The default number of random plies.
    pub const RANDOM_PLIES: usize = 8;

    /// A fit with the defaults of the command line. It writes nothing.
    pub fn new(game: impl Into<String>, net: impl Into<PathBuf>) -> Self {
        Self {
            game: game.into(),
            net: net.into(),
            out: None,
            report: None,
            samples: Vec::new(),
            count: Self::COUNT,
            max_games: None,
            soft_nodes: Self::SOFT_NODES,
            random_plies: Self::RANDOM_PLIES,
            seed: 1,
            threads: None,
        }
    }

    /// The equivalent command line.
    pub fn command(&self) -> CommandLine {
        let command = CommandLine::new("fit").file(&self.net).option("game", &self.game);
        let command = match &self.samples[..] {
            [] => command,
            files => files.iter().fold(command.word("--samples"), |line, path| line.file(path)),
        };
        command
            .maybe("out", self.out.as_ref().map(|path| path.display()))
            .maybe("report", self.report.as_ref().map(|path| path.display()))
            .unless_default("count", self.count, Self::COUNT)
            .maybe("max-games", self.max_games)
            .unless_default("soft-nodes", self.soft_nodes, Self::SOFT_NODES)
            .unless_default("random-plies", self.random_plies, Self::RANDOM_PLIES)
            .unless_default("seed", self.seed, 1)
            .maybe("threads", self.threads)
    }

    /// Samples searches, unless files of samples are given, fits the rules, and writes the report
    /// and the network. `None` if the program is to stop before.
    ///
    /// Where the network has fitted numbers, the searches use them, and a rule that predicts no
    /// better keeps them.
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
        let Some(tables) = self.tables::<G>(&source, context, observe)? else { return Ok(None) };
        observe(FitEvent::Fitting);
        let rules: Vec<RuleFit> = tables.iter().flat_map(|table| fit(table, &params)).collect();
        let written = self.out.as_ref().map(|out| out.display().to_string());
        let report = FitReport { rules, written };
        if let Some(path) = &self.report {
            let text = serde_json::to_string_pretty(&report)
                .map_err(|error| PipelineError::field("the report", error.to_string()))?;
            files::replace(path, format!("{text}\n").as_bytes())?;
        }
        if let Some(out) = &self.out {
            let fitted = merged(&file, &report.rules)?;
            files::replace(out, &file.with_fitted_params(fitted).write())?;
        }
        Ok(Some(report))
    }

    /// The samples of the files, or those of searches. `None` if the program is to stop before.
    fn tables<G: ToolkitGame>(
        &self,
        source: &NetworkSource,
        context: &Context<'_>,
        observe: &mut dyn FnMut(FitEvent),
    ) -> Result<Option<Vec<SampleTable>>, PipelineError> {
        if !self.samples.is_empty() {
            let tables = self.samples.iter().map(|path| SampleTable::read(path));
            return Ok(Some(tables.collect::<Result<_, _>>()?));
        }
        let mut tables = Vec::new();
        for &kind in SampleKind::ALL {
            let table = self.sampling(kind, source).run::<G>(context, &mut |done| {
                observe(FitEvent::Sampling(kind, done, self.count));
            })?;
            let Some(table) = table else { return Ok(None) };
            tables.push(table);
        }
        Ok(Some(tables))
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
                random_plies: self.random_plies,
                ..DatagenOptions::default()
            },
            ..GenerateData::new(self.game.clone(), "")
        };
        let (every, max_games) = (SampleSearches::default_every(kind), self.max_games);
        SampleSearches { kind, every, max_games, games }
    }
}

/// The numbers of the network with those of the fitted rules in their place.
fn merged(file: &NetworkFile, rules: &[RuleFit]) -> Result<Option<FittedParams>, PipelineError> {
    let old = file.fitted_params().into_iter().flat_map(FittedParams::iter);
    let mut numbers: BTreeMap<String, i32> =
        old.map(|(name, value)| (name.to_owned(), value)).collect();
    let fitted = rules.iter().flat_map(|rule| &rule.params);
    numbers.extend(fitted.map(|&(name, value)| (name.to_owned(), value)));
    if numbers.is_empty() {
        return Ok(None);
    }
    Ok(Some(FittedParams::new(numbers)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_leaves_out_defaults() {
        let mut fit = FitSearch::new("chess", "net.accrue");
        assert_eq!(fit.command().to_string(), "accrue fit net.accrue --game chess");
        fit.samples = vec!["a.csv".into(), "b.csv".into()];
        fit.out = Some("fitted.accrue".into());
        fit.max_games = Some(7);
        assert_eq!(
            fit.command().to_string(),
            "accrue fit net.accrue --game chess --samples a.csv b.csv --out fitted.accrue \
             --max-games 7"
        );
    }

    #[test]
    fn a_rule_without_numbers_says_why() {
        let rule = RuleFit {
            rule: "ordering",
            samples: [9, 0],
            coefficients: Vec::new(),
            log_loss: [0.3, 0.4],
            params: Vec::new(),
            reason: Some("too few".into()),
        };
        let mut report = FitReport { rules: vec![rule], written: None };
        assert_eq!(report.nothing_fitted().unwrap(), "ordering: too few");
        report.rules[0].params.push(("order_one", 900));
        assert_eq!((report.nothing_fitted(), report.numbers()), (None, 1));
    }
}
