//! Fitted search parameters: numbers of the search that were fitted or tuned for a network.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::NetworkError;

/// The maximum length of a name.
const MAX_NAME: usize = 64;
/// The number of characters of a faulty text that an error shows.
const SHOWN: usize = 80;
/// The form of a name.
const NAME_FORM: &str = "1 to 64 characters of a-z, 0-9 and _ that begin with a letter";

/// Search parameters that were fitted for a network, by name. The search that uses them knows what
/// they mean.
///
/// They are ascending by name, each name once. A name has 1 to 64 characters of `a-z`, `0-9` and
/// `_` and begins with a letter.
///
/// ```
/// use nnue::FittedParams;
///
/// let fitted = [("rfp_margin".into(), 71), ("lmr_base".into(), -12)];
/// let params = FittedParams::new(fitted)?;
/// assert_eq!(params.get("rfp_margin"), Some(71));
/// assert_eq!(params.get("lmp_base"), None);
/// assert_eq!(params.iter().collect::<Vec<_>>(), [("lmr_base", -12), ("rfp_margin", 71)]);
///
/// assert!(FittedParams::new([("LMR base".into(), 1)]).is_err());
/// # Ok::<(), nnue::NetworkError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FittedParams {
    entries: Vec<(String, i32)>,
}

impl FittedParams {
    /// The maximum number of parameters.
    pub const MAX: usize = 256;

    /// Parameters in any order, at least one and at most [`MAX`](Self::MAX).
    pub fn new(entries: impl IntoIterator<Item = (String, i32)>) -> Result<Self, NetworkError> {
        let mut entries: Vec<_> = entries.into_iter().take(Self::MAX + 1).collect();
        check_count(entries.len())?;
        if let Some((name, _)) = entries.iter().find(|(name, _)| !is_name(name)) {
            return Err(NetworkError::field("search parameter", shown(name), NAME_FORM));
        }
        entries.sort_unstable();
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let found = format!("{} twice", pair[0].0);
            return Err(NetworkError::field("search parameter", found, "each name once"));
        }
        Ok(Self { entries })
    }

    /// Names and values, ascending by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, i32)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The value of a parameter, if it was fitted.
    pub fn get(&self, name: &str) -> Option<i32> {
        let place = self.entries.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
        Some(self.entries[place].1)
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none, which only the default has.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes the parameters as text for the network file.
    pub(crate) fn print(&self) -> String {
        let lines: Vec<_> = self.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        lines.concat()
    }

    /// Parses the output of [`print`](Self::print) and nothing else.
    pub(crate) fn parse(text: &str) -> Result<Self, NetworkError> {
        let mut entries: Vec<(String, i32)> = Vec::new();
        for (index, line) in text.split_inclusive('\n').enumerate() {
            check_count(index + 1)?;
            let last = entries.last().map(|(name, _)| name.as_str());
            let (name, value) = parse_line(line, last).map_err(|expected| {
                let found = format!("{} in line {}", shown(line), index + 1);
                NetworkError::field("search-params", found, expected)
            })?;
            entries.push((name.into(), value));
        }
        check_count(entries.len())?;
        Ok(Self { entries })
    }
}

/// Parses a line that follows one with the name `last`. The error is what was expected.
fn parse_line<'a>(line: &'a str, last: Option<&str>) -> Result<(&'a str, i32), String> {
    let content = line.strip_suffix('\n').ok_or("a line feed at the end")?;
    let (name, digits) = content.split_once(' ').ok_or("a name, a space and a value")?;
    if !is_name(name) {
        return Err(format!("a name: {NAME_FORM}"));
    }
    if let Some(last) = last.filter(|&last| last >= name) {
        return Err(format!("a name after {last}: ascending, each once"));
    }
    // Other spellings of the same number, such as +7 and 007, are not what the writer prints.
    let value = digits.parse().ok().filter(|value: &i32| value.to_string() == digits);
    value.map(|value| (name, value)).ok_or_else(|| "an integer of 32 bits as value".into())
}

fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

fn check_count(count: usize) -> Result<(), NetworkError> {
    let (field, max) = ("number of search parameters", FittedParams::MAX);
    match count {
        0 => Err(NetworkError::field(field, 0, format!("1 to {max}"))),
        _ if count > max => {
            Err(NetworkError::field(field, format!("more than {max}"), format!("1 to {max}")))
        }
        _ => Ok(()),
    }
}

/// The beginning of a text in quotes, for an error. The text may be as long as a file.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crc32::crc32;
    use crate::{IntegerParameters, NetworkFile};

    fn params(entries: &[(&str, i32)]) -> Result<FittedParams, NetworkError> {
        FittedParams::new(entries.iter().map(|&(name, value)| (name.into(), value)))
    }

    fn numbered(count: usize) -> impl Iterator<Item = (String, i32)> {
        (0..count).map(|number| (format!("p{number}"), number as i32))
    }

    fn file() -> NetworkFile {
        let architecture = "(3→2)×2→1 screlu".parse().unwrap();
        let parameters = IntegerParameters::generate(&architecture, || 2, || 0, || 1, || 0);
        NetworkFile::new(architecture, parameters, String::new(), None).unwrap()
    }

    #[test]
    fn text_gives_them_back() {
        let sample = params(&[("rfp_margin", 71), ("a", i32::MIN), ("lmr_2", i32::MAX), ("b_", 0)]);
        let sample = sample.unwrap();
        assert_eq!(sample.print(), "a -2147483648\nb_ 0\nlmr_2 2147483647\nrfp_margin 71\n");
        let longest = FittedParams::new([("z".repeat(MAX_NAME), -1)]).unwrap();
        let most = FittedParams::new(numbered(FittedParams::MAX)).unwrap();
        for params in [sample, longest, most] {
            assert_eq!(FittedParams::parse(&params.print()).unwrap(), params);
        }
    }

    #[test]
    fn names_are_found() {
        let params = FittedParams::new(numbered(FittedParams::MAX)).unwrap();
        assert_eq!((params.len(), params.is_empty()), (FittedParams::MAX, false));
        assert_eq!(params.iter().count(), params.len());
        assert!(params.iter().is_sorted());
        assert!(numbered(FittedParams::MAX).all(|(name, value)| params.get(&name) == Some(value)));
        assert_eq!(params.get("p256"), None);
        assert_eq!(params.get(""), None);
        assert_eq!(FittedParams::default().get("p0"), None);
        assert!(FittedParams::default().is_empty());
    }

    #[test]
    fn entries_that_make_no_sense_are_refused_by_name() {
        let long = "z".repeat(MAX_NAME + 1);
        for name in ["", "A", "aB", "1a", "_a", "a-b", "a b", "a\n", "é", "aé", &long] {
            let error = params(&[("a", 1), (name, 2)]).unwrap_err().to_string();
            assert!(error.contains(&format!("is {name:?}; expected 1 to 64")), "{error}");
        }
        let endless = FittedParams::new([("x".repeat(1 << 20), 1)]).unwrap_err().to_string();
        assert!(endless.len() < 300, "{}", endless.len());
        let twice = params(&[("a", 1), ("b", 2), ("a", 1)]).unwrap_err().to_string();
        assert!(twice.contains("a twice"), "{twice}");
        let none = params(&[]).unwrap_err().to_string();
        assert!(none.contains("is 0; expected 1 to 256"), "{none}");
        let many = FittedParams::new(numbered(usize::MAX)).unwrap_err().to_string();
        assert!(many.contains("more than 256"), "{many}");
    }

    #[test]
    fn only_the_canonical_text_is_read() {
        let text = "a 1\nb -2\nc 30\n";
        assert!(FittedParams::parse(text).is_ok());
        for (old, new, words) in [
            (text, "", "is 0; expected 1 to 256"),
            (text, "\n", r#"is "\n" in line 1; expected a name, a space and a value"#),
            ("c 30\n", "c 30", "in line 3; expected a line feed"),
            ("c 30\n", "c 30\n\n", "in line 4; expected a name, a space"),
            ("c 30\n", "c 30\r\n", "in line 3; expected an integer"),
            ("b -2", "b", "in line 2; expected a name, a space"),
            ("b -2", "b\t-2", "in line 2; expected a name, a space"),
            ("b -2", "B -2", "in line 2; expected a name: 1 to 64"),
            ("b -2", " -2", "in line 2; expected a name: 1 to 64"),
            ("b -2", " b -2", "in line 2; expected a name: 1 to 64"),
            ("b -2", "a -2", "in line 2; expected a name after a"),
            ("c 30", "aa 30", "in line 3; expected a name after b"),
            ("b -2", "b  -2", "in line 2; expected an integer"),
            ("b -2", "b -2 ", "in line 2; expected an integer"),
            ("b -2", "b ", "in line 2; expected an integer"),
            ("b -2", "b +2", "in line 2; expected an integer"),
            ("b -2", "b -02", "in line 2; expected an integer"),
            ("b -2", "b -0", "in line 2; expected an integer"),
            ("b -2", "b 2.5", "in line 2; expected an integer"),
            ("b -2", "b 2147483648", "in line 2; expected an integer"),
        ] {
            assert!(text.contains(old), "{old}");
            let error = FittedParams::parse(&text.replace(old, new)).unwrap_err().to_string();
            assert!(error.contains(words), "{new:?}: {error}");
        }
        // More lines than parameters are allowed, and a line without an end.
        let many: Vec<_> = (1000..1257).map(|number| format!("p{number} 1\n")).collect();
        assert!(FittedParams::parse(&many[1..].concat()).is_ok());
        let error = FittedParams::parse(&many.concat()).unwrap_err().to_string();
        assert!(error.contains("more than 256"), "{error}");
        let error = FittedParams::parse(&"é".repeat(1 << 20)).unwrap_err().to_string();
        assert!(error.len() < 300 && error.contains("…"), "{}", error.len());
    }

    #[test]
    fn an_empty_default_is_not_written() {
        let file = file().with_fitted_params(Some(FittedParams::default()));
        assert_eq!(file.fitted_params(), None);
        assert_eq!(NetworkFile::read(&file.write()).unwrap(), file);
        let network = file.to_network().unwrap();
        let network = network.with_fitted_params(Some(FittedParams::default()));
        assert_eq!(network.fitted_params(), None);
    }

    #[test]
    fn version_1_has_none() {
        let file = file().with_fitted_params(Some(params(&[("a", 1)]).unwrap()));
        let mut bytes = file.write();
        assert_eq!(NetworkFile::read(&bytes).unwrap(), file);
        bytes[8] = 1;
        let end = bytes.len() - 4;
        let checksum = crc32(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        let error = NetworkFile::read(&bytes).unwrap_err().to_string();
        assert!(error.contains("section is search-params"), "{error}");
    }
}
