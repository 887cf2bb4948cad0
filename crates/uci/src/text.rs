//! UCI text: parsing and printing of every line that a GUI and an engine exchange.
//!
//! Each type has a `parse` function and prints itself by [`Display`](std::fmt::Display), and
//! parsing a printed value gives the value again. The server reads what the client prints and the
//! other way round.
//!
//! - [`Command`] is a line from a GUI to an engine; [`PositionCommand`], [`Go`] and [`GenFens`] are
//!   those with parts of their own.
//! - [`EngineLine`] is a line from an engine to a GUI: [`InfoLine`], [`OptionLine`], [`BestMove`]
//!   and the short ones.
//!
//! Commands are parsed strictly, because a wrong one must not be obeyed: the error names the word
//! and what was expected. Lines of engines are parsed leniently, because engines add words of their
//! own.

mod command;
mod engine_line;
mod error;
mod genfens;
mod go;
mod info;
mod option;
mod position;
mod words;

pub use command::Command;
pub use engine_line::{BestMove, EngineLine};
pub use error::{GoError, NumberError, OptionValueError, TextError};
pub use genfens::{GenFens, MaxScore};
pub use go::{Go, MAX_DEPTH};
pub use info::InfoLine;
pub use option::{OptionKind, OptionLine};
pub use position::{PositionCommand, PositionError};

pub(crate) use command::HELP;
pub(crate) use option::{read_button, read_check, read_combo, read_spin, read_text};
pub(crate) use words::escape;
pub use words::printable;
