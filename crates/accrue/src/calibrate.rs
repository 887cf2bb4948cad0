//! `accrue calibrate`: whether a network's quantiles are what they say, and what makes it so.

mod charts;
mod measure;
mod ordering;
mod page;
mod read;
mod searches;
mod show;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use arena::calibration::{Fan, Observation, Observer, fit, fit_policy, is_fitted_on, ranges_of};
use dataset::formats::{self, Format};
use games::Game;
use games::registry::{GameVisitor, with_game};
use nnue::{Calibration, NetworkFile};

use crate::evaluation::{Loaded, valuer};
use crate::network::{ForeignArgs, load_file};
use crate::{Answer, files, output};
use measure::Report;
use read::Seen;

/// Measure how far a network's quantiles can be trusted, and correct them
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The network file, with a quantile head
    #[arg(value_name = "NET")]
    net: PathBuf,

    /// Data files with scores of several depths, of games that the network was not trained on
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Write the network with its corrections to this file; without it nothing is written
    #[arg(long, value_name = "NET2")]
    out: Option<PathBuf>,

    /// Fit nothing; only say whether the network as it is, with corrections if it has them, is too narrow
    #[arg(long, conflicts_with = "out")]
    check: bool,

    /// By how many points q10 to q90 may hold less than 80 % before --check says no
    #[arg(long, value_name = "POINTS", default_value_t = 4.0, value_parser = points)]
    tolerance: f64,

    /// Write plots and tables to this file, a page that needs nothing else
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Scores farther from 0 count as this; training clips them too
    #[arg(long, value_name = "CP", default_value_t = 2000, value_parser = clap::value_parser!(u16).range(1..=29_999))]
    clip: u16,

    /// Read at most so many records
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,

    /// Compare the policy with the classical ordering on so many positions
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    order_positions: u32,

    /// Let the classical ordering learn from a search of so many plies first
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=20))]
    order_depth: u8,

    /// Try the learned search on so many positions
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    search_positions: u32,

    /// To this depth
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=30))]
    search_depth: u8,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A quantile is what it says if that share of deep scores lies below it: 10 % below q10, 90 % below q90. The games of the data are
halved, always the same way. Corrections by depth, number of pieces and value are fitted on one half: a stretch of the widths
and a shift of each quantile. Everything that is printed is measured on the other half, before and after. A star marks
coverage that is off by more than 2 points for all, or 4 points for a group of at least 1000 positions.

Positions in check, scores that announce a mate and records without depths say nothing of quantiles and are left out.

Width and error are correlated by ranks (Spearman) on the deepest score of each position, beside what can be had for free: how
far searches of depth 1 and 4, or the built-in evaluation, are from the network's median, and the median itself. The
pinball skill is by how much the loss is below that of widths which depend on the depth alone; with the widths dealt out
to other positions of the same depth, what is left of it is not about positions.

The policy is judged by where it puts the best move of the data, beside captures by gain and quiet moves by the histories
that a search of that very position has just taught. What it says of a move is corrected by the sort of the move: what an exchange on its cell gains,
whether it captures or gives check, whether the piece that it moves is threatened. What each sort is worth is fitted too.

If there is a policy, positions are searched to a depth: by classical rules with moves in the classical order, in that order with the
policy's word, and in the policy's order; then by the learned search, of whose cutoffs by quantiles one in 100 is replaced by a
search, which tells how often such a cutoff is wrong.

The learned search refuses a network without corrections. Exit codes: 0 done, 1 --check found the network too narrow,
2 wrong command line or bad input.

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
pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut game = None;
    for path in &args.data {
        let shown = path.display();
        let format = formats::detect(path)?;
        if format != Format::Native {
            bail!(
                "{shown} is in {format}, which has no scores of depths; expected accrue's own data"
            );
        }
        let found = formats::header(path, format)?.map(|header| header.game);
        let found = found.with_context(|| format!("{shown} does not say which game it is of"))?;
        if let Some(game) = game.replace(found.clone()).filter(|game| *game != found) {
            bail!("{shown} has positions of {found}, the file before it of {game}");
        }
    }
    with_game(&game.unwrap_or_default(), Run { args })?
}

struct Run<'a> {
    args: &'a Args,
}

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<Answer>;

    fn visit<G: Game>(self) -> Self::Output {
        let args = self.args;
        let shown = args.net.display().to_string();
        let loaded = Loaded::read(&shown)?;
        let network = loaded.network();
        let observer = Observer::<G>::new(Arc::clone(network), loaded.inputs()?, args.clip)
            .with_context(|| format!("cannot calibrate {shown}"))?;
        // Not the network that games are played with: it may be the one that is measured.
        let simple = valuer::<G>(Loaded::linear::<G>().as_ref())?;
        let seen = Seen::read(args, observer, simple)?;
        let given = network.calibration().filter(|_| args.check);
        let fitted = if args.check { None } else { Some(fitted(&seen)?) };
        let playing = loaded.clone().with_calibration(fitted.as_ref().or(given));
        let searches = match playing.network().calibration() {
            Some(_) => searches::search(args, &playing, &seen.sample)?,
            None => None,
        };
        let correction = playing.network().calibration().and_then(Calibration::policy);
        let orders = ordering::compare(args, &loaded, &seen, correction)?;
        let report = Report::new(args, network, given, fitted.as_ref(), &seen, orders)?;
        let report = Report { searches, ..report };
        if let Some(path) = &args.report {
            let svgs = charts::draw(&report)?;
            files::replace(path, page::page(&report, &svgs).as_bytes())?;
        }
        if let (Some(out), Some(calibration)) = (&args.out, fitted) {
            write(args, out, calibration)?;
        }
        if args.json {
            output::json(&report)?;
        } else {
            output::lines(show::lines(args, &report))?;
        }
        Ok(if report.too_narrow == Some(true) { Answer::No } else { Answer::Yes })
    }
}

/// The corrections, by the games that are there for it.
fn fitted<G: Game>(seen: &Seen<G>) -> anyhow::Result<Calibration> {
    let half = seen.observations.iter().filter(|seen| is_fitted_on(seen.game));
    let fans: Vec<Fan> = half.flat_map(Observation::fans).collect();
    if fans.is_empty() {
        bail!(
            "there are no scores to fit on: all games are in the other half; generate more games"
        );
    }
    let ranges = ranges_of(&fans);
    let policy = (!seen.judged.is_empty()).then(|| fit_policy(&seen.judged));
    Ok(fit(&fans, ranges)?.with_policy(policy)?)
}

fn write(args: &Args, out: &std::path::Path, calibration: Calibration) -> anyhow::Result<()> {
    let file = load_file(&args.net, &ForeignArgs::default())?;
    let file = file.with_calibration(Some(calibration))?;
    files::replace(out, &NetworkFile::write(&file))
}
