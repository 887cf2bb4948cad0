//! File header: lines of a key and a value between the prefix of a file and its tensors.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use super::sections::{Section, align};
use super::{NetworkFile, PREFIX};
use crate::{Architecture, Arithmetic, NetworkError, QuantisationError, Scales};

/// A printed header, and the end of each section in the file.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) ends: Vec<u64>,
}

/// The line of a section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) kind: &'a str,
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// A parsed header.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) architecture: Architecture,
    pub(super) arithmetic: Arithmetic,
    pub(super) quantisation_error: Option<QuantisationError>,
    pub(super) sections: Vec<Entry<'a>>,
}

/// Whether a reader that does not recognise the name may skip it.
pub(super) fn is_extension(name: &str) -> bool {
    name.starts_with("x-")
}

impl<'a> Header<'a> {
    /// The header of a file with these sections.
    pub(super) fn print(file: &NetworkFile, sections: &[Section<'_>]) -> Printed {
        let start = print_description(file);
        // Offsets depend on the length of the header, which depends on their digits. Each pass can
        // only increase them, so the loop terminates, in practice after two passes.
        let mut length = start.len();
        loop {
            let printed = print_sections(&start, length, sections);
            if printed.text.len() == length {
                return printed;
            }
            length = printed.text.len();
        }
    }

    /// Parses the output of [`print`](Header::print).
    pub(super) fn parse(text: &'a str) -> Result<Self, NetworkError> {
        let mut fields = Fields::default();
        let mut sections = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let Some((line, after)) = rest.split_once('\n') else {
                return Err(NetworkError::field("last line of the header", rest, "a line feed"));
            };
            rest = after;
            let Some((key, value)) = line.split_once(' ') else {
                return Err(NetworkError::field("header line", line, "a key, a space, a value"));
            };
            let field = match key {
                "section" => {
                    sections.push(parse_entry(value)?);
                    continue;
                }
                "architecture" => &mut fields.architecture,
                "arithmetic" => &mut fields.arithmetic,
                "scales" => &mut fields.scales,
                "quantisation-error" => &mut fields.quantisation_error,
                _ if is_extension(key) => continue,
                _ => {
                    let expected = "architecture, arithmetic, scales, quantisation-error, section \
                                    or a key that begins with x-; a newer accrue may know it";
                    return Err(NetworkError::field("header key", key, expected));
                }
            };
            if field.replace(value).is_some() {
                let found = format!("{key} twice");
                return Err(NetworkError::field("header key", found, "one line for each"));
            }
        }
        fields.finish(sections)
    }
}

fn print_description(file: &NetworkFile) -> String {
    // The alternate form names each head.
    let line = format!("{:#}", file.architecture);
    // Scales are recorded even if they are the usual ones, so that the defaults may change.
    let line = line.split_once(" scales=").map_or(line.as_str(), |(shape, _)| shape);
    let arithmetic = match file.parameters.arithmetic() {
        Arithmetic::Integer => "integer",
        Arithmetic::Float => "float",
    };
    let scales = print_scales(&file.architecture.scales);
    let mut text = format!("architecture {line}\narithmetic {arithmetic}\nscales {scales}\n");
    if let Some(QuantisationError { positions, mean, max }) = file.quantisation_error {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "quantisation-error {positions} {mean} {max}");
    }
    text
}

/// The scales in the form that follows `scales=` in a one-line architecture.
fn print_scales(scales: &Scales) -> String {
    let shifts: Vec<String> = scales.hidden_shifts.iter().map(ToString::to_string).collect();
    let shifts = if shifts.is_empty() { "-".to_string() } else { shifts.join("/") };
    let Scales { accumulator, activation_shift, head, policy_shift, centipawns, .. } = scales;
    format!("{accumulator},{activation_shift},{shifts},{head},{policy_shift},{centipawns}")
}

/// Appends the lines of sections that follow a header of `length` bytes.
fn print_sections(start: &str, length: usize, sections: &[Section<'_>]) -> Printed {
    let mut printed = Printed { text: start.into(), ends: Vec::new() };
    let mut end = (PREFIX + length) as u64;
    for Section { name, data } in sections {
        let offset = align(end).expect("memory is smaller than 64 bits can say");
        let size = data.size();
        let _ = writeln!(printed.text, "section {name} {} {offset} {size}", data.name());
        end = offset + size as u64;
        printed.ends.push(end);
    }
    printed
}

/// The lines that occur once in a header.
#[derive(Debug, Default)]
struct Fields<'a> {
    architecture: Option<&'a str>,
    arithmetic: Option<&'a str>,
    scales: Option<&'a str>,
    quantisation_error: Option<&'a str>,
}

impl Fields<'_> {
    fn finish(self, sections: Vec<Entry<'_>>) -> Result<Header<'_>, NetworkError> {
        let missing = |key| NetworkError::field("header", format!("without {key}"), "that line");
        let line = self.architecture.ok_or_else(|| missing("architecture"))?;
        let scales = self.scales.ok_or_else(|| missing("scales"))?;
        // Parsing both together reuses one parser and rules out contradictions.
        let mut words = line.split_whitespace().skip(1);
        if words.any(|word| word.starts_with("scales=")) || scales.contains(char::is_whitespace) {
            let expected = "scales in their own line, without spaces";
            return Err(NetworkError::field("architecture in the header", line, expected));
        }
        let architecture = format!("{line} scales={scales}").parse()?;
        let arithmetic = match self.arithmetic.ok_or_else(|| missing("arithmetic"))? {
            "integer" => Arithmetic::Integer,
            "float" => Arithmetic::Float,
            other => return Err(NetworkError::field("arithmetic", other, "integer or float")),
        };
        let quantisation_error = self.quantisation_error.map(parse_error).transpose()?;
        Ok(Header { architecture, arithmetic, quantisation_error, sections })
    }
}

fn parse_entry(line: &str) -> Result<Entry<'_>, NetworkError> {
    let words: Vec<&str> = line.split(' ').collect();
    let entry = match words.as_slice() {
        &[name, kind, offset, length] if !name.is_empty() => {
            (|| Some(Entry { name, kind, offset: whole(offset)?, length: whole(length)? }))()
        }
        _ => None,
    };
    entry.ok_or_else(|| {
        NetworkError::field("section line", line, "a name, a type, an offset and a length")
    })
}

fn parse_error(line: &str) -> Result<QuantisationError, NetworkError> {
    let words: Vec<&str> = line.split(' ').collect();
    let error = match words.as_slice() {
        &[positions, mean, max] => (|| {
            let (mean, max) = (mean.parse().ok()?, max.parse().ok()?);
            Some(QuantisationError { positions: whole(positions)?, mean, max })
        })(),
        _ => None,
    };
    error.ok_or_else(|| {
        NetworkError::field("quantisation-error", line, "positions, mean and largest difference")
    })
}

/// Parses an unsigned integer. Rejects a sign, which the standard library would accept.
fn whole(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
