//! Evaluation command: `accrue eval` evaluates a position by a network.

mod explain;

use std::path::PathBuf;

use anyhow::{Context, bail};
use arena::networks::LoadedNetwork;
use games::{GameInfo, ToolkitGame};
use nnue::{Dialect, Network, QUANTILE_LEVELS};
use serde::Serialize;

use crate::network::{ForeignArgs, NET_HELP, NetworkOption, explain};
use crate::position::parse_position;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};
use explain::{BucketLine, PieceLine};

/// Evaluate a position by a network
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[arg(
        long,
        value_name = "FILE",
        help = format!("{NET_HELP} [default: the default network of the game]")
    )]
    net: Option<PathBuf>,

    #[command(flatten)]
    foreign: ForeignArgs,

    /// The game; by default that of the network's feature set
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// The position as FEN; by default the start of the game
    #[arg(long)]
    fen: Option<String>,

    /// Also print the output of each bucket and the contribution of each piece
    #[arg(long)]
    explain: bool,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The last line is `eval N`: centipawns for the side to move. A Stockfish network is shown in
Stockfish's own normalisation, a noru network in noru's units.

Examples:
  accrue eval --game hexchess --explain
  accrue eval --net nn.nnue --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
  accrue eval --net quantised.bin --architecture 'chess.piece-square (768->256)x2->1 screlu' --explain
  accrue eval --net noru.bin --features chess.piece-square";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let net = match &args.net {
        Some(net) => net.clone(),
        None => default_network(args.game.as_deref().unwrap_or(toolkit.default_game()), toolkit)?,
    };
    let network = args.foreign.load(&net, toolkit)?;
    let of_features = toolkit.games().of_features(network.features()).map(GameInfo::name);
    let game = args.game.as_deref().or(of_features);
    let game = toolkit.find(game.unwrap_or(toolkit.default_game()))?;
    game.eval(toolkit, Run { args, loaded: &network })
}

/// The name of the default network of a game.
fn default_network(game: &str, toolkit: &Toolkit) -> anyhow::Result<PathBuf> {
    match toolkit.networks().built_in().default_of(game) {
        Some(network) => Ok(network.name.into()),
        None => bail!("{game} has no built-in network; give one with --net FILE"),
    }
}

pub(crate) struct Run<'a> {
    args: &'a Args,
    loaded: &'a LoadedNetwork,
}

/// The report.
#[derive(Serialize)]
struct Report {
    network: String,
    game: &'static str,
    fen: String,
    side_to_move: String,
    bucket: usize,
    eval: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantiles: Option<[i32; QUANTILE_LEVELS.len()]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policy: Vec<(String, f32)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buckets: Vec<BucketLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pieces: Vec<PieceLine>,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        _toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self { args, loaded } = self;
        let network = loaded.network();
        let evaluator = loaded.position_evaluator::<G>();
        let mut evaluator = evaluator.map_err(|error| explain(&error, NetworkOption::Foreign))?;
        explain::check_policy::<G>(network)
            .with_context(|| format!("{} does not fit {}", loaded.file(), G::NAME))?;
        let position = parse_position::<G>(args.fen.as_deref())?;
        let outputs = evaluator.outputs(&position);
        let explained = args.explain;
        let report = Report {
            network: network.architecture().to_string(),
            game: G::NAME,
            fen: position.to_fen(),
            side_to_move: position.side_to_move().to_string(),
            bucket: evaluator.bucket(&position),
            eval: outputs.value,
            wdl: outputs.wdl.or_else(|| modelled(network, &position, outputs.value)),
            quantiles: outputs.quantiles,
            policy: if explained { explain::policy(&mut evaluator, &position) } else { Vec::new() },
            buckets: if explained {
                explain::buckets(&mut evaluator, &position)
            } else {
                Vec::new()
            },
            pieces: if explained { explain::pieces(&mut evaluator, &position) } else { Vec::new() },
        };
        if args.json {
            output::json(&report)?;
            return Ok(Answer::Yes);
        }
        output::lines(lines(network, &report))?;
        Ok(Answer::Yes)
    }
}

/// The probabilities of win, draw and loss by the network's score model, if it has no WDL head.
fn modelled<G: ToolkitGame>(network: &Network, position: &G, value: i32) -> Option<[f32; 3]> {
    let [win, loss] = network.score_model()?.win_and_loss(value, position.piece_count());
    Some([win as f32, (1.0 - win - loss) as f32, loss as f32])
}

fn lines(network: &Network, report: &Report) -> Vec<String> {
    let unit = match network.dialect() {
        Dialect::Noru => "in noru's unit",
        Dialect::Stockfish => "centipawns as Stockfish 15.1 counts them",
        Dialect::Accrue => "centipawns",
    };
    let mut lines = vec![
        format!("network    {}", report.network),
        format!("position   {}", report.fen),
        format!("value      {:+} {unit}, for {}", report.eval, report.side_to_move),
    ];
    if let Some([win, draw, loss]) = report.wdl {
        lines.push(format!("chances    win {win:.3}, draw {draw:.3}, loss {loss:.3}"));
    }
    if let Some(quantiles) = report.quantiles {
        let quantiles = QUANTILE_LEVELS.iter().zip(quantiles);
        let shown: Vec<_> =
            quantiles.map(|(level, q)| format!("{:.0} %: {q:+}", level * 100.0)).collect();
        lines.push(format!("quantiles  {}", shown.join(", ")));
    }
    explain::append(report, &mut lines);
    lines.push(format!("eval {}", report.eval));
    lines
}
