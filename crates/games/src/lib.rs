//! Rules of two-player board games, and the feature sets that networks read them through.
//!
//! - [`Game`] is what search, self-play, training and matches need to know about a game.
//! - [`FeatureSet`] numbers the inputs of a network. Trainer and engine both ask here, so the two can
//!   never disagree about an index.
//! - [`Line`] is a game being played: a position with the history that repetition needs.
//! - [`registry`] finds games and feature sets by name, for programs that learn the name at run time.
//! - [`conformance`] is the suite of properties that every game must pass.
//!
//! ```
//! use games::{Color, Game, chess::Chess, sorted_active};
//!
//! let mut position = Chess::start();
//! assert_eq!(position.legal_moves().len(), 20);
//! position.play(position.parse_move("e2e4")?);
//! assert_eq!(position.side_to_move(), Color::Black);
//!
//! // What a network is shown, from White's side: 32 pieces, the pawn on e4 is number 28.
//! let set = Chess::feature_set("chess.piece-square")?;
//! let features = sorted_active(&*set, &position, Color::White);
//! assert!(features.len() == 32 && features.contains(&28) && !features.contains(&12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each game is one folder. A new one implements [`Game`], lists its feature sets, adds one line to
//! [`registry`], and calls the conformance suite from a test. `docs/03-your-own-game.md` goes through one.

pub mod chess;
pub mod conformance;
pub mod connect_four;
mod error;
mod features;
mod game;
mod geometry;
pub mod hexchess;
mod line;
mod perft;
mod policy;
pub mod registry;

pub use error::{FeatureSetError, FenError, MoveError, SettingError};
pub use features::{
    Changes, FeatureIndex, FeaturePlace, FeatureSet, FewFeatures, PackedRows, Perspectives, Update,
    sorted_active,
};
pub use game::{
    Capture, Color, Dangers, Described, Game, Outcome, Points, PolicyIndex, PolicyShape, Setting,
};
pub use geometry::{BoardGeometry, Cell, CellShape};
pub use line::Line;
pub use perft::{divide, perft};
pub use policy::PolicyForm;
