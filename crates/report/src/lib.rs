//! Reports: pages, charts and board drawings as self-contained HTML and SVG.
//!
//! Every function takes numbers in plain structs and returns text. Nothing here reads or writes a
//! file, prints, or fetches anything: a page holds its style sheet, its pictures and, if it has
//! games to replay, the script that replays them.
//!
//! - [`page`] is the page shell: title, navigation, sections, tables, one style sheet.
//! - [`chart`] is the one chart style; [`board`] the one board drawer, for every game;
//!   [`architecture`] draws the layers of a network.
//! - [`replay`] is a game to click through; [`components`] are the style sheets and scripts that
//!   these pages share with the page of `accrue serve`.
//! - [`quickstart`], [`training`], [`calibration`], [`neurons`] and [`progress`] are the pages and
//!   pictures that the toolkit writes.
//!
//! Text is escaped by construction: all markup is made by the templates of `maud`. Pictures and
//! pages follow the reader's light or dark colour scheme.
//!
//! # Example
//!
//! ```
//! use report::chart::{Axis, Chart, Point, Series, Tone};
//! use report::page::Page;
//!
//! let loss = [(1.0, 0.08), (2.0, 0.05), (3.0, 0.04)];
//! let loss = loss.map(|(superbatch, loss)| Point::new(superbatch, loss));
//! let chart = Chart::new("loss", Axis::new("superbatch").integers(), Axis::new("loss"))
//!     .series(Series::line("training", Tone::Blue, loss));
//!
//! // As a file of its own, or as a section of a page.
//! let svg = chart.picture().standalone();
//! assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
//! let html = Page::new("A training").section("curves", "Curves", chart.picture().inline()).html();
//! assert!(html.starts_with("<!doctype html>") && html.contains("<section id=\"curves\">"));
//! ```

pub mod architecture;
pub mod board;
pub mod calibration;
pub mod chart;
pub mod components;
pub mod neurons;
pub mod page;
pub mod picture;
pub mod progress;
pub mod quickstart;
pub mod replay;
pub mod training;

pub use picture::Picture;
