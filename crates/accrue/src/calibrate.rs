//! Calibration command: `accrue calibrate` fits and measures the calibration of a network.

mod show;

pub(crate) use show::lines;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use arena::calibration::{
    CalibrationError, CalibrationOptions, CalibrationProgress, CalibrationStage, game_of_data,
};
use games::ToolkitGame;
use pipeline::PipelineError;
use pipeline::stages::{CalibrateNetwork, CalibrateProgress, CalibrationOutcome};

use crate::network::{NetworkOption, explain, explain_pipeline};
use crate::progress::Progress;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};

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

    /// Fit the score model on so many positions of games with a result; 0 to keep it as it is
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

impl Args {
    /// The stage that the arguments describe.
    pub(crate) fn stage(&self) -> CalibrateNetwork {
        CalibrateNetwork {
            net: self.net.clone(),
            data: self.data.clone(),
            out: self.out.clone(),
            report: self.report.clone(),
            options: CalibrationOptions {
                fit: !self.check,
                tolerance: self.tolerance / 100.0,
                clip: self.clip,
                max_records: self.positions,
                order_positions: self.order_positions as usize,
                order_depth: self.order_depth,
                search_positions: self.search_positions as usize,
                search_depth: self.search_depth,
            },
            score_positions: self.score_positions as usize,
        }
    }
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let (stage, stop) = (self.args.stage(), AtomicBool::new(false));
        let context = toolkit.context(&game.score_model, &stop);
        let report = calibrate::<G>(&stage, &context)?;
        if self.args.json {
            output::json(&report)?;
        } else {
            output::lines(lines(&stage, &report))?;
        }
        Ok(if report.is_too_narrow() { Answer::No } else { Answer::Yes })
    }
}

/// Carries out the stage with progress bars.
pub(crate) fn calibrate<G: ToolkitGame>(
    stage: &CalibrateNetwork,
    context: &pipeline::Context<'_>,
) -> anyhow::Result<CalibrationOutcome> {
    let mut shown = StageProgress::default();
    let report = stage.run::<G>(context, &mut |progress| shown.show(progress));
    shown.finish();
    report.map_err(explain_error)
}

/// A progress bar for each stage of a calibration.
#[derive(Default)]
struct StageProgress(Option<(&'static str, Progress)>);

impl StageProgress {
    fn show(&mut self, progress: CalibrateProgress) {
        let (name, done, total) = match progress {
            CalibrateProgress::Scoring { done, total } => ("scoring", done, total),
            CalibrateProgress::Calibrating(CalibrationProgress { stage, done, total }) => {
                let name = match stage {
                    CalibrationStage::Evaluating => "evaluating",
                    CalibrationStage::Ordering => "ordering moves",
                    CalibrationStage::Searching => "searching",
                };
                (name, done, total)
            }
        };
        if self.0.as_ref().is_some_and(|(before, _)| *before != name) {
            self.finish();
        }
        let (_, bar) = self.0.get_or_insert_with(|| match name {
            "evaluating" => (name, Progress::bytes(name, total)),
            _ => (name, Progress::new(name, total)),
        });
        bar.at(done);
    }

    fn finish(&mut self) {
        if let Some((_, progress)) = self.0.take() {
            progress.finish();
        }
    }
}

fn explain_error(error: PipelineError) -> anyhow::Error {
    match error {
        PipelineError::Calibration(CalibrationError::Network(error)) => {
            explain(&error, NetworkOption::Foreign)
        }
        PipelineError::Calibration(CalibrationError::NoUsableRecords { .. }) => {
            anyhow!("{error}\nGenerate some with `accrue datagen --depths 1,2,4,6,8,10`")
        }
        error => explain_pipeline(error),
    }
}
