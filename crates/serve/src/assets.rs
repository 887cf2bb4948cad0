//! Assets: the files of the page, embedded in the binary.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::ApiError;
use crate::guard::hex;

/// The shell and the views of the page.
#[derive(RustEmbed)]
#[folder = "web"]
struct Web;

/// The components that static reports use too.
#[derive(RustEmbed)]
#[folder = "../report/web"]
struct Components;

/// The page itself.
pub(crate) async fn index(headers: HeaderMap) -> Result<Response, ApiError> {
    answer("index.html", Web::get("index.html"), &headers)
}

/// A file of the page.
pub(crate) async fn file(path: Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    answer(&path, Web::get(&path), &headers)
}

/// A component, or a text of the `report` crate.
pub(crate) async fn component(
    path: Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let text = match path.as_str() {
        "picture.css" => report::components::PICTURE_CSS.to_owned(),
        "outlines.svg" => report::board::outlines_svg(),
        _ => return answer(&path, Components::get(&path), &headers),
    };
    Ok(([(header::CONTENT_TYPE, content_type(&path))], text).into_response())
}

/// A file with its checksum: a browser that has it asks whether it changed, and no more.
fn answer(
    path: &str,
    file: Option<EmbeddedFile>,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let file = file
        .ok_or_else(|| ApiError::not_found("no_such_page", format!("there is no page `{path}`")))?;
    let tag = format!("\"{}\"", hex(&file.metadata.sha256_hash()[..8]));
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    if known == Some(&tag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let kind = [(header::CONTENT_TYPE, content_type(path))];
    Ok((caching, kind, file.data.into_owned()).into_response())
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
