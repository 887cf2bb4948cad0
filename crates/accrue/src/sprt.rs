//! SPRT command: `accrue sprt` computes the LLR, the Elo difference and its error from match
//! results.

use arena::{Estimate, Hypothesis, Model, Outlook, Sprt, Tally, report};
use serde::Serialize;

use crate::{Answer, output};

/// Compute the statistics of a match: LLR, Elo difference, likelihood of superiority
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("results").args(["penta", "wdl"]))]
#[command(group = clap::ArgGroup::new("asked").args(["penta", "wdl", "plan"]).required(true).multiple(true))]
pub(crate) struct Args {
    /// Pairs of games by the first engine's score in both: 0, 1/2, 1, 3/2, 2
    #[arg(long, value_name = "LL,LD,EVEN,WD,WW", value_parser = counts::<5>)]
    penta: Option<[u64; 5]>,

    /// Single games: wins, draws, losses. Pairs give more information, if they are known
    #[arg(long, value_name = "W,D,L", value_parser = counts::<3>)]
    wdl: Option<[u64; 3]>,

    /// The Elo difference of hypothesis H0
    #[arg(long, value_name = "ELO", requires = "elo1", allow_negative_numbers = true)]
    elo0: Option<f64>,

    /// The Elo difference of hypothesis H1
    #[arg(long, value_name = "ELO", requires = "elo0", allow_negative_numbers = true)]
    elo1: Option<f64>,

    /// The probability of accepting H1 although H0 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    alpha: f64,

    /// The probability of accepting H0 although H1 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    beta: f64,

    /// The Elo model of the hypotheses: normalized or logistic
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized)]
    model: Model,

    /// Also print the expected number of games and outcome for several true differences
    #[arg(long, requires = "elo0")]
    plan: bool,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Exit codes: 0 H1 is accepted or nothing is decided, 1 H0 is accepted, 2 bad input.

The numbers are those of fastchess and OpenBench; docs/sprt.md has the formulas.

Examples:
  accrue sprt --penta 365,16618,36229,16974,390 --elo0 0 --elo1 2
  accrue sprt --wdl 136,111,96
  accrue sprt --wdl 136,111,96 --elo0 -5 --elo1 0 --model logistic --json
  accrue sprt --plan --elo0 0 --elo1 5";

/// Exactly N numbers, separated by commas.
fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let expected = || format!("expected {N} counts separated by commas, such as {}", EXAMPLE[N]);
    let counts = text.split(',').map(|count| count.trim().parse()).collect::<Result<Vec<u64>, _>>();
    let counts = counts.map_err(|error| format!("{error}; {}", expected()))?;
    let found = counts.len();
    if let Some(count) = counts.iter().find(|&&count| count > MAX_COUNT) {
        return Err(format!("{count} games or pairs: expected at most {MAX_COUNT}"));
    }
    counts.try_into().map_err(|_| format!("{found} counts; {}", expected()))
}

const EXAMPLE: [&str; 6] = ["", "", "", "136,111,96", "", "12,100,210,110,15"];
/// The maximum count: more than all games ever played.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let sprt = match (args.elo0, args.elo1) {
        (Some(elo0), Some(elo1)) => Some(Sprt::new(elo0, elo1, args.alpha, args.beta, args.model)?),
        _ => None,
    };
    let tally = match (args.penta, args.wdl) {
        (Some(pairs), _) => Some(Tally::from_pentanomial(pairs)),
        (None, Some([wins, draws, losses])) => Some(Tally::from_games(wins, draws, losses)),
        (None, None) => None,
    };
    let verdict = tally.as_ref().and_then(|tally| sprt.as_ref()?.verdict(tally));
    let plan = sprt.filter(|_| args.plan).map(|sprt| plan(&sprt, tally.as_ref()));
    if args.json {
        output::json(&Report::new(tally.as_ref(), sprt.as_ref(), plan))?;
    } else {
        let mut lines = tally.map_or_else(Vec::new, |tally| report(&tally, sprt.as_ref()));
        lines.extend(verdict.map(|verdict| format!("{} was accepted", name(verdict))));
        lines.extend(plan.into_iter().flatten().map(|row| row.line()));
        output::lines(lines)?;
    }
    Ok(if verdict == Some(Hypothesis::H0) { Answer::No } else { Answer::Yes })
}

fn name(hypothesis: Hypothesis) -> &'static str {
    match hypothesis {
        Hypothesis::H0 => "H0",
        Hypothesis::H1 => "H1",
    }
}

/// One line of the plan.
#[derive(Serialize)]
struct Row {
    elo: f64,
    pass: f64,
    games: f64,
}

impl Row {
    fn line(&self) -> String {
        let Self { elo, pass, games } = self;
        let pass = 100.0 * pass;
        format!("If the truth is {elo:.2}: H1 with {pass:.1} %, {games:.0} games on average")
    }
}

/// The expected outcomes around the hypotheses.
fn plan(sprt: &Sprt, tally: Option<&Tally>) -> Vec<Row> {
    // Without games, assume that half are drawn.
    let deviation = tally.and_then(Tally::deviation).unwrap_or(0.125f64.sqrt());
    let (elo0, elo1) = sprt.elo();
    [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5]
        .into_iter()
        .map(|part| {
            let elo = elo0 + part * (elo1 - elo0);
            let Outlook { pass, games } = sprt.outlook(elo, deviation);
            Row { elo, pass, games }
        })
        .collect()
}

/// The result with `--json`. Infinite numbers are null.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    results: Option<Results>,
    #[serde(flatten)]
    test: Option<Test>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Vec<Row>>,
}

#[derive(Serialize)]
struct Results {
    games: u64,
    points: f64,
    /// Only if single games are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u64; 3]>,
    /// Only if there are pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pentanomial: Option<[u64; 5]>,
    score: f64,
    score_error: f64,
    elo: f64,
    elo_error: f64,
    elo_low: f64,
    elo_high: f64,
    normalized_elo: f64,
    normalized_elo_error: f64,
    los: f64,
}

#[derive(Serialize)]
struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    lower: f64,
    upper: f64,
    /// Only with results.
    #[serde(skip_serializing_if = "Option::is_none")]
    llr: Option<f64>,
    /// H0, H1 or null.
    accepted: Option<&'static str>,
}

impl Report {
    fn new(tally: Option<&Tally>, sprt: Option<&Sprt>, plan: Option<Vec<Row>>) -> Self {
        Self {
            results: tally.map(Results::new),
            test: sprt.map(|sprt| Test::new(sprt, tally)),
            plan,
        }
    }
}

impl Results {
    fn new(tally: &Tally) -> Self {
        let Estimate {
            score,
            score_error,
            elo,
            elo_error,
            elo_low,
            elo_high,
            normalized,
            normalized_error,
            los,
        } = tally.estimate();
        let games = tally.by_quarters();
        Self {
            games: tally.games(),
            points: tally.points(),
            wdl: games.map(|[losses, _, draws, _, wins]| [wins, draws, losses]),
            pentanomial: tally.pentanomial().filter(|_| tally.pairs() > 0),
            score,
            score_error,
            elo,
            elo_error,
            elo_low,
            elo_high,
            normalized_elo: normalized,
            normalized_elo_error: normalized_error,
            los,
        }
    }
}

impl Test {
    fn new(sprt: &Sprt, tally: Option<&Tally>) -> Self {
        let ((elo0, elo1), (lower, upper)) = (sprt.elo(), sprt.bounds());
        let llr = tally.map(|tally| sprt.llr(tally));
        Self {
            model: sprt.model().name(),
            elo0,
            elo1,
            lower,
            upper,
            llr,
            accepted: llr.and_then(|llr| sprt.decide(llr)).map(name),
        }
    }
}
