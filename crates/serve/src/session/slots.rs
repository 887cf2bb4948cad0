//! Search slots: how many searches there are, and what each may use.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use search::Control;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::ApiError;
use crate::game::EngineGrant;
use crate::limits;

/// How long a search waits for another to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The searches of all pages.
#[derive(Debug)]
pub(crate) struct SearchSlots {
    threads: usize,
    permits: Arc<Semaphore>,
    /// Threads that search now.
    busy: Arc<AtomicUsize>,
    stopped: AtomicBool,
    controls: Mutex<Vec<Weak<Control>>>,
}

/// A search that may run, with a transposition table of its own. It counts until it is dropped.
#[derive(Debug)]
pub(crate) struct SearchSlot {
    _permit: OwnedSemaphorePermit,
    pub(crate) hash_mib: usize,
}

/// Threads that search, until this is dropped.
#[derive(Debug)]
pub(crate) struct BusyThreads {
    busy: Arc<AtomicUsize>,
    pub(crate) threads: usize,
}

impl Drop for BusyThreads {
    fn drop(&mut self) {
        self.busy.fetch_sub(self.threads, Ordering::Relaxed);
    }
}

impl SearchSlots {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            permits: Arc::new(Semaphore::new(limits::SEARCHES)),
            busy: Arc::default(),
            stopped: AtomicBool::new(false),
            controls: Mutex::default(),
        }
    }

    /// Waits for a slot. Its table is the smaller the more searches there are, so that all together
    /// stay bounded.
    pub(crate) async fn slot(&self, max_hash_mib: usize) -> Result<SearchSlot, ApiError> {
        let busy = || {
            let message = format!("{} searches run already; try again later", limits::SEARCHES);
            ApiError::busy(message)
        };
        let permit = timeout(PATIENCE, Arc::clone(&self.permits).acquire_owned()).await;
        let permit = permit.map_err(|_| busy())?.map_err(|_| busy())?;
        let used = limits::SEARCHES - self.permits.available_permits();
        let hash_mib =
            (limits::HASH_BUDGET_MIB / used.max(1)).clamp(limits::MIN_HASH_MIB, max_hash_mib);
        Ok(SearchSlot { _permit: permit, hash_mib })
    }

    /// Threads for a search: as many as it wants, if others leave them free; at least one.
    pub(crate) fn threads(&self, wanted: usize) -> BusyThreads {
        let free = self.threads.saturating_sub(self.busy.load(Ordering::Relaxed));
        let threads = wanted.min(free).max(1);
        self.busy.fetch_add(threads, Ordering::Relaxed);
        BusyThreads { busy: Arc::clone(&self.busy), threads }
    }

    /// All threads of the server.
    pub(crate) fn all_threads(&self) -> usize {
        self.threads
    }

    /// A control that also stops when the server does.
    pub(crate) fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::new());
        let mut controls = self.controls.lock().unwrap_or_else(PoisonError::into_inner);
        controls.retain(|control| control.strong_count() > 0);
        controls.push(Arc::downgrade(&control));
        if self.stopped.load(Ordering::Relaxed) {
            control.stop();
        }
        control
    }

    /// Stops all searches, and those that begin later.
    pub(crate) fn stop_all(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        let controls = self.controls.lock().unwrap_or_else(PoisonError::into_inner);
        controls.iter().filter_map(Weak::upgrade).for_each(|control| control.stop());
    }

    /// Threads that search now.
    pub(crate) fn busy_threads(&self) -> usize {
        self.busy.load(Ordering::Relaxed)
    }

    /// Searches that run or keep a table.
    pub(crate) fn used(&self) -> usize {
        limits::SEARCHES - self.permits.available_permits()
    }
}

impl SearchSlot {
    /// What an engine in this slot may use.
    pub(crate) fn grant(&self, threads: &BusyThreads) -> EngineGrant {
        EngineGrant { hash_mib: self.hash_mib, threads: threads.threads }
    }
}
