//! Sorts of moves that the rules tell apart at a glance, for a policy to be corrected by.
//!
//! A network sees what stands where, not what attacks what. Which captures lose a piece, which quiet moves put one where it is
//! taken, and which piece should move because it is threatened, an exchange tells; how much that counts is measured.

use games::{Dangers, Described, Game};

use crate::history::Place;
use crate::ordering::{Sort, gains};

/// How many sorts of moves there are.
pub const MOVE_SORTS: usize = (EXCHANGES.len() + 1) * 6;

/// What an exchange must gain for a move to be of a higher sort, in hundredths of a pawn: less than nothing, nothing, a pawn, a piece, a
/// rook and more.
const EXCHANGES: [i32; 5] = [-300, -50, 50, 250, 600];
/// How many of these a quiet move can reach.
const QUIET: usize = 2;
/// What the enemy must gain by taking a piece for it to be threatened.
const THREAT: i32 = 50;

/// What is asked of a position once for all its moves.
pub(crate) fn dangers<G: Game>(position: &G) -> Dangers {
    position.dangers(THREAT)
}

/// The sort of a legal move, below [`MOVE_SORTS`].
#[inline]
pub(crate) fn sort<G: Game>(
    position: &G,
    (mv, place, sort): (G::Move, Place, Sort),
    dangers: Dangers,
) -> usize {
    let (from, to) = place.cells::<G>();
    // How many of the limits it reaches; what is usual is asked first.
    let reached = |limits: usize| {
        let (mut least, mut most) = (0, limits);
        while least < most {
            let middle = usize::midpoint(least, most);
            if gains(position, (mv, place), EXCHANGES[middle]) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        least
    };
    let has = |set: u128, cell: usize| cell < 128 && set >> cell & 1 == 1;
    let level = if sort == Sort::Tactical {
        reached(EXCHANGES.len())
    } else if to < 128 && !has(dangers.attacked, to) {
        QUIET
    } else {
        reached(QUIET)
    };
    let kind = match sort {
        Sort::Quiet => 0,
        Sort::QuietCheck => 1,
        Sort::Tactical => 2,
    };
    (level * 3 + kind) * 2 + usize::from(has(dangers.threatened, from))
}

/// The sort of each of these legal moves, below [`MOVE_SORTS`].
pub fn move_sorts<G: Game>(position: &G, moves: &[G::Move]) -> Vec<usize> {
    let dangers = dangers(position);
    let of = |&mv: &G::Move| {
        let described: Described<G::Move> = position.describe(mv);
        let place = Place::of::<G>(&described);
        sort(position, (mv, place, Sort::of(&described)), dangers)
    };
    moves.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::chess::Chess;
    use games::conformance::Random;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    use super::{EXCHANGES, MOVE_SORTS, move_sorts};

    #[test]
    fn a_capture_that_wins_and_a_piece_that_must_go_are_told_apart() {
        // The knight is attacked by a pawn; the rook may take a bishop or a pawn, which nobody guards.
        let position = Chess::from_fen("4k3/8/3p4/4N3/b7/8/R5p1/4K3 w - - 0 1").unwrap();
        let moves = position.legal_moves();
        let sorts = move_sorts(&position, &moves);
        let sort = |text: &str| {
            let place = moves.iter().position(|&mv| position.move_text(mv) == text);
            let sort = sorts[place.expect(text)];
            (sort / 6, sort / 2 % 3, sort % 2 == 1)
        };
        assert_eq!(sort("a2a4"), (4, 2, false), "wins a bishop");
        assert_eq!(sort("a2g2"), (3, 2, false), "wins a pawn");
        assert_eq!(sort("e5c4"), (2, 0, true), "flees");
        assert_eq!(sort("e5g6"), (2, 0, true), "flees");
        assert_eq!(sort("e5c6"), (0, 0, true), "is taken by the bishop");
        assert_eq!(sort("a2a3"), (2, 0, false), "quiet");
    }

    fn sorts_are_in_range<G: Game>() {
        let mut random = Random::new(3);
        let mut seen = [0; MOVE_SORTS];
        for _ in 0..20 {
            let mut position = G::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.outcome_by_rule().is_some() {
                    break;
                }
                let sorts = move_sorts(&position, &moves);
                for (&mv, &sort) in moves.iter().zip(&sorts) {
                    seen[sort] += 1;
                    // By definition, the slow way.
                    if position.exchange_gains(mv, 0).is_some() {
                        let gains =
                            |least: &&i32| position.exchange_gains(mv, **least) == Some(true);
                        let level = EXCHANGES.iter().take_while(gains).count();
                        assert_eq!(sort / 6, level, "{}", position.to_fen());
                    }
                }
                position.play(moves[random.below(moves.len())]);
            }
        }
        assert!(
            seen.iter().filter(|&&count| count > 0).count()
                >= if G::PIECE_KINDS > 1 { 15 } else { 1 }
        );
    }

    #[test]
    fn sorts_are_what_exchanges_say() {
        sorts_are_in_range::<Chess>();
        sorts_are_in_range::<Hexchess>();
        sorts_are_in_range::<ConnectFour>();
    }
}
