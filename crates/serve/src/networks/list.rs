//! List of networks: built-in ones, and files below the root.

use std::collections::VecDeque;
use std::io::Read;
use std::path::{Path, PathBuf};

use arena::networks::LoadedNetwork;
use games::GameInfo;
use nnue::{Head, Network, NetworkError};
use serde::Serialize;

use super::cache::FileStamp;
use super::{FILE, Found};
use crate::app::App;
use crate::limits;

/// How many files are listed.
const FILES: usize = 300;

/// A network of the list: `Network` of the interface.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NetworkSummary {
    pub(super) id: String,
    name: String,
    pub(super) game: Option<String>,
    source: &'static str,
    pub(super) bytes: u64,
    architecture: String,
    heads: Vec<String>,
    calibrated: bool,
    has_policy: bool,
    has_quantiles: bool,
    pub(super) error: Option<String>,
}

/// All networks: the built-in ones first, then files by their paths.
pub(super) fn all(app: &App) -> Vec<NetworkSummary> {
    let built_in = app.networks.built_in().iter().map(|network| {
        let found = Found::BuiltIn(network.name);
        summarise(app, &found, network.bytes.len() as u64)
    });
    let mut networks: Vec<_> = built_in.collect();
    networks.extend(files(app.root.path()).into_iter().filter_map(|path| {
        let relative = app.root.relative(&path);
        // A link may lead out of the root.
        let path = app.root.resolve(&relative).ok()?;
        of_file(app, relative, path)
    }));
    networks
}

/// The summary of a network of any kind.
pub(super) fn of(app: &App, found: &Found) -> Option<NetworkSummary> {
    match found {
        Found::BuiltIn(name) => {
            let bytes = app.networks.built_in().named(name)?.bytes.len() as u64;
            Some(summarise(app, found, bytes))
        }
        Found::File { relative, path } => of_file(app, relative.clone(), path.clone()),
    }
}

fn of_file(app: &App, relative: String, path: PathBuf) -> Option<NetworkSummary> {
    let stamp = FileStamp::of(&path.metadata().ok()?)?;
    if let Some(mut summary) = app.network_cache.summary(&path, stamp) {
        // Links give one file several names.
        (summary.id, summary.name) = (format!("{FILE}{relative}"), relative);
        return Some(summary);
    }
    let found = Found::File { relative, path };
    let summary = summarise(app, &found, stamp.bytes);
    let Found::File { path, .. } = found else { return None };
    app.network_cache.keep_summary(path, stamp, summary.clone());
    Some(summary)
}

fn summarise(app: &App, found: &Found, bytes: u64) -> NetworkSummary {
    let (id, name, source) = match found {
        Found::BuiltIn(name) => ((*name).to_owned(), (*name).to_owned(), "built-in"),
        Found::File { relative, .. } => (format!("{FILE}{relative}"), relative.clone(), "file"),
    };
    let mut summary = NetworkSummary {
        id,
        name,
        game: None,
        source,
        bytes,
        architecture: String::new(),
        heads: Vec::new(),
        calibrated: false,
        has_policy: false,
        has_quantiles: false,
        error: None,
    };
    match found.load(app) {
        Ok(network) => describe(app, &network, &mut summary),
        Err(error) => summary.error = Some(error.message),
    }
    summary
}

fn describe(app: &App, network: &LoadedNetwork, summary: &mut NetworkSummary) {
    let architecture = network.network().architecture();
    summary.architecture = architecture.to_string();
    summary.heads = architecture.heads.iter().map(Head::label).collect();
    summary.calibrated = network.network().calibration().is_some();
    summary.has_policy = architecture.policy().is_some();
    summary.has_quantiles = architecture.has_quantiles();
    let game = app.networks.games().of_features(network.features()).map(GameInfo::name);
    summary.game = game.map(str::to_owned);
    summary.error = match game.and_then(|game| app.game(game).ok()) {
        Some(game) => game.network_fault(network),
        None => Some(format!(
            "its feature set `{}` is not one of a game here; expected one of `accrue features`",
            network.features()
        )),
    };
}

/// The files below a folder that can be networks, in the order of their paths.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([(root.to_owned(), 0)]);
    let mut entries = 0;
    // Breadth first, so that what is near the root is found even where there is too much below.
    while let Some((folder, depth)) = folders.pop_front() {
        let Ok(listed) = std::fs::read_dir(&folder) else { continue };
        let mut listed: Vec<_> = listed.flatten().take(limits::FOLDER_ENTRIES - entries).collect();
        entries += listed.len();
        listed.sort_by_key(std::fs::DirEntry::file_name);
        for entry in listed {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if depth < limits::FOLDER_DEPTH && !limits::SKIPPED_FOLDERS.contains(&name) {
                    folders.push_back((entry.path(), depth + 1));
                }
            } else if is_network(&entry.path(), kind.is_symlink()) {
                found.push(entry.path());
            }
            if found.len() == FILES {
                return found;
            }
        }
    }
    found
}

/// Whether a file is called a network, or begins as one.
fn is_network(path: &Path, is_link: bool) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("accrue" | "nnue") => true,
        // Links may lead to pipes and devices, which must not be opened.
        Some("bin" | "noru") if !is_link => begins_as_network(path).unwrap_or(false),
        _ => false,
    }
}

fn begins_as_network(path: &Path) -> std::io::Result<bool> {
    let mut first = [0; 8];
    if path.metadata()?.is_file() {
        std::fs::File::open(path)?.read_exact(&mut first)?;
    }
    // Eight bytes are never a whole network; the error says whether the beginning is known.
    Ok(!matches!(Network::from_bytes(&first), Err(NetworkError::UnknownFormat(_))))
}
