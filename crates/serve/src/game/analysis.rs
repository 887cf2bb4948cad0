//! Analysis: a search without end that reports its lines, and the engine that it keeps.

use std::any::Any;
use std::sync::Arc;

use arena::networks::LoadedNetwork;
use games::ToolkitGame;
use search::{Bound, Engine, EngineOptions, Limits, SearchInfo, SearchMode};
use serde::Serialize;

use super::line::PlayedLine;
use super::position::MoveName;
use super::score::{ScoreScale, WhiteScore};
use super::{Analysis, EngineGrant, GameServer};
use crate::error::ApiError;

/// One line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisLine {
    pub(crate) rank: usize,
    pub(crate) depth: usize,
    score: WhiteScore,
    bound: &'static str,
    expected: f64,
    moves: Vec<MoveName>,
    #[serde(skip)]
    pub(crate) seldepth: usize,
    #[serde(skip)]
    pub(crate) nodes: u64,
    #[serde(skip)]
    pub(crate) hashfull: u32,
}

/// An engine that is kept for the next analysis of the same game and network.
#[derive(Default)]
pub struct KeptEngine(Option<Box<dyn Any + Send>>);

impl std::fmt::Debug for KeptEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("KeptEngine").field(&self.0.is_some()).finish()
    }
}

impl KeptEngine {
    /// Frees the engine.
    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }
}

struct NetworkEngine<G: ToolkitGame> {
    engine: Engine<G>,
    network: Option<Arc<LoadedNetwork>>,
}

impl<G: ToolkitGame> GameServer<G> {
    /// An engine that searches as the program plays by default.
    pub(super) fn engine(
        &self,
        network: Option<&LoadedNetwork>,
        grant: EngineGrant,
        multi_pv: usize,
    ) -> Result<Engine<G>, ApiError> {
        let engine = self.networks.engine(options(grant, multi_pv), network, 100);
        engine.map_err(|error| ApiError::bad_request("bad_network", error.to_string()))
    }

    /// Searches until `control` stops it.
    pub(super) fn analysis(
        &self,
        kept: &mut KeptEngine,
        line: &PlayedLine<G>,
        request: &Analysis<'_>,
        report: &mut dyn FnMut(AnalysisLine),
    ) -> Result<(), ApiError> {
        let &Analysis { network, grant, multi_pv, control, .. } = request;
        let old = kept.0.take().and_then(|old| old.downcast::<NetworkEngine<G>>().ok());
        let same = |old: &NetworkEngine<G>| match (&old.network, network) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        let mut used = match old.filter(|old| same(old)) {
            Some(mut old) => {
                // The table keeps its size, and with it what it has.
                let hash_mib = old.engine.options().hash_mib;
                let options = options(EngineGrant { hash_mib, ..grant }, multi_pv);
                let set = old.engine.set_options(options);
                set.map_err(|error| ApiError::internal(error.to_string()))?;
                old
            }
            None => Box::new(NetworkEngine {
                engine: self.engine(network.map(Arc::as_ref), grant, multi_pv)?,
                network: network.cloned(),
            }),
        };
        let history = line.history();
        let position = history.position();
        let network = network.map(Arc::as_ref);
        let limits = Limits { infinite: !position.legal_moves().is_empty(), ..Limits::default() };
        used.engine.go(&history, &limits, control, &mut |info| {
            let scale = ScoreScale::new(network, &self.score_model, position);
            report(self.analysis_line(position, info, &scale));
        });
        kept.0 = Some(used);
        Ok(())
    }

    fn analysis_line(
        &self,
        position: &G,
        info: &SearchInfo<G>,
        scale: &ScoreScale<'_>,
    ) -> AnalysisLine {
        let (score, expected) = scale.score(info.score);
        AnalysisLine {
            rank: info.multipv,
            depth: info.depth,
            score,
            bound: match info.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            expected,
            moves: self.cells.names(position, &info.pv),
            seldepth: info.seldepth,
            nodes: info.nodes,
            hashfull: info.hashfull,
        }
    }
}

fn options(grant: EngineGrant, multi_pv: usize) -> EngineOptions {
    EngineOptions {
        hash_mib: grant.hash_mib,
        threads: grant.threads,
        multi_pv,
        mode: SearchMode::Auto,
        ..EngineOptions::default()
    }
}
