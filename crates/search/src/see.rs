//! Static exchange evaluation (SEE): whether a move gains a threshold of material when both sides
//! go on capturing on its destination.

use games::SearchGame;

use crate::history::HistoryIndex;

/// What a unit of a game's piece values counts beside evaluations, in percent of a normalised
/// centipawn. A piece gained seldom raises the evaluation by all that it is worth: there is
/// compensation, or a recapture beyond the horizon.
const MATERIAL_SCORE: i32 = 65;

/// The score that a gain of material counts where it is added to an evaluation.
#[inline]
pub(crate) fn score_of_material(gain: i32) -> i32 {
    gain * MATERIAL_SCORE / 100
}

/// The gain of material that counts as much as a score: the threshold of SEE for a move that is to
/// raise an evaluation by it.
#[inline]
pub(crate) fn material_of_score(score: i32) -> i32 {
    score * 100 / MATERIAL_SCORE
}

/// Whether a move gains at least `threshold` by SEE; `None` if the game has no SEE.
#[inline]
pub(crate) fn exact_see_ge<G: SearchGame>(
    position: &G,
    (mv, index): (G::Move, HistoryIndex),
    threshold: i32,
) -> Option<bool> {
    position.see_ge_by_kind(mv, index.moved_kind::<G>(), index.captured_kind(), threshold)
}

/// Whether a move gains at least `threshold` by SEE; in a game without SEE, whether it captures
/// something at least as valuable as the moving piece.
#[inline]
pub(crate) fn see_ge<G: SearchGame>(
    position: &G,
    (mv, index): (G::Move, HistoryIndex),
    threshold: i32,
) -> bool {
    exact_see_ge(position, (mv, index), threshold).unwrap_or_else(|| {
        let gain = position.capture(mv).map_or(0, |capture| capture.victim - capture.attacker);
        gain.max(position.promotion_gain(mv)) >= threshold.min(0)
    })
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::chess::Chess;
    use games::connect_four::ConnectFour;

    use super::*;

    fn indexed<G: SearchGame>(position: &G, text: &str) -> (G::Move, HistoryIndex) {
        let mv = position.parse_move(text).unwrap();
        (mv, HistoryIndex::of::<G>(&position.move_info(mv)))
    }

    #[test]
    fn a_guarded_pawn_costs_the_queen_and_a_loose_rook_is_won() {
        let position = Chess::from_fen("4k3/8/2p5/3p4/r2Q4/8/8/4K3 w - - 0 1").unwrap();
        let pawn = indexed(&position, "d4d5");
        assert_eq!(exact_see_ge(&position, pawn, 0), Some(false));
        assert!(see_ge(&position, pawn, -900) && !see_ge(&position, pawn, -500));
        let rook = indexed(&position, "d4a4");
        assert!(see_ge(&position, rook, 400));
    }

    #[test]
    fn a_game_without_exchanges_loses_nothing() {
        let position = ConnectFour::start();
        let first = position.move_text(position.legal_moves()[0]);
        let mv = indexed(&position, &first);
        assert_eq!(exact_see_ge(&position, mv, 0), None);
        assert!(see_ge(&position, mv, 0));
    }
}
