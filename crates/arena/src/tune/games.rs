//! Tuning games: matches between two sets of parameters, in this process.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use games::{Color, GameScore, ToolkitGame};
use search::{Control, Engine, Params};

use crate::openings::Openings;
use crate::play::{Rules, play};
use crate::player::{EnginePlayer, Player};

/// How the games of a tuning are played.
#[derive(Clone, Debug)]
pub struct TuningGames<G: ToolkitGame> {
    /// The openings.
    pub openings: Openings<G>,
    /// Limits and adjudication.
    pub rules: Rules,
    /// Pairs of games for each trial: one opening, with colours swapped.
    pub pairs: u64,
}

/// Engines that play two sets of parameters against each other.
#[derive(Debug)]
pub struct TuningMatch<G: ToolkitGame> {
    games: TuningGames<G>,
    /// Two engines for each thread.
    tables: Vec<[EnginePlayer<G>; 2]>,
}

impl<G: ToolkitGame> TuningMatch<G> {
    /// Plays as many games at the same time as there are pairs of engines. The engines must be
    /// alike.
    pub fn new(games: TuningGames<G>, engines: Vec<[Engine<G>; 2]>) -> Self {
        let tables = engines.into_iter().map(|engines| engines.map(EnginePlayer)).collect();
        Self { games, tables }
    }

    /// Plays the games of a trial between two sets of parameters. Returns the first side's wins
    /// minus its losses, or `None` if `stop` became true.
    ///
    /// At a fixed number of nodes the result does not depend on the number of concurrent games.
    pub fn play(&mut self, trial: u64, sides: [&Params; 2], stop: &AtomicBool) -> Option<f64> {
        let Self { games, tables } = self;
        let (control, next) = (&Control::new(), &AtomicU64::new(0));
        let (sender, receiver) = channel();
        let mut quarters = 0;
        std::thread::scope(|scope| {
            for table in tables {
                let (sender, games) = (sender.clone(), &*games);
                for (player, &params) in table.iter_mut().zip(&sides) {
                    player.0.set_params(params.clone());
                }
                scope.spawn(move || {
                    while let Some(number) = games.next(next) {
                        let opening = trial.wrapping_mul(games.pairs).wrapping_add(number / 2);
                        let swapped = number % 2 == 1;
                        let score = games.play_one(table, opening, swapped, control);
                        if score.is_none_or(|score| sender.send(score).is_err()) {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(STOP_POLL) {
                    Ok(score) => quarters += i64::from(score.as_quarters()),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if stop.load(Ordering::Relaxed) {
                    control.stop();
                }
            }
        });
        let even = 2 * i64::try_from(games.games()).ok()?;
        (!control.is_stopped()).then(|| (quarters - even) as f64 / 2.0)
    }
}

/// How often `stop` is polled.
const STOP_POLL: Duration = Duration::from_millis(20);

impl<G: ToolkitGame> TuningGames<G> {
    fn games(&self) -> u64 {
        self.pairs.saturating_mul(2)
    }

    fn next(&self, next: &AtomicU64) -> Option<u64> {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < self.games()).then_some(number)
    }

    /// The first player's score; `None` if the game was stopped.
    fn play_one(
        &self,
        table: &mut [EnginePlayer<G>; 2],
        opening: u64,
        swapped: bool,
        control: &Control,
    ) -> Option<GameScore> {
        let white = usize::from(swapped);
        for player in table.iter_mut() {
            // An engine in this process cannot fail here.
            player.new_game().ok()?;
        }
        let opening = self.openings.get(opening);
        let played = play(opening, &self.rules, control, |side, request| {
            let player = if side == Color::White { white } else { 1 - white };
            table[player].choose(request)
        })?;
        let score = played.outcome.white;
        Some(if swapped { score.rest() } else { score })
    }
}
