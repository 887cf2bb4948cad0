//! Table: the players of one thread, and the games that they play.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use games::{Color, ToolkitGame};
use search::Control;

use super::{Fixture, LiveGames, Tournament};
use crate::game_record::{GameRecord, Opening};
use crate::play::{Played, Rules, play};
use crate::player::{Player, PlayerFault};

/// An event of a table.
pub(super) enum TableEvent<G: ToolkitGame> {
    Started(Fixture),
    Finished(Fixture, Box<Played<G>>),
}

/// The players of one thread. Each is made when it is first needed.
pub(super) struct Table<'a, G: ToolkitGame> {
    tournament: &'a Tournament<G>,
    control: &'a Control,
    live: Option<&'a LiveGames>,
    players: Vec<Option<Box<dyn Player<G>>>>,
}

impl<'a, G: ToolkitGame> Table<'a, G> {
    pub(super) fn new(
        tournament: &'a Tournament<G>,
        control: &'a Control,
        live: Option<&'a LiveGames>,
    ) -> Self {
        let players = tournament.entrants.iter().map(|_| None).collect();
        Self { tournament, control, live, players }
    }

    /// Plays a game. Returns `None` if it was stopped.
    pub(super) fn play(&mut self, fixture: &Fixture) -> Option<Played<G>> {
        if self.control.is_stopped() {
            return None;
        }
        let opening = self.tournament.openings.get(fixture.opening);
        if let Some(live) = self.live {
            live.begin(fixture, &opening);
        }
        let played = self.play_from(fixture, opening);
        if let Some(live) = self.live {
            live.end(fixture);
        }
        played
    }

    fn play_from(&mut self, fixture: &Fixture, opening: Opening<G>) -> Option<Played<G>> {
        let (tournament, live) = (self.tournament, self.live);
        for side in Color::BOTH {
            if let Err(fault) = self.prepare(fixture.players[side as usize]) {
                return Some(Played::lost(GameRecord::new(opening), side, fault));
            }
        }
        let rules = Rules {
            limits: fixture.players.map(|player| tournament.entrants[player].limits),
            time_margin: tournament.time_margin,
            adjudication: tournament.adjudication,
        };
        play(opening, &rules, self.control, |side, request| {
            if let Some(live) = live {
                live.update(fixture, request.record);
            }
            self.call(fixture.players[side as usize], |player| player.choose(request))
        })
    }

    /// Prepares a player for a new game.
    fn prepare(&mut self, index: usize) -> Result<(), PlayerFault> {
        if self.players[index].is_none() {
            self.players[index] = Some((self.tournament.entrants[index].make)()?);
        }
        self.call(index, |player| player.new_game())
    }

    /// Calls a player. A player that panics is dropped; the next game makes a new one.
    fn call<T>(
        &mut self,
        index: usize,
        question: impl FnOnce(&mut dyn Player<G>) -> Result<T, PlayerFault>,
    ) -> Result<T, PlayerFault> {
        let Some(player) = &mut self.players[index] else {
            return Err(PlayerFault::Crash("the player is gone".into()));
        };
        let answer = catch_unwind(AssertUnwindSafe(|| question(player.as_mut())));
        answer.unwrap_or_else(|panic| {
            self.players[index] = None;
            Err(PlayerFault::Crash(format!("panicked: {}", message(panic.as_ref()))))
        })
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
