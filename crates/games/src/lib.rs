//! Rules of two-player board games, and the feature sets of their networks.
//!
//! - [`Game`] is the rules. [`BoardGame`], [`SearchGame`], [`PackedGame`] and [`NotatedGame`] add
//!   what diagrams, searches, data files and PGN need, most of it with defaults.
//! - [`FeatureSet`] numbers the inputs of a network. Trainer and engine share it, so they can never
//!   disagree about an index.
//! - [`GameHistory`] is a game in progress: a position with the history that repetition needs.
//! - [`GameInfo`] is a game behind an object-safe trait, for programs that select it by name at run
//!   time.
//! - [`conformance`] is the suite of properties that every game must pass.
//!
//! ```
//! use games::{BoardGame, Color, Game, chess::Chess, sorted_active};
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
//! A new game implements [`Game`] and the extension traits, in any crate, and calls the conformance
//! suite from a test. `docs/03-your-own-game.md` is a step-by-step guide.

mod board;
pub mod chess;
mod color;
pub mod conformance;
pub mod connect_four;
mod error;
mod features;
mod game;
mod geometry;
pub mod hexchess;
mod history;
mod info;
mod notation;
mod outcome;
mod packed;
mod perft;
mod piece_cell;
mod placement;
mod policy;
mod random;
mod search_game;
mod toolkit;

pub use board::{BoardGame, unknown_feature_set};
pub use color::Color;
pub use error::{FeatureSetError, FenError, MoveError, SettingError};
pub use features::{
    Changes, FeatureIndex, FeaturePlace, FeatureSet, FewFeatures, PackedRows, PerspectiveCount,
    Update, sorted_active,
};
pub use game::Game;
pub use geometry::{BoardGeometry, Cell, CellShape};
pub use history::GameHistory;
pub use info::{Described, FeatureSetShape, GameInfo, MAX_RAW_FEATURES};
pub use notation::{NamedValue, NotatedGame, Setting, unknown_setting};
pub use outcome::{GameScore, Outcome};
pub use packed::PackedGame;
pub use perft::{divide, perft};
pub use piece_cell::PieceCell;
pub use placement::{parse_placement, print_placement};
pub use policy::{MoveNumbering, PolicyForm, PolicyIndex, PolicyShape};
pub use random::{Random, mix};
pub use search_game::{Capture, MoveInfo, SearchGame, Threats};
pub use toolkit::ToolkitGame;
