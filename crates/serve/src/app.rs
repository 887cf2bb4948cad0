//! Shared state of all requests.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use arena::networks::NetworkLoader;
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::game::ServedGame;
use crate::limits;
use crate::networks::NetworkCache;
use crate::root::Root;
use crate::runs::Runs;
use crate::server::ServeOptions;
use crate::session::SearchSlots;

/// What every request can use.
pub(crate) struct App {
    pub(crate) games: Vec<Arc<dyn ServedGame>>,
    pub(crate) networks: NetworkLoader,
    pub(crate) network_cache: NetworkCache,
    pub(crate) root: Root,
    pub(crate) options: ServeOptions,
    pub(crate) runs: Runs,
    pub(crate) searches: SearchSlots,
    /// Open pages.
    pub(crate) sessions: Arc<AtomicUsize>,
    /// Work that takes milliseconds and must not hold up the threads of the server.
    blocking: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(
        games: Vec<Arc<dyn ServedGame>>,
        networks: NetworkLoader,
        root: Root,
        options: ServeOptions,
    ) -> Self {
        let searches = SearchSlots::new(options.threads);
        let blocking = Arc::new(Semaphore::new(limits::BLOCKING_REQUESTS));
        Self {
            games,
            networks,
            network_cache: NetworkCache::default(),
            root,
            options,
            runs: Runs::default(),
            searches,
            sessions: Arc::default(),
            blocking,
        }
    }

    /// The game of that name.
    pub(crate) fn game(&self, name: &str) -> Result<&Arc<dyn ServedGame>, ApiError> {
        self.games.iter().find(|game| game.name() == name).ok_or_else(|| {
            let names: Vec<_> = self.games.iter().map(|game| game.name()).collect();
            let message =
                format!("there is no game `{name}`; expected one of {}", names.join(", "));
            ApiError::not_found("no_such_game", message)
        })
    }

    /// Runs work on a thread that may block.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<Self>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let closed = |_| ApiError::busy("the server is stopping");
        let permit = Arc::clone(&self.blocking).acquire_owned().await.map_err(closed)?;
        let app = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&app)
        });
        done.await.unwrap_or_else(|_| Err(ApiError::internal("the request failed unexpectedly")))
    }
}
