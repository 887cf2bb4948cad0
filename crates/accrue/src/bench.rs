//! `accrue bench`: a search of fixed positions, whose number of nodes tells whether the search has changed.

use std::time::{Duration, Instant};

use games::registry::{GAMES, GameVisitor, with_game};
use games::{Game, Line};
use search::{Control, Engine, EngineOptions, Limits};
use serde::Serialize;

use crate::output;

/// Search fixed positions; the number of nodes tells whether the search has changed
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// How deep to search each position
    #[arg(value_name = "DEPTH", default_value_t = DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_DEPTH)))]
    depth: u32,

    /// The game
    #[arg(long, value_name = "GAME", default_value = GAMES[0], value_parser = GAMES)]
    game: String,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The last line is `N nodes M nps`. One thread, a table of 16 MiB, the internal evaluation: the number of nodes is the
same on every machine.

Examples:
  accrue bench
  accrue bench 8 --json
  accrue bench --game hexchess 6";

/// How deep each position is searched, if nothing else is said.
pub(crate) const DEPTH: u32 = 10;
const MOST_DEPTH: u32 = 100;

/// Positions of chess from opening to endgame, one a line.
const CHESS: &str = include_str!("bench/chess.fens");

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    with_game(&args.game, Run(args))?
}

struct Run<'a>(&'a Args);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self) -> Self::Output {
        let Self(args) = self;
        let mut engine = Engine::<G>::new(EngineOptions::default())?;
        let mut lines = Vec::new();
        let found = search(&mut engine, args.depth, &Control::new(), |line| lines.push(line));
        if args.json {
            return output::json(&found);
        }
        lines.push(found.last_line());
        output::lines(lines)
    }
}

/// What a bench found.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Found {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

impl Found {
    /// As OpenBench reads it.
    pub(crate) fn last_line(&self) -> String {
        format!("{} nodes {} nps", self.nodes, self.nodes_per_second)
    }
}

/// Searches every position of the bench, each as if it were the first. `say` gets a line for each.
pub(crate) fn search<G: Game>(
    engine: &mut Engine<G>,
    depth: u32,
    control: &Control,
    mut say: impl FnMut(String),
) -> Found {
    let positions = positions::<G>();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (number, position) in positions.iter().enumerate() {
        if control.is_stopped() {
            break;
        }
        engine.new_game();
        let begun = Instant::now();
        let line = Line::new(position.clone());
        let limits = Limits::to_depth(depth as usize);
        let answer = engine.go(&line, &limits, control, &mut |_| ());
        time += begun.elapsed();
        nodes += answer.nodes;
        let best = answer.best.map_or("(none)".to_owned(), |best| position.move_text(best));
        let (count, fen) = (positions.len(), position.to_fen());
        say(format!("{:2}/{count} {best:6} {:9} nodes  {fen}", number + 1, answer.nodes));
    }
    let seconds = time.as_secs_f64().max(1e-6);
    Found { depth, nodes, seconds, nodes_per_second: (nodes as f64 / seconds) as u64 }
}

/// The positions of the bench: a list for chess, and for other games what comes of moves chosen by a rule.
fn positions<G: Game>() -> Vec<G> {
    let listed = if G::NAME == games::chess::Chess::NAME { CHESS } else { "" };
    let mut positions: Vec<G> = listed.lines().filter_map(|fen| G::from_fen(fen).ok()).collect();
    if positions.is_empty() {
        let mut position = G::start();
        for ply in 0..PLIES {
            if ply % EVERY == 0 {
                positions.push(position.clone());
            }
            let moves = position.legal_moves();
            if moves.is_empty() || position.outcome_by_rule().is_some() {
                break;
            }
            position.play(moves[ply * STRIDE % moves.len()]);
        }
    }
    positions
}

/// How far the game goes from which positions are taken, how often one is, and how moves are chosen.
const PLIES: usize = 24;
const EVERY: usize = 4;
const STRIDE: usize = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    #[test]
    fn every_position_of_the_list_can_be_played() {
        assert_eq!(positions::<Chess>().len(), CHESS.lines().count());
        assert!(positions::<Chess>().iter().all(Game::has_moves));
        assert_eq!(positions::<Hexchess>().len(), PLIES / EVERY);
        assert!(positions::<ConnectFour>().len() > 2);
    }

    #[test]
    fn the_number_of_nodes_repeats() {
        fn nodes<G: Game>(depth: u32) -> u64 {
            let mut engine = Engine::<G>::new(EngineOptions::default()).unwrap();
            search(&mut engine, depth, &Control::new(), |_| ()).nodes
        }
        assert_eq!(nodes::<Chess>(4), nodes::<Chess>(4));
        assert_eq!(nodes::<Hexchess>(3), nodes::<Hexchess>(3));
        assert_eq!(nodes::<ConnectFour>(6), nodes::<ConnectFour>(6));
    }
}
