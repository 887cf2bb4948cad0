//! The header is what the code says.

use std::path::Path;
use std::{env, fs};

use cbindgen::{Builder, Config, EnumConfig, Language, RenameRule, Style};

/// Set to anything, it makes the test write the header instead of comparing it.
const WRITE: &str = "WRITE_HEADER";

/// In the order in which the header is best read.
const SOURCES: [&str; 4] = ["status.rs", "network.rs", "accumulator.rs", "evaluator.rs"];

/// What the header begins with.
const INTRODUCTION: &str = "\
/*
 * accrue_nnue: efficiently updatable neural networks for board games.
 *
 * Generated from the source by `WRITE_HEADER=1 cargo test -p nnue-c --test header`; do not edit.
 *
 * Load a network, make an evaluator for each thread, and two accumulators, White's view and Black's, for each
 * position along the line that the search looks at. Fill the root's accumulators from the features that are
 * active; after a move, fill the next ones from what has changed.
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
 * Errors. A function that can fail returns a status; accrue_last_error() then says what was wrong. A failed
 * call changes nothing that its arguments point to, unless the status is ACCRUE_STATUS_INTERNAL. Null
 * pointers, features and rows that the network does not have, and accumulators of another network are
 * errors. It is up to you that a pointer that is not NULL points to what is asked for, and that nothing is
 * used after it was freed.
 *
 * Threads. A network may be used by any number of threads at once, an evaluator by one at a time, an
 * accumulator by one that changes it or several that read it.
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
