//! Ratings of many players from all their games.
//!
//! Maximum likelihood of the logistic model: the ratings for which everybody's expected points are the
//! points he made. The error bars come from the Fisher information, corrected for what the results really
//! vary (draws and pairs make them vary less than heads and tails do).

mod likelihood;

use super::Tally;
use super::groups::GameScore;
use likelihood::{Encounter, Problem};

/// The games of two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    /// The number of the first.
    pub a: usize,
    /// The number of the second.
    pub b: usize,
    /// The results as the first sees them.
    pub tally: Tally,
}

/// A player whose rating is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// His number.
    pub player: usize,
    /// His rating.
    pub elo: f64,
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating: on the anchors' scale; without anchors, the mean of the players who can be compared is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval, without the anchors' own uncertainty.
    pub error: f64,
    /// What the number is.
    pub standing: Standing,
}

/// What a rating is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It was given.
    Anchor,
    /// It was estimated.
    Estimated,
    /// All points were made against those below: the likeliest rating is infinite. The number is what one
    /// drawn game more against each of them would give.
    AtLeast,
    /// No points were made against those above: the likeliest rating is minus infinity. The number is what
    /// one drawn game more against each of them would give.
    AtMost,
    /// No chain of results leads to the anchors or to the largest group. The number means something only
    /// among those who are connected.
    Apart,
}

/// Results that cannot be rated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RatingsError {
    /// A player beyond the number of players.
    #[error("there are {players} players, so there is no player {player}: count from 0")]
    Player {
        /// His number.
        player: usize,
        /// How many there are.
        players: usize,
    },
    /// A player against himself.
    #[error("player {0} met himself")]
    Himself(usize),
    /// A rating that is no rating.
    #[error(
        "the anchor of player {player} is {elo}: a number from -{MAX_ELO} to {MAX_ELO} was expected"
    )]
    Anchor {
        /// His number.
        player: usize,
        /// What was given.
        elo: f64,
    },
    /// A player with two ratings.
    #[error("player {0} is anchored twice")]
    AnchoredTwice(usize),
}

/// Beyond any rating.
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
    // The order of the results must not matter, not even in the last digit.
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

/// Who reaches whom. Anchors are as good as an infinity of games between them.
fn points(players: usize, results: &[Pairing], anchors: &[Anchor]) -> GameScore {
    let mut points = GameScore::new(players);
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

/// What each rating is worth, beside the anchors or else the largest group that can be compared.
fn standings(known: &[Option<f64>], points: &GameScore) -> Vec<Standing> {
    let players = 0..known.len();
    let group = |player: usize| players.clone().filter(|&b| points.comparable(player, b)).count();
    let anchored = players.clone().find(|&player| known[player].is_some());
    // The first of the largest, so that the answer does not depend on chance.
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
