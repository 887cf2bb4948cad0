//! The prose of the pages: its width and its words.

use crate::blocks::{is_log, prose, prose_lines};

/// The columns at which prose wraps.
const MAX_COLUMNS: usize = 100;

/// Words that are not used in this field, each with the term that is.
const PRIVATE_WORDS: [(&str, &str); 17] = [
    ("men", "pieces"),
    ("worth of the pieces", "material evaluation"),
    ("the table's move", "TT move"),
    ("main line", "principal variation"),
    ("looked at", "searched"),
    ("given up", "pruned"),
    ("by heart", "overfitted"),
    ("is asked", "is evaluated, is queried"),
    ("are asked", "are evaluated, are queried"),
    ("sorts of moves", "move classes"),
    ("fan", "quantile interval"),
    ("both views", "both perspectives"),
    ("whoever", "the engine that"),
    ("dealt out", "permuted, distributed"),
    ("what is played with", "the default network"),
    ("anew", "again"),
    ("tells", "prints, shows, returns"),
];

/// Lines of prose that are too long. Tables and lines with a link may be longer.
pub(crate) fn long_lines(page: &str) -> Vec<String> {
    let lines = prose_lines(page).into_iter();
    let long = lines.filter(|(_, line)| {
        let may_be_longer = line.starts_with('|') || line.contains("](") || line.contains("://");
        line.chars().count() > MAX_COLUMNS && !may_be_longer
    });
    long.map(|(number, _)| format!("{page}:{number}: longer than {MAX_COLUMNS} columns")).collect()
}

/// Private words of a page.
pub(crate) fn private_words(page: &str) -> Vec<String> {
    if is_log(page) {
        return Vec::new();
    }
    let text = prose(page).to_lowercase();
    let words: Vec<_> = text.split(|c: char| !c.is_alphanumeric() && c != '\'').collect();
    let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let text = format!(" {} ", words.join(" "));
    let found = PRIVATE_WORDS.iter().filter(|(word, _)| text.contains(&format!(" {word} ")));
    found.map(|(word, better)| format!("{page}: `{word}`: the field says {better}")).collect()
}
