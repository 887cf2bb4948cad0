//! Documentation tests: the commands of the pages run and print what is shown, configurations
//! parse, excerpts are verbatim, links resolve, and the glossary names files that contain its terms.
//!
//! The words after the fence of a code block select the test:
//!
//! - `sh` is run in a folder that looks like a checkout. The blocks of a page share it, in order.
//! - `sh long` takes long or needs another program: only the arguments of `accrue` are parsed.
//! - `console`: the lines after `$` are run and must print what is shown. `…` matches anything.
//! - `toml` is a training configuration, whole or in part.
//! - `rust` is a doctest, by `crates/search/src/documents.rs`.
//! - `LANGUAGE excerpt FILE` is a verbatim excerpt of the file, `…` for what is left out.
//! - `c` is compiled and run by `crates/nnue-c/tests/readme.rs`.
//!
//! Pages in `docs/log` are history: of these only links and width are tested.
#![cfg(unix)]

#[path = "documents/blocks.rs"]
mod blocks;
#[path = "documents/glossary.rs"]
mod glossary;
#[path = "documents/links.rs"]
mod links;
#[path = "documents/prose.rs"]
mod prose;
#[path = "documents/shell.rs"]
mod shell;

use std::process::Command;
use std::sync::Mutex;
use std::{fs, thread};

use blocks::{Block, blocks, commands, for_this_program, is_log, pages, root};
use shell::{Shell, is_as_shown};

/// Pages whose scripts take hours or are for contributors: nothing in them is run.
const NOT_RUN: [&str; 2] = ["nets/README.md", "CONTRIBUTING.md"];

/// The pages that state the present.
fn manual() -> Vec<String> {
    let mut pages = pages();
    pages.retain(|page| !is_log(page));
    pages
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn commands_run_and_print_what_is_shown() {
    let pages = Mutex::new(manual());
    let faults = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(page) = pages.lock().unwrap().pop() else { break };
                    if !NOT_RUN.contains(&page.as_str()) {
                        let found = run_page(&page);
                        faults.lock().unwrap().extend(found);
                    }
                }
            });
        }
    });
    assert_none(&faults.into_inner().unwrap());
}

/// Runs the blocks of a page in order. Returns the failures.
fn run_page(page: &str) -> Vec<String> {
    let mut blocks = blocks(page);
    blocks.retain(|block| block.is_to_be_run() && ["sh", "console"].contains(&block.language()));
    if blocks.is_empty() {
        return Vec::new();
    }
    let shell = Shell::new();
    let run = |block: &Block| {
        if block.language() == "console" {
            return converse(&shell, block);
        }
        let said = shell.run(&block.text);
        let fault = said.fault.map(|fault| format!("{}: {fault}:\n{}", block.place, said.text));
        fault.into_iter().collect()
    };
    blocks.iter().flat_map(run).collect()
}

/// Runs each command of a `console` block and compares its output. The exit code may be any.
fn converse(shell: &Shell, block: &Block) -> Vec<String> {
    let mut faults = Vec::new();
    let joined = block.text.replace("\\\n", " ");
    let Some(turns) = joined.strip_prefix("$ ") else {
        return vec![format!("{}: does not begin with a command after `$ `", block.place)];
    };
    for turn in turns.split("\n$ ") {
        let mut shown = turn.lines();
        let command = shown.next().unwrap_or_default();
        let said = shell.run(command);
        let lines: Vec<_> = said.text.lines().collect();
        let shown: Vec<_> = shown.collect();
        if !is_as_shown(&lines, &shown) {
            let (place, shown, text) = (&block.place, shown.join("\n"), said.text);
            faults
                .push(format!("{place}: `{command}` is shown with\n{shown}\nbut prints\n{text}\n"));
        }
    }
    faults
}

#[test]
fn arguments_that_are_not_run_are_read() {
    let mut faults = Vec::new();
    let mut read = 0;
    for page in manual() {
        for block in blocks(&page) {
            let is_script = ["sh", "console"].contains(&block.language());
            if !is_script || (block.is_to_be_run() && !NOT_RUN.contains(&page.as_str())) {
                continue;
            }
            for mut command in commands(&for_this_program(&block.text.replace("$ ", ""))) {
                command.retain(|word| word != "exec");
                // The program of the example has one more game.
                for word in command.iter_mut().filter(|word| *word == "breakthrough") {
                    "chess".clone_into(word);
                }
                // Arguments with spaces are UCI commands.
                let [program, first, ..] = command.as_slice() else { continue };
                if program != "accrue" || first.contains(' ') {
                    continue;
                }
                // All arguments before `--help` are parsed first.
                let mut accrue = Command::new(env!("CARGO_BIN_EXE_accrue"));
                let output = accrue.args(&command[1..]).arg("--help").output().unwrap();
                read += 1;
                if !output.status.success() {
                    let complaint = String::from_utf8_lossy(&output.stderr);
                    faults.push(format!("{}: {}: {complaint}", block.place, command.join(" ")));
                }
            }
        }
    }
    assert_none(&faults);
    assert!(read > 10, "{read} commands were read");
}

#[test]
fn commands_stand_in_blocks_that_are_tested() {
    let mut faults = Vec::new();
    for page in manual() {
        for block in blocks(&page) {
            let known = ["sh", "console", "toml", "rust", "c", "json", "yaml", "python", "text"];
            let is_command = |line: &str| {
                let line = line.trim_start_matches("$ ");
                let arguments = line.strip_prefix("accrue ").unwrap_or_default();
                arguments.starts_with(|c: char| c.is_ascii_lowercase())
                    || line.starts_with("cargo run")
            };
            let untested = ["", "text"].contains(&block.language());
            if untested && block.text.lines().any(is_command) {
                faults.push(format!("{}: commands: use `sh` or `console`", block.place));
            } else if !block.language().is_empty() && !known.contains(&block.language()) {
                faults.push(format!("{}: no test for {:?}", block.place, block.info));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn configurations_are_read() {
    let shell = Shell::new();
    let mut faults = Vec::new();
    for page in manual() {
        for block in &blocks(&page) {
            if block.language() != "toml" || block.excerpt_of().is_some() {
                continue;
            }
            fs::write(shell.path().join("block.toml"), &block.text).unwrap();
            let said = shell.run("accrue train block.toml --print-config");
            if said.fault.is_some() {
                faults.push(format!("{}: {}", block.place, said.text));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn excerpts_are_verbatim() {
    let mut faults = Vec::new();
    for page in manual() {
        for block in blocks(&page) {
            let Some(file) = block.excerpt_of() else { continue };
            let source = blocks::read(file);
            let mut rest = source.as_str();
            for part in block.text.split("…\n") {
                let part = part.trim_end_matches([' ', '\n']);
                match rest.split_once(part) {
                    Some((_, after)) => rest = after,
                    None => faults.push(format!("{}: not in {file}:\n{part}", block.place)),
                }
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn rust_is_an_excerpt_or_a_doctest() {
    let hooks = blocks::read("crates/search/src/documents.rs");
    let mut faults = Vec::new();
    for page in manual() {
        for block in blocks(&page) {
            let is_doctest = block.language() == "rust" && block.excerpt_of().is_none();
            if is_doctest && !hooks.contains(&format!("/{page}\"")) {
                faults.push(format!("{}: {page} is not in documents.rs", block.place));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn links_resolve() {
    let faults: Vec<_> = pages().iter().flat_map(|page| links::broken(page)).collect();
    assert_none(&faults);
}

#[test]
fn sources_name_existing_pages() {
    let mut faults = Vec::new();
    for folder in ["crates", "examples", "nets", "openbench", "scripts", "fuzz", ".ci", "docs"] {
        faults.extend(links::unknown_pages(&root().join(folder)));
    }
    assert_none(&faults);
}

#[test]
fn every_page_of_docs_is_in_the_index() {
    let index = blocks::read("docs/README.md");
    for page in pages() {
        if let Some(name) = page.strip_prefix("docs/") {
            assert!(name == "README.md" || index.contains(&format!("({name})")), "{page}");
        }
    }
}

#[test]
fn the_readme_has_the_test_command() {
    assert!(blocks::read("README.md").contains("\ncargo test --workspace"));
}

#[test]
fn prose_wraps() {
    let faults: Vec<_> = pages().iter().flat_map(|page| prose::long_lines(page)).collect();
    assert_none(&faults);
}

#[test]
fn pages_use_the_words_of_the_field() {
    let faults: Vec<_> = pages().iter().flat_map(|page| prose::private_words(page)).collect();
    assert_none(&faults);
}

#[test]
fn the_glossary_names_files_that_contain_its_terms() {
    let entries = glossary::entries();
    assert!(entries.len() > 100, "{} entries", entries.len());
    let mut faults = Vec::new();
    for entry in entries {
        if entry.files.is_empty() {
            faults.push(format!("`{}` names no file", entry.term));
        }
        for file in entry.files {
            if !root().join(&file).exists() {
                faults.push(format!("`{}`: there is no {file}", entry.term));
            } else if !glossary::contains(&file, &entry.term) {
                faults.push(format!("`{}` is not in {file}", entry.term));
            }
        }
    }
    assert_none(&faults);
}
