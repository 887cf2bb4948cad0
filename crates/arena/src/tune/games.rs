//! Games between two sets of values, in this process.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use games::{Color, Game, Points};
use search::{Control, Engine, Params};

use crate::openings::Openings;
use crate::play::{Rules, play};
use crate::player::{EnginePlayer, Player};

/// What the games are like.
#[derive(Clone, Debug)]
pub struct Games<G: Game> {
    /// Where they begin.
    pub openings: Openings<G>,
    /// What they are played by.
    pub rules: Rules,
    /// Pairs of games for each trial: one opening, colours swapped.
    pub pairs: u64,
}

/// Engines that let values play each other.
#[derive(Debug)]
pub struct Arena<G: Game> {
    games: Games<G>,
    /// Two engines for each thread.
    tables: Vec<[EnginePlayer<G>; 2]>,
}

impl<G: Game> Arena<G> {
    /// So many games at the same time as there are pairs of engines. The engines must be alike.
    pub fn new(games: Games<G>, engines: Vec<[Engine<G>; 2]>) -> Self {
        let tables = engines.into_iter().map(|engines| engines.map(EnginePlayer)).collect();
        Self { games, tables }
    }

    /// Lets two sets of values play the games of a trial, and gives the first side's sum of 1 for a win, -1 for a
    /// loss and what is between; or nothing if `stop` became true.
    ///
    /// At a fixed number of nodes the result does not depend on how many games are played at the same time.
    pub fn meet(&mut self, trial: u64, sides: [&Params; 2], stop: &AtomicBool) -> Option<f64> {
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
                        let points = games.play(table, opening, swapped, control);
                        if points.is_none_or(|points| sender.send(points).is_err()) {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok(points) => quarters += i64::from(points.as_quarters()),
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

/// How long to wait before asking again whether to stop.
const PATIENCE: Duration = Duration::from_millis(20);

impl<G: Game> Games<G> {
    fn games(&self) -> u64 {
        self.pairs.saturating_mul(2)
    }

    fn next(&self, next: &AtomicU64) -> Option<u64> {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < self.games()).then_some(number)
    }

    /// The first player's points; nothing if the game was stopped.
    fn play(
        &self,
        table: &mut [EnginePlayer<G>; 2],
        opening: u64,
        swapped: bool,
        control: &Control,
    ) -> Option<Points> {
        let white = usize::from(swapped);
        for player in table.iter_mut() {
            // An engine in this process has no way to fail here.
            player.new_game().ok()?;
        }
        let opening = self.openings.get(opening);
        let played = play(opening, &self.rules, control, |side, situation| {
            let player = if side == Color::White { white } else { 1 - white };
            table[player].choose(situation)
        })?;
        let points = played.outcome.white;
        Some(if swapped { points.rest() } else { points })
    }
}
