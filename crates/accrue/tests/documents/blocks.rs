//! Markdown pages: their fenced code blocks, their prose, and the commands in a script.

use std::fs;
use std::path::{Path, PathBuf};

/// The checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folders that hold pages.
const FOLDERS: [&str; 4] = ["", "docs/", "docs/log/", "nets/"];

/// The paths of all pages, relative to the root of the checkout.
pub(crate) fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for folder in FOLDERS {
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

/// Whether a page is history: its commands and names are those of the time.
pub(crate) fn is_log(page: &str) -> bool {
    page.starts_with("docs/log/")
}

pub(crate) fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// A fenced block of code.
#[derive(Debug)]
pub(crate) struct Block {
    /// Page and line, for error messages.
    pub(crate) place: String,
    /// The words after the fence: `sh`, `long`.
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

    /// The file that the block is a verbatim excerpt of.
    pub(crate) fn excerpt_of(&self) -> Option<&str> {
        let mut words = self.info.iter().skip_while(|word| *word != "excerpt");
        words.nth(1).map(String::as_str)
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

/// The lines of a page outside of its code blocks, with their numbers.
pub(crate) fn prose_lines(page: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(read(page).lines()) {
        let fence = line.starts_with("```");
        open ^= fence;
        if !open && !fence {
            lines.push((number, line.to_owned()));
        }
    }
    lines
}

/// The text of a page without code, neither blocks nor inline.
pub(crate) fn prose(page: &str) -> String {
    let lines = prose_lines(page).into_iter().map(|(_, line)| line).collect::<Vec<_>>();
    // Inline code may span lines, but not paragraphs. Every second part is between backticks.
    let paragraphs = lines.join("\n");
    let texts = paragraphs.split("\n\n").map(|text| text.split('`').step_by(2).collect::<String>());
    texts.collect::<Vec<_>>().join("\n\n")
}

/// A script that runs the tested program instead of the one that cargo would build.
pub(crate) fn for_this_program(text: &str) -> String {
    let text = text.replace("target/release/accrue", "accrue");
    text.replace("cargo run --release --", "accrue").replace("cargo run --release", "accrue")
}

/// The commands of a script, each as words: `&&`, `||`, `|`, `;` and line ends separate them.
/// Comments and redirections are left out, variables are 0. Enough for the scripts of these pages.
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
