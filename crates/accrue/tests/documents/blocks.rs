//! Pages of Markdown: their blocks of code, and the commands in these.

use std::fs;
use std::path::{Path, PathBuf};

/// The checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages, by their paths from the checkout's top: those at the top, those in `docs` and the story of the networks.
pub(crate) fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for folder in ["", "docs/", "nets/"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if Path::new(&name).extension().is_some_and(|ending| ending == "md") {
                pages.push(format!("{folder}{name}"));
            }
        }
    }
    pages.sort();
    pages
}

pub(crate) fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// A fenced block of code.
#[derive(Debug)]
pub(crate) struct Block {
    /// Page and line, for complaints.
    pub(crate) place: String,
    /// What stands behind the fence, in words: `sh`, `long`.
    pub(crate) info: Vec<String>,
    pub(crate) text: String,
}

impl Block {
    /// The language.
    pub(crate) fn language(&self) -> &str {
        self.info.first().map_or("", String::as_str)
    }

    pub(crate) fn is_to_be_run(&self) -> bool {
        !self.info.iter().any(|word| word == "long")
    }
}

/// The blocks of a page, in order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(read(page).lines()) {
        if let Some(info) = line.strip_prefix("```") {
            if !open {
                let info = info.split([' ', ',']).filter(|word| !word.is_empty());
                let info = info.map(str::to_owned).collect();
                blocks.push(Block { place: format!("{page}:{number}"), info, text: String::new() });
            }
            open = !open;
        } else if open && let Some(block) = blocks.last_mut() {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    assert!(!open, "{page}: a block of code has no end");
    blocks
}

/// A page without its blocks and without code between backticks.
pub(crate) fn prose(page: &str) -> String {
    let mut prose = String::new();
    let mut open = false;
    for line in read(page).lines() {
        let fence = line.starts_with("```");
        open ^= fence;
        if !open && !fence {
            // Every second part stands between backticks.
            prose.extend(line.split('`').step_by(2));
        }
        prose.push('\n');
    }
    prose
}

/// The command as a shell of ours reads it: this program for the one that cargo would build.
pub(crate) fn for_this_program(text: &str) -> String {
    text.replace("cargo run --release --", "accrue").replace("cargo run --release", "accrue")
}

/// The commands of a script, each as words: what `&&`, `||`, `|`, `;` and ends of lines divide. Comments and where input and
/// output go are left out, variables are 0. Enough for the scripts of these pages.
pub(crate) fn commands(script: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let script = script.replace("\\\n", " ");
    let mut letters = script.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (None | Some('"'), '$') => {
                while letters.next_if(|next| next.is_alphanumeric() || *next == '_').is_some() {}
                word.get_or_insert_default().push('0');
            }
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => {
                while letters.next_if(|&next| next != '\n').is_some() {}
            }
            (None, ' ' | '\n' | ';' | '|' | '&' | '(' | ')') => {
                commands.last_mut().unwrap().extend(word.take());
                if letter != ' ' {
                    commands.push(Vec::new());
                }
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    commands.last_mut().unwrap().extend(word);
    for command in &mut commands {
        let end = command.iter().position(|word| word.starts_with(['>', '<']));
        command.truncate(end.unwrap_or(command.len()));
    }
    commands.retain(|command| !command.is_empty());
    commands
}
