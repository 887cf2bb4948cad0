//! Glossary: every term of the field leads to the file that implements it, and every module begins
//! with a description.

use std::path::{Path, PathBuf};

/// Spellings that a reader may search for, and the file that must contain each of them.
const TERMS: &[(&[&str], &str)] = &[
    (&["PV node", "cut node", "all node", "expected fail high"], "node/context.rs"),
    (&["alpha-beta", "negamax", "fail-soft", "mate-distance pruning"], "node.rs"),
    (&["internal iterative reductions", "IIR", "iir_min_depth"], "node.rs"),
    (&["static evaluation", "correction history"], "node/static_eval.rs"),
    (&["principal variation search", "PVS", "fail high"], "move_loop.rs"),
    (&["iterative deepening"], "iterative_deepening.rs"),
    (&["aspiration window", "fails high", "fail low"], "iterative_deepening/aspiration.rs"),
    (&["principal variation", "multi-PV"], "iterative_deepening/root_move.rs"),
    (&["razoring"], "node_pruning.rs"),
    (&["reverse futility pruning", "RFP"], "node_pruning.rs"),
    (&["null-move pruning", "NMP", "null move", "zugzwang"], "node_pruning.rs"),
    (&["ProbCut"], "node_pruning.rs"),
    (&["late-move pruning", "late move pruning", "LMP"], "move_loop/move_pruning.rs"),
    (&["futility pruning"], "move_loop/move_pruning.rs"),
    (&["history pruning"], "move_loop/move_pruning.rs"),
    (&["SEE pruning"], "move_loop/move_pruning.rs"),
    (&["singular extension", "multi-cut"], "move_loop/extensions.rs"),
    (&["check extension"], "move_loop/extensions.rs"),
    (&["killer move", "counter-move"], "move_loop/history_update.rs"),
    (&["late-move reduction", "late move reduction", "LMR"], "lmr.rs"),
    (&["late-move reduction", "log-probability"], "learned/policy.rs"),
    (&["quiescence search", "stand pat"], "quiescence.rs"),
    (&["move ordering", "killer move", "MVV"], "move_ordering.rs"),
    (&["move picker"], "move_ordering/move_picker.rs"),
    (&["static exchange evaluation", "SEE", "see_ge"], "see.rs"),
    (&["history heuristic", "butterfly", "capture history", "counter-move"], "history.rs"),
    (&["threat history"], "history.rs"),
    (&["history rewards", "TT cutoff", "fail low"], "move_loop/history_rewards.rs"),
    (&["hindsight"], "node.rs"),
    (&["alpha-raise reduction"], "lmr.rs"),
    (&["fail-high blending"], "score.rs"),
    (&["continuation history"], "history/continuation.rs"),
    (&["correction history", "pawn key"], "history/correction.rs"),
    (&["transposition table", "hashfull"], "transposition_table.rs"),
    (&["mate score", "mate-distance"], "score.rs"),
    (&["repetition"], "repetition.rs"),
    (&["time management"], "time_management.rs"),
    (&["Lazy SMP"], "lazy_smp.rs"),
    (&["quantile interval", "conformal"], "learned/quantiles.rs"),
    (&["shadow search"], "learned/quantile_cutoffs.rs"),
    (&["move class"], "learned/move_classes.rs"),
    (&["search stack"], "search/stack.rs"),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Text in lower case, with separators as spaces: what a search for a term ignores.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase().replace("//!", " ").replace("///", " ");
    let spaced = lower.replace(['-', '_', '\n'], " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_term_leads_to_its_file() {
    for (spellings, file) in TERMS {
        let text = plain(&std::fs::read_to_string(source().join(file)).expect(file));
        for spelling in *spellings {
            assert!(text.contains(&plain(spelling)), "{file} does not contain `{spelling}`");
        }
    }
}

#[test]
fn every_module_begins_with_a_description() {
    let mut folders = vec![source()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("a source").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                assert!(text.starts_with("//! "), "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 40, "{files}");
}
