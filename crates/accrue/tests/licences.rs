//! Every dependency may be used in a program that is MIT OR Apache-2.0. The list is that of `deny.toml`.

use std::process::Command;

const ALLOWED: [&str; 11] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// Whether an SPDX expression can be satisfied by allowed licences. `/` is an old way to write `OR`.
fn allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let mut depth = 0;
    let mut plain = String::new();
    let mut group = String::new();
    // Innermost parentheses first: what they hold becomes `yes` or `no`.
    for character in expression.chars() {
        match character {
            '(' if depth == 0 => depth = 1,
            ')' if depth == 1 => {
                plain.push_str(if allowed(&group) { "yes" } else { "no" });
                group.clear();
                depth = 0;
            }
            other if depth == 1 => group.push(other),
            other => plain.push(other),
        }
    }
    plain.split(" OR ").any(|choice| {
        choice.split(" AND ").all(|one| one.trim() == "yes" || ALLOWED.contains(&one.trim()))
    })
}

#[test]
fn expressions_are_understood() {
    assert!(allowed("MIT OR GPL-3.0"));
    assert!(allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(allowed("MIT/Apache-2.0"));
    assert!(!allowed("GPL-3.0-or-later"));
    assert!(!allowed("MIT AND GPL-2.0"));
    assert!(!allowed("(MIT AND AGPL-3.0) OR LGPL-3.0"));
}

#[test]
fn dependencies_have_allowed_licences() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    assert!(packages.len() > 10, "only {} packages", packages.len());
    let refused: Vec<_> = packages
        .iter()
        .map(|package| (package["name"].as_str().unwrap_or("?"), package["license"].as_str()))
        .filter(|(_, license)| !license.is_some_and(allowed))
        .collect();
    assert!(refused.is_empty(), "not allowed: {refused:?}");
}
