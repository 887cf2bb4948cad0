//! Page of a network: its facts, its architecture as a drawing, and what its file records.

use std::path::PathBuf;

use arena::networks::{LoadedNetwork, NetworkDescription, NetworkSource, ScaleDescription};
use nnue::{Architecture, Head, HeadInput, Layer};
use pipeline::stages::draw_network;
use report::architecture::{HeadShape, LayerShape, NetworkShape};
use report::neurons::NeuronSelection;
use serde::Serialize;

use super::charts::{self, CalibrationView};
use super::list::{self, NetworkSummary};
use super::{Found, find};
use crate::app::App;
use crate::error::ApiError;

/// Neurons of the picture: with eight, it would be most of the page.
const NEURONS: usize = 6;

/// Names and values.
pub(super) type Facts = Vec<(&'static str, String)>;

/// `NetworkView` of the interface.
#[derive(Debug, Serialize)]
pub(super) struct NetworkView {
    network: NetworkSummary,
    facts: Facts,
    drawing: String,
    scales: Facts,
    provenance: String,
    quantisation: Option<QuantisationView>,
    calibration: Option<CalibrationView>,
    score_model: Option<String>,
    neurons: Option<String>,
}

#[derive(Debug, Serialize)]
struct QuantisationView {
    positions: u64,
    mean: f32,
    max: f32,
}

/// Everything that the page shows of the network of that id.
pub(super) fn of(app: &App, id: &str) -> Result<NetworkView, ApiError> {
    let found = find(app, id)?;
    let loaded = found.load(app)?;
    let summary = list::of(app, &found)
        .ok_or_else(|| ApiError::not_found("no_such_network", format!("{id} is gone")))?;
    let network = loaded.network();
    let description = NetworkDescription::new(loaded.file(), summary.bytes, network);
    Ok(NetworkView {
        network: summary,
        facts: facts(&description),
        drawing: shape(network.architecture()).picture().inline().into_string(),
        scales: description.scales.as_ref().map(ScaleDescription::facts).unwrap_or_default(),
        quantisation: description.quantisation_error.map(|error| QuantisationView {
            positions: error.positions,
            mean: error.mean_centipawns,
            max: error.most_centipawns,
        }),
        provenance: description.provenance,
        calibration: network.calibration().map(charts::calibration),
        score_model: network.score_model().map(charts::score_model),
        neurons: neurons(app, &found, &loaded),
    })
}

fn facts(description: &NetworkDescription) -> Facts {
    // The name and the size stand at the top of the page.
    let mut facts: Facts =
        description.facts().into_iter().filter(|(name, _)| *name != "file").collect();
    if description.quantisation_error.is_none() {
        facts.push(("quantisation", "error not recorded".to_owned()));
    }
    facts.extend(description.calibration.as_ref().map(|found| ("calibration", found.text())));
    facts.extend(description.score_model.as_ref().map(|model| ("score model", model.text())));
    facts.push(("kernel", description.kernel.to_owned()));
    facts
}

/// The architecture as a drawing needs it.
fn shape(architecture: &Architecture) -> NetworkShape {
    let layer = |layer: &Layer| LayerShape {
        width: layer.width,
        outputs: layer.outputs(),
        activation: layer.activation.name().to_owned(),
    };
    let head = |head: &Head| HeadShape {
        name: head.name().to_owned(),
        label: head.label(),
        outputs: head.outputs(),
        reads_accumulator: head.input() == HeadInput::Accumulator,
    };
    NetworkShape {
        features: architecture.features.clone(),
        inputs: architecture.inputs,
        perspectives: architecture.perspectives.count(),
        accumulator: layer(&architecture.accumulator),
        hidden: architecture.hidden.iter().map(layer).collect(),
        buckets: architecture.buckets.count,
        heads: architecture.heads.iter().map(head).collect(),
    }
}

/// The weights of some neurons; `None` where features have no places on a board, and for formats of
/// other programs.
fn neurons(app: &App, found: &Found, loaded: &LoadedNetwork) -> Option<String> {
    let source = match found {
        Found::BuiltIn(name) => PathBuf::from(name),
        Found::File { path, .. } => path.clone(),
    };
    let file = app.networks.read_file(&NetworkSource::new(source)).ok()?;
    let selection = NeuronSelection { count: NEURONS, ..NeuronSelection::default() };
    let name = PathBuf::from(loaded.file());
    let (_, picture) = draw_network(&name, &file, &selection, app.networks.games()).ok()?;
    Some(picture.inline().into_string())
}
