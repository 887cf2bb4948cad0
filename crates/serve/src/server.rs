//! Server: the listener, the routes and the end.

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Search threads of all pages together.
    pub threads: usize,
}

/// A server.
pub struct Server {}
