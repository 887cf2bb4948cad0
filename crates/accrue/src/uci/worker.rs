//! The thread that searches, so that the one that reads can always answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use anyhow::Context;
use games::Game;
use search::{Control, Engine};

/// Room for the deepest search, also where nothing is optimised.
const STACK: usize = 64 << 20;

/// What a thread is to do with the engine. It says itself what comes of it; what it returns is said last.
pub(super) type Task<G> = Box<dyn FnOnce(&mut Engine<G>, &Control) -> String + Send>;

/// An engine, and perhaps a thread that has it.
pub(super) struct Worker<G: Game> {
    /// `None` after a failure that may have left it in pieces.
    seat: Arc<Mutex<Option<Engine<G>>>>,
    running: Option<Running>,
}

struct Running {
    thread: JoinHandle<()>,
    control: Arc<Control>,
    /// Whether the last line is being written.
    answered: Arc<AtomicBool>,
    pondering: bool,
}

impl<G: Game> Worker<G> {
    /// Nobody searches yet.
    pub(super) fn new(engine: Engine<G>) -> Self {
        Self { seat: Arc::new(Mutex::new(Some(engine))), running: None }
    }

    /// Whether a task goes on. One that was told to stop is waited for, which is soon.
    pub(super) fn is_busy(&mut self) -> bool {
        let ends = |running: &Running| {
            running.answered.load(Ordering::Acquire) || running.control.is_stopped()
        };
        if self.running.as_ref().is_some_and(ends) {
            self.wait();
        }
        self.running.is_some()
    }

    /// Calls `change` with the place of the engine, which is empty after a failure. Nobody must be searching.
    pub(super) fn with_engine<T>(&mut self, change: impl FnOnce(&mut Option<Engine<G>>) -> T) -> T {
        change(&mut self.seat.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts a task on a thread of its own. `say` writes its last line, or `failed` after a panic.
    pub(super) fn start(
        &mut self,
        task: Task<G>,
        pondering: bool,
        failed: String,
        say: fn(&str),
    ) -> anyhow::Result<()> {
        let control = Arc::new(Control::new());
        let answered = Arc::new(AtomicBool::new(false));
        let (seat, heard, done) =
            (Arc::clone(&self.seat), Arc::clone(&control), Arc::clone(&answered));
        let work = move || {
            let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
            let result = seat.as_mut().map(|engine| {
                catch_unwind(AssertUnwindSafe(|| task(engine, &heard))).unwrap_or_default()
            });
            let last = result.filter(|last| !last.is_empty()).unwrap_or_else(|| {
                *seat = None;
                failed
            });
            drop(seat);
            // Before the line, so that whoever answers to it at once does not find the engine busy.
            done.store(true, Ordering::Release);
            say(&last);
        };
        let thread = Builder::new().name("search".into()).stack_size(STACK).spawn(work);
        let thread = thread.context("cannot start a thread to search with")?;
        self.running = Some(Running { thread, control, answered, pondering });
        Ok(())
    }

    /// Asks a task to end. False if there is none.
    pub(super) fn stop(&mut self) -> bool {
        let busy = self.is_busy();
        if let Some(running) = &self.running {
            running.control.stop();
        }
        busy
    }

    /// Tells a search that ponders that its move was played. False if there is none.
    pub(super) fn ponder_hit(&mut self) -> bool {
        let busy = self.is_busy();
        let Some(running) = self.running.as_mut().filter(|running| busy && running.pondering)
        else {
            return false;
        };
        running.pondering = false;
        running.control.ponder_hit();
        true
    }

    /// Waits until the task has said its last line.
    pub(super) fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            // The task's panics are caught, and there is nobody to tell of any other.
            let _ = running.thread.join();
        }
    }

    /// Ends a task, if there is one, and waits for its answer.
    pub(super) fn finish(&mut self) {
        self.stop();
        self.wait();
    }
}
