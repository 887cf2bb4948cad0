//! Tests of the network loader: every kind of file is read or refused by name.

use std::path::{Path, PathBuf};

use dataset::GameList;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::{Game, ToolkitGame};
use nnue::{Activation, NetworkFile, ScoreModel};
use search::EngineOptions;

use super::*;

const SET: &str = "chess.piece-square";
const SMALL: &[u8] = include_bytes!("../../../../nets/chess-small.accrue");

fn loader() -> NetworkLoader {
    let games = GameList::new().with::<Chess>().with::<ConnectFour>();
    let small = BuiltInNetwork { game: "chess", name: "small", bytes: SMALL };
    NetworkLoader::new(games, [small].into_iter().collect())
}

/// A network of one neuron as a matrix in JSON.
fn matrix(columns: usize) -> String {
    let row: Vec<f32> = (0..columns).map(|column| (column % 7) as f32 / 8.0).collect();
    format!(
        r#"{{"ft.weight": [{row:?}], "ft.bias": [0.5], "out.weight": [[1, -1]], "out.bias": [0]}}"#
    )
}

fn native(features: &str) -> Vec<u8> {
    let file = nnue::read_json(matrix(768).as_bytes(), features, Activation::Screlu);
    NetworkFile::write(&file.unwrap())
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

fn load(path: &Path, features: Option<&str>) -> Result<LoadedNetwork, NetworkLoadError> {
    loader().load(&NetworkSource::new(path).with_features(features.map(str::to_owned)))
}

fn evaluation<G: ToolkitGame>(network: &LoadedNetwork) -> Result<i32, NetworkLoadError> {
    loader().evaluate(&G::start(), Some(network), 100)
}

#[test]
fn a_file_that_names_its_feature_set_is_read_with_it() {
    let folder = Folder::new();
    let network = load(&folder.put("named", native(SET)), None).unwrap();
    assert_eq!(network.features(), SET);
    evaluation::<Chess>(&network).unwrap();
    let error = evaluation::<ConnectFour>(&network).unwrap_err();
    assert!(matches!(error, NetworkLoadError::Inputs { game: "connect_four", .. }), "{error}");
    assert!(error.to_string().contains("named does not fit connect_four"), "{error}");
}

#[test]
fn a_feature_set_is_never_guessed() {
    let folder = Folder::new();
    let raw = folder.put("raw", native("raw:768"));
    let unnamed = load(&raw, None).unwrap();
    let error = evaluation::<Chess>(&unnamed).unwrap_err();
    assert!(matches!(error, NetworkLoadError::FeaturesUnnamed { .. }), "{error}");
    let text = error.to_string();
    assert!(["raw does not name", "768 inputs", SET].iter().all(|part| text.contains(part)));

    let named = load(&raw, Some(SET)).unwrap();
    let same = load(&folder.put("named", native(SET)), None).unwrap();
    assert_eq!(evaluation::<Chess>(&named).unwrap(), evaluation::<Chess>(&same).unwrap());
    let unknown = load(&raw, Some("chess.pieces")).unwrap_err();
    assert!(matches!(unknown, NetworkLoadError::Features { .. }), "{unknown}");
    let size = load(&raw, Some("chess.halfka-hm")).unwrap();
    assert!(matches!(evaluation::<Chess>(&size), Err(NetworkLoadError::Inputs { .. })));
}

#[test]
fn a_matrix_needs_its_feature_set() {
    let folder = Folder::new();
    let path = folder.put("weights.json", matrix(768));
    let error = load(&path, None).unwrap_err();
    assert!(matches!(error, NetworkLoadError::FeaturesUnnamed { .. }), "{error}");
    assert_eq!(load(&path, Some(SET)).unwrap().features(), SET);
    let other = load(&folder.put("other.json", matrix(12)), Some(SET)).unwrap_err();
    assert!(matches!(other, NetworkLoadError::Columns { inputs: 12, size: 768, .. }), "{other}");
    let cut = load(&folder.put("cut.json", &matrix(768)[..99]), Some(SET)).unwrap_err();
    assert!(matches!(cut, NetworkLoadError::Json { .. }), "{cut}");
}

#[test]
fn what_is_not_a_network_file_is_refused_by_name() {
    let folder = Folder::new();
    let missing = load(&folder.0.path().join("missing"), None).unwrap_err().to_string();
    assert!(missing.contains("missing") && missing.contains("(small)"), "{missing}");
    let itself = load(folder.0.path(), None).unwrap_err();
    assert!(matches!(itself, NetworkLoadError::NotAFile { .. }), "{itself}");
    let text = load(&folder.put("text", "not a network"), None).unwrap_err();
    assert!(matches!(text, NetworkLoadError::Format { .. }), "{text}");
    let source = NetworkSource {
        architecture: Some("(768→1)×2→1 screlu".into()),
        ..NetworkSource::new(folder.put("own", native(SET)))
    };
    let stated = loader().load(&source).unwrap_err();
    assert!(matches!(stated, NetworkLoadError::ArchitectureStated { .. }), "{stated}");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let error = load(Path::new("/dev/zero"), None).unwrap_err();
    assert!(matches!(error, NetworkLoadError::NotAFile { .. }), "{error}");
}

#[test]
fn built_in_networks_go_by_their_names() {
    let loader = loader();
    let small = loader.load(&NetworkSource::new("small")).unwrap();
    assert_eq!(loader.description::<Chess>(None).unwrap(), small.description());
    assert!(loader.linear_network::<Chess>().unwrap().is_none());
    let start = Chess::start();
    let [default, given] =
        [None, Some(&small)].map(|network| loader.evaluate(&start, network, 100));
    assert_eq!(default.unwrap(), given.unwrap());
    // Without a share the given network is not even checked.
    let unnamed = LoadedNetwork::new("raw", small.network().clone())
        .with_features(Some("connect_four.stones".into()));
    assert!(loader.evaluate(&start, Some(&unnamed), 0).is_ok());
    assert!(loader.evaluate(&start, Some(&unnamed), 50).is_err());
}

#[test]
fn engines_play_with_a_network_and_a_larger_one_must_be_calibrated() {
    let folder = Folder::new();
    let loader = loader();
    let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
    let small = loader.load(&NetworkSource::new("small")).unwrap();
    assert!(small.network().calibration().is_some());
    let plain = load(&folder.put("plain", native(SET)), None).unwrap();
    let pair = plain.clone().with_large(Some(small.clone()));
    assert!(loader.engine::<Chess>(options, Some(&pair), 100).is_ok());
    let pair = small.with_large(Some(plain));
    let error = loader.engine::<Chess>(options, Some(&pair), 100).unwrap_err();
    assert!(matches!(error, NetworkLoadError::LargeNotCalibrated { .. }), "{error}");
}

#[test]
fn the_score_model_is_the_networks_or_the_fallback() {
    let folder = Folder::new();
    let plain = load(&folder.put("plain", native(SET)), None).unwrap();
    assert_eq!(plain.score_model(), &ScoreModel::DEFAULT);
    let of_game = ScoreModel::constant(120.0, 80.0);
    let plain = plain.with_default_score_model(of_game.clone());
    assert_eq!(plain.score_model(), &of_game);
    let own = ScoreModel::constant(90.0, 60.0);
    let network = (**plain.network()).clone().with_score_model(Some(own.clone()));
    let fitted = LoadedNetwork::new("fitted", std::sync::Arc::new(network));
    let fitted = fitted.with_default_score_model(of_game);
    assert_eq!(fitted.score_model(), &own);
}
