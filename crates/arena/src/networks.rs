//! Network loading: reads networks of every kind, and makes evaluators and engines with them.
//!
//! - [`BuiltInNetworks`] are the network files that are part of a program, as a value.
//! - [`NetworkLoader`] reads a [`NetworkSource`]: a file of accrue, Stockfish, noru or bullet, a
//!   matrix in JSON, or the name of a built-in network. It gives a [`LoadedNetwork`].
//! - [`NetworkLoader::engine`] and [`NetworkLoader::install`] let a [`search::Engine`] play with
//!   it.
//! - [`NetworkDescription`] is what a file contains; [`measure_speed`] measures a network.
//!
//! A feature set is never guessed. A file that does not name its own needs
//! [`NetworkSource::features`].
//!
//! ```
//! use arena::networks::{BuiltInNetworks, NetworkLoader};
//! use dataset::GameList;
//! use games::{Game, connect_four::ConnectFour};
//!
//! let games = GameList::new().with::<ConnectFour>();
//! let loader = NetworkLoader::new(games, BuiltInNetworks::new());
//! // The game has no built-in network: it is played by its material.
//! assert!(loader.default_network::<ConnectFour>()?.is_none());
//! assert_eq!(loader.description::<ConnectFour>(None)?, "material");
//! assert_eq!(loader.evaluate(&ConnectFour::start(), None, 100)?, 0);
//! # Ok::<(), arena::networks::NetworkLoadError>(())
//! ```

mod built_in;
mod description;
mod error;
mod evaluation;
mod loaded;
mod loader;
mod position;
mod speed;

pub use built_in::{BuiltInNetwork, BuiltInNetworks};
pub use description::{
    CalibrationDescription, NetworkDescription, QuantisationDescription, ScaleDescription,
    ScoreModelDescription,
};
pub use error::NetworkLoadError;
pub use evaluation::StaticEvaluator;
pub use loaded::LoadedNetwork;
pub use loader::{ForeignFormat, MAX_NETWORK_BYTES, NetworkLoader, NetworkSource};
pub use position::{PieceContribution, PositionEvaluator};
pub use speed::{SpeedRow, SpeedTable, measure_speed, random_network};

#[cfg(test)]
mod tests;
