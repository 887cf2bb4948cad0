//! Tests that the C header is generated from the source.

use std::path::Path;
use std::{env, fs};

use cbindgen::{Builder, Config, EnumConfig, Language, RenameRule, Style};

/// The variable that makes the test write the header instead of comparing it.
const WRITE: &str = "WRITE_HEADER";

/// The source files in the order of the header.
const SOURCES: [&str; 4] = ["status.rs", "network.rs", "accumulator.rs", "evaluator.rs"];

/// The introduction of the header.
const INTRODUCTION: &str = "\
/*
 * accrue_nnue: efficiently updatable neural networks for board games.
 *
 * Generated from the source by `WRITE_HEADER=1 cargo test -p nnue-c --test header`; do not edit.
 *
 * Load a network, make an evaluator for each thread, and two accumulators, one for each perspective,
 * for each position of the line that the search visits. Refresh the accumulators of the root from the
 * active features; after a move, update the next ones by the features that have changed.
 *
 *     AccrueNetwork *network;
 *     if (accrue_network_load(\"chess.net\", &network) != ACCRUE_STATUS_OK) {
 *         fprintf(stderr, \"%s\\n\", accrue_last_error());
 *         return 1;
 *     }
 *     AccrueEvaluator *evaluator;
 *     AccrueAccumulator *white[2], *black[2];
 *     accrue_evaluator_new(network, &evaluator);
 *     for (int ply = 0; ply < 2; ply++) {
 *         accrue_accumulator_new(network, &white[ply]);
 *         accrue_accumulator_new(network, &black[ply]);
 *     }
 *
 *     accrue_accumulator_refresh(white[0], white_features, 32);
 *     accrue_accumulator_refresh(black[0], black_features, 32);
 *
 *     accrue_accumulator_update(white[0], white[1], white_added, 1, white_removed, 1);
 *     accrue_accumulator_update(black[0], black[1], black_added, 1, black_removed, 1);
 *     int32_t centipawns;
 *     accrue_evaluate(evaluator, white[1], black[1], 1, 32, &centipawns);
 *
 * Errors. A function that can fail returns a status; accrue_last_error() then returns a message. A
 * failed call changes nothing that its arguments point to, unless the status is
 * ACCRUE_STATUS_INTERNAL. Null pointers, features and rows that the network does not have, and
 * accumulators of another network are errors. The caller must ensure that a pointer that is not NULL
 * points to the right object, and that nothing is used after it was freed.
 *
 * Threads. Any number of threads may use a network at once, one at a time an evaluator; one thread
 * may change an accumulator, or several may read it.
 *
 * Link with -laccrue_nnue.
 */";

fn generate() -> String {
    let config = Config {
        language: Language::C,
        style: Style::Type,
        header: Some(INTRODUCTION.into()),
        include_guard: Some("ACCRUE_NNUE_H".into()),
        no_includes: true,
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).into(),
        cpp_compat: true,
        usize_is_size_t: true,
        line_length: 100,
        enumeration: EnumConfig {
            rename_variants: RenameRule::QualifiedScreamingSnakeCase,
            ..EnumConfig::default()
        },
        ..Config::default()
    };
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let builder = Builder::new().with_config(config);
    let builder =
        SOURCES.iter().fold(builder, |builder, name| builder.with_src(sources.join(name)));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn header_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/accrue_nnue.h");
    let generated = generate();
    if env::var_os(WRITE).is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        committed == generated,
        "{} is not what the source says; {WRITE}=1 cargo test -p nnue-c --test header writes it",
        path.display()
    );
}
