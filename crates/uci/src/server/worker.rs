//! Search thread: it owns the engine during a task, so that the thread that reads always answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use games::ToolkitGame;
use search::{Control, Engine};

use super::error::CommandError;
use super::output::SharedWriter;

/// Enough stack for the deepest search, also without optimisation.
const STACK_BYTES: usize = 64 << 20;

/// What the thread does with the engine. It prints what it finds; what it returns is printed last.
pub(super) type Task<G> = Box<dyn FnOnce(&mut Engine<G>, &Control) -> String + Send>;

/// An engine, and the thread that uses it during a task.
pub(super) struct Worker<G: ToolkitGame> {
    /// `None` after a panic that may have left it inconsistent.
    engine: Arc<Mutex<Option<Engine<G>>>>,
    running: Option<Running>,
}

struct Running {
    thread: JoinHandle<()>,
    control: Arc<Control>,
    /// Whether the last line is being printed.
    answered: Arc<AtomicBool>,
    pondering: bool,
}

impl<G: ToolkitGame> Worker<G> {
    /// A worker without a task.
    pub(super) fn new(engine: Engine<G>) -> Self {
        Self { engine: Arc::new(Mutex::new(Some(engine))), running: None }
    }

    /// Whether a task is running. One that was stopped is waited for, which is soon.
    pub(super) fn is_busy(&mut self) -> bool {
        let ends = |running: &Running| {
            running.answered.load(Ordering::Acquire) || running.control.is_stopped()
        };
        if self.running.as_ref().is_some_and(ends) {
            self.wait();
        }
        self.running.is_some()
    }

    /// Calls `change` with the engine, which is `None` after a panic. No task must be running.
    pub(super) fn with_engine<T>(&mut self, change: impl FnOnce(&mut Option<Engine<G>>) -> T) -> T {
        change(&mut self.engine.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts a task on a thread of its own. Its last line goes to `output`, or `failed` after a
    /// panic.
    pub(super) fn start(
        &mut self,
        task: Task<G>,
        pondering: bool,
        failed: String,
        output: SharedWriter,
    ) -> Result<(), CommandError> {
        let control = Arc::new(Control::new());
        let answered = Arc::new(AtomicBool::new(false));
        let (engine, task_control, done) =
            (Arc::clone(&self.engine), Arc::clone(&control), Arc::clone(&answered));
        let work = move || {
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            let result = engine.as_mut().map(|engine| {
                catch_unwind(AssertUnwindSafe(|| task(engine, &task_control))).unwrap_or_default()
            });
            let last = result.filter(|last| !last.is_empty()).unwrap_or_else(|| {
                *engine = None;
                failed
            });
            drop(engine);
            // Before the line, so that a command that answers to it at once does not find a task
            // running.
            done.store(true, Ordering::Release);
            output.line(last);
        };
        let thread = Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(work);
        let thread = thread.map_err(CommandError::Thread)?;
        self.running = Some(Running { thread, control, answered, pondering });
        Ok(())
    }

    /// Stops a task. False if there is none.
    pub(super) fn stop(&mut self) -> bool {
        let busy = self.is_busy();
        if let Some(running) = &self.running {
            running.control.stop();
        }
        busy
    }

    /// Lets a pondering search continue with its clock running. Returns false if there is none.
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

    /// Waits until the task has printed its last line.
    pub(super) fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            // The task's panics are caught; the thread has no other result.
            let _ = running.thread.join();
        }
    }

    /// Stops a task, if there is one, and waits for its last line.
    pub(super) fn finish(&mut self) {
        self.stop();
        self.wait();
    }
}
