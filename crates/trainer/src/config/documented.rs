//! Setting descriptions of types that are defined elsewhere.

use super::schema::Field;

/// A schedule as a table.
pub(super) const SCHEDULE: &[Field] = &[
    Field::value("kind", &["constant, step, linear, cosine, exponential"]),
    Field::value("from", &["the value at the start"]),
    Field::value("to", &["the value at the end (linear, cosine, exponential)"]),
    Field::value("every", &["superbatches between changes (step)"]),
    Field::value("factor", &["the factor of each change (step)"]),
];

/// A hidden layer as a table.
pub(super) const HIDDEN: &[Field] = &[
    Field::value("width", &["the number of neurons"]),
    Field::value("activation", &["as for the first layer"]),
];

/// The output buckets.
pub(super) const BUCKETS: &[Field] = &[
    Field::value(
        "rule",
        &["none, pieces ((pieces − 2) / ⌈32 / count⌉) or fours ((pieces − 1) / 4)"],
    ),
    Field::value("count", &["the number of buckets; 1 with none"]),
];

/// An example with features of the caller.
pub(super) const ROWS: &[Field] = &[
    Field::value("inputs", &["a 0 or 1 for each of the N inputs"]),
    Field::value("target", &["the result, 0 to 1"]),
];

/// The optimiser.
pub(super) const OPTIMISER: &[Field] = &[
    Field::value("kind", &["sgd, adam, adamw, radam, ranger"]),
    Field::value("momentum", &["The momentum of sgd."]),
    Field::value(
        "beta1",
        &["The decay rate of the first moment of adam, adamw, radam and ranger."],
    ),
    Field::value("beta2", &["The decay rate of their second moment."]),
    Field::value("epsilon", &["The term that prevents a division by 0."]),
    Field::value("weight_decay", &["The weight decay."]),
    Field::value("clip_norm", &["The maximum norm of the gradient; 0 for no limit."]),
    Field::value(
        "clip_value",
        &["The maximum absolute value of each gradient component; 0 for no limit."],
    ),
    Field::value(
        "lookahead_steps",
        &["The number of steps between the lookahead updates of ranger."],
    ),
    Field::value(
        "lookahead_share",
        &["The share of the way that its slow weights move towards the fast ones."],
    ),
    Field::value(
        "sparse",
        &["Whether to update only the features of a batch. Unset: for large first layers."],
    ),
];
