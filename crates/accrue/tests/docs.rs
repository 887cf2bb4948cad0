//! What the pages say is so: their commands run and print what is shown, their configurations are read, their excerpts are in
//! the sources, their links lead somewhere.
//!
//! What stands behind the fence of a block says what is done with it:
//!
//! - `sh` is run, in a folder that looks like a checkout. The blocks of a page share one, in their order.
//! - `sh long` takes long or needs another program: only the arguments of `accrue` are read.
//! - `console` is run line by line (what follows `$`), and prints what is shown. `…` stands for anything.
//! - `toml` is a configuration of a training, or some settings of one.
//! - `rust` is a doctest, by `crates/search/src/documents.rs`. `rust excerpt FILE` is in that file, `…` for what is left out.
//! - `c` is compiled and run by `crates/nnue-c/tests/readme.rs`.
#![cfg(unix)]

#[path = "documents/blocks.rs"]
mod blocks;
#[path = "documents/links.rs"]
mod links;
#[path = "documents/shell.rs"]
mod shell;

use std::process::Command;
use std::sync::Mutex;
use std::{fs, thread};

use blocks::{Block, blocks, commands, for_this_program, pages, root};
use shell::{Shell, is_as_shown};

/// Pages whose scripts are recipes of hours, or for contributors: nothing in them is run.
const NOT_RUN: [&str; 2] = ["nets/README.md", "CONTRIBUTING.md"];

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn commands_run_and_print_what_is_shown() {
    let pages = Mutex::new(pages());
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

/// Runs the blocks of a page one after the other. Gives what went wrong.
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

/// Runs a conversation: each command, and what it is to print. The exit code is the reader's to see.
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
    for page in pages() {
        for block in blocks(&page) {
            let is_script = ["sh", "console"].contains(&block.language());
            if !is_script || (block.is_to_be_run() && !NOT_RUN.contains(&page.as_str())) {
                continue;
            }
            for mut command in commands(&for_this_program(&block.text.replace("$ ", ""))) {
                command.retain(|word| word != "exec");
                // Without a command it speaks UCI, and so it does with words that have spaces.
                let [program, first, ..] = command.as_slice() else { continue };
                if program != "accrue" || first.contains(' ') {
                    continue;
                }
                // All arguments before `--help` are parsed before it is obeyed.
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
    for page in pages() {
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
                faults.push(format!("{}: commands: say `sh` or `console`", block.place));
            } else if !block.language().is_empty() && !known.contains(&block.language()) {
                faults.push(format!("{}: nobody tests {:?}", block.place, block.info));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn configurations_are_read() {
    let shell = Shell::new();
    let mut faults = Vec::new();
    for page in pages() {
        for block in blocks(&page).iter().filter(|block| block.language() == "toml") {
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
fn rust_is_from_the_sources_or_a_doctest() {
    let hooks = blocks::read("crates/search/src/documents.rs");
    let mut faults = Vec::new();
    for page in pages() {
        for block in blocks(&page).iter().filter(|block| block.language() == "rust") {
            if let [_, excerpt, file] = block.info.as_slice()
                && excerpt == "excerpt"
            {
                let source = blocks::read(file);
                let mut rest = source.as_str();
                for part in block.text.split("…\n") {
                    let part = part.trim_end_matches([' ', '\n']);
                    match rest.split_once(part) {
                        Some((_, after)) => rest = after,
                        None => faults.push(format!("{}: not in {file}:\n{part}", block.place)),
                    }
                }
            } else if !hooks.contains(&format!("/{page}\"")) {
                faults.push(format!("{}: {page} is not in documents.rs", block.place));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn links_lead_somewhere() {
    let faults: Vec<_> = pages().iter().flat_map(|page| links::broken(page)).collect();
    assert_none(&faults);
}

#[test]
fn sources_name_pages_that_are_there() {
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
