//! Ratings: maximum-likelihood Elo of many players from all their games.
//!
//! The model is logistic: the ratings are those for which the expected score of every player equals
//! the actual score. The error bars come from the Fisher information, corrected for the observed
//! variance of the results, which draws and pairs make smaller than that of coin flips.

mod likelihood;

use super::Tally;
use super::groups::Reachability;
use likelihood::{Encounter, Problem};

/// The games of two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    /// The index of the first player.
    pub a: usize,
    /// The index of the second player.
    pub b: usize,
    /// The results from the first player's perspective.
    pub tally: Tally,
}

/// A player with a fixed rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The index of the player.
    pub player: usize,
    /// The rating.
    pub elo: f64,
}

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating on the scale of the anchors. Without anchors, the mean of the players that can be
    /// compared is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval, without the uncertainty of the anchors themselves.
    pub error: f64,
    /// The kind of rating.
    pub standing: Standing,
}

/// The kind of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Given as an anchor.
    Anchor,
    /// Estimated.
    Estimated,
    /// The player won every game against the players below: the maximum-likelihood rating is
    /// infinite. The number is the rating with one more drawn game against each of them.
    AtLeast,
    /// The player lost every game against the players above: the maximum-likelihood rating is minus
    /// infinity. The number is the rating with one more drawn game against each of them.
    AtMost,
    /// No chain of results connects the player with the anchors or the largest group. The number
    /// compares only with players of the same group.
    Apart,
}

/// Results that cannot be rated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RatingsError {
    /// The index is not below the number of players.
    #[error(
        "there are {players} players, so there is no player {player}; players are numbered from 0"
    )]
    Player {
        /// The index.
        player: usize,
        /// The number of players.
        players: usize,
    },
    /// A player against itself.
    #[error("player {0} met himself")]
    Himself(usize),
    /// An anchor whose rating is not valid.
    #[error(
        "the anchor of player {player} is {elo}: expected a number from -{MAX_ELO} to {MAX_ELO}"
    )]
    Anchor {
        /// The index of the player.
        player: usize,
        /// The rating that was given.
        elo: f64,
    },
    /// A player with two anchors.
    #[error("player {0} is anchored twice")]
    AnchoredTwice(usize),
}

/// The maximum absolute rating.
const MAX_ELO: f64 = 10_000.0;

/// Rates `players` players.
pub fn ratings(
    players: usize,
    results: &[Pairing],
    anchors: &[Anchor],
) -> Result<Vec<Rating>, RatingsError> {
    check(players, results, anchors)?;
    let mut known = vec![None; players];
    for anchor in anchors {
        known[anchor.player] = Some(anchor.elo);
    }
    let points = points(players, results, anchors);
    let encounters = results.iter().filter(|pairing| pairing.tally.games() > 0);
    let mut encounters: Vec<_> =
        encounters.map(|pairing| Encounter::new(pairing, &points)).collect();
    // Sort, so that the order of the results does not affect rounding.
    encounters.sort_by_key(|encounter| (encounter.a, encounter.b));
    let problem = Problem::new(&known, encounters);
    let elo = problem.solve();
    let errors = problem.errors(&elo);
    let standings = standings(&known, &points);
    let all = elo.into_iter().zip(errors).zip(standings);
    Ok(all.map(|((elo, error), standing)| Rating { elo, error, standing }).collect())
}

fn check(players: usize, results: &[Pairing], anchors: &[Anchor]) -> Result<(), RatingsError> {
    let mentioned = results.iter().flat_map(|pairing| [pairing.a, pairing.b]);
    for player in mentioned.chain(anchors.iter().map(|anchor| anchor.player)) {
        if player >= players {
            return Err(RatingsError::Player { player, players });
        }
    }
    if let Some(pairing) = results.iter().find(|pairing| pairing.a == pairing.b) {
        return Err(RatingsError::Himself(pairing.a));
    }
    for (index, &Anchor { player, elo }) in anchors.iter().enumerate() {
        if !(-MAX_ELO..=MAX_ELO).contains(&elo) {
            return Err(RatingsError::Anchor { player, elo });
        }
        if anchors[..index].iter().any(|other| other.player == player) {
            return Err(RatingsError::AnchoredTwice(player));
        }
    }
    Ok(())
}

/// Which players scored against which. Anchors count as connected in both directions.
fn points(players: usize, results: &[Pairing], anchors: &[Anchor]) -> Reachability {
    let mut points = Reachability::new(players);
    for Pairing { a, b, tally } in results {
        if tally.points() > 0.0 {
            points.add(*a, *b);
        }
        if tally.swapped().points() > 0.0 {
            points.add(*b, *a);
        }
    }
    for pair in anchors.windows(2) {
        points.add(pair[0].player, pair[1].player);
        points.add(pair[1].player, pair[0].player);
    }
    points.closed()
}

/// The kind of each rating, relative to the anchors or else to the largest group that can be
/// compared.
fn standings(known: &[Option<f64>], points: &Reachability) -> Vec<Standing> {
    let players = 0..known.len();
    let group = |player: usize| players.clone().filter(|&b| points.comparable(player, b)).count();
    let anchored = players.clone().find(|&player| known[player].is_some());
    // The first of the largest groups, so that the result is deterministic.
    let reference = anchored.or_else(|| players.clone().rev().max_by_key(|&player| group(player)));
    let standing = |player: usize| {
        let reference = reference.unwrap_or(player);
        match (points.reaches(player, reference), points.reaches(reference, player)) {
            _ if known[player].is_some() => Standing::Anchor,
            (true, true) => Standing::Estimated,
            (true, false) => Standing::AtLeast,
            (false, true) => Standing::AtMost,
            (false, false) => Standing::Apart,
        }
    };
    players.clone().map(standing).collect()
}
