//! File sections: the tensors and texts of a network by name.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::element::{Data, Element};
use super::header::Entry;
use super::{ALIGNMENT, Version};
use crate::parameters::{Count, Counts};
use crate::{Architecture, NetworkError, Parameters, Weights};

/// A section to be written.
#[derive(Clone, Debug)]
pub(super) struct Section<'a> {
    pub(super) name: String,
    pub(super) data: Data<'a>,
}

impl<'a> Section<'a> {
    pub(super) fn text(name: &str, text: &'a str) -> Self {
        Self { name: name.into(), data: Data::Text(text) }
    }

    fn tensor<E: Element>(name: impl Into<String>, values: &'a [E]) -> Self {
        Self { name: name.into(), data: E::data(values) }
    }

    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        self.data.append_to(bytes);
    }

    /// Returns the first value that is not finite, with which no network can be evaluated.
    pub(super) fn not_finite(&self) -> Option<String> {
        let Data::F32(values) = self.data else { return None };
        let bad = values.iter().find(|value| !value.is_finite())?;
        Some(format!("{bad} in {}", self.name))
    }
}

/// The tensors of a network in file order.
pub(super) fn of_parameters<'a, W: Element, H: Element, O: Element, B: Element>(
    version: Version,
    architecture: &Architecture,
    parameters: &'a Parameters<W, H, O, B>,
) -> Vec<Section<'a>> {
    let mut sections = Vec::new();
    sections.push(Section::tensor("feature.weights", &parameters.feature_weights));
    sections.push(Section::tensor("feature.bias", &parameters.feature_bias));
    for (depth, layer) in parameters.hidden.iter().enumerate() {
        sections.push(Section::tensor(format!("hidden.{depth}.weights"), &layer.weights));
        sections.push(Section::tensor(format!("hidden.{depth}.bias"), &layer.bias));
    }
    for (name, head) in head_names(version, architecture).zip(&parameters.heads) {
        sections.push(Section::tensor(format!("{name}.weights"), &head.weights));
        sections.push(Section::tensor(format!("{name}.bias"), &head.bias));
    }
    if let Some(policy) = &parameters.policy {
        sections.push(Section::tensor("policy.weights", &policy.weights));
        sections.push(Section::tensor("policy.bias", &policy.bias));
    }
    sections
}

/// The names of the tensors of heads that read the last layer.
fn head_names(version: Version, architecture: &Architecture) -> impl Iterator<Item = &'static str> {
    architecture.layer_heads().map(move |head| version.tensor_name(head))
}

/// The next aligned offset. `None` on overflow of 64 bits.
pub(super) fn align(end: u64) -> Option<u64> {
    end.checked_next_multiple_of(ALIGNMENT)
}

/// The located sections of a file that have not been read yet.
#[derive(Debug)]
pub(super) struct Sections<'a>(Vec<Located<'a>>);

#[derive(Debug)]
struct Located<'a> {
    name: &'a str,
    kind: &'a str,
    bytes: &'a [u8],
}

impl<'a> Sections<'a> {
    /// Locates the sections in `body`, the file without its checksum, whose header ends at `end`.
    ///
    /// Sections are in the order of their header lines, each at the next multiple of [`ALIGNMENT`]
    /// with zeros in between, and the last one ends the body. So no section can overlap another or
    /// extend past the end, and no byte is unaccounted for.
    pub(super) fn locate(
        body: &'a [u8],
        mut end: usize,
        entries: &[Entry<'a>],
    ) -> Result<Self, NetworkError> {
        let mut found: Vec<Located<'a>> = Vec::with_capacity(entries.len());
        for &Entry { name, kind, offset, length } in entries {
            if found.iter().any(|other| other.name == name) {
                return Err(NetworkError::field(
                    "section",
                    format!("{name} twice"),
                    "one of a name",
                ));
            }
            let place = align(end as u64);
            if place != Some(offset) {
                let expected = place.map_or_else(|| "no more".into(), |place| place.to_string());
                let found = format!("{offset} for {name}");
                return Err(NetworkError::field("section offset", found, expected));
            }
            let last = offset.checked_add(length).filter(|&last| last <= body.len() as u64);
            let Some(last) = last else {
                let what = format!("section {name} at {offset}");
                let left = (body.len() as u64).saturating_sub(offset);
                return Err(NetworkError::Length { what, expected: length, found: left });
            };
            // Both are now at most `body.len()`.
            let (start, last) = (offset as usize, last as usize);
            if body[end..start].iter().any(|&byte| byte != 0) {
                let found = format!("not zero before {name}");
                return Err(NetworkError::field("padding", found, "zero bytes"));
            }
            found.push(Located { name, kind, bytes: &body[start..last] });
            end = last;
        }
        if end != body.len() {
            let what = "content up to the checksum".into();
            let (expected, found) = (end as u64, body.len() as u64);
            return Err(NetworkError::Length { what, expected, found });
        }
        Ok(Self(found))
    }

    /// Reads the tensors of a network.
    pub(super) fn take_parameters<W: Element, H: Element, O: Element, B: Element>(
        &mut self,
        version: Version,
        architecture: &Architecture,
    ) -> Result<Parameters<W, H, O, B>, NetworkError> {
        let counts = Counts::of(architecture);
        let feature_weights = self.take("feature.weights", counts.feature_weights)?;
        let feature_bias = self.take("feature.bias", counts.feature_bias)?;
        let mut hidden = Vec::new();
        for (depth, &count) in counts.hidden.iter().enumerate() {
            hidden.push(self.take_weights(&format!("hidden.{depth}"), count)?);
        }
        let mut heads = Vec::new();
        for (name, &count) in head_names(version, architecture).zip(&counts.heads) {
            heads.push(self.take_weights(name, count)?);
        }
        let policy = counts.policy.map(|count| self.take_weights("policy", count)).transpose()?;
        Ok(Parameters { feature_weights, feature_bias, hidden, heads, policy })
    }

    fn take_weights<W: Element, B: Element>(
        &mut self,
        name: &str,
        count: Count,
    ) -> Result<Weights<W, B>, NetworkError> {
        let weights = self.take(&format!("{name}.weights"), count.weights)?;
        let bias = self.take(&format!("{name}.bias"), count.bias)?;
        Ok(Weights { weights, bias })
    }

    fn take<E: Element>(&mut self, name: &str, count: usize) -> Result<Vec<E>, NetworkError> {
        let bytes = self.remove(name, E::NAME)?;
        let expected = (count as u64).saturating_mul(E::SIZE as u64);
        if bytes.len() as u64 != expected {
            let what = format!("section {name}, for this architecture,");
            return Err(NetworkError::Length { what, expected, found: bytes.len() as u64 });
        }
        Ok(E::read(bytes))
    }

    /// Reads an optional text section.
    pub(super) fn take_optional_text(
        &mut self,
        name: &'static str,
    ) -> Result<Option<String>, NetworkError> {
        let there = self.0.iter().any(|section| section.name == name);
        there.then(|| self.take_text(name)).transpose()
    }

    /// Reads a text section.
    pub(super) fn take_text(&mut self, name: &'static str) -> Result<String, NetworkError> {
        let bytes = self.remove(name, Data::Text("").name())?;
        let text = str::from_utf8(bytes);
        text.map(Into::into).map_err(|error| NetworkError::field(name, error, "text in UTF-8"))
    }

    fn remove(&mut self, name: &str, kind: &str) -> Result<&'a [u8], NetworkError> {
        let Some(place) = self.0.iter().position(|section| section.name == name) else {
            let found = format!("without {name}");
            return Err(NetworkError::field("list of sections", found, "one of that name"));
        };
        let section = self.0.swap_remove(place);
        if section.kind != kind {
            let found = format!("{} for {name}", section.kind);
            return Err(NetworkError::field("section type", found, kind));
        }
        Ok(section.bytes)
    }

    /// Checks that only skippable sections are left.
    pub(super) fn finish(self) -> Result<(), NetworkError> {
        match self.0.iter().find(|section| !super::header::is_extension(section.name)) {
            None => Ok(()),
            Some(section) => Err(NetworkError::field(
                "section",
                section.name,
                "one that this architecture has, or a name that begins with x-",
            )),
        }
    }
}
