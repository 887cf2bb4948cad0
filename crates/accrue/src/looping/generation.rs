//! One generation: its commands, and what came of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use arena::{Hypothesis, Model, Sprt, Tally};
use games::ToolkitGame;

use super::config::{Gate, LoopConfig};
use super::place::{Place, folder_name};
use super::state::{State, Tested};
use super::training::{SETTINGS_OF_HEADS, SETTINGS_OF_VALUE};
use crate::matches::contest::Over;
use crate::step::Step;
use crate::toolkit::Toolkit;
use crate::{Answer, matches, output};
use pipeline::files;

/// Makes the network that it all begins with, unless it is there.
pub(super) fn begin(
    place: &Place,
    config: &LoopConfig,
    config_path: &Path,
    toolkit: &Toolkit,
) -> anyhow::Result<()> {
    let out = place.network(0);
    if out.is_file() {
        return Ok(());
    }
    let folder = place.generation(0);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    match config.start.as_str() {
        "random" => {
            let training = folder.join("train.toml");
            let text = config.train(None, &[], 0, config.seed)?.to_table().to_string();
            files::replace(&training, text.as_bytes())?;
            let step = Step::new("net start").option("random", training.display());
            carry_out("random weights", &step.option("out", out.display()), toolkit).map(drop)
        }
        "material" => {
            let step = Step::new("net start").option("game", &config.game);
            carry_out("the worth of the pieces", &step.option("out", out.display()), toolkit)
                .map(drop)
        }
        file => {
            let path = config_path.parent().unwrap_or(Path::new("")).join(file);
            let bytes = fs::read(&path);
            let bytes = bytes.with_context(|| format!("start: cannot read {}", path.display()))?;
            Ok(files::replace(&out, &bytes)?)
        }
    }
}

/// A generation that is under way.
pub(super) struct Generation<'a> {
    place: &'a Place,
    pub(super) number: u64,
    best: u64,
    rating: f64,
    threads: usize,
    pub(super) config: LoopConfig,
    pub(super) config_path: &'a Path,
    pub(super) toolkit: &'a Toolkit,
}

/// The settings that a generation was begun with, in its folder.
const SETTINGS: &str = "loop.toml";

impl<'a> Generation<'a> {
    /// Begins the generation, or goes on with it. Its settings are those that it was begun with.
    pub(super) fn open(
        place: &'a Place,
        state: &State,
        config: &LoopConfig,
        config_path: &'a Path,
        threads: Option<usize>,
        toolkit: &'a Toolkit,
    ) -> anyhow::Result<Self> {
        let number = state.next();
        let folder = place.generation(number);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let settings = folder.join(SETTINGS);
        let config = if settings.is_file() {
            LoopConfig::read(&settings, toolkit.games())?
        } else {
            let text = fs::read(config_path);
            let text = text.with_context(|| format!("cannot read {}", config_path.display()))?;
            files::replace(&settings, &text)?;
            config.clone()
        };
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(config.threads);
        let threads = if threads == 0 { all() } else { threads };
        let (best, rating) = (state.best(), state.best_rating());
        Ok(Self { place, number, best, rating, threads, config, config_path, toolkit })
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.place.generation(self.number).join(name)
    }

    /// The best network so far, as the trainings of this generation name it.
    pub(super) fn best_from_here(&self) -> String {
        format!("../{}/net.accrue", folder_name(self.best))
    }

    /// Another number for each generation.
    pub(super) fn seed(&self) -> u64 {
        self.config.seed.wrapping_mul(1_000_003).wrapping_add(self.number)
    }

    /// Carries it out. Without a result it was stopped.
    pub(super) fn carry_out<G: ToolkitGame>(&self) -> anyhow::Result<(Option<Tested>, Answer)> {
        let net = self.file("net.accrue");
        if !net.is_file() {
            self.write_training()?;
        }
        output::lines([
            String::new(),
            format!("generation {}, from generation {}", self.number, self.best),
        ])?;
        if !net.is_file() {
            for (title, step) in [
                ("games", self.datagen()),
                ("training", self.train(SETTINGS_OF_VALUE, "training")),
                ("export", self.export("training", &net)),
            ] {
                if let answer @ Answer::Stopped { .. } = carry_out(title, &step, self.toolkit)? {
                    return Ok((None, answer));
                }
            }
        }
        let step = self.gate();
        announce("gate", &step)?;
        let over = matches::play::<G>(&step.args()?, &mut |_, _| {}, self.toolkit)?;
        if let answer @ Answer::Stopped { .. } = over.answer {
            return Ok((None, answer));
        }
        let tested = self.judge(&over)?;
        for (title, step) in if tested.promoted { self.completion() } else { Vec::new() } {
            if let answer @ Answer::Stopped { .. } = carry_out(title, &step, self.toolkit)? {
                return Ok((None, answer));
            }
        }
        Ok((Some(tested), Answer::Yes))
    }

    /// What a network that was promoted is given besides.
    fn completion(&self) -> Vec<(&'static str, Step)> {
        let mut steps = Vec::new();
        let heads = self.file("heads.accrue");
        if self.config.heads.is_some() && !heads.is_file() {
            steps.push(("quantiles and policy", self.train(SETTINGS_OF_HEADS, "heads")));
            steps.push(("export", self.export("heads", &heads)));
        }
        steps.extend(self.calibration().into_iter().flatten());
        steps
    }

    /// The network with all its heads.
    fn complete(&self) -> PathBuf {
        self.file(if self.config.heads.is_some() { "heads.accrue" } else { "net.accrue" })
    }

    fn datagen(&self) -> Step {
        self.config.games(
            self.place.network(self.best).display(),
            self.file("games.data").display(),
            self.config.generate.positions_of(self.number),
            self.seed(),
            self.threads,
        )
    }

    /// One of the two trainings.
    fn train(&self, settings: &str, folder: &str) -> Step {
        let step = Step::new("train").file(&self.file(settings)).option("threads", self.threads);
        if self.file(folder).is_dir() { step.word("--resume") } else { step }
    }

    fn export(&self, folder: &str, out: &Path) -> Step {
        Step::new("export")
            .file(&self.file(folder))
            .option("out", out.display())
            .option("data", self.file("games.data").display())
            .option("bound", &self.config.training.export_bound)
            .options(&self.config.training.export_options)
    }

    /// What corrects the quantiles of the network, which the learned search needs: games that it did not learn from,
    /// and a file of its own for what comes of them.
    fn calibration(&self) -> Option<[(&'static str, Step); 2]> {
        let calibrate = self.config.calibrate.as_ref()?;
        let held = self.file("held.data");
        let games = calibrate
            .games()
            .option("game", &self.config.game)
            .option("net", self.complete().display())
            .option("out", held.display())
            .option("random-plies", self.config.generate.random_plies)
            .option("seed", self.seed().wrapping_add(700_000))
            .option("threads", self.threads);
        let correct = Step::new("calibrate")
            .file(&self.complete())
            .option("data", held.display())
            .option("out", self.file("calibrated.accrue").display())
            .option("report", self.file("calibration.html").display())
            .options(&calibrate.options);
        Some([("positions for its quantiles", games), ("quantiles", correct)])
    }

    fn gate(&self) -> Step {
        let Gate { elo0, elo1, alpha, beta, games, soft_nodes, random_plies } = self.config.gate;
        // Networks are compared, not searches: one of them may be calibrated.
        let engine = |number: u64| {
            let net = self.place.network(number).display().to_string();
            let hash = self.config.generate.hash;
            format!("name=gen-{number},net={net},mode=classical,softnodes={soft_nodes},hash={hash}")
        };
        Step::new("match")
            .word(engine(self.number))
            .word(engine(self.best))
            .option("game", &self.config.game)
            .option("games", games)
            .option("sprt", format_args!("{elo0},{elo1}"))
            .option("alpha", alpha)
            .option("beta", beta)
            .option("random-plies", random_plies)
            .option("seed", self.seed().wrapping_add(500_000))
            .option("concurrency", self.threads)
            .option("pgn", self.file("gate.pgn").display())
            .option("journal", self.file("gate.journal").display())
            .word("--resume")
            .word("--quiet")
    }

    fn judge(&self, over: &Over) -> anyhow::Result<Tested> {
        let tally = &over.standings.pairings()[0].tally;
        let Gate { elo0, elo1, alpha, beta, .. } = self.config.gate;
        let sprt = Sprt::new(elo0, elo1, alpha, beta, Model::Normalized)?;
        let (promoted, verdict) = match over.verdict {
            Some(Hypothesis::H1) => (true, "H1"),
            Some(Hypothesis::H0) => (false, "H0"),
            // The games are used up; what is likelier counts.
            None => (sprt.llr(tally) > 0.0, "undecided"),
        };
        let (elo, error) = elo(tally);
        Ok(Tested {
            number: self.number,
            against: self.best,
            promoted,
            verdict: verdict.to_owned(),
            games: tally.games(),
            points: tally.points(),
            elo,
            error,
            rating: self.rating + elo,
        })
    }
}

/// The difference, finite: who won all games is rated as if one had been drawn.
fn elo(tally: &Tally) -> (f64, Option<f64>) {
    let estimate = tally.estimate();
    let error = Some(estimate.elo_error).filter(|error| error.is_finite());
    if estimate.elo.is_finite() {
        return (estimate.elo, error);
    }
    let least = 0.5 / tally.games().max(1) as f64;
    let score = estimate.score.clamp(least, 1.0 - least);
    (400.0 * (score / (1.0 - score)).log10(), None)
}

fn announce(title: &str, step: &Step) -> anyhow::Result<()> {
    output::lines([format!("{title}: {step}")])
}

fn carry_out(title: &str, step: &Step, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    announce(title, step)?;
    step.run(toolkit)
}
