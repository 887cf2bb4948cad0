//! Errors: [`ApiError`] answers a request, [`ServeError`] keeps a server from starting.

use std::net::SocketAddr;
use std::path::PathBuf;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a server cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The root folder cannot be used.
    #[error("cannot open the folder {}: {error}; name another with --root", path.display())]
    Root {
        /// The folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}; name another port with --port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The host is not an address of this machine.
    #[error("--host {host}: {error}; expected an address of this machine, such as 127.0.0.1")]
    Host {
        /// The host.
        host: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The system refuses threads or random numbers.
    #[error("cannot start the server: {0}")]
    System(std::io::Error),
}

/// The answer to a request that cannot be carried out: a status, a code for programs, and a
/// sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// The code, such as `bad_move`.
    pub code: &'static str,
    /// What is wrong, what was expected, and what to do.
    pub message: String,
}

/// The body of an error.
#[derive(Serialize)]
pub(crate) struct ErrorBody<'a> {
    code: &'static str,
    message: &'a str,
}

impl ApiError {
    /// The request is wrong.
    pub fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into() }
    }

    /// What the request names does not exist.
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::NOT_FOUND, code, message: message.into() }
    }

    /// The request comes from somewhere that it must not come from.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::FORBIDDEN, code, message: message.into() }
    }

    /// A limit of the server is reached; later the same request may succeed.
    pub fn busy(message: impl Into<String>) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, code: "busy", message: message.into() }
    }

    /// The server failed.
    pub fn internal(message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            code: "internal",
            message: message.into(),
        }
    }

    /// The error as it is sent.
    pub(crate) fn body(&self) -> ErrorBody<'_> {
        ErrorBody { code: self.code, message: &self.message }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(serde_json::json!({ "error": self.body() }))).into_response()
    }
}
