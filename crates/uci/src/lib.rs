//! The Universal Chess Interface (UCI): its text, a server for any game, a client for external
//! engines.
//!
//! - [`text`] parses and prints every line of UCI, in both directions.
//! - [`server`] is the engine's side: [`Server`](server::Server) plays any
//!   [`ToolkitGame`](games::ToolkitGame) with a [`search::Engine`].
//! - [`client`] is the GUI's side: [`ExternalEngine`](client::ExternalEngine) is another program
//!   behind a pipe.
//!
//! ```
//! use uci::text::{Command, EngineLine, Go};
//!
//! let go = Go { depth: Some(8), ..Go::default() };
//! assert_eq!(Command::Go(go.clone()).to_string(), "go depth 8");
//! assert_eq!("go depth 8".parse(), Ok(Command::Go(go)));
//!
//! let error = "go depth eight".parse::<Command>().unwrap_err();
//! assert_eq!(error.to_string(), "go depth: `eight` is not a whole number from 1 to 255");
//!
//! let EngineLine::Info(info) = EngineLine::parse("info depth 8 score mate 3 pv d1h5") else {
//!     panic!("an info line");
//! };
//! assert_eq!((info.depth, info.pv), (Some(8), vec!["d1h5".to_owned()]));
//! ```

pub mod client;
mod limits;
pub mod server;
pub mod text;

pub use limits::LimitsError;
