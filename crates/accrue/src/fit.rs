//! Fit command: `accrue fit` fits the numbers of the search to a network by samples of its searches.

use std::path::PathBuf;

use arena::fit::RuleFit;
use games::ToolkitGame;
use pipeline::Context;
use pipeline::stages::{FitEvent, FitPolicy, FitReport, FitSearch};
use search::SampleKind;

use crate::network::explain_pipeline;
use crate::progress::Progress;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};

/// Fit the search to a network: ordering, reductions and margins from samples of its own searches
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The network: a file, or the name of a built-in network
    #[arg(value_name = "NET")]
    net: PathBuf,

    /// The game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,

    /// Write the network with the numbers to this file; without it nothing is written
    #[arg(long, value_name = "NET2")]
    out: Option<PathBuf>,

    /// Write what was fitted to this file, as the JSON of --json
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Files of `accrue datagen --sample`; without them searches are sampled now
    #[arg(long, value_name = "FILE", num_args = 1..)]
    samples: Vec<PathBuf>,

    /// How many samples of each kind to take
    #[arg(long, value_name = "N", default_value_t = FitSearch::COUNT, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    count: u64,

    /// Play at most so many games for each kind of sample; by default as many as --count needs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_games: Option<u64>,

    /// First train the policy head on so many cut nodes, such as 1000000; needs --out
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u64).range(10_000..=10_000_000))]
    policy: Option<u64>,

    /// The soft node limit of the searches that are sampled
    #[arg(long, value_name = "N", default_value_t = FitSearch::SOFT_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    soft_nodes: u64,

    /// Random moves at the start of the games
    #[arg(long, value_name = "N", default_value_t = FitSearch::RANDOM_PLIES)]
    random_plies: usize,

    /// The seed of the games whose searches are sampled
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Threads; all processors by default. They do not change the result
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The network plays itself, and its searches are sampled:
  cut-nodes   quiet moves in a random order, until one fails high: the weights of histories, checks
              and policy in move ordering, by conditional logistic regression
  late-moves  moves that are reduced, searched again without reduction: late-move reductions, by
              logistic regression
  rfp-nodes   nodes above beta, searched instead of cut: the margin of reverse futility pruning

With --policy the policy head is trained first, where the search asks it: by conditional logistic
regression of the quiet move that fails high, on the activations of the network. Its outputs then
distinguish moves that lose material by SEE. The rest of the network, and so its evaluation, stays as
it is. A million cut nodes take some minutes.

Each regression is fitted on four of five samples. The log-loss of the others is printed beside that
of the rule as it is; a rule that predicts no better is left as it is. The mean reduction and the mean
margin stay what they are: samples do not tell how much selectivity pays. docs/fit.md has the details.

The numbers are stored in the network file. The learned mode uses them, unless they are set by name
(`param.NAME=VALUE`).

Exit codes: 0 done, 1 no rule predicts better, 2 bad input, 130 or 143 stopped by a signal.

Examples:
  accrue fit net.accrue --out fitted.accrue
  accrue fit hex.accrue --game hexchess --out fitted.accrue --count 50000
  accrue fit net.accrue --out fitted.accrue --policy 1000000
  accrue datagen --sample late-moves --net net.accrue --mode auto --positions 20000 --out late.csv
  accrue fit net.accrue --samples late.csv";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.game)?.fit(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let signals = Signals::listen()?;
        let context = toolkit.context(&game.score_model, signals.stop());
        let mut stage = args.stage();
        let mut policy = None;
        if let Some(count) = args.policy {
            let Some(rule) = fit_policy::<G>(&args.policy_stage(count), &context)? else {
                output::lines(["stopped; nothing was written"])?;
                return Ok(signals.answer());
            };
            if let (None, Some(out)) = (&rule.reason, &args.out) {
                stage.net.clone_from(out);
            }
            policy = Some(rule);
        }
        let Some(mut report) = fit::<G>(&stage, &context)? else {
            output::lines(["stopped before the end of the fit"])?;
            return Ok(signals.answer());
        };
        report.rules.splice(..0, policy);
        if args.json {
            output::json(&report)?;
        } else {
            output::lines(lines(&report))?;
        }
        let better = report.rules.iter().any(|rule| rule.reason.is_none());
        Ok(if better { Answer::Yes } else { Answer::No })
    }
}

impl Args {
    /// The fit of the policy head that the arguments describe.
    fn policy_stage(&self, count: u64) -> FitPolicy {
        FitPolicy {
            game: self.game.clone(),
            net: self.net.clone(),
            out: self.out.clone(),
            count,
            soft_nodes: self.soft_nodes,
            seed: self.seed,
            threads: self.threads,
        }
    }

    /// The stage that the arguments describe.
    pub(crate) fn stage(&self) -> FitSearch {
        FitSearch {
            game: self.game.clone(),
            net: self.net.clone(),
            out: self.out.clone(),
            report: self.report.clone(),
            samples: self.samples.clone(),
            count: self.count,
            max_games: self.max_games,
            soft_nodes: self.soft_nodes,
            random_plies: self.random_plies,
            seed: self.seed,
            threads: self.threads,
        }
    }
}

/// Trains the policy head with a progress bar. `None` if it was stopped.
fn fit_policy<G: ToolkitGame>(
    stage: &FitPolicy,
    context: &Context<'_>,
) -> anyhow::Result<Option<RuleFit>> {
    let bar = Progress::new("cut-nodes for the policy", stage.count);
    let rule = stage.run::<G>(context, &mut |done| bar.at(done));
    bar.finish();
    rule.map_err(explain_pipeline)
}

/// Carries out the stage with progress bars. `None` if it was stopped.
pub(crate) fn fit<G: ToolkitGame>(
    stage: &FitSearch,
    context: &Context<'_>,
) -> anyhow::Result<Option<FitReport>> {
    let mut shown: Option<(SampleKind, Progress)> = None;
    let finish = |shown: &mut Option<(SampleKind, Progress)>| {
        if let Some((_, progress)) = shown.take() {
            progress.finish();
        }
    };
    let report = stage.run::<G>(context, &mut |event| match event {
        FitEvent::Sampling(kind, done, total) => {
            if shown.as_ref().is_some_and(|(before, _)| *before != kind) {
                finish(&mut shown);
            }
            let (_, bar) = shown.get_or_insert_with(|| (kind, Progress::new(kind.name(), total)));
            bar.at(done);
        }
        FitEvent::Fitting => finish(&mut shown),
    });
    finish(&mut shown);
    report.map_err(explain_pipeline)
}

/// The report as text.
pub(crate) fn lines(report: &FitReport) -> Vec<String> {
    let mut lines = Vec::new();
    for rule in &report.rules {
        lines.extend(rule_lines(rule));
        lines.push(String::new());
    }
    match &report.written {
        Some(file) => lines.push(format!("wrote {file} ({} fitted numbers)", report.numbers())),
        None => lines.push(format!("{} fitted numbers; --out writes them", report.numbers())),
    }
    lines
}

fn rule_lines(rule: &RuleFit) -> Vec<String> {
    let [samples, held_out] = rule.samples;
    let mut lines = vec![format!("{}: {samples} samples, {held_out} held out", rule.rule)];
    if !rule.log_loss[1].is_nan() {
        let [before, after] = rule.log_loss;
        lines.push(format!("  log-loss held out: {before:.4} as it is, {after:.4} fitted"));
        for (name, value, error) in &rule.coefficients {
            lines.push(if error.is_finite() {
                format!("  {name:28} {value:+9.4} ± {error:.4}")
            } else {
                format!("  {name:28}         - (the samples have none)")
            });
        }
    }
    if let Some(reason) = &rule.reason {
        lines.push(format!("  left as it is: {reason}"));
    }
    let numbers: Vec<_> =
        rule.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
    for line in numbers.chunks(4) {
        lines.push(format!("  {}", line.join(" ")));
    }
    lines
}
