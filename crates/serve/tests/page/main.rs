//! The page's server, through the interface that the page uses.
//!
//! - `live`: positions, moves, analyses and reviews.
//! - `hostile`: what must be refused, and clients that misbehave.
//! - `load`: a hundred pages at once.

mod hostile;
mod live;
mod load;
mod socket;
mod support;
