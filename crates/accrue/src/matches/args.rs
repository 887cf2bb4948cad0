//! Arguments that matches, ladders and tunings share: limits, openings, adjudication.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use arena::{Adjudication, DrawRule, Openings, SearchLimits, TimeControl, WinRule};
use games::ToolkitGame;
use pipeline::stages::PlayMatch;

/// Search limits.
#[derive(Debug, clap::Args)]
pub(crate) struct LimitArgs {
    /// The time control in seconds, such as 8+0.08 or 40/60; the default without other limits
    #[arg(long, value_name = "BASE+INC")]
    tc: Option<TimeControl>,

    /// The maximum number of nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// The maximum depth in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u64).range(1..))]
    depth: Option<u64>,

    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,

    /// By how many milliseconds a clock may be overstepped
    #[arg(long, value_name = "MS", default_value_t = 50)]
    time_margin: u64,
}

impl LimitArgs {
    /// The limits of engines that have none of their own.
    pub(crate) fn limits(&self, default: TimeControl) -> SearchLimits {
        let limits = SearchLimits {
            depth: self.depth.map(|depth| depth as usize),
            nodes: self.nodes,
            soft_nodes: None,
            movetime: self.movetime.map(Duration::from_millis),
            time: self.tc,
        };
        if limits.is_limited() { limits } else { SearchLimits { time: Some(default), ..limits } }
    }

    pub(crate) fn margin(&self) -> Duration {
        Duration::from_millis(self.time_margin)
    }
}

/// Openings.
#[derive(Debug, clap::Args)]
pub(crate) struct StartArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "")]
    pub(crate) game: String,

    /// A rule variant, as NAME=VALUE; `accrue games` lists them
    #[arg(long = "rule", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) rules: Vec<(String, String)>,

    /// A book: PGN, or a FEN or EPD on each line
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,

    /// Play the book in a random order, by --seed
    #[arg(long, requires = "openings")]
    pub(crate) shuffle: bool,

    /// Random moves at the beginning [default: 8, or 0 with a book]
    #[arg(long, value_name = "N")]
    pub(crate) random_plies: Option<usize>,

    /// The seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// `NAME=VALUE`.
pub(crate) fn setting(text: &str) -> anyhow::Result<(String, String)> {
    let (name, value) = text.split_once('=').context("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl StartArgs {
    /// The match with these openings.
    pub(crate) fn apply(&self, stage: PlayMatch) -> PlayMatch {
        let plies = if self.openings.is_some() { 0 } else { PlayMatch::RANDOM_PLIES };
        PlayMatch {
            rules: self.rules.clone(),
            openings: self.openings.clone(),
            shuffle: self.shuffle,
            random_plies: self.random_plies.unwrap_or(plies),
            seed: self.seed,
            ..stage
        }
    }

    /// The openings.
    pub(crate) fn openings<G: ToolkitGame>(&self) -> anyhow::Result<Openings<G>> {
        Ok(self.apply(PlayMatch::new(G::NAME, Vec::new())).start_positions()?)
    }
}

/// Adjudication.
#[derive(Debug, clap::Args)]
pub(crate) struct AdjudicationArgs {
    /// End clear games, the same as --adjudicate-win 3,400 --adjudicate-draw 34,8,15
    #[arg(long)]
    adjudicate: bool,

    /// A game is won if both engines see it for so many moves, by so many centipawns
    #[arg(long, value_name = "MOVES,SCORE", value_parser = numbers::<2>)]
    adjudicate_win: Option<[i32; 2]>,

    /// A game is drawn if, after so many moves, both engines see a score close to zero for so many moves
    #[arg(long, value_name = "AFTER,MOVES,SCORE", value_parser = numbers::<3>)]
    adjudicate_draw: Option<[i32; 3]>,

    /// A game is drawn after so many moves of both engines together, opening not counted
    #[arg(long, value_name = "PLIES")]
    adjudicate_plies: Option<usize>,
}

/// Numbers that are not negative, with commas between them.
fn numbers<const N: usize>(text: &str) -> anyhow::Result<[i32; N]> {
    let read = |part: &str| part.trim().parse::<i32>().ok().filter(|&number| number >= 0);
    let numbers: Option<Vec<i32>> = text.split(',').map(read).collect();
    let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.with_context(|| format!("expected {N} whole numbers with commas between them"))
}

impl AdjudicationArgs {
    pub(crate) fn rules(&self) -> Adjudication {
        let win = |[moves, score]: [i32; 2]| WinRule { moves: moves as usize, score, both: true };
        let draw = |[after, moves, score]: [i32; 3]| DrawRule {
            after: after as usize,
            moves: moves as usize,
            score,
        };
        Adjudication {
            win: self.adjudicate_win.map(win).or(self.adjudicate.then_some(PlayMatch::WIN_RULE)),
            draw: self
                .adjudicate_draw
                .map(draw)
                .or(self.adjudicate.then_some(PlayMatch::DRAW_RULE)),
            max_plies: self.adjudicate_plies,
        }
    }
}
