//! Server: the listener, the routes and the end.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena::networks::NetworkLoader;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::app::App;
use crate::error::{ApiError, ServeError};
use crate::game::{self, ServedGame};
use crate::guard::{self, Token};
use crate::root::Root;
use crate::{assets, limits, networks, runs, session};

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The address or name to listen on.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The folder below which the server reads and writes.
    pub root: PathBuf,
    /// Search threads of all pages together.
    pub threads: usize,
    /// The token that requests must have; one is made where the address is not loopback.
    pub token: Option<Token>,
}

/// A server that listens. [`run`](Server::run) answers requests.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The time between two looks at the stop flag.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long searches and requests have to end when the server stops.
const FAREWELL: Duration = Duration::from_secs(2);

impl Server {
    /// Listens for pages of these games.
    pub fn bind(
        mut options: ServeOptions,
        games: Vec<Arc<dyn ServedGame>>,
        networks: NetworkLoader,
    ) -> Result<Self, ServeError> {
        let root = Root::new(&options.root)?;
        let address = address(&options)?;
        if !address.ip().is_loopback() && options.token.is_none() {
            options.token = Some(Token::random()?);
        }
        let listen = |error| ServeError::Listen { address, error };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let app = Arc::new(App::new(games, networks, root, options));
        Ok(Self { app, listener, address })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page on this machine, with its token if it needs one.
    pub fn url(&self) -> String {
        let mut address = self.address;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        let token = self.app.options.token.as_ref();
        let token = token.map_or(String::new(), |token| format!("?token={}", token.text()));
        format!("http://{address}/{token}")
    }

    /// The folder below which it reads and writes.
    pub fn root(&self) -> &std::path::Path {
        self.app.root.path()
    }

    /// Answers requests until `stop` becomes true.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(limits::BLOCKING_REQUESTS + 2)
            .thread_name("serve")
            .enable_all()
            .build()
            .map_err(ServeError::System)?;
        let app = Arc::clone(&self.app);
        let result = runtime.block_on(self.accept(stop));
        app.searches.stop_all();
        app.runs.shut_down();
        runtime.shutdown_timeout(FAREWELL);
        result
    }

    async fn accept(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let listener =
            tokio::net::TcpListener::from_std(self.listener).map_err(ServeError::System)?;
        let router = router(self.app);
        let connections = Arc::new(Semaphore::new(limits::CONNECTIONS));
        while !stop.load(Ordering::Relaxed) {
            let accepted = match timeout(PATIENCE, listener.accept()).await {
                Ok(Ok((stream, _))) => stream,
                // Too many open files, or a client that is gone already: others may be served.
                Ok(Err(_)) => {
                    sleep(PATIENCE).await;
                    continue;
                }
                Err(_) => continue,
            };
            // Without a permit the connection is closed at once.
            if let Ok(permit) = Arc::clone(&connections).try_acquire_owned() {
                let router = router.clone();
                tokio::spawn(async move {
                    serve_connection(accepted, router).await;
                    drop(permit);
                });
            }
        }
        Ok(())
    }
}

fn address(options: &ServeOptions) -> Result<SocketAddr, ServeError> {
    let host = options.host.trim_start_matches('[').trim_end_matches(']');
    let refuse = |error| ServeError::Host { host: options.host.clone(), error };
    let mut found = (host, options.port).to_socket_addrs().map_err(refuse)?;
    found.next().ok_or_else(|| refuse(std::io::ErrorKind::NotFound.into()))
}

/// Answers the requests of a connection. One that becomes a WebSocket goes on in its session.
async fn serve_connection(stream: TcpStream, router: Router) {
    // Reports of a search are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::REQUEST_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    tokio::pin!(connection);
    // A client that takes an answer slowly must not hold its connection for ever.
    if timeout(limits::CONNECTION_TIME, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits::ANSWER_TIME, connection).await;
    }
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(assets::index))
        .route("/report/{*path}", get(assets::component))
        .route("/{*path}", get(assets::file))
        .route("/api/live", get(session::open))
        .route("/api/{*path}", axum::routing::any(no_such_request))
        .merge(game::routes())
        .merge(networks::routes())
        .merge(runs::routes())
        .layer(DefaultBodyLimit::max(limits::BODY_BYTES))
        .layer(middleware::from_fn(time_limit))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

async fn no_such_request() -> ApiError {
    ApiError::not_found("no_such_request", "there is no such request; see docs/serve-api.md")
}

/// Ends a request whose body comes too slowly.
async fn time_limit(request: Request, next: Next) -> Response {
    let answer = timeout(limits::ANSWER_TIME, next.run(request)).await;
    answer.unwrap_or_else(|_| ApiError::busy("the request took too long").into_response())
}
