//! The lines of C in the README compile, and print what Rust says of the same position.
//!
//! Without a C compiler there is nothing to test, and the test says so and passes. `CC` names another one.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use nnue::{Accumulator, Network};

/// What the README leaves out.
const BEFORE: &str = "#include \"accrue_nnue.h\"\n#include <stdio.h>\nint main(void)\n{\n";

#[test]
fn the_program_of_the_readme_prints_what_rust_says() {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let present = Command::new(&compiler).arg("--version").output();
    if cfg!(windows) || !present.is_ok_and(|output| output.status.success()) {
        eprintln!("nothing tested: there is no C compiler `{compiler}`");
        return;
    }
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(crate_root.join("../../README.md")).unwrap();
    let (_, program) = readme.split_once("\n```c\n").expect("a program in C in README.md");
    let (program, _) = program.split_once("```").unwrap();

    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("program.c");
    let whole = format!("{BEFORE}{program}return 0;\n}}\n");
    fs::write(&source, whole).unwrap();
    let bytes = fs::read(crate_root.join("../../nets/chess-linear.accrue")).unwrap();
    fs::write(folder.path().join("net.accrue"), &bytes).unwrap();

    // The shared library lies beside the tests.
    let beside = env::current_exe().unwrap().parent().unwrap().to_owned();
    let name = format!("{}accrue_nnue{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let output = Command::new(&compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg("-I")
        .arg(crate_root.join("include"))
        .arg(&source)
        .arg(beside.join(name))
        .arg(format!("-Wl,-rpath,{}", beside.display()))
        .arg("-o")
        .arg(folder.path().join("program"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(folder.path().join("program")).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let network = Network::from_bytes(&bytes).unwrap();
    let view = |features: &[u32]| {
        let mut view = Accumulator::new(&network);
        network.refresh(&mut view, features);
        view
    };
    // White: king e1, pawn e4. Black: king e8, to move.
    let views = [view(&[28, 324, 764]), view(&[324, 420, 764])];
    let value = network.evaluate(views.each_ref(), 1, 3, &mut network.workspace());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{value}\n"));
    assert!(value < 0, "a pawn less is not good: {value}");
}
