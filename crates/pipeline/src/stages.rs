//! Stages: each is a struct with `run`, which carries it out, and `command`, its command line.

mod calibrate;
mod export;
mod fit_policy;
mod fit_search;
mod generate_data;
mod neurons;
mod play_match;
mod sample_searches;
mod score_model;
mod start;
mod train;
mod training_log;

pub use calibrate::{
    CalibrateNetwork, CalibrateProgress, CalibrationOutcome, QuantileReport, ScoresReport,
};
pub use export::{ExportNetwork, ExportReport};
pub use fit_policy::FitPolicy;
pub use fit_search::{FitEvent, FitReport, FitSearch};
pub use generate_data::{DataCounts, DataReport, GenerateData};
pub use neurons::{draw_network, neuron_boards};
pub(crate) use play_match::is_match_over;
pub use play_match::{PlayMatch, Watch};
pub use sample_searches::SampleSearches;
pub use score_model::{FitScores, FittedScores, ScoreFitter, ScoreReport};
pub use start::{StartNetwork, StartWeights, material_network, random_network};
pub use train::{TrainEvent, TrainNetwork, TrainingStart, TrainingSummary};
pub use training_log::{LoggedTraining, read_log};
