//! Puts a network into the program: `EVALFILE=path cargo build`, as `make EVALFILE=path` does.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(evalfile)");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let Ok(file) = env::var("EVALFILE") else { return };
    if file.is_empty() {
        return;
    }
    // Relative names are meant from where the workspace is, as the Makefile is there.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match root.join(&file).canonicalize() {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=EVALFILE={}", path.display());
            println!("cargo::rustc-cfg=evalfile");
        }
        Err(error) => println!("cargo::error=EVALFILE: cannot open {file}: {error}"),
    }
}
