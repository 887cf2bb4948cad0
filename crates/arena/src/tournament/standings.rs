//! Where a tournament stands.

use games::{Color, GameScore, ToolkitGame};

use super::{Fixture, Schedule};
use crate::play::{Ending, Played};
use crate::player::PlayerFault;
use crate::statistics::{Anchor, Pairing, Rating, RatingsError, Tally, ratings};

/// How often a player lost by its own fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts {
    /// The program ended.
    pub crashes: u64,
    /// No answer came.
    pub stalls: u64,
    /// The answer was not a move.
    pub illegal: u64,
    /// The clock ran out.
    pub time: u64,
}

impl FaultCounts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.crashes + self.stalls + self.illegal + self.time
    }

    fn add(&mut self, fault: &PlayerFault) {
        *match fault {
            PlayerFault::Crash(_) => &mut self.crashes,
            PlayerFault::Stall(_) => &mut self.stalls,
            PlayerFault::Illegal(_) => &mut self.illegal,
            PlayerFault::Time => &mut self.time,
        } += 1;
    }
}

/// The results so far.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Whole pairs, by pairing.
    pairings: Vec<Pairing>,
    /// The first game of a pair whose second is not over, as the first of the pairing sees it.
    half: Vec<Option<GameScore>>,
    faults: Vec<FaultCounts>,
}

impl Standings {
    /// Before the first game of so many players.
    pub fn new(schedule: &Schedule, players: usize) -> Self {
        let pairing = |&[a, b]: &[usize; 2]| Pairing { a, b, tally: Tally::new() };
        let pairings: Vec<_> = schedule.pairings().iter().map(pairing).collect();
        Self {
            half: vec![None; pairings.len()],
            pairings,
            faults: vec![FaultCounts::default(); players],
        }
    }

    /// Counts a game. Games are to come in the order of their numbers, as the tournament tells of them.
    pub fn add<G: ToolkitGame>(&mut self, fixture: &Fixture, played: &Played<G>) {
        let first = if fixture.is_return() { Color::Black } else { Color::White };
        let points = played.outcome.score(first);
        let half = &mut self.half[fixture.pairing];
        match half.take() {
            Some(before) => self.pairings[fixture.pairing].tally.add_pair(before, points),
            None => *half = Some(points),
        }
        if let Ending::PlayerFault { by, fault } = &played.ending {
            self.faults[fixture.players[*by as usize]].add(fault);
        }
    }

    /// The whole pairs of each pairing.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The games of a pairing, the first game of a pair included.
    pub fn tally(&self, pairing: usize) -> Tally {
        let mut tally = self.pairings[pairing].tally.clone();
        if let Some(points) = self.half[pairing] {
            tally.add_single(points);
        }
        tally
    }

    /// How often each player lost by its own fault.
    pub fn faults(&self) -> &[FaultCounts] {
        &self.faults
    }

    /// The games and points of a player.
    pub fn score(&self, player: usize) -> (u64, f64) {
        let mut sum = Tally::new();
        for Pairing { a, b, tally } in &self.pairings {
            if player == *a {
                sum += tally;
            } else if player == *b {
                sum += &tally.swapped();
            }
        }
        (sum.games(), sum.points())
    }

    /// Everyone's rating, from whole pairs.
    pub fn ratings(&self, anchors: &[Anchor]) -> Result<Vec<Rating>, RatingsError> {
        ratings(self.faults.len(), &self.pairings, anchors)
    }
}
