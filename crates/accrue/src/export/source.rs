//! What is exported: floats, and where they come from.

use std::path::Path;

use anyhow::bail;
use nnue::{Architecture, FileParameters, FloatParameters};

use crate::network::{ForeignArgs, load_file};

/// A trained network.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) architecture: Architecture,
    pub(super) parameters: FloatParameters,
    /// How it was made, for the file that is written.
    pub(super) provenance: String,
}

impl Source {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let file = load_file(path, &ForeignArgs::default())?;
        let FileParameters::Float(parameters) = file.parameters() else {
            bail!(
                "{} holds integers already: engines read it as it is\nExport takes floats, because integers \
                 cannot be rounded twice without harm",
                path.display()
            );
        };
        let parameters = parameters.clone();
        let architecture = file.architecture().clone();
        Ok(Self { architecture, parameters, provenance: file.provenance().to_owned() })
    }
}
