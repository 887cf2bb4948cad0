//! Configurations that a quickstart leaves behind: of its training, and of a loop that continues.

use trainer::{
    BucketSettings, Config, DataSettings, InitSettings, NetworkSettings, OutputSettings,
    ParameterSchedule, ScheduleSettings, TargetSettings, ValueObjective,
};

use super::fit::NETWORK;
use super::plan::QuickstartPlan;
use super::recipe::Recipe;
use crate::PipelineError;
use crate::looping::{Gate, Generate, LoopConfig, LoopFit, Training};

/// The network is validated after each superbatch.
const SUPERBATCHES: u64 = 20;
/// The share of games that are held out of the training.
const HELD_OUT: f32 = 0.05;
/// The learning rate at the end.
const LAST_RATE: f32 = 0.000_05;

const TRAIN_HEAD: &str = "\
# The training of a quickstart; docs/05-training.md explains it.
#
#     accrue train train.toml

";

const LOOP_HEAD: &str = "\
# A loop that continues from the network of a quickstart; docs/loop.md explains it.
#
#     accrue loop loop.toml
#     accrue loop status loop.toml

";

impl QuickstartPlan {
    /// The configuration of the training.
    pub fn train_config(&self, recipe: &Recipe) -> Config {
        let Recipe { epochs, batch, rate, .. } = *recipe;
        let batches = (self.positions * epochs / batch / SUPERBATCHES).max(5);
        Config {
            data: DataSettings {
                files: vec!["games.data".to_owned()],
                held_out: HELD_OUT,
                batch_size: batch as usize,
                ..DataSettings::default()
            },
            schedule: ScheduleSettings {
                superbatches: SUPERBATCHES,
                batches_per_superbatch: batches,
                rate: ParameterSchedule::Cosine { from: rate, to: LAST_RATE },
                ..ScheduleSettings::default()
            },
            init: InitSettings { seed: self.seed, ..InitSettings::default() },
            output: OutputSettings {
                folder: Some("training".to_owned()),
                keep: 1,
                ..OutputSettings::default()
            },
            ..learning(recipe)
        }
    }

    /// The configuration of the training as text.
    pub(super) fn train_toml(&self, recipe: &Recipe) -> String {
        format!("{TRAIN_HEAD}{}", self.train_config(recipe).to_commented_toml())
    }

    /// The configuration of a loop that starts from the network.
    pub fn loop_config(&self, recipe: &Recipe) -> LoopConfig {
        let mut tables = learning(recipe).to_table();
        let mut table = |name: &str| match tables.remove(name) {
            Some(toml::Value::Table(table)) => table,
            _ => toml::Table::new(),
        };
        LoopConfig {
            start: NETWORK.to_owned(),
            folder: Some("loop".to_owned()),
            seed: self.seed,
            generate: Generate {
                positions: self.positions,
                soft_nodes: recipe.soft_nodes,
                random_plies: recipe.random_plies,
                ..Generate::default()
            },
            gate: Gate { soft_nodes: recipe.soft_nodes, ..Gate::default() },
            training: Training {
                epochs: recipe.epochs,
                batch_size: recipe.batch,
                rate: f64::from(recipe.rate),
                ..Training::default()
            },
            fit: Some(LoopFit::default()),
            network: table("network"),
            target: table("target"),
            loss: table("loss"),
            ..LoopConfig::new(&self.game)
        }
    }

    /// The configuration of the loop as text.
    pub(super) fn loop_toml(&self, recipe: &Recipe) -> Result<String, PipelineError> {
        Ok(format!("{LOOP_HEAD}{}", self.loop_config(recipe).to_toml()?))
    }
}

/// The network and what it learns: the same in a training and in a loop.
fn learning(recipe: &Recipe) -> Config {
    let buckets = match recipe.buckets {
        1 => BucketSettings::default(),
        count => BucketSettings { rule: "pieces".to_owned(), count },
    };
    let mut config = Config {
        network: NetworkSettings {
            features: recipe.features.to_string(),
            accumulator: recipe.accumulator,
            activation: recipe.activation.to_owned(),
            buckets,
            ..NetworkSettings::default()
        },
        target: TargetSettings {
            score_scale: recipe.score_scale,
            result_share: ParameterSchedule::Constant(recipe.result_share),
            ..TargetSettings::default()
        },
        ..Config::default()
    };
    config.loss.value = Some(ValueObjective::default());
    config
}

#[cfg(test)]
mod tests {
    use dataset::GameList;
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    use super::*;

    #[test]
    fn what_a_quickstart_leaves_behind_can_be_read() {
        let games = GameList::new().with::<Chess>().with::<Hexchess>().with::<ConnectFour>();
        for (game, recipe) in [
            ("chess", Recipe::CHESS),
            ("hexchess", Recipe::HEXCHESS),
            ("connect_four", Recipe::CONNECT_FOUR),
            ("connect_four", Recipe::default_for::<ConnectFour>()),
        ] {
            let plan = QuickstartPlan {
                version: String::new(),
                game: game.to_owned(),
                minutes: 5.0,
                seed: 1,
                threads: 2,
                positions: 200_000,
                fit_games: 10,
                games: 100,
            };
            let text = plan.train_toml(&recipe);
            let config = Config::parse(&text, &[]).unwrap();
            assert_eq!(config, plan.train_config(&recipe), "{text}");
            config.check(&games).unwrap();
            let text = plan.loop_toml(&recipe).unwrap();
            let config = LoopConfig::parse(&text, &games).unwrap();
            assert_eq!(config, plan.loop_config(&recipe), "{text}");
        }
    }
}
