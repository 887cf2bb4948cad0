//! Configuration tables.

use super::documented::{BUCKETS, HIDDEN, ROWS, SCHEDULE};
use super::schema::Kind;
use super::section::section;
use super::values::{BucketSettings, DataOrder, HiddenLayer, Limit, Row};
use crate::ParameterSchedule;

section! {
    /// What the network is. Its heads follow from which [loss.…] tables there are.
    NetworkSettings {
        /// The whole network in one line, in place of every other setting of this table but `factorise`.
        /// `accrue net info` prints this line for any network file.
        architecture: Option<String> = None,
        /// The inputs: the name of a feature set (`accrue features` lists them), or raw:N for N inputs of your own.
        /// How many inputs and how many perspectives of the board there are follows from it.
        features: String = "chess.piece-square".into(),
        /// How wide the first layer is, for each perspective.
        accumulator: usize = 256,
        /// What the first layer does to its sums: identity, relu, crelu, screlu, sigmoid, tanh, pairwise.
        /// Only crelu, screlu and pairwise (and identity and relu without hidden layers) can be quantised.
        activation: String = "screlu".into(),
        /// The layers between the first one and the heads: widths, or { width = 32, activation = "crelu" }.
        hidden: Vec<HiddenLayer> = Vec::new(); Kind::Inline(HIDDEN),
        /// What hidden layers do that are given as a plain width. Only crelu and screlu can be quantised.
        hidden_activation: String = "crelu".into(),
        /// Several sets of hidden layers and heads; the number of pieces on the board chooses one.
        buckets: BucketSettings = BucketSettings::default(); Kind::Inline(BUCKETS),
        /// What the value output is: sigmoid (the logit of the expected score), linear, tanh.
        value: String = "sigmoid".into(),
        /// Centipawns for an output of 1. Engines read it from the network file.
        centipawns: f32 = 400.0,
        /// Train a shared row of weights for each piece and square beside those of every king bucket, and add
        /// it to them on export. Buckets that occur seldom then learn from the others. Bucketed sets only.
        factorise: bool = false,
    }
}

section! {
    /// What it learns from. Paths are relative to the folder of the configuration file.
    DataSettings {
        /// Files of training records, for example ["games/*.data"]; * and ? stand for parts of file names.
        files: Vec<String> = Vec::new(),
        /// Files to measure the validation loss on. Without any, games of `files` are held out.
        validation: Vec<String> = Vec::new(),
        /// The share of games in `files` that are kept from training and used for validation; 0 for none.
        /// Whole games, because positions of one game resemble each other.
        held_out: f32 = 0.02,
        /// Positions of one step.
        batch_size: usize = 16384,
        /// How many positions are mixed at a time; three to four times as many are in memory. Shuffle files
        /// once with `accrue data shuffle`, and this need not be large.
        window: usize = 1 << 20,
        /// shuffled, or sequential: in the order of the file. TD needs sequential.
        order: DataOrder = DataOrder::Shuffled,
        /// Threads; 0 for one on each processor. Results are equal, bit for bit, for equal numbers of threads.
        threads: usize = 0,
        /// Without files, for the features raw:N: the examples themselves.
        rows: Vec<Row> = Vec::new(); Kind::Inline(ROWS),
    }
}

section! {
    /// What the value is drawn to.
    TargetSettings {
        /// Centipawns that count as one unit of log-odds: the expected score of a search score is
        /// 1 / (1 + e^(−score / this)).
        score_scale: f32 = 400.0,
        /// The share of the game's result in the target; the rest is the search score's. A number, or a table.
        /// bullet calls this `wdl`; nnue-pytorch's `lambda` is the other share, 1 minus this.
        result_share: ParameterSchedule = ParameterSchedule::Constant(0.0); Kind::Inline(SCHEDULE),
        /// λ of TD(λ): the target of a position comes from the network's own values of later positions of
        /// its game (0: the next one alone, 1: the end alone). Unset: targets come from the records.
        td_lambda: Option<f32> = None,
    }
}

section! {
    /// How long it trains, and how fast it learns when.
    ScheduleSettings {
        /// How many superbatches. After each there is a validation and a line in the log.
        superbatches: u64 = 40,
        /// How many steps (batches) each has.
        batches_per_superbatch: u64 = 1000,
        /// The learning rate. A number, or a table.
        rate: ParameterSchedule = ParameterSchedule::Cosine { from: 0.001, to: 0.00001 }; Kind::Inline(SCHEDULE),
        /// Over how many first steps the rate grows from almost nothing.
        warm_up: u64 = 0,
    }
}

section! {
    /// Where it starts.
    InitSettings {
        /// Equal seeds, data and threads give equal networks, bit for bit.
        seed: u64 = 1,
        /// A network file or checkpoint to start from, in floats or integers: all layers, and the heads that both have.
        /// It may be narrower; new neurons are not listened to at first. Unset: random weights.
        network: Option<String> = None,
        /// A network file whose first layer is taken: Stockfish 15's .nnue (features chess.halfka-hm) or one of
        /// accrue's with the same features. If it is wider, its first neurons are taken. Integers are divided
        /// by what is 1.0 in that file's accumulator (127 in Stockfish's).
        accumulator_from: Option<String> = None,
        /// Layers that keep their weights: accumulator, hidden.0, …, value, wdl, quantiles, policy.
        freeze: Vec<String> = Vec::new(),
        /// After how many superbatches frozen layers learn too. Unset: never.
        freeze_until: Option<u64> = None,
    }
}

section! {
    /// Limits of the weights after each step: "auto" is what quantisation can hold, "off" none, or a number.
    ClipSettings {
        /// First layer. auto: 1.98, so that sums of 32 features stay within 16 bits.
        accumulator: Limit = Limit::Auto,
        /// Hidden layers. auto: 127 / 2^shift of the layer's scale, which is 1.98 with the usual scales.
        hidden: Limit = Limit::Auto,
        /// Value, win-draw-loss and quantile heads. auto: 32767 / scale.
        heads: Limit = Limit::Auto,
        /// Policy head. auto: 127 / 2^shift.
        policy: Limit = Limit::Auto,
    }
}

section! {
    /// How it is measured on games that it does not learn from.
    ValidationSettings {
        /// After how many superbatches; 0 for never.
        every: u64 = 1,
        /// The most positions to look at; 0 for all. They are the same ones each time.
        positions: u64 = 262_144,
        /// Stop after so many validations without a new best one; 0 for never.
        patience: u64 = 0,
    }
}

section! {
    /// What it leaves behind.
    OutputSettings {
        /// The folder, relative to that of the configuration file. Unset: its name without .toml.
        folder: Option<String> = None,
        /// How many checkpoints are kept, beside the best one.
        keep: usize = 3,
        /// After how many superbatches one is written. One is always written when training ends or is stopped.
        checkpoint_every: u64 = 1,
        /// Whether curves.svg and report.html are written at the end.
        report: bool = true,
    }
}
