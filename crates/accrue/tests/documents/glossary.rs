//! The glossary: its terms, and the files that it names for each.

use crate::blocks::{prose_lines, read};
use crate::links::links;

/// A term and the files that implement it.
pub(crate) struct Entry {
    /// The term as the page prints it: `late-move reduction (LMR)`.
    pub(crate) term: String,
    /// Paths, relative to the root of the checkout.
    pub(crate) files: Vec<String>,
}

/// The entries of `docs/glossary.md`.
pub(crate) fn entries() -> Vec<Entry> {
    let lines = prose_lines("docs/glossary.md").into_iter().map(|(_, line)| line);
    let text = lines.collect::<Vec<_>>().join("\n");
    let entries = text.split("\n- **").skip(1).map(|entry| {
        let (term, rest) = entry.split_once("**").expect("a term in bold");
        let rest = rest.split("\n## ").next().unwrap_or_default();
        let files =
            links(rest).into_iter().filter_map(|link| Some(link.strip_prefix("../")?.into()));
        Entry { term: term.to_owned(), files: files.collect() }
    });
    entries.collect()
}

/// Whether a file contains a term, under one of its names.
pub(crate) fn contains(file: &str, term: &str) -> bool {
    let text = read(file);
    let squashed = squash(&text);
    let names = term.split([',', '(', ')']).map(str::trim).filter(|name| !name.is_empty());
    names.into_iter().any(|name| {
        // A short abbreviation would be found inside of other words.
        if name.len() <= 4 && name.chars().all(|c| c.is_ascii_uppercase()) {
            let prefix = format!("{}_", name.to_lowercase());
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.into_iter().any(|word| word == name || word.starts_with(&prefix))
        } else {
            squashed.contains(&squash(name))
        }
    })
}

/// Text without case, spaces, punctuation and comment markers: `FeatureSet`, `feature_set` and
/// `feature set` become equal.
fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
