//! Standings: the results of a tournament so far.

use games::{GameScore, ToolkitGame};

use super::{Fixture, Schedule};
use crate::play::{Ending, Played};
use crate::player::PlayerFault;
use crate::statistics::{Anchor, Pairing, Rating, RatingsError, Tally, ratings};

/// The number of games that a player lost by its own fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts {
    /// The program ended.
    pub crashes: u64,
    /// The player did not answer in time.
    pub stalls: u64,
    /// The answer was not a legal move.
    pub illegal: u64,
    /// The clock ran out.
    pub time: u64,
}

impl FaultCounts {
    /// The sum of all counts.
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
    /// The results of complete pairs, by pairing.
    pairings: Vec<Pairing>,
    /// The score of the first game of an incomplete pair, for the first player of the pairing.
    half: Vec<Option<GameScore>>,
    faults: Vec<FaultCounts>,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(schedule: &Schedule, players: usize) -> Self {
        let pairing = |&[a, b]: &[usize; 2]| Pairing { a, b, tally: Tally::new() };
        let pairings: Vec<_> = schedule.pairings().iter().map(pairing).collect();
        Self {
            half: vec![None; pairings.len()],
            pairings,
            faults: vec![FaultCounts::default(); players],
        }
    }

    /// Counts a game. Games must come in the order of their numbers, as the tournament reports
    /// them.
    pub fn add<G: ToolkitGame>(&mut self, fixture: &Fixture, played: &Played<G>) {
        self.add_result(fixture, played.outcome.white, &played.ending);
    }

    /// Counts a game of which only the result is known; otherwise like [`add`](Standings::add).
    pub fn add_result(&mut self, fixture: &Fixture, white: GameScore, ending: &Ending) {
        let points = if fixture.is_return() { white.rest() } else { white };
        let half = &mut self.half[fixture.pairing];
        match half.take() {
            Some(before) => self.pairings[fixture.pairing].tally.add_pair(before, points),
            None => *half = Some(points),
        }
        if let Ending::PlayerFault { by, fault } = ending {
            self.faults[fixture.players[*by as usize]].add(fault);
        }
    }

    /// The complete pairs of each pairing.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The games of a pairing, including the first game of an incomplete pair.
    pub fn tally(&self, pairing: usize) -> Tally {
        let mut tally = self.pairings[pairing].tally.clone();
        if let Some(points) = self.half[pairing] {
            tally.add_single(points);
        }
        tally
    }

    /// The faults of each player.
    pub fn faults(&self) -> &[FaultCounts] {
        &self.faults
    }

    /// The number of games and the score of a player.
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

    /// The ratings of all players, from complete pairs.
    pub fn ratings(&self, anchors: &[Anchor]) -> Result<Vec<Rating>, RatingsError> {
        ratings(self.faults.len(), &self.pairings, anchors)
    }
}
