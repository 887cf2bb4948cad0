//! Analysis of a page: a search on a thread of its own, whose reports are combined and paced.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use search::Control;
use serde::Serialize;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::jobs::{on_thread, result_of};
use super::slots::SearchSlot;
use super::{ANALYSES, AnalyseMessage, Answers, Session};
use crate::app::App;
use crate::error::ApiError;
use crate::game::{Analysis, AnalysisLine, EngineGrant, KeptEngine};
use crate::{limits, networks};

/// How long an engine is kept after its analysis was stopped: a page that goes to the next position
/// stops one and starts another.
const KEPT: Duration = Duration::from_secs(3);

/// One of the analyses of a page, with the engine that it keeps.
#[derive(Debug, Default)]
pub(super) struct AnalysisSlot {
    current: Option<u64>,
    engine: Arc<Mutex<SlotEngine>>,
}

#[derive(Debug, Default)]
struct SlotEngine {
    kept: KeptEngine,
    slot: Option<SearchSlot>,
    /// How many analyses the engine has had.
    uses: u64,
}

impl AnalysisSlot {
    /// Notes that an analysis was stopped; if it was the slot's, its engine is freed soon.
    pub(super) fn stop(&mut self, id: u64) {
        if self.current == Some(id) {
            self.current = None;
            free_later(Arc::clone(&self.engine));
        }
    }
}

fn lock(engine: &Mutex<SlotEngine>) -> std::sync::MutexGuard<'_, SlotEngine> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees an engine that is not used again.
fn free_later(engine: Arc<Mutex<SlotEngine>>) {
    tokio::spawn(async move {
        // The thread of the analysis holds the lock until it has ended.
        sleep(KEPT / 10).await;
        let uses = engine.try_lock().map(|engine| engine.uses).ok();
        sleep(KEPT).await;
        if let Ok(mut engine) = engine.try_lock()
            && Some(engine.uses) == uses
        {
            engine.kept.clear();
            engine.slot = None;
        }
    });
}

/// What an analysis has found so far.
#[derive(Debug, Default)]
struct Findings {
    lines: Vec<AnalysisLine>,
    seldepth: usize,
    nodes: u64,
    hashfull: u32,
    changed: bool,
}

impl Findings {
    fn add(&mut self, line: AnalysisLine) {
        self.changed = true;
        self.nodes = line.nodes;
        self.hashfull = line.hashfull;
        self.seldepth = self.seldepth.max(line.seldepth);
        match self.lines.iter_mut().find(|old| old.rank == line.rank) {
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
        self.lines.sort_by_key(|line| line.rank);
    }
}

/// A report of an analysis.
#[derive(Serialize)]
struct Report<'a> {
    running: bool,
    depth: usize,
    seldepth: usize,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    hashfull: u32,
    threads: usize,
    lines: &'a [AnalysisLine],
}

impl Session {
    pub(super) fn analyse(&mut self, message: AnalyseMessage) -> Result<(), ApiError> {
        let Some(slot) = self.slots.get_mut(message.slot) else {
            let message = format!("`slot` is {}; expected 0 to {}", message.slot, ANALYSES - 1);
            return Err(ApiError::bad_request("bad_slot", message));
        };
        if !(1..=limits::MULTI_PV).contains(&message.multipv) {
            let message =
                format!("`multipv` is {}; expected 1 to {}", message.multipv, limits::MULTI_PV);
            return Err(ApiError::bad_request("bad_multipv", message));
        }
        let before = slot.current.replace(message.id);
        let engine = Arc::clone(&slot.engine);
        if let Some(before) = before {
            self.jobs.remove(&before);
        }
        let (id, control) = (message.id, self.app.searches.control());
        let job =
            run(Arc::clone(&self.app), self.answers(id), message, engine, Arc::clone(&control));
        self.spawn(id, control, job);
        Ok(())
    }
}

async fn run(
    app: Arc<App>,
    answers: Answers,
    message: AnalyseMessage,
    engine: Arc<Mutex<SlotEngine>>,
    control: Arc<Control>,
) -> Result<(), ApiError> {
    let AnalyseMessage { line, network, multipv, threads, .. } = message;
    let game = Arc::clone(app.game(&line.game)?);
    let of = line.game.clone();
    let network = app.blocking(move |app| networks::load(app, network.as_deref(), &of)).await?;
    // The engine of the analysis before has a place already; another is taken only without one.
    let has_slot = engine.try_lock().is_ok_and(|engine| engine.slot.is_some());
    let fresh =
        if has_slot { None } else { Some(app.searches.slot(limits::ANALYSIS_HASH_MIB).await?) };
    let threads = app.searches.threads(threads);
    let granted = threads.threads;
    let findings = Arc::new(Mutex::new(Findings::default()));
    let (found, searched) = (Arc::clone(&findings), Arc::clone(&control));
    let began = Instant::now();
    let mut done = on_thread(move || {
        // Waits until the analysis before has ended, which it does at once.
        let mut engine = lock(&engine);
        engine.uses += 1;
        let SlotEngine { kept, slot, .. } = &mut *engine;
        match slot {
            None => *slot = fresh,
            // The engine before had a place after all.
            Some(_) => drop(fresh),
        }
        let hash_mib = slot.as_ref().map_or(limits::MIN_HASH_MIB, |slot| slot.hash_mib);
        let analysis = Analysis {
            line: &line,
            network: network.as_ref(),
            grant: EngineGrant { hash_mib, threads: threads.threads },
            multi_pv: multipv,
            control: &searched,
        };
        game.analyse(&analysis, kept, &mut |line| {
            found.lock().unwrap_or_else(PoisonError::into_inner).add(line);
        })
    });
    let report = |running: bool| {
        let mut findings = findings.lock().unwrap_or_else(PoisonError::into_inner);
        findings.changed = false;
        let time = began.elapsed();
        let nodes = findings.nodes.max(control.nodes());
        let report = Report {
            running,
            depth: findings.lines.first().map_or(0, |line| line.depth),
            seldepth: findings.seldepth,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64,
            time_ms: time.as_millis() as u64,
            hashfull: findings.hashfull,
            threads: granted,
            lines: &findings.lines,
        };
        answers.text("analysis", report)
    };
    let has_changed = || findings.lock().unwrap_or_else(PoisonError::into_inner).changed;
    let mut tick = interval(limits::REPORT_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sent = Instant::now();
    loop {
        tokio::select! {
            result = &mut done => {
                result_of(result)?;
                let _ = answers.sender.send(report(false)).await;
                return Ok(());
            }
            _ = tick.tick() => {
                if has_changed() || sent.elapsed() >= limits::REPORT_AT_LEAST {
                    sent = Instant::now();
                    if answers.sender.send(report(true)).await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}
