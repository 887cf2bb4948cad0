//! Session: the WebSocket of a page, and the searches that run as long as it is open.
//!
//! A message of the page starts a job or stops one. Every job answers through one bounded channel,
//! so a page that reads slowly gets fewer reports and costs no memory. When the socket closes, the
//! session is dropped, and with it every job.

mod analysis;
mod jobs;
mod slots;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, interval, timeout};

use crate::app::App;
use crate::error::ApiError;
use crate::game::{Clocks, Line};
use crate::limits;
use analysis::AnalysisSlot;
use jobs::StopOnDrop;
pub(crate) use slots::SearchSlots;

/// What a page sends.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum PageMessage {
    Analyse(AnalyseMessage),
    Play {
        id: u64,
        line: Line,
        #[serde(default)]
        network: Option<String>,
        level: u8,
        #[serde(default)]
        clock: Option<Clocks>,
    },
    Hint {
        id: u64,
        line: Line,
        #[serde(default)]
        network: Option<String>,
    },
    Review {
        id: u64,
        line: Line,
        #[serde(default)]
        network: Option<String>,
        nodes: u64,
    },
    Watch {
        id: u64,
        #[serde(default)]
        path: Option<String>,
    },
    Stop {
        id: u64,
    },
}

/// The start of an analysis.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalyseMessage {
    id: u64,
    #[serde(default)]
    slot: usize,
    line: Line,
    #[serde(default)]
    network: Option<String>,
    #[serde(default = "one")]
    multipv: usize,
    #[serde(default = "one")]
    threads: usize,
}

fn one() -> usize {
    1
}

/// Analyses of a page at the same time.
const ANALYSES: usize = 2;
/// Jobs of a page at the same time.
const JOBS: usize = 12;
/// Messages that wait to be sent.
const WAITING: usize = 32;
/// The time between two pings, and the time after which a silent page is gone.
const PING_EVERY: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(20);

/// Where a job sends its answers.
#[derive(Clone, Debug)]
struct Answers {
    id: u64,
    sender: mpsc::Sender<Utf8Bytes>,
}

impl Answers {
    /// Sends a message of that type. `false` if the page is gone.
    async fn send(&self, kind: &str, body: impl Serialize) -> bool {
        let text = self.text(kind, body);
        self.sender.send(text).await.is_ok()
    }

    async fn send_error(&self, error: &ApiError) -> bool {
        self.send("error", json!({ "error": error.body() })).await
    }

    /// Sends from a thread of its own, and waits while the page is slow.
    fn send_blocking(&self, kind: &str, body: impl Serialize) -> bool {
        let text = self.text(kind, body);
        self.sender.blocking_send(text).is_ok()
    }

    fn text(&self, kind: &str, body: impl Serialize) -> Utf8Bytes {
        let mut value = serde_json::to_value(body).unwrap_or(Value::Null);
        if let Value::Object(fields) = &mut value {
            fields.insert("type".to_owned(), kind.into());
            fields.insert("id".to_owned(), self.id.into());
        }
        value.to_string().into()
    }
}

/// Opens the socket of a page.
pub(crate) async fn open(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let Some(place) = Place::take(&app.sessions) else {
        let message = format!("{} pages are open already; close one", limits::SESSIONS);
        return ApiError::busy(message).into_response();
    };
    upgrade
        .max_message_size(limits::MESSAGE_BYTES)
        .max_frame_size(limits::MESSAGE_BYTES)
        .on_upgrade(move |socket| async move {
            converse(app, socket).await;
            drop(place);
        })
}

/// One of the open pages that there may be.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(open: &Arc<AtomicUsize>) -> Option<Self> {
        let place = Self(Arc::clone(open));
        (open.fetch_add(1, Ordering::Relaxed) < limits::SESSIONS).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn converse(app: Arc<App>, socket: WebSocket) {
    let (sink, stream) = socket.split();
    let (sender, receiver) = mpsc::channel(WAITING);
    let session = Session { app, sender, jobs: HashMap::new(), slots: Default::default() };
    // Whichever ends first ends the other: a page that reads no more, or one that is closed.
    tokio::select! {
        () = write(sink, receiver) => {}
        () = session.read(stream) => {}
    }
}

/// Sends what jobs answer, and pings.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut receiver: mpsc::Receiver<Utf8Bytes>) {
    let mut ping = interval(PING_EVERY);
    loop {
        let message = tokio::select! {
            message = receiver.recv() => match message {
                Some(text) => Message::Text(text),
                None => return,
            },
            _ = ping.tick() => Message::Ping(Vec::new().into()),
        };
        if !matches!(timeout(limits::SEND_TIME, sink.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
}

/// A job of a page. Dropping it stops it.
struct Job {
    task: AbortHandle,
    _stop: StopOnDrop,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Session {
    app: Arc<App>,
    sender: mpsc::Sender<Utf8Bytes>,
    jobs: HashMap<u64, Job>,
    slots: [AnalysisSlot; ANALYSES],
}

impl Session {
    async fn read(mut self, mut stream: SplitStream<WebSocket>) {
        let mut heard = Instant::now();
        loop {
            let message = match timeout(PING_EVERY, stream.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(_)) | None) => return,
                Err(_) if heard.elapsed() > SILENCE => return,
                Err(_) => continue,
            };
            heard = Instant::now();
            match message {
                Message::Text(text) => self.handle(&text).await,
                Message::Close(_) => return,
                _ => {}
            }
        }
    }

    async fn handle(&mut self, text: &str) {
        let message = match serde_json::from_str::<PageMessage>(text) {
            Ok(message) => message,
            Err(error) => {
                let id = serde_json::from_str::<Value>(text).ok();
                let id = id.and_then(|value| value["id"].as_u64()).unwrap_or_default();
                let error = ApiError::bad_request("bad_message", error.to_string());
                self.answers(id).send_error(&error).await;
                return;
            }
        };
        let id = match &message {
            PageMessage::Stop { id } => {
                self.stop(*id);
                return;
            }
            PageMessage::Analyse(AnalyseMessage { id, .. })
            | PageMessage::Play { id, .. }
            | PageMessage::Hint { id, .. }
            | PageMessage::Review { id, .. }
            | PageMessage::Watch { id, .. } => *id,
        };
        self.jobs.retain(|_, job| !job.task.is_finished());
        self.stop(id);
        if let Err(error) = self.start(message) {
            self.answers(id).send_error(&error).await;
        }
    }

    fn start(&mut self, message: PageMessage) -> Result<(), ApiError> {
        if self.jobs.len() >= JOBS {
            let message = format!("this page has {JOBS} jobs already; stop one");
            return Err(ApiError::busy(message));
        }
        match message {
            PageMessage::Analyse(message) => self.analyse(message),
            PageMessage::Play { id, line, network, level, clock } => {
                self.choose(id, line, network, crate::game::Strength::Level(level, clock))
            }
            PageMessage::Hint { id, line, network } => {
                self.choose(id, line, network, crate::game::Strength::Hint)
            }
            PageMessage::Review { id, line, network, nodes } => {
                self.review(id, line, network, nodes)
            }
            PageMessage::Watch { id, path } => {
                self.watch(id, path);
                Ok(())
            }
            PageMessage::Stop { .. } => Ok(()),
        }
    }

    fn stop(&mut self, id: u64) {
        self.jobs.remove(&id);
        for slot in &mut self.slots {
            slot.stop(id);
        }
    }

    fn answers(&self, id: u64) -> Answers {
        Answers { id, sender: self.sender.clone() }
    }
}
