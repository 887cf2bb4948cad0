//! `accrue quickstart`: from rules to a network that wins, in minutes.
//!
//! Every step is a command of this program, shown before it is carried out. Each of them can be stopped at any time
//! and goes on with what its files hold; so a quickstart needs to remember nothing but its plan.

mod board;
mod folder;
mod plan;
mod recipe;
mod reliability;
mod report;
mod sample;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use games::Game;
use games::registry::{GAMES, GameVisitor, with_game};

use crate::step::Step;
use crate::{Answer, files, matches, output, signals};
use folder::Folder;
use plan::Plan;
use reliability::Reliability;
use report::{Page, Part};
use sample::Samples;
use table::MatchTable;

/// From the rules of a game to a network that wins, in minutes
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The game [default: chess]
    #[arg(long, value_name = "GAME", value_parser = GAMES)]
    game: Option<String>,

    /// About how long it may take; more time is more data, longer training and more games [default: 5]
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    minutes: Option<f64>,

    /// The folder for everything that it makes [default: quickstart-GAME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// What all random numbers follow from [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Go on with what is in the folder, or begin if there is nothing
    #[arg(long)]
    resume: bool,
}

const AFTER_HELP: &str = "\
It lets a search that knows nothing but the worth of the pieces play itself, trains a network on these games, exports
and checks it, and lets it play against the evaluation that it began with, at equal numbers of nodes. The networks that
are built into this program have no part in it: what is gained was learnt in these minutes.

Each step prints the command that does it alone. The folder gets the network (net.accrue), all data, train.toml and
loop.toml to go on with, and report.html: curves, match table, games, neurons. docs/02-first-network.md tells more.

Ctrl-C (or SIGTERM) stops it, --resume goes on; so it does after a kill. How much is done in the given time is planned at
the beginning, by a short trial, and kept in quickstart.toml.

Exit codes: 0 done, 1 the network did not win its match (connect four: 90 % against random moves), 2 bad input; 130 or 143 stopped by a signal.

Examples:
  accrue quickstart
  accrue quickstart --game hexchess --minutes 10
  accrue quickstart --game connect_four --out four
  accrue quickstart --out four --resume";

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes| (0.01..=10_000.0).contains(minutes));
    minutes.ok_or_else(|| "expected a number of minutes, 0.01 to 10000".into())
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=1024).contains(threads));
    threads.ok_or_else(|| "expected a whole number from 1 to 1024".into())
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let (folder, plan) = Folder::open(args)?;
    let game = match (&plan, &args.game) {
        (Some(plan), _) => plan.game.clone(),
        (None, Some(game)) => game.clone(),
        (None, None) => GAMES[0].to_owned(),
    };
    with_game(&game, Run { args, folder, plan })?
}

struct Run<'a> {
    args: &'a Args,
    folder: Folder,
    plan: Option<Plan>,
}

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<Answer>;

    fn visit<G: Game>(self) -> Self::Output {
        let Self { args, folder, plan } = self;
        let (stop, signal) = signals::listen()?;
        let mut course = Course { folder, commands: Vec::new(), stop, signal };
        let plan = match plan {
            Some(plan) => plan,
            None => Plan::make::<G>(args, &course.folder)?,
        };
        let over = course.all::<G>(&plan);
        match over {
            Ok(answer @ Answer::Stopped { .. }) => {
                output::lines(["", &course.folder.how_to_resume()])?;
                Ok(answer)
            }
            over => over,
        }
    }
}

/// The way from step to step.
struct Course {
    folder: Folder,
    /// What was done, and by which command.
    commands: Vec<(String, String)>,
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

/// Goes on if a step was done, and hands on what ended it otherwise.
macro_rules! unless_stopped {
    ($answer:expr) => {
        if let answer @ Answer::Stopped { .. } = $answer {
            return Ok(answer);
        }
    };
}

impl Course {
    fn all<G: Game>(&mut self, plan: &Plan) -> anyhow::Result<Answer> {
        output::lines(plan.lines(self.folder.path()))?;
        let steps = plan.steps(&self.folder)?;
        unless_stopped!(self.step(
            "the evaluation to begin with",
            &steps.start,
            Some("start.accrue")
        )?);
        unless_stopped!(self.step("games of a search with itself", &steps.datagen, None)?);
        self.folder.write("train.toml", &plan.train_toml()?)?;
        unless_stopped!(self.step("training", &steps.train, Some("net.accrue"))?);
        unless_stopped!(self.step(
            "export: floats become integers",
            &steps.export,
            Some("net.accrue")
        )?);
        self.folder.write("loop.toml", &plan.loop_toml()?)?;
        let mut samples = Samples::new();
        let mut reliability = Reliability::<G>::new(&self.folder.file("net.accrue"))?;
        let mut tables = Vec::new();
        for (title, step) in steps.matches {
            self.announce(title, &step)?;
            let over = matches::play::<G>(&step.args()?, &mut |fixture, played| {
                if tables.is_empty() {
                    samples.see(fixture, played);
                    reliability.see(played);
                }
            })?;
            unless_stopped!(over.answer);
            tables.push(MatchTable::new(title, &over.standings));
        }
        self.report::<G>(plan, &tables, &samples, &reliability)?;
        // Who plays random moves shows best whether anything was learnt, where they are an opponent.
        let won = match &tables[..] {
            [own] => own.estimate.score > 0.5,
            [_, random, ..] => random.estimate.score >= 0.9,
            [] => false,
        };
        output::lines(self.last_words(&tables))?;
        Ok(if won { Answer::Yes } else { Answer::No })
    }

    fn announce(&mut self, title: &str, step: &Step) -> anyhow::Result<()> {
        self.commands.push((title.to_owned(), step.to_string()));
        output::lines([
            String::new(),
            format!("{}. {title}", self.commands.len()),
            format!("   {step}"),
        ])
    }

    /// Carries out a step, unless the file that shows that it was done is there.
    fn step(&mut self, title: &str, step: &Step, done: Option<&str>) -> anyhow::Result<Answer> {
        self.announce(title, step)?;
        if let Some(file) = done.map(|done| self.folder.file(done)).filter(|file| file.is_file()) {
            output::lines([format!("   done before: {}", file.display())])?;
            return Ok(Answer::Yes);
        }
        let answer = step.run()?;
        // A signal that came when a step was ending or could not be stopped.
        if self.stop.load(Ordering::Relaxed) {
            return Ok(Answer::Stopped { signal: self.signal.load(Ordering::Relaxed) as u8 });
        }
        Ok(answer)
    }

    fn report<G: Game>(
        &self,
        plan: &Plan,
        tables: &[MatchTable],
        samples: &Samples<G>,
        reliability: &Reliability<G>,
    ) -> anyhow::Result<()> {
        let net = self.folder.file("net.accrue");
        let mut page = Page::new(plan, tables);
        page.add(Part::Steps(&self.commands));
        page.add(Part::Matches(tables));
        page.add(Part::Curves(&std::fs::read_to_string(self.folder.file("training/curves.svg"))?));
        page.add(Part::Reliability(&reliability.svg()));
        page.add(Part::Games(&samples.html()));
        page.add(Part::Neurons(&neurons(&net)?));
        page.add(Part::Next(&plan.next(&self.folder)));
        files::replace(&self.folder.file("report.html"), page.html().as_bytes())
    }

    fn last_words(&self, tables: &[MatchTable]) -> Vec<String> {
        let mut lines = vec![String::new()];
        lines.extend(tables.iter().map(MatchTable::sentence));
        for (what, file) in [("the network", "net.accrue"), ("the report", "report.html")] {
            lines.push(format!("{what:<12} {}", self.folder.file(file).display()));
        }
        lines.push(format!("to go on     accrue loop {}", self.folder.file("loop.toml").display()));
        lines
    }
}

/// What the neurons of a network look at.
fn neurons(net: &Path) -> anyhow::Result<String> {
    use crate::net::picture::neurons_svg;
    use crate::net::plot::{Choice, picture_of};
    use crate::network::ForeignArgs;
    let choice = Choice { neurons: 8, only: Vec::new(), piece: Vec::new(), bucket: None };
    Ok(neurons_svg(&picture_of(net, &ForeignArgs::default(), &choice)?))
}
