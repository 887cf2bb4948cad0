//! Signals: Ctrl-C and SIGTERM set a flag that long commands observe.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Answer;

/// A flag that signals set, and the signal that did.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Signals {
    /// Listens from now on. A second signal ends the program at once.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM] {
            let registered =
                flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&stop))
                    .and_then(|_| flag::register(number, Arc::clone(&stop)))
                    .and_then(|_| {
                        flag::register_usize(number, Arc::clone(&signal), number as usize)
                    });
            registered.context("cannot listen for signals")?;
        }
        Ok(Self { stop, signal })
    }

    /// The flag.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether a signal came.
    pub(crate) fn came(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The answer of a command that a signal stopped.
    pub(crate) fn answer(&self) -> Answer {
        Answer::Stopped { signal: self.signal.load(Ordering::Relaxed) as u8 }
    }
}
