//! Components: the style sheets and scripts that static reports and the page of `accrue serve`
//! share.
//!
//! The scripts are ES modules that import each other and nothing else. A server sends the files of
//! the folder `web` one by one; a static report contains those that it needs as one script, which
//! [`replay_script`] makes.

use std::fmt::Write;

/// The colours of charts and boards, for light and dark pages.
pub const PICTURE_CSS: &str = crate::picture::STYLE;
/// The style of `<game-board>` and `<game-replay>`.
pub const BOARD_CSS: &str = include_str!("../web/board.css");

/// The modules of `<game-replay>`, each behind those that it imports.
const REPLAY_MODULES: [&str; 7] = [
    include_str!("../web/pieces.js"),
    include_str!("../web/geometry.js"),
    include_str!("../web/arrows.js"),
    include_str!("../web/picker.js"),
    include_str!("../web/input.js"),
    include_str!("../web/board.js"),
    include_str!("../web/replay.js"),
];

/// The modules of `<game-replay>` as one module without imports.
pub fn replay_script() -> String {
    bundle(&REPLAY_MODULES)
}

/// Modules as one: each becomes a function whose result is what it exports, so that names that are
/// not exported stay apart. An import keeps the name of what it imports.
fn bundle(modules: &[&str]) -> String {
    let mut script = String::new();
    for module in modules {
        let (body, exports) = without_imports(module);
        let exports = exports.join(", ");
        // Writing to a string cannot fail.
        let _ = write!(
            script,
            "const {{{exports}}} = (() => {{\n{body}return {{{exports}}};\n}})();\n"
        );
    }
    script
}

/// The text of a module without its imports, exports and lines of comments, and the names that it
/// exports.
fn without_imports(module: &str) -> (String, Vec<&str>) {
    let (mut body, mut exports) = (String::new(), Vec::new());
    let mut is_import = false;
    for line in module.lines() {
        is_import |= line.starts_with("import ");
        if is_import {
            is_import = !line.ends_with(';');
            continue;
        }
        if line.is_empty() || line.trim_start().starts_with("//") {
            continue;
        }
        let statement = line.strip_prefix("export ").unwrap_or(line);
        if statement != line {
            exports.extend(declared_name(statement));
        }
        body.push_str(statement);
        body.push('\n');
    }
    (body, exports)
}

/// The name that a statement such as `class Board {` declares.
fn declared_name(statement: &str) -> Option<&str> {
    let mut words = statement.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.by_ref().find(|word| matches!(*word, "class" | "const" | "function" | "let"))?;
    words.find(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_one() {
        let first =
            "// A.\nimport {\n  b,\n} from './b.js';\n\nexport const A_B = 1;\nconst near = 2;\n";
        let second = "import './a.js';\nexport class Board extends A {\n}\nexport async function play() {}\n";
        assert_eq!(
            bundle(&[first, second]),
            "const {A_B} = (() => {\nconst A_B = 1;\nconst near = 2;\nreturn {A_B};\n})();\n\
             const {Board, play} = (() => {\nclass Board extends A {\n}\nasync function play() {}\n\
             return {Board, play};\n})();\n"
        );
    }

    #[test]
    fn the_script_of_replays_needs_nothing_else() {
        let script = replay_script();
        for word in ["import ", "export ", "</script", "<!--"] {
            assert!(!script.contains(word), "{word}");
        }
        for name in ["game-board", "game-replay"] {
            assert!(script.contains(&format!("customElements.define('{name}'")), "{name}");
        }
        // Each name that a module imports is exported by one before it.
        let mut known = Vec::new();
        for module in REPLAY_MODULES {
            let imports =
                module.split("import {").skip(1).filter_map(|rest| rest.split('}').next());
            for name in imports.flat_map(|names| names.split(',')).map(str::trim) {
                assert!(name.is_empty() || known.contains(&name), "{name}");
            }
            known.extend(without_imports(module).1);
        }
    }
}
