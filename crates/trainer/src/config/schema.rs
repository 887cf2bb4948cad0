//! Configuration schema: names and descriptions of all settings, and suggestions for misspelt ones.

/// A setting, a table of settings, or a list of such tables.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in the file.
    pub name: &'static str,
    /// The description, line by line.
    pub about: &'static [&'static str],
    /// The kind of value.
    pub kind: Kind,
}

/// The kind of value of a setting.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number, a text, a list of them.
    Value,
    /// A value that may also be written as a table, on one line.
    Inline(&'static [Field]),
    /// A table with a heading of its own.
    Table(&'static [Field]),
}

impl Field {
    /// A setting without parts.
    pub(crate) const fn value(name: &'static str, about: &'static [&'static str]) -> Self {
        Self { name, about, kind: Kind::Value }
    }

    /// The settings inside.
    pub fn inner(&self) -> &'static [Self] {
        match self.kind {
            Kind::Value => &[],
            Kind::Inline(fields) | Kind::Table(fields) => fields,
        }
    }
}

/// The first key of `table` that is not a setting, with its full path.
pub(crate) fn unknown_key(table: &toml::Table, fields: &[Field], path: &str) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let path = join(path, key);
        match fields.iter().find(|field| field.name == key) {
            Some(field) => unknown_inside(value, field, &path),
            None => Some(path),
        }
    })
}

fn unknown_inside(value: &toml::Value, field: &Field, path: &str) -> Option<String> {
    let fields = field.inner();
    match value {
        // A table instead of a plain value is a type error, not an unknown name.
        toml::Value::Table(table) if !fields.is_empty() => unknown_key(table, fields, path),
        toml::Value::Array(list) => {
            list.iter().find_map(|element| unknown_inside(element, field, path))
        }
        _ => None,
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The setting that an unknown `path` probably means.
///
/// A misspelt name in the right table is more likely than the right name in another table, and that
/// is more likely than both errors at once.
pub(crate) fn nearest(path: &str, fields: &'static [Field]) -> Option<String> {
    let (table, name) = path.rsplit_once('.').unwrap_or(("", path));
    let mut best: Option<(usize, String)> = None;
    for known in all_paths(fields, "") {
        let (known_table, known_name) = known.rsplit_once('.').unwrap_or(("", &known));
        let name_distance = distance(name, known_name);
        let tolerance = (name.chars().count().max(known_name.chars().count()) / 3).max(1);
        if name_distance > tolerance {
            continue;
        }
        let elsewhere = if table == known_table { 0 } else { 3 + distance(table, known_table) };
        let total = name_distance * 4 + elsewhere;
        if best.as_ref().is_none_or(|(min, _)| total < *min) {
            best = Some((total, known));
        }
    }
    best.map(|(_, known)| known)
}

/// Every table and every setting.
pub(crate) fn all_paths(fields: &'static [Field], path: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for field in fields {
        let path = join(path, field.name);
        paths.extend(all_paths(field.inner(), &path));
        paths.push(path);
    }
    paths
}

/// The Damerau–Levenshtein distance: insertions, deletions, substitutions and transpositions.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let mut min = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        min = min.min(rows[i - 2][j - 2] + 1);
                    }
                    min
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        for (a, b, expected) in [
            ("", "", 0),
            ("rate", "rate", 0),
            ("rat", "rate", 1),
            ("raet", "rate", 1),
            ("seed", "speed", 1),
            ("abc", "xyz", 3),
            ("", "four", 4),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }
}
