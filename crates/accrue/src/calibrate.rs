//! Calibration command: `accrue calibrate` fits and measures the calibration of a network.

mod page;
mod show;

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use arena::calibration::{
    CalibrationError, CalibrationMeasurement, CalibrationOptions, CalibrationProgress,
    CalibrationResult, CalibrationStage, ScoreFitError, calibrate, game_of_data,
};
use arena::networks::LoadedNetwork;
use games::ToolkitGame;
use nnue::{Calibration, NetworkFile, ScoreModel};
use serde::Serialize;

use crate::network::{ForeignArgs, NetworkOption, explain};
use crate::progress::Progress;
use crate::score_model::{self, Fitted, ScoreReport};
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, files, output};

/// Calibrate the quantiles and the policy of a network, and measure the result
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The network file, with a quantile head
    #[arg(value_name = "NET")]
    net: PathBuf,

    /// Data files with scores of several depths, of games that the network was not trained on
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Write the network with its calibration to this file; without it nothing is written
    #[arg(long, value_name = "NET2")]
    out: Option<PathBuf>,

    /// Fit nothing: check whether the quantiles of the network as it is are too narrow
    #[arg(long, conflicts_with = "out")]
    check: bool,

    /// How many percentage points q10 to q90 may hold less than 80 % for --check to pass
    #[arg(long, value_name = "POINTS", default_value_t = 4.0, value_parser = points)]
    tolerance: f64,

    /// Write plots and tables to this file, a self-contained page
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Clip scores to this, as training does
    #[arg(long, value_name = "CP", default_value_t = 2000, value_parser = clap::value_parser!(u16).range(1..=29_999))]
    clip: u16,

    /// The maximum number of records to read
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,

    /// The number of positions on which the policy is compared with the classical move ordering
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    order_positions: u32,

    /// The depth of the search that fills the histories of the classical ordering
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=20))]
    order_depth: u8,

    /// The number of positions to search
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    search_positions: u32,

    /// The depth of these searches
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=30))]
    search_depth: u8,

    /// Fit what scores mean on so many positions of games with a result; 0 to leave that as it is
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    score_positions: u32,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A quantile is calibrated if its share of deep scores lies below it: 10 % below q10, 90 % below q90. The
games of the data are divided into halves, always in the same way. A conformal calibration by depth,
number of pieces and value is fitted on one half: a scale of the widths and an offset of each quantile.
Everything that is printed is measured on the other half, before and after. A star marks coverage that
is off by more than 2 points for all positions, or by 4 points for a group of at least 1000 positions.

Positions in check, scores of a mate and records without scores of several depths are skipped.

The width is compared with the error of the median by Spearman's rank correlation on the deepest score
of each position, beside signals that need no quantiles: the distance of searches of depth 1 and 4, or
of the linear network, from the median, and the median itself. The pinball skill is the share by which
the loss is below that of widths that depend on the depth alone; with the widths of other positions of
the same depth, the skill that remains is not about positions.

The policy is measured by the rank of the best move of the data, beside captures by SEE and quiet moves
by histories that a search of the same position has filled. Its inverse temperature and a bias for each
move class are fitted: SEE, captures, checks, and whether the piece that moves is attacked.

With a policy, positions are searched to a depth: with classical move ordering, with both, with the
policy's; then by the learned search. One in 100 of its cutoffs by quantiles is verified by a search.

The score model is fitted on games with a result: positions are searched with the network by 400 nodes
each, and the model gives the probability to win, draw and lose by score and number of pieces. It is
stored in the file; `score cp` and `wdl` of an engine then show 100 where half of the games are won. A
network without quantiles gets the score model alone.

The learned search refuses a network without calibration. Exit codes: 0 done, 1 --check found the
quantiles too narrow, 2 wrong command line or bad input.

Examples:
  accrue datagen --out held.data --positions 20000 --depths 1,2,4,6,8,10 --keep all --tree-share 0.5 --seed 99
  accrue calibrate net.accrue --data held.data
  accrue calibrate net.accrue --data held.data --out calibrated.accrue --report calibration.html
  accrue calibrate calibrated.accrue --data other.data --check";

fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.0..=80.0).contains(points));
    points.ok_or_else(|| "expected a number of points from 0 to 80".into())
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let game = game_of_data(&args.data, &toolkit.formats(), toolkit.games())?;
    toolkit.find(&game)?.calibrate(toolkit, Run { args })
}

pub(crate) struct Run<'a> {
    args: &'a Args,
}

/// The result with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    measured: &'a CalibrationMeasurement,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_model: Option<ScoreReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_score_model: Option<String>,
    written: Option<String>,
}

impl Args {
    fn options(&self) -> CalibrationOptions {
        CalibrationOptions {
            fit: !self.check,
            tolerance: self.tolerance / 100.0,
            clip: self.clip,
            max_records: self.positions,
            order_positions: self.order_positions as usize,
            order_depth: self.order_depth,
            search_positions: self.search_positions as usize,
            search_depth: self.search_depth,
        }
    }
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let args = self.args;
        let network = ForeignArgs::default().load(&args.net, toolkit)?;
        let has_quantiles = network.network().architecture().has_quantiles();
        if !has_quantiles && !args.check && args.score_positions > 0 {
            return scores_alone(args, &network, game, toolkit);
        }
        let mut stage: Option<(CalibrationStage, Progress)> = None;
        let result = calibrate::<G>(
            &network,
            &args.data,
            &args.options(),
            toolkit.networks(),
            &mut |progress| show_progress(&mut stage, progress),
        );
        if let Some((_, progress)) = &stage {
            progress.finish();
        }
        let CalibrationResult { measured, fitted } = result.map_err(explain_error)?;
        let scores = if args.check || args.score_positions == 0 {
            None
        } else {
            Some(fit_scores(args, &network, game, toolkit)?)
        };
        let (model, score_model, no_score_model) = match scores {
            Some(Ok(Fitted { fit, report })) => (Some(fit.model), Some(report), None),
            Some(Err(reason)) => (None, None, Some(reason.to_string())),
            None => (None, None, None),
        };
        if let Some(path) = &args.report {
            files::replace(path, page::page(&measured).as_bytes())?;
        }
        if let (Some(out), Some(calibration)) = (&args.out, fitted) {
            write(args, out, Some(calibration), model, toolkit)?;
        }
        if args.json {
            let written = args.out.as_ref().map(|out| out.display().to_string());
            output::json(&Report { measured: &measured, score_model, no_score_model, written })?;
        } else {
            let scores = show::score_lines(score_model.as_ref(), no_score_model.as_deref());
            output::lines(show::lines(args, &measured, scores))?;
        }
        Ok(if measured.too_narrow == Some(true) { Answer::No } else { Answer::Yes })
    }
}

/// Fits the score model.
fn fit_scores<G: ToolkitGame>(
    args: &Args,
    network: &LoadedNetwork,
    game: &GameEntry<G>,
    toolkit: &Toolkit,
) -> anyhow::Result<Result<Fitted, ScoreFitError>> {
    let positions = args.score_positions as usize;
    score_model::Run { loaded: network, data: &args.data, positions }.run(game, toolkit)
}

/// The score model of a network without quantiles.
fn scores_alone<G: ToolkitGame>(
    args: &Args,
    network: &LoadedNetwork,
    game: &GameEntry<G>,
    toolkit: &Toolkit,
) -> anyhow::Result<Answer> {
    let Fitted { fit, report } = fit_scores(args, network, game, toolkit)?
        .with_context(|| format!("{} has no quantiles, only scores", args.net.display()))?;
    if let Some(out) = &args.out {
        write(args, out, None, Some(fit.model), toolkit)?;
    }
    if args.json {
        output::json(&report)?;
    } else {
        let network = format!("network     {}", network.description());
        let written = args.out.as_ref().map(|out| format!("wrote {}", out.display()));
        output::lines(std::iter::once(network).chain(report.lines()).chain(written))?;
    }
    Ok(Answer::Yes)
}

/// Writes the network with what was fitted; what was not stays as it is.
fn write(
    args: &Args,
    out: &std::path::Path,
    calibration: Option<Calibration>,
    score_model: Option<ScoreModel>,
    toolkit: &Toolkit,
) -> anyhow::Result<()> {
    let mut file = ForeignArgs::default().read_file(&args.net, toolkit)?;
    if calibration.is_some() {
        file = file.with_calibration(calibration)?;
    }
    if score_model.is_some() {
        file = file.with_score_model(score_model);
    }
    files::replace(out, &NetworkFile::write(&file))
}

/// Shows how far the experiment is, with a bar for each stage.
fn show_progress(
    shown: &mut Option<(CalibrationStage, Progress)>,
    CalibrationProgress { stage, done, total }: CalibrationProgress,
) {
    if let Some((_, before)) = shown.take_if(|(before, _)| *before != stage) {
        before.finish();
    }
    let (_, progress) = shown.get_or_insert_with(|| {
        let progress = match stage {
            CalibrationStage::Evaluating => Progress::bytes("evaluating", total),
            CalibrationStage::Ordering => Progress::new("ordering moves", total),
            CalibrationStage::Searching => Progress::new("searching", total),
        };
        (stage, progress)
    });
    progress.at(done);
}

fn explain_error(error: CalibrationError) -> anyhow::Error {
    match error {
        CalibrationError::Network(error) => explain(&error, NetworkOption::Foreign),
        CalibrationError::NoUsableRecords { .. } => {
            anyhow!("{error}\nGenerate some with `accrue datagen --depths 1,2,4,6,8,10`")
        }
        error => error.into(),
    }
}
