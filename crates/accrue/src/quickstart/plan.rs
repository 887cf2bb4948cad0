//! How much is done in the time that there is.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use dataset::GameList;
use games::ToolkitGame;
use report::page::CommandLine;
use serde::{Deserialize, Serialize};
use trainer::Config;

use super::Args;
use super::folder::Folder;
use super::recipe::Recipe;
use crate::step::Step;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{datagen, net};

/// What `quickstart.toml` holds: all that the steps follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    pub(super) version: String,
    pub(super) game: String,
    pub(super) minutes: f64,
    pub(super) seed: u64,
    pub(super) threads: usize,
    /// How many positions are generated.
    pub(super) positions: u64,
    /// How many games the match has.
    pub(super) games: u64,
}

/// The commands, in their order.
pub(super) struct Steps {
    pub(super) start: Step,
    pub(super) datagen: Step,
    pub(super) train: Step,
    pub(super) export: Step,
    pub(super) matches: Vec<(&'static str, Step)>,
}

const HEAD: &str = "\
# The plan of `accrue quickstart`, made by a short trial of how fast this machine plays.
# `accrue quickstart --resume` goes on by it; do not change it.

";

/// The share of the time that the trial, the games with itself and the match get; the rest is for training.
const TRIAL: f64 = 0.02;
const DATA: f64 = 0.55;
const MATCH: f64 = 0.25;
/// Bounds of what is planned, whatever the time: fewer make no sense, more do not help a small network.
const POSITIONS: (f64, f64) = (3000.0, 10_000_000.0);
const GAMES: (f64, f64) = (8.0, 4000.0);
/// Games against random moves. They are short.
const RANDOM_GAMES: u64 = 100;
/// After each of these the network is measured.
const SUPERBATCHES: u64 = 20;
/// MiB of each search.
const HASH: usize = 2;
/// The share of games that are kept from the training.
const HELD_OUT: f64 = 0.05;

impl Plan {
    /// Plans by a short trial, and writes the plan down.
    pub(super) fn make<G: ToolkitGame>(
        args: &Args,
        folder: &Folder,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Self> {
        let threads = args.threads;
        let threads =
            threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let mut plan = Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: G::NAME.to_owned(),
            minutes: args.minutes.unwrap_or(5.0),
            seed: args.seed.unwrap_or(1),
            threads,
            positions: POSITIONS.1 as u64,
            games: 0,
        };
        let seconds = 60.0 * plan.minutes;
        let trial = Duration::from_secs_f64((seconds * TRIAL).clamp(0.2, 10.0));
        plan.try_out::<G>(trial, seconds, &game.recipe, toolkit)?;
        folder.write_plan(&plan)?;
        Ok(plan)
    }

    /// Lets the search play itself for a moment.
    fn try_out<G: ToolkitGame>(
        &mut self,
        trial: Duration,
        seconds: f64,
        recipe: &Recipe,
        toolkit: &Toolkit,
    ) -> anyhow::Result<()> {
        let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
        let start = scratch.path().join("start.accrue");
        net::start::write_material::<G>(&start)?;
        let step = self.datagen(&scratch.path().join("trial.data"), &start, recipe);
        let report = datagen::trial::<G>(&step.args()?, trial, toolkit)?;
        let spent = report.time.as_secs_f64().max(1e-3);
        let a_second = |count: u64| count as f64 / spent;
        let positions = a_second(report.contents.positions) * seconds * DATA;
        let games = a_second(report.contents.games) * seconds * MATCH;
        self.positions = round(positions.clamp(POSITIONS.0, POSITIONS.1)) as u64;
        self.games = 2 * (games.clamp(GAMES.0, GAMES.1) / 2.0) as u64;
        Ok(())
    }

    /// Reads a plan.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let plan: Self = toml::from_str(&text).with_context(|| format!("{shown} is damaged"))?;
        Ok(plan)
    }

    /// Refuses arguments that say otherwise than the plan.
    pub(super) fn check(&self, args: &Args) -> anyhow::Result<()> {
        let Self { version, game, minutes, seed, threads, .. } = self;
        let own = env!("CARGO_PKG_VERSION");
        if version != own {
            bail!(
                "it was begun by version {version}, and this is {own}; begin again in another folder"
            );
        }
        let differ = |name: &str, planned: &dyn ToString, given: Option<String>| match given {
            Some(given) if given != planned.to_string() => {
                bail!(
                    "it was begun with --{name} {}, not {given}; leave --{name} out",
                    planned.to_string()
                )
            }
            _ => Ok(()),
        };
        differ("game", game, args.game.clone())?;
        differ("minutes", minutes, args.minutes.map(|minutes| minutes.to_string()))?;
        differ("seed", seed, args.seed.map(|seed| seed.to_string()))?;
        differ("threads", threads, args.threads.map(|threads| threads.to_string()))
    }

    /// The plan as it is written.
    pub(super) fn text(&self) -> anyhow::Result<String> {
        Ok(format!("{HEAD}{}", toml::to_string(self).context("cannot write the plan")?))
    }

    /// What is told at the beginning.
    pub(super) fn lines(&self, folder: &Path) -> Vec<String> {
        let Self { game, minutes, positions, games, threads, .. } = self;
        vec![
            format!(
                "quickstart of {game} in {}: about {minutes} minutes on {threads} threads",
                folder.display()
            ),
            format!("planned: {positions} positions of self-play, a match of {games} games"),
        ]
    }

    fn datagen(&self, out: &Path, net: &Path, recipe: &Recipe) -> Step {
        Step::new("datagen")
            .option("game", &self.game)
            .option("net", net.display())
            .option("out", out.display())
            .option("positions", self.positions)
            .option("soft-nodes", recipe.soft_nodes)
            .option("random-plies", recipe.random_plies)
            // Clear games teach little: more games are worth more than their ends.
            .option("win-score", 1000)
            .option("hash", HASH)
            .option("seed", self.seed)
            .option("threads", self.threads)
    }

    /// All commands.
    pub(super) fn steps(&self, folder: &Folder, recipe: &Recipe) -> Steps {
        let file = |name: &str| folder.file(name);
        let (start, data, net) = (file("start.accrue"), file("games.data"), file("net.accrue"));
        let train = Step::new("train").file(&file("train.toml")).option("threads", self.threads);
        let begun = file("training").is_dir();
        let export = Step::new("export").file(&file("training")).option("out", net.display());
        let mut matches = vec![(
            "match against the evaluation that it began with",
            self.a_match(
                folder,
                "match",
                &format!("name=start,net={}", start.display()),
                self.games,
                recipe,
            ),
        )];
        if recipe.random_opponent {
            let games = RANDOM_GAMES.min(self.games);
            let step = self.a_match(folder, "random", "moves=random", games, recipe);
            matches.push(("match against random moves", step));
        }
        Steps {
            start: Step::new("net start").option("game", &self.game).option("out", start.display()),
            datagen: self.datagen(&data, &start, recipe),
            train: if begun { train.word("--resume") } else { train },
            export: export.option("data", data.display()),
            matches,
        }
    }

    fn a_match(
        &self,
        folder: &Folder,
        name: &str,
        opponent: &str,
        games: u64,
        recipe: &Recipe,
    ) -> Step {
        let nodes = recipe.soft_nodes;
        let net = folder.file("net.accrue");
        let opponent = match opponent {
            "moves=random" => opponent.to_owned(),
            _ => format!("{opponent},mode=classical,softnodes={nodes},hash={HASH}"),
        };
        let step = Step::new("match")
            .word(format_args!(
                "name=net,net={},mode=classical,softnodes={nodes},hash={HASH}",
                net.display()
            ))
            .word(opponent)
            .option("game", &self.game)
            .option("games", games)
            .option("random-plies", recipe.random_plies)
            // Not the openings that the data began with.
            .option("seed", self.seed.wrapping_add(1000))
            .option("concurrency", self.threads)
            .option("pgn", folder.file(&format!("{name}.pgn")).display())
            .option("journal", folder.file(&format!("{name}.journal")).display());
        let step = if recipe.adjudicate { step.word("--adjudicate") } else { step };
        step.word("--resume").word("--quiet")
    }

    /// The configuration of the training.
    pub(super) fn train_toml(&self, recipe: &Recipe, games: &GameList) -> anyhow::Result<String> {
        let Recipe { epochs, batch, rate, .. } = recipe;
        let (network, rest) = Self::learning(recipe);
        let batches = (self.positions * epochs / batch / SUPERBATCHES).max(5);
        let text = format!(
            "# The training of a quickstart; docs/05-training.md explains it, `accrue train --print-config` lists all settings.
#
#     accrue train train.toml

{network}
[data]
files = [\"games.data\"]
held_out = {HELD_OUT}           # whole games that training never sees; the network that is best on them is exported
batch_size = {batch}

{rest}
[schedule]
superbatches = {SUPERBATCHES}         # after each the network is measured
batches_per_superbatch = {batches}
rate = {{ kind = \"cosine\", from = {rate}, to = 0.00005 }}

[init]
seed = {seed}

[output]
folder = \"training\"
keep = 1
",
            seed = self.seed,
        );
        let config = Config::parse(&text, &[]);
        config
            .and_then(|config| config.check(games))
            .context("the configuration of the training")?;
        Ok(text)
    }

    /// The configuration of a loop that begins with the network.
    pub(super) fn loop_toml(&self, recipe: &Recipe) -> String {
        let (network, rest) = Self::learning(recipe);
        let Recipe { soft_nodes, random_plies, epochs, batch, rate, .. } = recipe;
        format!(
            "# Goes on from the network of a quickstart, for as long as it runs; docs/loop.md explains it.
#
#     accrue loop loop.toml
#     accrue loop status loop.toml

game = \"{game}\"
start = \"net.accrue\"
folder = \"loop\"
seed = {seed}

[generate]
positions = {positions}
soft_nodes = {soft_nodes}
random_plies = {random_plies}

[gate]
soft_nodes = {soft_nodes}

{network}
{rest}
[training]
epochs = {epochs}
batch_size = {batch}
rate = {rate}
",
            game = self.game,
            seed = self.seed,
            positions = self.positions,
        )
    }

    /// What to do next, and by which command.
    pub(super) fn next(&self, folder: &Folder) -> Vec<CommandLine> {
        let show = |name: &str| folder.file(name).display().to_string();
        let next = |title: &str, step: &Step| CommandLine {
            title: title.to_owned(),
            command: step.to_string(),
        };
        let eval = Step::new("eval").option("net", show("net.accrue")).option("game", &self.game);
        let train = Step::new("train")
            .word(show("train.toml"))
            .option("set", "network.accumulator=64")
            .option("set", "output.folder=wider");
        vec![
            next(
                "Improve the network for hours or days: generate, train, test, repeat",
                &Step::new("loop").word(show("loop.toml")),
            ),
            next("Evaluate a position", &eval),
            next("Train another network on the same games", &train),
        ]
    }

    /// The tables of the network, and of what it learns: the same in a training and in a loop.
    fn learning(recipe: &Recipe) -> (String, String) {
        let Recipe { features, accumulator, activation, buckets, .. } = recipe;
        let Recipe { result_share, score_scale, .. } = recipe;
        let buckets = match buckets {
            1 => String::new(),
            _ => format!("buckets = {{ rule = \"pieces\", count = {buckets} }}\n"),
        };
        let network = format!(
            "[network]\nfeatures = \"{features}\"\naccumulator = {accumulator}          # wider networks need more positions\nactivation = \"{activation}\"\n{buckets}"
        );
        let rest = format!(
            "[target]\nscore_scale = {score_scale:?}\nresult_share = {result_share}        # results of so few games are mostly chance; search scores are not\n\n[loss.value]\nloss = \"mse\"\n"
        );
        (network, rest)
    }
}

/// Two digits are enough for a plan.
fn round(value: f64) -> f64 {
    let step = 10f64.powf(value.log10().floor() - 1.0);
    (value / step).round() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_round() {
        let planned = [3000.0, 123_456.0, 98_765.0].map(|value| round(value) as u64);
        assert_eq!(planned, [3000, 120_000, 99_000]);
    }

    #[test]
    fn every_training_is_a_valid_configuration() {
        let toolkit = Toolkit::new().with_builtin_games();
        for entry in toolkit.entries() {
            let plan = Plan {
                version: String::new(),
                game: entry.name().to_owned(),
                minutes: 5.0,
                seed: 1,
                threads: 2,
                positions: 200_000,
                games: 100,
            };
            plan.train_toml(entry.recipe(), toolkit.games()).unwrap();
            assert_eq!(toml::from_str::<Plan>(&plan.text().unwrap()).unwrap(), plan);
        }
    }
}
