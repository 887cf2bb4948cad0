//! Jobs of a page: choosing a move, reviewing a game, watching runs.

use std::sync::Arc;

use search::Control;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::{Answers, Job, Session};
use crate::app::App;
use crate::error::ApiError;
use crate::game::{Choice, Line, Review, Strength};
use crate::{limits, networks};

/// Stops a search when it is dropped.
pub(super) struct StopOnDrop(pub(super) Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs a search on a thread of its own: it may take long, and must not hold up requests.
pub(super) fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> oneshot::Receiver<Result<T, ApiError>> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("page search".to_owned());
    // Without a thread the sender is dropped, which the receiver reports.
    let _ = thread.spawn(move || {
        let _ = sender.send(work());
    });
    receiver
}

/// What came of a thread.
pub(super) fn result_of<T>(
    received: Result<Result<T, ApiError>, oneshot::error::RecvError>,
) -> Result<T, ApiError> {
    received.unwrap_or_else(|_| Err(ApiError::internal("the search ended unexpectedly")))
}

impl Session {
    /// Starts a job that a control stops.
    pub(super) fn spawn(
        &mut self,
        id: u64,
        control: Arc<Control>,
        job: impl Future<Output = Result<(), ApiError>> + Send + 'static,
    ) {
        let answers = self.answers(id);
        let task = tokio::spawn(async move {
            if let Err(error) = job.await {
                answers.send_error(&error).await;
            }
        });
        let job = Job { task: task.abort_handle(), _stop: StopOnDrop(control) };
        self.jobs.insert(id, job);
    }

    pub(super) fn choose(
        &mut self,
        id: u64,
        line: Line,
        network: Option<String>,
        strength: Strength,
    ) -> Result<(), ApiError> {
        strength.level()?;
        let control = self.app.searches.control();
        let job = choose(
            Arc::clone(&self.app),
            self.answers(id),
            line,
            network,
            strength,
            Arc::clone(&control),
        );
        self.spawn(id, control, job);
        Ok(())
    }

    pub(super) fn review(
        &mut self,
        id: u64,
        line: Line,
        network: Option<String>,
        nodes: u64,
    ) -> Result<(), ApiError> {
        if !(1..=limits::REVIEW_NODES).contains(&nodes) {
            let message = format!("`nodes` is {nodes}; expected 1 to {}", limits::REVIEW_NODES);
            return Err(ApiError::bad_request("bad_nodes", message));
        }
        let control = self.app.searches.control();
        let job = review(
            Arc::clone(&self.app),
            self.answers(id),
            line,
            network,
            nodes,
            Arc::clone(&control),
        );
        self.spawn(id, control, job);
        Ok(())
    }

    pub(super) fn watch(&mut self, id: u64, path: Option<String>) {
        let job = watch(Arc::clone(&self.app), self.answers(id), path);
        self.spawn(id, Arc::new(Control::new()), job);
    }
}

async fn choose(
    app: Arc<App>,
    answers: Answers,
    line: Line,
    network: Option<String>,
    strength: Strength,
    control: Arc<Control>,
) -> Result<(), ApiError> {
    let mut seed = [0; 8];
    let filled = getrandom::fill(&mut seed);
    filled.map_err(|error| ApiError::internal(format!("no random numbers: {error}")))?;
    let slot = app.searches.slot(limits::PLAY_HASH_MIB).await?;
    let (game, loaded) = {
        let name = line.game.clone();
        let of = name.clone();
        let network = app.blocking(move |app| networks::load(app, network.as_deref(), &of)).await?;
        (Arc::clone(app.game(&name)?), network)
    };
    let wanted = if strength.is_full()? { app.searches.all_threads() } else { 1 };
    let threads = app.searches.threads(wanted);
    let chosen = on_thread(move || {
        let grant = slot.grant(&threads);
        game.choose(&Choice {
            line: &line,
            network: loaded.as_deref(),
            strength,
            grant,
            control: &control,
            seed: u64::from_le_bytes(seed),
        })
    });
    let chosen = result_of(chosen.await)?;
    answers.send("move", chosen).await;
    Ok(())
}

async fn review(
    app: Arc<App>,
    answers: Answers,
    line: Line,
    network: Option<String>,
    nodes: u64,
    control: Arc<Control>,
) -> Result<(), ApiError> {
    let slot = app.searches.slot(limits::ANALYSIS_HASH_MIB).await?;
    let of = line.game.clone();
    let loaded = app.blocking(move |app| networks::load(app, network.as_deref(), &of)).await?;
    let game = Arc::clone(app.game(&line.game)?);
    let threads = app.searches.threads(1);
    let each = answers.clone();
    let done = on_thread(move || {
        let review = Review {
            line: &line,
            network: loaded.as_deref(),
            nodes,
            grant: slot.grant(&threads),
            control: &control,
        };
        game.review(&review, &mut |reviewed| {
            if !each.send_blocking("review_move", reviewed) {
                control.stop();
            }
        })
    });
    if let Some(summary) = result_of(done.await)? {
        answers.send("review_done", summary).await;
    }
    Ok(())
}

/// Sends a run, or the list of runs, at once and after each change.
async fn watch(app: Arc<App>, answers: Answers, path: Option<String>) -> Result<(), ApiError> {
    let mut last: Option<Arc<str>> = None;
    loop {
        let asked = path.clone();
        let now = app.blocking(move |app| match &asked {
            Some(path) => app.runs.view_json(app, path),
            None => app.runs.list_json(app),
        });
        let now = now.await?;
        if last.as_ref() != Some(&now) {
            let id = answers.id;
            let text = match &path {
                Some(_) => format!("{{\"type\":\"run\",\"id\":{id},\"view\":{now}}}"),
                // An object of our own, which begins with `{`.
                None => format!("{{\"type\":\"runs\",\"id\":{id},{}", &now[1..]),
            };
            if answers.sender.send(text.into()).await.is_err() {
                return Ok(());
            }
            last = Some(now);
        }
        sleep(limits::WATCH_EVERY).await;
    }
}
