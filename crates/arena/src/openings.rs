//! Where games begin.

use games::Game;
use games::conformance::Random;

use crate::course::Opening;

/// An opening of that many random moves from `start`, none of which ends the game. The same numbers give the same opening.
///
/// `None` if the game is always over before, as it is from a position without moves.
pub fn random_opening<G: Game>(start: &G, plies: usize, random: &mut Random) -> Option<Opening<G>> {
    // A random game that ends early is begun again; where most of them do, asking for so many plies makes no sense.
    const TRIES: usize = 1000;
    'games: for _ in 0..TRIES {
        let mut opening = Opening::at(start.clone());
        let mut line = opening.line();
        for _ in 0..plies {
            let Some(&mv) = random.pick(&line.position().legal_moves()) else { continue 'games };
            line.play(mv);
            opening.moves.push(mv);
            if line.outcome().is_some() {
                continue 'games;
            }
        }
        if line.outcome().is_none() {
            return Some(opening);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::connect_four::ConnectFour;

    use super::*;

    #[test]
    fn random_openings_are_legal_differ_and_repeat() {
        let make = |seed| random_opening(&Chess::start(), 8, &mut Random::new(seed)).unwrap();
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
        assert_eq!(make(1).moves.len(), 8);
        assert_eq!(make(1).line().plies(), 8);
    }

    #[test]
    fn no_opening_ends_the_game() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let opening = random_opening(&ConnectFour::start(), 12, &mut random).unwrap();
            assert_eq!(opening.line().outcome(), None);
        }
        let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
        let mated = Chess::from_fen(mated).unwrap();
        assert_eq!(random_opening(&mated, 0, &mut random), None);
    }
}
