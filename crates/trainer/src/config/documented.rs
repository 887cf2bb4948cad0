//! Setting descriptions of types that are defined elsewhere.

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

/// An example with features of the caller.
pub(super) const ROWS: &[Field] = &[
    Field::value("inputs", &["a 0 or 1 for each of the N inputs"]),
    Field::value("target", &["the result, 0 to 1"]),
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
