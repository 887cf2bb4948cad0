//! Guard: which requests are answered at all.
//!
//! A page elsewhere must not drive the server: the `Host` must be an address of this machine (so a
//! foreign name that resolves to it is refused), the `Origin`, where a browser sends one, must be
//! the page's own, and outside the loopback interface every request needs the token.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::{ApiError, ServeError};
use crate::limits;

/// The secret that a page must have where the server does not listen on the loopback interface.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A new random token.
    pub fn random() -> Result<Self, ServeError> {
        let mut bytes = [0_u8; 16];
        let filled = getrandom::fill(&mut bytes);
        filled.map_err(|error| ServeError::System(std::io::Error::other(error)))?;
        Ok(Self(hex(&bytes)))
    }

    /// The token as the address of the page contains it.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token. Takes as long for a wrong text as for the right one.
    fn is(&self, text: &str) -> bool {
        let differing = self.0.bytes().zip(text.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        differing == 0 && self.0.len() == text.len()
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

const COOKIE: &str = "accrue_token";

/// The policy of the page: everything from this server, nothing inline, no frames.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// Lets a request pass or answers it with an error, and adds the headers of every answer.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let response = match check(&app, &request) {
        Ok(Pass::Request) => next.run(request).await,
        Ok(Pass::Login(response)) => response,
        Err(error) => error.into_response(),
    };
    with_headers(response)
}

enum Pass {
    /// The request is answered.
    Request,
    /// The address has the token: it becomes a cookie, and the address loses it.
    Login(Response),
}

fn check(app: &App, request: &Request) -> Result<Pass, ApiError> {
    let headers = request.headers();
    let host = text(headers, header::HOST)
        .ok_or_else(|| ApiError::bad_request("no_host", "the request has no Host header"))?;
    if !is_own_host(host, &app.options.host) {
        let message = format!("`{host}` is not an address of this server");
        return Err(ApiError::forbidden("foreign_host", message));
    }
    check_origin(headers, host, request.uri().path())?;
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
        return Err(ApiError {
            status: StatusCode::METHOD_NOT_ALLOWED,
            code: "method",
            message: "expected GET or POST".to_owned(),
        });
    }
    // Refused by its announced length, before anything of it is read.
    let length = text(headers, header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    if length.is_some_and(|length: u64| length > limits::BODY_BYTES as u64) {
        return Err(ApiError {
            status: StatusCode::PAYLOAD_TOO_LARGE,
            code: "too_long",
            message: format!("the body is longer than {} bytes", limits::BODY_BYTES),
        });
    }
    match &app.options.token {
        None => Ok(Pass::Request),
        Some(token) => check_token(token, request),
    }
}

/// Refuses what a page elsewhere sends. Other programs send no `Origin`.
fn check_origin(headers: &HeaderMap, host: &str, path: &str) -> Result<(), ApiError> {
    let foreign = |what: &str| {
        let message = format!("a page of `{what}` must not use this server");
        Err(ApiError::forbidden("foreign_origin", message))
    };
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or("?");
        if origin.strip_prefix("http://") != Some(host) {
            return foreign(origin);
        }
    }
    // A link elsewhere may lead to the page itself, and nothing else.
    match text(headers, HeaderName::from_static("sec-fetch-site")) {
        Some(site @ ("cross-site" | "same-site")) if path != "/" => foreign(site),
        _ => Ok(()),
    }
}

fn check_token(token: &Token, request: &Request) -> Result<Pass, ApiError> {
    let headers = request.headers();
    let cookies = text(headers, header::COOKIE).unwrap_or_default();
    let cookies = cookies.split(';').filter_map(|cookie| cookie.trim().split_once('='));
    let bearer = text(headers, header::AUTHORIZATION).and_then(|text| text.strip_prefix("Bearer "));
    let given = cookies.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value).chain(bearer);
    if given.into_iter().any(|given| token.is(given)) {
        return Ok(Pass::Request);
    }
    let query = request.uri().query().unwrap_or_default();
    let in_address = query.split('&').find_map(|part| part.strip_prefix("token="));
    if request.uri().path() == "/" && in_address.is_some_and(|given| token.is(given)) {
        let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", token.text());
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_owned())];
        return Ok(Pass::Login((StatusCode::SEE_OTHER, headers).into_response()));
    }
    Err(ApiError {
        status: StatusCode::UNAUTHORIZED,
        code: "token",
        message: "open the address with the token that `accrue serve` printed".to_owned(),
    })
}

/// Whether a `Host` header names this server: an address in digits, `localhost`, or what `--host`
/// says. Another name may belong to anybody who can let it resolve to this machine.
fn is_own_host(host: &str, configured: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || name.eq_ignore_ascii_case(configured)
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn with_headers(mut response: Response<Body>) -> Response {
    let headers = response.headers_mut();
    for (name, value) in
        [("content-security-policy", CONTENT_SECURITY_POLICY), ("cache-control", "no-store")]
    {
        let name = HeaderName::from_static(name);
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_are_hosts() {
        for host in ["127.0.0.1:7878", "localhost", "LOCALHOST:1", "[::1]:7878", "10.0.0.3:80"] {
            assert!(is_own_host(host, "127.0.0.1"), "{host}");
        }
        assert!(is_own_host("box:7878", "box"));
        for host in ["evil.example", "evil.example:7878", "127.0.0.1.evil.example", "", ":7878"] {
            assert!(!is_own_host(host, "127.0.0.1"), "{host}");
        }
    }

    #[test]
    fn tokens_differ_and_are_compared_whole() {
        let [one, two] = [Token::random().unwrap(), Token::random().unwrap()];
        assert!(one.is(one.text()) && !one.is(two.text()) && one.text().len() == 32);
        assert!(!one.is("") && !one.is(&one.text()[..31]) && !one.is(&format!("{}0", one.text())));
        assert!(!format!("{one:?}").contains(one.text()));
    }
}
