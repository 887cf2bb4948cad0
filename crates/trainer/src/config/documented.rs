//! Descriptions of settings whose types live elsewhere.

use super::schema::Field;

/// A schedule as a table.
pub(super) const SCHEDULE: &[Field] = &[
    Field::value("kind", &["constant, step, linear, cosine, exponential"]),
    Field::value("from", &["where it begins"]),
    Field::value("to", &["where it ends (linear, cosine, exponential)"]),
    Field::value("every", &["superbatches between changes (step)"]),
    Field::value("factor", &["what it is then multiplied by (step)"]),
];

/// A hidden layer as a table.
pub(super) const HIDDEN: &[Field] = &[
    Field::value("width", &["how many neurons"]),
    Field::value("activation", &["as for the first layer"]),
];

/// The output buckets.
pub(super) const BUCKETS: &[Field] = &[
    Field::value(
        "rule",
        &["none, pieces ((pieces − 2) / ⌈32 / count⌉) or fours ((pieces − 1) / 4)"],
    ),
    Field::value("count", &["how many; 1 with none"]),
];

/// An example of the caller's own features.
pub(super) const ROWS: &[Field] = &[
    Field::value("inputs", &["a 0 or 1 for each of the N inputs"]),
    Field::value("target", &["the result, 0 to 1"]),
];

const WEIGHT: Field = Field::value("weight", &["Its share of the sum of losses."]);
const STOP_GRADIENT: Field = Field::value(
    "stop_gradient",
    &["Whether only the head itself learns from it, not the layers below."],
);

/// The losses of value, win-draw-loss, quantiles, policy.
pub(super) const OBJECTIVES: [&[Field]; 4] = [
    &[
        WEIGHT,
        Field::value(
            "loss",
            &[
                "bce: cross-entropy of expected scores. mse: their squared difference. power: the difference",
                "to a power. raw-mse: squared difference of output and score / network.centipawns. tanh-mse: of",
                "tanh(output) and that, clipped to ±1.",
            ],
        ),
        Field::value("power", &["The exponent of the loss `power`."]),
        Field::value(
            "quiet",
            &[
                "Whether positions whose best move captures or promotes are left to the other heads: a search sees",
                "for itself what such a move wins.",
            ],
        ),
        STOP_GRADIENT,
    ],
    &[WEIGHT, STOP_GRADIENT],
    &[
        WEIGHT,
        Field::value(
            "form",
            &[
                "chain: a head of five, the lowest quantile and four steps up. anchored: a head of four, steps away",
                "from the value, which is the median; needs [loss.value], and network.value sigmoid or linear.",
            ],
        ),
        Field::value(
            "target",
            &[
                "deepest: the deepest score of a record, for all levels; the spread comes from similar positions.",
                "score: the record's own score. percentiles: a number for each level, those of the record.",
            ],
        ),
        Field::value("clip", &["Scores are clipped to this many centipawns."]),
        Field::value(
            "pull_value",
            &[
                "Whether the value is moved by this loss too (anchored); if not, it keeps to its own.",
            ],
        ),
        STOP_GRADIENT,
    ],
    &[
        WEIGHT,
        Field::value(
            "loss",
            &["from-to: among all cells to leave and all to enter. legal: among the legal moves."],
        ),
        Field::value(
            "moves",
            &[
                "from-to: a number for each cell to leave and to enter. piece-to: for each cell to leave, and for each",
                "kind of piece and cell that it enters.",
            ],
        ),
        STOP_GRADIENT,
    ],
];

/// The optimiser.
pub(super) const OPTIMISER: &[Field] = &[
    Field::value("kind", &["sgd, adam, adamw, radam, ranger"]),
    Field::value("momentum", &["How much of its last step sgd keeps."]),
    Field::value("beta1", &["How long Adam and its kin remember gradients."]),
    Field::value("beta2", &["How long they remember their squares."]),
    Field::value("epsilon", &["Keeps them from dividing by nothing."]),
    Field::value("weight_decay", &["How fast weights shrink by themselves."]),
    Field::value("clip_norm", &["The largest length of the whole gradient; 0 for no limit."]),
    Field::value("clip_value", &["The largest size of each of its parts; 0 for no limit."]),
    Field::value("lookahead_steps", &["How many steps ranger looks ahead."]),
    Field::value("lookahead_share", &["How far it then follows."]),
    Field::value(
        "sparse",
        &[
            "Whether only features that occur in a batch are updated. Unset: for large first layers.",
        ],
    ),
];
