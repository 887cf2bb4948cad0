//! Local page: play, analyse, watch and compare in the browser.
//!
//! [`Server`] answers the requests of `docs/serve-api.md` for the games that it is given. Each
//! game is a [`ServedGame`]: an object-safe interface at the grain of whole requests, which
//! [`GameServer`] implements once for every [`ToolkitGame`](games::ToolkitGame).
//!
//! - `guard` decides which requests are answered at all; `limits` has every limit.
//! - `game` turns lines of play into positions, evaluations, moves and reviews.
//! - `session` is a page's WebSocket: searches run as long as it is open.
//! - `runs` reads trainings, data files, matches, loops and quickstarts below the root folder.
//! - `networks` describes networks.
//!
//! Nothing here prints or reads the environment.

mod app;
mod assets;
mod error;
mod extract;
mod game;
mod guard;
mod limits;
mod networks;
mod root;
mod runs;
mod server;
mod session;

pub use error::{ApiError, ServeError};
pub use game::{GameServer, ServedGame};
pub use guard::Token;
pub use server::{ServeOptions, Server};
