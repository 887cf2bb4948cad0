//! Move classes: kinds of moves that static exchange evaluation (SEE) and threats distinguish, for
//! class biases of the policy.
//!
//! A network sees what stands where, not what attacks what. SEE finds which captures lose material,
//! which quiet moves put a piece where it is captured, and which piece should move because it is
//! threatened. `accrue calibrate` fits a bias for each class.

use games::{MoveInfo, SearchGame, Threats};

use crate::history::HistoryIndex;
use crate::move_ordering::MoveKind;
use crate::see::see_ge;

/// The name of this division of moves into classes, as network files store it with the biases that
/// were fitted for it. Whatever changes the meaning of a class changes the number at its end.
pub const MOVE_CLASS_SCHEME: &str = "see-check-threat-1";

/// The number of move classes.
pub const MOVE_CLASSES: usize = (SEE_THRESHOLDS.len() + 1) * 6;

/// What a move must gain by SEE to be of a higher class, in centipawns: less than nothing, nothing,
/// a pawn, a piece, a rook and more.
const SEE_THRESHOLDS: [i32; 5] = [-300, -50, 50, 250, 600];
/// How many of these a quiet move can reach.
const QUIET_THRESHOLDS: usize = 2;
/// What the opponent must gain by capturing a piece for it to be threatened.
const THREAT: i32 = 50;

/// The threats of a position, computed once for all its moves.
pub(super) fn threats<G: SearchGame>(position: &G) -> Threats {
    position.threats(THREAT)
}

/// The class of a legal move, below [`MOVE_CLASSES`].
#[inline]
pub(super) fn move_class<G: SearchGame>(
    position: &G,
    (mv, index, kind): (G::Move, HistoryIndex, MoveKind),
    threats: Threats,
) -> usize {
    let (from, to) = index.cells::<G>();
    // The number of thresholds that the move reaches, by bisection.
    let reached = |thresholds: usize| {
        let (mut min, mut max) = (0, thresholds);
        while min < max {
            let middle = usize::midpoint(min, max);
            if see_ge(position, (mv, index), SEE_THRESHOLDS[middle]) {
                min = middle + 1;
            } else {
                max = middle;
            }
        }
        min
    };
    let has = |set: u128, cell: usize| cell < 128 && set >> cell & 1 == 1;
    let level = if kind == MoveKind::Noisy {
        reached(SEE_THRESHOLDS.len())
    } else if to < 128 && !has(threats.attacked, to) {
        QUIET_THRESHOLDS
    } else {
        reached(QUIET_THRESHOLDS)
    };
    let kind = match kind {
        MoveKind::Quiet => 0,
        MoveKind::QuietCheck => 1,
        MoveKind::Noisy => 2,
    };
    (level * 3 + kind) * 2 + usize::from(has(threats.threatened, from))
}

/// The class of each of these legal moves, below [`MOVE_CLASSES`].
pub fn move_classes<G: SearchGame>(position: &G, moves: &[G::Move]) -> Vec<usize> {
    let threats = threats(position);
    let of = |&mv: &G::Move| {
        let move_info: MoveInfo<G::Move> = position.move_info(mv);
        let index = HistoryIndex::of::<G>(&move_info);
        move_class(position, (mv, index, MoveKind::of(&move_info)), threats)
    };
    moves.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;
    use games::{Game, Random, SearchGame};

    use super::{MOVE_CLASSES, SEE_THRESHOLDS, move_classes};

    #[test]
    fn a_winning_capture_and_a_threatened_piece_are_distinguished() {
        // The knight is attacked by a pawn; the rook may take a bishop or a pawn, which are
        // undefended.
        let position = Chess::from_fen("4k3/8/3p4/4N3/b7/8/R5p1/4K3 w - - 0 1").unwrap();
        let moves = position.legal_moves();
        let classes = move_classes(&position, &moves);
        let class = |text: &str| {
            let number = moves.iter().position(|&mv| position.move_text(mv) == text);
            let class = classes[number.expect(text)];
            (class / 6, class / 2 % 3, class % 2 == 1)
        };
        assert_eq!(class("a2a4"), (4, 2, false), "wins a bishop");
        assert_eq!(class("a2g2"), (3, 2, false), "wins a pawn");
        assert_eq!(class("e5c4"), (2, 0, true), "flees");
        assert_eq!(class("e5g6"), (2, 0, true), "flees");
        assert_eq!(class("e5c6"), (0, 0, true), "is captured by the bishop");
        assert_eq!(class("a2a3"), (2, 0, false), "quiet");
    }

    fn classes_are_in_range<G: SearchGame>() {
        let mut random = Random::new(3);
        let mut seen = [0; MOVE_CLASSES];
        for _ in 0..20 {
            let mut position = G::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.outcome_by_rule().is_some() {
                    break;
                }
                let classes = move_classes(&position, &moves);
                for (&mv, &class) in moves.iter().zip(&classes) {
                    seen[class] += 1;
                    // By definition, with one SEE for each threshold.
                    if position.see_ge(mv, 0).is_some() {
                        let gains =
                            |threshold: &&i32| position.see_ge(mv, **threshold) == Some(true);
                        let level = SEE_THRESHOLDS.iter().take_while(gains).count();
                        assert_eq!(class / 6, level, "{}", position.to_fen());
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
    fn classes_follow_see() {
        classes_are_in_range::<Chess>();
        classes_are_in_range::<Hexchess>();
        classes_are_in_range::<ConnectFour>();
    }
}
