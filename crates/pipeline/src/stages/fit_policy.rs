//! Fit of the policy head: the cut nodes of a network's own searches, and the network with the head
//! that they teach (`accrue fit --policy`).

use std::path::PathBuf;

use arena::datagen::DatagenOptions;
use arena::fit::{PolicySamples, RuleFit};
use arena::networks::NetworkSource;
use games::ToolkitGame;
use search::{SampleKind, SearchMode, SearchSample};

use super::{GenerateData, SampleSearches};
use crate::{Context, PipelineError, files};

/// Trains the policy head of a network at the cut nodes of its own searches.
#[derive(Clone, Debug, PartialEq)]
pub struct FitPolicy {
    /// The name of the game.
    pub game: String,
    /// The network file.
    pub net: PathBuf,
    /// The file for the network with the new head; nothing is written without it.
    pub out: Option<PathBuf>,
    /// How many cut nodes are sampled.
    pub count: u64,
    /// The soft node limit of the searches that are sampled.
    pub soft_nodes: u64,
    /// The seed of the games.
    pub seed: u64,
    /// The number of threads; `None` for all processors.
    pub threads: Option<usize>,
}

impl FitPolicy {
    /// One in so many cut nodes is sampled: a head has far more weights than an ordering.
    const EVERY: u64 = 2;
    /// Added to the seed, so that the rules are fitted on other games than the head.
    const SEED: u64 = 1_000_000;

    /// Samples searches, trains the head and writes the network, if the new head predicts better.
    /// `None` if the program is to stop before. `progress` is called with the number of samples, and
    /// with `count` once training begins.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<RuleFit>, PipelineError> {
        let refused = |error: arena::fit::PolicyFitError| PipelineError::Refused(error.to_string());
        let source = NetworkSource::new(&self.net);
        let file = context.networks.read_file(&source)?;
        let mut samples = PolicySamples::<G>::new(file).map_err(refused)?;
        let games = GenerateData {
            net: Some(source),
            mode: SearchMode::Auto,
            threads: self.threads,
            options: DatagenOptions {
                positions: self.count,
                seed: self.seed.wrapping_add(Self::SEED),
                limits: DatagenOptions::soft(self.soft_nodes),
                ..DatagenOptions::default()
            },
            ..GenerateData::new(self.game.clone(), "")
        };
        let sampling = SampleSearches {
            kind: SampleKind::CutNodes,
            every: Self::EVERY,
            max_games: None,
            games,
        };
        let finished = sampling.visit::<G>(context, progress, &mut |sample| {
            if let SearchSample::CutNode(node) = sample {
                samples.push(node);
            }
        })?;
        if !finished {
            return Ok(None);
        }
        progress(self.count);
        let (fit, network) = samples.fit().map_err(refused)?;
        if let (Some(out), Some(network)) = (&self.out, network) {
            files::replace(out, &network.write())?;
        }
        Ok(Some(fit))
    }
}
