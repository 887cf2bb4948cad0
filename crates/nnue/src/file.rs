//! Network file: a text header that describes the network, aligned tensors, and a checksum.
//!
//! `docs/network-file.md` specifies the format byte by byte.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::crc32::crc32;
use crate::{
    Architecture, Arithmetic, Calibration, FittedParams, FloatParameters, Head, IntegerParameters,
    MoveEncoding, Network, NetworkError, QuantisationError, ScoreModel,
};

mod detect;
mod element;
mod header;
mod sections;

use header::Header;
use sections::{Section, Sections};

/// The first eight bytes. The non-text byte and the line feed reveal files that were damaged by a
/// text-mode transfer.
pub(crate) const MAGIC: [u8; 8] = *b"\x89accrue\n";
/// The version that is written.
const VERSION: Version = Version::V2;
/// The length of magic, version, header length and file length.
const PREFIX: usize = 24;
/// The length of the checksum at the end.
const SUFFIX: usize = 4;
/// The alignment of sections.
const ALIGNMENT: u64 = 64;
/// The maximum length of a header. Our headers need less than a tenth of it.
const MAX_HEADER: usize = 1 << 14;
/// The maximum length of a feature set's name, which bounds the length of the header.
const MAX_NAME: usize = 256;

/// The optional section with the calibration.
const CALIBRATION: &str = "calibration";
/// The optional section with the win-rate model.
const SCORE_MODEL: &str = "score-model";
/// The optional section with the search parameters that were fitted for the network.
const SEARCH_PARAMS: &str = "search-params";

/// A supported version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Heads are identified by their numbers of outputs. Move encodings and move classes are not
    /// named, and there are no score model and no search parameters.
    V1,
    /// Heads, move encodings and move classes are named.
    V2,
}

impl Version {
    const ALL: [Self; 2] = [Self::V1, Self::V2];

    fn number(self) -> u32 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// The name of a head's tensors.
    fn tensor_name(self, head: Head) -> &'static str {
        match self {
            Self::V1 => head.tensor_name_v1(),
            Self::V2 => head.name(),
        }
    }
}

/// The content of a network file: unpacked weights and their metadata.
///
/// The content has been checked: it fits the architecture and can be written.
/// [`NetworkFile::to_network`] builds a [`Network`] that evaluates positions.
///
/// ```
/// use nnue::{IntegerParameters, NetworkFile};
///
/// let architecture = "(18→16)×2→1 screlu".parse()?;
/// let parameters = IntegerParameters::generate(&architecture, || 20, || 0, || 10, || 0);
/// let file = NetworkFile::new(architecture, parameters, "an example".into(), None)?;
///
/// let mut bytes = file.write();
/// assert_eq!(NetworkFile::read(&bytes)?, file);
/// assert_eq!(file.to_network()?.architecture().inputs, 18);
///
/// // A checksum detects damage.
/// *bytes.last_mut().unwrap() ^= 1;
/// assert!(NetworkFile::read(&bytes).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    architecture: Architecture,
    parameters: FileParameters,
    provenance: String,
    quantisation_error: Option<QuantisationError>,
    calibration: Option<Calibration>,
    score_model: Option<ScoreModel>,
    fitted_params: Option<FittedParams>,
}

/// The text sections besides the provenance.
struct Texts {
    calibration: Option<String>,
    score_model: Option<String>,
    search_params: Option<String>,
}

/// The weights of a [`NetworkFile`].
#[derive(Clone, Debug, PartialEq)]
pub enum FileParameters {
    /// Quantised weights, for engines.
    Integer(IntegerParameters),
    /// Float weights: for activations without an integer form, and for comparison.
    Float(FloatParameters),
}

impl From<IntegerParameters> for FileParameters {
    fn from(parameters: IntegerParameters) -> Self {
        Self::Integer(parameters)
    }
}

impl From<FloatParameters> for FileParameters {
    fn from(parameters: FloatParameters) -> Self {
        Self::Float(parameters)
    }
}

impl FileParameters {
    /// Whether they are integers or floats.
    pub fn arithmetic(&self) -> Arithmetic {
        match self {
            Self::Integer(_) => Arithmetic::Integer,
            Self::Float(_) => Arithmetic::Float,
        }
    }
}

impl NetworkFile {
    /// Creates and checks the content of a network file.
    ///
    /// `provenance` describes how the network was made, in any number of lines.
    pub fn new(
        architecture: Architecture,
        parameters: impl Into<FileParameters>,
        provenance: String,
        quantisation_error: Option<QuantisationError>,
    ) -> Result<Self, NetworkError> {
        let parameters = parameters.into();
        check_name(&architecture)?;
        match &parameters {
            FileParameters::Integer(parameters) => {
                parameters.check(&architecture)?;
                if architecture.arithmetic() == Arithmetic::Float {
                    let expected = "activations that integers can do: crelu, screlu, pairwise";
                    return Err(NetworkError::field("architecture", &architecture, expected));
                }
            }
            FileParameters::Float(parameters) => parameters.check(&architecture)?,
        }
        if let Some(error) = &quantisation_error {
            check_error(*error)?;
        }
        let file = Self {
            architecture,
            parameters,
            provenance,
            quantisation_error,
            calibration: None,
            score_model: None,
            fitted_params: None,
        };
        match file.tensors().iter().find_map(Section::not_finite) {
            Some(bad) => Err(NetworkError::field("a weight", bad, "a finite number")),
            None => Ok(file),
        }
    }

    /// The same network with another provenance.
    #[must_use]
    pub fn with_provenance(mut self, provenance: String) -> Self {
        self.provenance = provenance;
        self
    }

    /// The same network with or without a calibration. Only a network with quantiles can be
    /// calibrated.
    pub fn with_calibration(
        mut self,
        calibration: Option<Calibration>,
    ) -> Result<Self, NetworkError> {
        if calibration.is_some() && !self.architecture.has_quantiles() {
            let expected = "a network with quantiles";
            return Err(NetworkError::field("calibration", &self.architecture, expected));
        }
        self.calibration = calibration;
        Ok(self)
    }

    /// The same network with or without a win-rate model.
    #[must_use]
    pub fn with_score_model(mut self, score_model: Option<ScoreModel>) -> Self {
        self.score_model = score_model;
        self
    }

    /// The same network with or without search parameters that were fitted for it. Empty ones count
    /// as none.
    #[must_use]
    pub fn with_fitted_params(mut self, params: Option<FittedParams>) -> Self {
        self.fitted_params = params.filter(|params| !params.is_empty());
        self
    }

    /// The same network with the given move encoding for its policy, if it has one. Files of
    /// version 1 do not name the encoding; the network's game infers it from the number of outputs.
    #[must_use]
    pub fn with_move_encoding(mut self, moves: MoveEncoding) -> Self {
        self.architecture = self.architecture.with_move_encoding(moves);
        self
    }

    /// The architecture of the network.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The weights.
    pub fn parameters(&self) -> &FileParameters {
        &self.parameters
    }

    /// How the network was made.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// The difference between the network and its float original.
    pub fn quantisation_error(&self) -> Option<QuantisationError> {
        self.quantisation_error
    }

    /// The calibration of quantiles and policy, if it was measured.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// The win-rate model, which maps scores to centipawns and to win, draw and loss, if it was
    /// fitted.
    pub fn score_model(&self) -> Option<&ScoreModel> {
        self.score_model.as_ref()
    }

    /// The search parameters that were fitted for the network, if there are any.
    pub fn fitted_params(&self) -> Option<&FittedParams> {
        self.fitted_params.as_ref()
    }

    /// Builds the network for inference.
    pub fn to_network(&self) -> Result<Network, NetworkError> {
        let architecture = self.architecture.clone();
        let network = match &self.parameters {
            FileParameters::Integer(parameters) => {
                Network::from_integers(architecture, parameters)?
            }
            FileParameters::Float(parameters) => Network::from_floats(architecture, parameters)?,
        };
        let network = network.with_provenance(self.provenance.clone(), self.quantisation_error);
        let network = network.with_calibration(self.calibration.clone());
        let network = network.with_score_model(self.score_model.clone());
        Ok(network.with_fitted_params(self.fitted_params.clone()))
    }

    /// The bytes of the file. Equal content gives equal bytes.
    pub fn write(&self) -> Vec<u8> {
        let texts = self.texts();
        let sections = self.sections(&texts);
        let header = Header::print(self, &sections);
        let end = header.ends.last().copied().unwrap_or(PREFIX as u64);
        let length = end + SUFFIX as u64;
        let mut bytes = Vec::with_capacity(length as usize);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.number().to_le_bytes());
        bytes.extend_from_slice(&(header.text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(header.text.as_bytes());
        for section in &sections {
            bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
            section.append_to(&mut bytes);
        }
        let checksum = crc32(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Parses the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (version, text, end) = frame(bytes)?;
        let header = Header::parse(text)?;
        let body = &bytes[..bytes.len() - SUFFIX];
        let mut sections = Sections::locate(body, end, &header.sections)?;
        let architecture = header.architecture;
        // This check precedes any sum of sizes: the largest product of an architecture must not
        // overflow on 32-bit targets.
        let weights = architecture.inputs as u64 * architecture.accumulator.width as u64;
        if weights > bytes.len() as u64 {
            let what = "feature weights of the architecture in the header";
            return Err(length_error(what, weights, bytes.len()));
        }
        let parameters = match header.arithmetic {
            Arithmetic::Integer => {
                FileParameters::Integer(sections.take_parameters(version, &architecture)?)
            }
            Arithmetic::Float => {
                FileParameters::Float(sections.take_parameters(version, &architecture)?)
            }
        };
        let provenance = sections.take_text("provenance")?;
        let calibration = sections.take_optional_text(CALIBRATION)?;
        let calibration = calibration.map(|text| Calibration::parse(&text)).transpose()?;
        let [score_model, search_params] = match version {
            Version::V1 => [None, None],
            Version::V2 => [
                sections.take_optional_text(SCORE_MODEL)?,
                sections.take_optional_text(SEARCH_PARAMS)?,
            ],
        };
        let score_model = score_model.map(|text| ScoreModel::parse(&text)).transpose()?;
        let fitted_params = search_params.map(|text| FittedParams::parse(&text)).transpose()?;
        sections.finish()?;
        let file = Self::new(architecture, parameters, provenance, header.quantisation_error)?;
        let file = file.with_calibration(calibration)?.with_score_model(score_model);
        Ok(file.with_fitted_params(fitted_params))
    }

    fn texts(&self) -> Texts {
        Texts {
            calibration: self.calibration.as_ref().map(Calibration::print),
            score_model: self.score_model.as_ref().map(ScoreModel::print),
            search_params: self.fitted_params.as_ref().map(FittedParams::print),
        }
    }

    fn tensors(&self) -> Vec<Section<'_>> {
        match &self.parameters {
            FileParameters::Integer(parameters) => {
                sections::of_parameters(VERSION, &self.architecture, parameters)
            }
            FileParameters::Float(parameters) => {
                sections::of_parameters(VERSION, &self.architecture, parameters)
            }
        }
    }

    /// All tensors, then the texts, in file order.
    fn sections<'a>(&'a self, texts: &'a Texts) -> Vec<Section<'a>> {
        let mut sections = self.tensors();
        sections.push(Section::text("provenance", &self.provenance));
        for (name, text) in [
            (CALIBRATION, &texts.calibration),
            (SCORE_MODEL, &texts.score_model),
            (SEARCH_PARAMS, &texts.search_params),
        ] {
            sections.extend(text.as_deref().map(|text| Section::text(name, text)));
        }
        sections
    }
}

impl TryFrom<&NetworkFile> for Network {
    type Error = NetworkError;

    fn try_from(file: &NetworkFile) -> Result<Self, NetworkError> {
        file.to_network()
    }
}

/// Checks the frame around the header. Returns the version, the header's text and its end.
fn frame(bytes: &[u8]) -> Result<(Version, &str, usize), NetworkError> {
    let Some((prefix, rest)) = bytes.split_first_chunk::<PREFIX>() else {
        return Err(length_error("the start of a network file", PREFIX as u64, bytes.len()));
    };
    let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| prefix[at + i]));
    if prefix[..MAGIC.len()] != MAGIC {
        let hint = "it does not begin as the network files of accrue do";
        return Err(NetworkError::UnknownFormat(hint.into()));
    }
    let known = Version::ALL.into_iter().find(|version| version.number() == word(8));
    let version = known.ok_or_else(|| {
        let expected = format!("1 to {}; a newer accrue may read the file", VERSION.number());
        NetworkError::field("version", word(8), expected)
    })?;
    let length = u64::from(word(16)) | u64::from(word(20)) << 32;
    if length != bytes.len() as u64 {
        return Err(length_error("the network file, by its own account,", length, bytes.len()));
    }
    let Some((content, stored)) = rest.split_last_chunk::<SUFFIX>() else {
        let min = PREFIX + SUFFIX;
        return Err(length_error("a network file without content", min as u64, bytes.len()));
    };
    let stored = u32::from_le_bytes(*stored);
    let computed = crc32(&bytes[..bytes.len() - SUFFIX]);
    if stored != computed {
        return Err(NetworkError::Checksum { stored, computed });
    }
    let header = word(12) as usize;
    if header > MAX_HEADER {
        let expected = format!("at most {MAX_HEADER} bytes");
        return Err(NetworkError::field("length of the header", header, expected));
    }
    let Some(text) = content.get(..header) else {
        return Err(length_error("the header", header as u64, content.len()));
    };
    let text = str::from_utf8(text)
        .map_err(|error| NetworkError::field("header", error, "text in UTF-8"))?;
    Ok((version, text, PREFIX + header))
}

fn length_error(what: &str, expected: u64, found: usize) -> NetworkError {
    NetworkError::Length { what: what.into(), expected, found: found as u64 }
}

/// Rejects a name that does not survive a round trip through its header line.
fn check_name(architecture: &Architecture) -> Result<(), NetworkError> {
    let name = &architecture.features;
    let expected = if name.len() > MAX_NAME {
        format!("a name of at most {MAX_NAME} bytes")
    } else if name.contains('→') || name.contains("->") {
        "a name without an arrow".into()
    } else {
        return Ok(());
    };
    Err(NetworkError::field("feature set", name, expected))
}

fn check_error(error: QuantisationError) -> Result<(), NetworkError> {
    let sound = |centipawns: f32| centipawns.is_finite() && centipawns >= 0.0;
    if sound(error.mean) && sound(error.max) {
        return Ok(());
    }
    let found = format!("{} on average, {} at most", error.mean, error.max);
    Err(NetworkError::field("quantisation error", found, "finite numbers of centipawns"))
}
