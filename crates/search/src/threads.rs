//! Several threads on one position: each searches by itself, and the shared table is how they help each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use games::Game;

use crate::report::{Answer, Info};
use crate::search::{Job, Worker};

/// Lets the helpers end even if a report panics: the scope waits for them.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Lets all workers search; gives the first one's answer.
///
/// # Panics
///
/// If there is no worker.
pub(crate) fn search<G: Game>(
    workers: &mut [Box<dyn Worker<G>>],
    job: &Job<'_, G>,
    report: &mut dyn FnMut(&Info<G>),
) -> Answer<G> {
    let (first, others) = workers.split_first_mut().expect("there is at least one thread");
    thread::scope(|scope| {
        for (number, worker) in others.iter_mut().enumerate() {
            let helper = thread::Builder::new().name(format!("search {}", number + 1));
            // Where no more threads can be had, fewer search.
            let _ = helper.spawn_scoped(scope, move || {
                worker.search(job, number + 1, &mut |_| {});
            });
        }
        let _stops_helpers = StopOnDrop(&job.shared.stop);
        first.search(job, 0, report)
    })
}
