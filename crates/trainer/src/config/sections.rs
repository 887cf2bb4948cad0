//! Configuration tables: all settings with defaults and descriptions.

use super::documented::{BUCKETS, HIDDEN, ROWS, SCHEDULE};
use super::schema::Kind;
use super::section::section;
use super::values::{BucketSettings, DataOrder, HiddenLayer, Limit, Row};
use crate::ParameterSchedule;

section! {
    /// The network. Its heads follow from the [loss.…] tables.
    NetworkSettings {
        /// The whole network in one line, instead of every other setting of this table but
        /// `factorise`. `accrue net info` prints this line for any network file.
        architecture: Option<String> = None,
        /// The inputs: the name of a feature set (`accrue features` lists them), or raw:N for N
        /// inputs of your own. It determines the number of inputs and of perspectives.
        features: String = "chess.piece-square".into(),
        /// The width of the first layer (the accumulator), for each perspective.
        accumulator: usize = 256,
        /// The activation of the first layer: identity, relu, crelu, screlu, sigmoid, tanh,
        /// pairwise. Only crelu, screlu and pairwise (and identity and relu without hidden layers)
        /// can be quantised.
        activation: String = "screlu".into(),
        /// The layers between the first one and the heads: widths, or { width = 32, activation =
        /// "crelu" }.
        hidden: Vec<HiddenLayer> = Vec::new(); Kind::Inline(HIDDEN),
        /// The activation of hidden layers that are given as a plain width. Only crelu and screlu
        /// can be quantised.
        hidden_activation: String = "crelu".into(),
        /// Output buckets: several sets of hidden layers and heads. The number of pieces on the
        /// board selects one.
        buckets: BucketSettings = BucketSettings::default(); Kind::Inline(BUCKETS),
        /// The value output: sigmoid (the logit of the expected score), linear, tanh.
        value: String = "sigmoid".into(),
        /// Centipawns for an output of 1. Engines read it from the network file.
        centipawns: f32 = 400.0,
        /// Train a shared row of weights for each piece and square in addition to those of every
        /// king bucket, and add it to them on export. Rare buckets then learn from the others.
        /// Bucketed sets only.
        factorise: bool = false,
    }
}

section! {
    /// The training data. Paths are relative to the folder of the configuration file.
    DataSettings {
        /// Files of training records, for example ["games/*.data"]; * and ? are wildcards in file
        /// names.
        files: Vec<String> = Vec::new(),
        /// Files to measure the validation loss on. Without any, games of `files` are held out.
        validation: Vec<String> = Vec::new(),
        /// The share of games in `files` that are held out from training and used for validation; 0
        /// for none. Whole games, because positions of one game resemble each other.
        held_out: f32 = 0.02,
        /// The number of positions of one step.
        batch_size: usize = 16384,
        /// The number of positions that are shuffled at a time; three to four times as many are in
        /// memory. It need not be large if the files were shuffled once with `accrue data shuffle`.
        window: usize = 1 << 20,
        /// shuffled, or sequential: in the order of the file. TD needs sequential.
        order: DataOrder = DataOrder::Shuffled,
        /// Threads; 0 for one on each processor. Equal numbers of threads give equal results, bit
        /// for bit.
        threads: usize = 0,
        /// Without files, for the features raw:N: the examples themselves.
        rows: Vec<Row> = Vec::new(); Kind::Inline(ROWS),
    }
}

section! {
    /// The target of the value head.
    TargetSettings {
        /// The centipawns of one unit of log-odds: the expected score of a search score is
        /// 1 / (1 + e^(−score / this)).
        score_scale: f32 = 400.0,
        /// The share of the game's result in the target; the rest is the search score. A number, or
        /// a table. bullet calls this `wdl`; nnue-pytorch's `lambda` is 1 minus this.
        result_share: ParameterSchedule = ParameterSchedule::Constant(0.0); Kind::Inline(SCHEDULE),
        /// λ of TD(λ): the target of a position comes from the network's own values of later
        /// positions of its game (0: only the next one, 1: only the end). Unset: targets come from
        /// the records.
        td_lambda: Option<f32> = None,
    }
}

section! {
    /// The length of the training, and the learning rate.
    ScheduleSettings {
        /// The number of superbatches. Each ends with a validation and a line in the log.
        superbatches: u64 = 40,
        /// The number of steps (batches) of a superbatch.
        batches_per_superbatch: u64 = 1000,
        /// The learning rate. A number, or a table.
        rate: ParameterSchedule = ParameterSchedule::Cosine { from: 0.001, to: 0.00001 };
            Kind::Inline(SCHEDULE),
        /// The number of first steps over which the rate grows from almost 0.
        warm_up: u64 = 0,
    }
}

section! {
    /// The initial weights.
    InitSettings {
        /// Equal seeds, data and threads give equal networks, bit for bit.
        seed: u64 = 1,
        /// A network file or checkpoint to start from, in floats or integers: all layers, and the
        /// heads that both have. It may be narrower; new neurons have no effect at first. Unset:
        /// random weights.
        network: Option<String> = None,
        /// A network file whose first layer is used: Stockfish 15's .nnue (features
        /// chess.halfka-hm) or one of accrue's with the same features. If it is wider, its first
        /// neurons are used. Integers are divided by the accumulator scale of that file (127 for
        /// Stockfish's).
        accumulator_from: Option<String> = None,
        /// Layers that keep their weights: accumulator, hidden.0, …, value, wdl, quantiles, policy.
        freeze: Vec<String> = Vec::new(),
        /// The number of superbatches after which frozen layers learn too. Unset: never.
        freeze_until: Option<u64> = None,
    }
}

section! {
    /// Weight limits after each step: "auto" is the maximum that quantisation can represent, "off"
    /// none, or a number.
    ClipSettings {
        /// First layer. auto: 1.98, so that sums of 32 features stay within 16 bits.
        accumulator: Limit = Limit::Auto,
        /// Hidden layers. auto: 127 / 2^shift of the layer's scale, which is 1.98 with the default
        /// scales.
        hidden: Limit = Limit::Auto,
        /// Value, win-draw-loss and quantile heads. auto: 32767 / scale.
        heads: Limit = Limit::Auto,
        /// Policy head. auto: 127 / 2^shift.
        policy: Limit = Limit::Auto,
    }
}

section! {
    /// Validation on held-out games.
    ValidationSettings {
        /// The number of superbatches between validations; 0 for never.
        every: u64 = 1,
        /// The maximum number of positions; 0 for all. They are the same each time.
        positions: u64 = 262_144,
        /// Early stopping: the number of validations without a new best loss; 0 for never.
        patience: u64 = 0,
    }
}

section! {
    /// The output files.
    OutputSettings {
        /// The folder, relative to that of the configuration file. Unset: its name without .toml.
        folder: Option<String> = None,
        /// The number of checkpoints to keep, besides the best one.
        keep: usize = 3,
        /// The number of superbatches between checkpoints. The end of training always writes one.
        checkpoint_every: u64 = 1,
        /// Whether to write curves.svg and report.html at the end.
        report: bool = true,
    }
}
