//! Signal handling: stops long tasks on SIGINT and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that signals set, and the number of the signal. A second signal ends the program at once.
pub(crate) fn listen() -> anyhow::Result<(Arc<AtomicBool>, Arc<AtomicUsize>)> {
    let stop = Arc::new(AtomicBool::new(false));
    let signal = Arc::new(AtomicUsize::new(0));
    for number in [SIGINT, SIGTERM] {
        let registered =
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&stop))
                .and_then(|_| flag::register(number, Arc::clone(&stop)))
                .and_then(|_| flag::register_usize(number, Arc::clone(&signal), number as usize));
        registered.context("cannot listen for signals")?;
    }
    Ok((stop, signal))
}
