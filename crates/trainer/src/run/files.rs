//! File patterns: expands `*` and `?` to files.

use std::path::{Component, Path, PathBuf};

use crate::ConfigError;

/// The files that match the patterns, each once; those of a pattern sorted by name.
pub(super) fn expand(
    setting: &str,
    patterns: &[String],
    base: &Path,
) -> Result<Vec<PathBuf>, ConfigError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for pattern in patterns {
        let found = matching(&base.join(pattern));
        if found.is_empty() {
            let fault = format!(
                "there is no file `{}`; paths are relative to the folder of the configuration file",
                base.join(pattern).display()
            );
            return Err(ConfigError::value(setting, fault));
        }
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn matching(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let name = match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        };
        found = match name.filter(|name| name.contains(['*', '?'])) {
            None => found.into_iter().map(|path| path.join(component)).collect(),
            Some(name) => found.iter().flat_map(|folder| matching_in(folder, name)).collect(),
        };
    }
    found.retain(|path| path.is_file());
    found
}

fn matching_in(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let readable = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(readable).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.filter(|name| fits(pattern, name)).collect();
    names.sort_unstable();
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// Whether a name matches: `*` is any number of characters, `?` is one. Hidden files need an
/// explicit dot.
fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // The index of the last star, and how much of the name it covers.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((at, covered)) = star {
            star = Some((at, covered + 1));
            (p, n) = (at + 1, covered + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&character| character == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names() {
        for (pattern, name, expected) in [
            ("*", "a", true),
            ("*", ".a", false),
            (".*", ".a", true),
            ("a*b", "ab", true),
            ("a*b", "axxb", true),
            ("a*b", "axxbc", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*a*a*", "banana", true),
            ("*a*a*a*a*", "banana", false),
            ("a**", "a", true),
            ("", "", true),
            ("?", "é", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn files_are_found_in_folders_that_fit() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["x1/b.dat", "x1/a.dat", "x2/c.dat", "x2/c.txt", "y/d.dat"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let names = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|&one| one.to_owned()).collect();
            let files = expand("data.files", &patterns, folder.path());
            files.map(|files| {
                let short = |file: &PathBuf| {
                    file.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned()
                };
                files.iter().map(short).collect::<Vec<_>>()
            })
        };
        assert_eq!(names(&["x?/*.dat"]).unwrap(), ["x1/a.dat", "x1/b.dat", "x2/c.dat"]);
        assert_eq!(names(&["y/d.dat", "*/d*"]).unwrap(), ["y/d.dat"]);
        let error = names(&["y/d.dat", "z/*"]).unwrap_err().to_string();
        assert!(error.starts_with("data.files") && error.contains("z/*"), "{error}");
    }
}
