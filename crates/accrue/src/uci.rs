//! UCI server of the program: its games and networks, on standard input and output.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use arena::Openings;
use arena::datagen::{DatagenOptions, generate_openings};
use arena::networks::{LoadedNetwork, NetworkSource};
use games::ToolkitGame;
use nnue::ScoreModel;
use search::{BenchResult, Control, Engine};
use uci::server::{
    BenchRequest, EngineIdentity, EvaluationOptions, GameHost, Host, HostError, OpeningsJob,
    Server, ServerMode, Variant, VariantServer,
};
use uci::text::{GenFens, MaxScore};

use crate::network::{NetworkOption, explain};
use crate::toolkit::{GameEntry, SCORE_MODEL, Toolkit};
use crate::{bench, output};

const NAME: &str = concat!("accrue ", env!("CARGO_PKG_VERSION"));

/// Serves until standard input ends or `quit` arrives.
pub(crate) fn run(toolkit: &Toolkit) -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        // Errors are ignored: a closed terminal cannot be notified, and the end of the input
        // follows.
        let _ = output::lines([format!(
            "{NAME} is a UCI engine here: `help` lists its commands, `accrue --help` those of the shell"
        )]);
    }
    serve(&mut io::stdin().lock(), ServerMode::Interactive, toolkit)
}

/// Runs commands one after the other, each after the previous one finished. The first error ends
/// it.
pub(crate) fn obey(lines: &[String], toolkit: &Toolkit) -> anyhow::Result<()> {
    serve(&mut lines.join("\n").as_bytes(), ServerMode::Script, toolkit)
}

fn serve(input: &mut dyn BufRead, mode: ServerMode, toolkit: &Toolkit) -> anyhow::Result<()> {
    let variants = toolkit.entries().iter().map(|game| game.uci_variant(toolkit, MakeVariant));
    let server = variants.fold(Server::new(Program(toolkit.clone())), Server::with_variant);
    Ok(server.run(input, io::stdout(), mode)?)
}

/// A game of the server.
pub(crate) type BoxedVariant = Box<dyn VariantServer<Program>>;

/// Makes a variant of the server from a game of the toolkit.
pub(crate) struct MakeVariant;

impl MakeVariant {
    #[expect(clippy::unused_self, reason = "jobs are values with a method")]
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        _toolkit: &Toolkit,
    ) -> BoxedVariant {
        Box::new(Variant::<G>::new())
    }
}

/// The program as the host of a server.
pub(crate) struct Program(Toolkit);

impl Host for Program {
    type Network = LoadedNetwork;

    fn identity(&self) -> EngineIdentity {
        EngineIdentity { name: NAME.to_owned(), author: env!("CARGO_PKG_AUTHORS").to_owned() }
    }

    fn read_network(&self, file: &str) -> Result<LoadedNetwork, HostError> {
        let loaded = self.0.networks().load(&NetworkSource::new(file));
        loaded.map_err(|error| HostError::new(explain(&error, NetworkOption::Uci)))
    }

    fn describe_network(&self, network: &LoadedNetwork) -> String {
        network.description()
    }

    fn check_memory(&self, mib: usize, held: usize) -> Result<(), HostError> {
        arena::check_table_memory(mib, held).map_err(HostError::new)
    }

    fn bench(
        &self,
        request: &BenchRequest<'_, LoadedNetwork>,
        control: &Control,
    ) -> Result<BenchResult, HostError> {
        let &BenchRequest { game, network, mode, depth } = request;
        let depth = depth.map_or(search::BENCH_DEPTH, |depth| depth as usize);
        let game = self.0.find(game).map_err(HostError::new)?;
        let job = bench::Run { network, mode, depth, control };
        game.bench(&self.0, job).map_err(HostError::new)
    }
}

impl<G: ToolkitGame> GameHost<G> for Program {
    fn check_network(&self, network: &LoadedNetwork) -> Result<(), HostError> {
        let inputs = network.inputs::<G>();
        inputs.map(drop).map_err(|error| HostError::new(explain(&error, NetworkOption::Uci)))
    }

    fn install(
        &self,
        engine: &mut Engine<G>,
        evaluation: &EvaluationOptions<LoadedNetwork>,
    ) -> Result<(), HostError> {
        let refuse = |error| HostError::new(explain(&error, NetworkOption::Uci));
        let networks = self.0.networks();
        let network = match (&evaluation.network, &evaluation.large) {
            (network, None) => network.clone(),
            (Some(network), large) => Some(network.clone().with_large(large.clone())),
            (None, large) => {
                let default = networks.default_network::<G>().map_err(refuse)?;
                default.map(|default| default.with_large(large.clone()))
            }
        };
        networks.install(engine, network.as_ref(), evaluation.blend).map_err(refuse)
    }

    fn evaluate(
        &self,
        position: &G,
        evaluation: &EvaluationOptions<LoadedNetwork>,
    ) -> Result<i32, HostError> {
        let network = evaluation.network.as_ref();
        let networks = self.0.networks();
        networks.evaluate(position, network, evaluation.blend).map_err(HostError::new)
    }

    fn describe_evaluator(&self, evaluation: &EvaluationOptions<LoadedNetwork>) -> String {
        let description = self.0.networks().description::<G>(evaluation.network.as_ref());
        description.unwrap_or_else(|error| error.to_string())
    }

    fn score_model(&self, evaluation: &EvaluationOptions<LoadedNetwork>) -> ScoreModel {
        let default = || self.0.networks().default_network::<G>().ok().flatten();
        let network = evaluation.network.clone().or_else(default);
        let game = self.0.find(G::NAME);
        let fallback = game.map_or(SCORE_MODEL, |game| game.score_model().clone());
        network.map_or(fallback, |network| network.score_model().clone())
    }

    fn openings(&self, genfens: &GenFens) -> Result<OpeningsJob<G>, HostError> {
        let openings = match &genfens.book {
            None => Openings::start(G::start()),
            Some(book) => {
                let openings = Openings::read(Path::new(book), None, &[]);
                openings.map_err(HostError::new)?.shuffled(genfens.seed)
            }
        };
        let defaults = DatagenOptions::default();
        let random_plies = if genfens.book.is_some() { 4 } else { defaults.random_plies };
        let options = DatagenOptions {
            seed: genfens.seed,
            random_plies: genfens.random_plies.unwrap_or(random_plies),
            max_opening_score: match genfens.max_score {
                None => defaults.max_opening_score,
                Some(MaxScore::Unlimited) => None,
                Some(MaxScore::Centipawns(score)) => Some(score),
            },
            limits: genfens.soft_nodes.map_or(defaults.limits, DatagenOptions::soft),
            ..defaults
        };
        Ok(Box::new(move |engine, control, found| {
            let mut each = |opening: &arena::Opening<G>| found(opening.line().position());
            generate_openings(&options, &openings, engine, control, &mut each)
                .map_err(HostError::new)
        }))
    }
}
