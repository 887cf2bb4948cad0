//! Jobs: what commands do once their game is known, one virtual call each.
//!
//! [`AnyGame`] is implemented once, for the [`GameEntry`] of every game; a job is a value with a
//! generic method `run`. A new command that depends on the game adds its line to the list below.

use std::fmt::Debug;
use std::sync::Arc;

use arena::calibration::ScoreFitError;
use arena::networks::BuiltInNetwork;
use dataset::DataGame;
use dataset::formats::FormatInfo;
use games::{Described, ToolkitGame};
use nnue::ScoreModel;
use pipeline::PipelineError;
use pipeline::stages::FittedScores;

#[cfg(feature = "serve")]
use crate::serve;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{
    Answer, bench, calibrate, data, datagen, eval, features, fit, looping, matches, net, openings,
    perft, quickstart, regret, score_model, tune, uci,
};

macro_rules! jobs {
    ($($(#[$attribute:meta])* $method:ident: $job:ty => $output:ty;)+) => {
        /// A game of the toolkit without its type.
        pub(crate) trait AnyGame: Debug + Send + Sync {
            /// The name of the game.
            fn name(&self) -> &'static str;
            /// The game as data and training see it.
            fn data(&self) -> Arc<dyn DataGame>;
            /// The networks that are part of the program.
            fn networks(&self) -> &[BuiltInNetwork];
            /// The formats of training records that belong to the game.
            fn formats(&self) -> Vec<&'static FormatInfo>;
            /// The score model of networks that have none of their own.
            fn score_model(&self) -> &ScoreModel;
            $(
                $(#[$attribute])*
                #[doc = concat!("Runs [`", stringify!($job), "`].")]
                fn $method(&self, toolkit: &Toolkit, job: $job) -> $output;
            )+
        }

        impl<G: ToolkitGame> AnyGame for GameEntry<G> {
            fn name(&self) -> &'static str {
                G::NAME
            }

            fn data(&self) -> Arc<dyn DataGame> {
                Arc::new(Described::<G>::new())
            }

            fn networks(&self) -> &[BuiltInNetwork] {
                &self.networks
            }

            fn formats(&self) -> Vec<&'static FormatInfo> {
                self.formats.iter().map(|format| format.info).collect()
            }

            fn score_model(&self) -> &ScoreModel {
                &self.score_model
            }

            $(
                $(#[$attribute])*
                fn $method(&self, toolkit: &Toolkit, job: $job) -> $output {
                    job.run(self, toolkit)
                }
            )+
        }
    };
}

jobs! {
    bench: bench::Run<'_> => anyhow::Result<search::BenchResult>;
    fit: fit::Run<'_> => anyhow::Result<Answer>;
    calibrate: calibrate::Run<'_> => anyhow::Result<Answer>;
    data_check: data::check::Run<'_> => anyhow::Result<Answer>;
    data_convert: data::convert::Run<'_> => anyhow::Result<Answer>;
    data_dedup: data::dedup::Run<'_> => anyhow::Result<Answer>;
    data_filter: data::filter::Run<'_> => anyhow::Result<Answer>;
    data_info: data::info::Run<'_> => anyhow::Result<Answer>;
    data_shuffle: data::shuffle::Run<'_> => anyhow::Result<Answer>;
    data_split: data::split::Run<'_> => anyhow::Result<Answer>;
    datagen: datagen::Run<'_> => anyhow::Result<Answer>;
    eval: eval::Run<'_> => anyhow::Result<Answer>;
    features: features::Run<'_> => anyhow::Result<Answer>;
    fit_scores: score_model::Run<'_> => Result<Result<FittedScores, ScoreFitError>, PipelineError>;
    run_loop: looping::Run => anyhow::Result<Answer>;
    material_network: net::start::Material => anyhow::Result<nnue::NetworkFile>;
    play_match: matches::Run<'_> => anyhow::Result<Answer>;
    openings: openings::Run<'_> => anyhow::Result<Answer>;
    perft: perft::Run<'_> => anyhow::Result<Answer>;
    quickstart: quickstart::Run<'_> => anyhow::Result<Answer>;
    regret: regret::Run<'_> => anyhow::Result<Answer>;
    #[cfg(feature = "serve")]
    served_game: serve::MakeGame => serve::Served;
    tune: tune::Run<'_> => anyhow::Result<Answer>;
    uci_variant: uci::MakeVariant => uci::BoxedVariant;
}
