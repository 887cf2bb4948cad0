//! The report of a run: a page of its own, which the policy of the server does not cover.

use std::fs::File;
use std::io::Read;

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::ApiError;

/// The largest report.
const MAX_BYTES: u64 = 16 << 20;
/// The name of every report.
const NAME: &str = "report.html";
/// A report is a file that others may have written. In a sandbox it has an origin of its own, so
/// that its scripts reach neither this server nor what the browser keeps for it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; sandbox allow-scripts";

/// Reads the report of the run at `path`, which is a folder.
pub(super) fn read(app: &App, path: &str) -> Result<Vec<u8>, ApiError> {
    let missing = || ApiError::not_found("no_report", format!("`{path}` has no report"));
    let relative = if path.is_empty() { NAME.to_owned() } else { format!("{path}/{NAME}") };
    let file = app.root.resolve(&relative).map_err(|_| missing())?;
    // A link to another file is not a report.
    if file.file_name().is_none_or(|name| name != NAME) || !file.is_file() {
        return Err(missing());
    }
    let file = File::open(&file).map_err(|_| missing())?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|_| missing())?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("the report of `{path}` is larger than {MAX_BYTES} bytes");
        return Err(ApiError::bad_request("too_large", message));
    }
    Ok(bytes)
}

/// The report as a page.
pub(super) fn page(bytes: Vec<u8>) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, bytes).into_response()
}
