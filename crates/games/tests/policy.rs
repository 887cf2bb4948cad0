//! The numbering of moves for policy heads, along random games.

use games::chess::Chess;
use games::conformance::{Symmetric, Symmetry};
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{GameHistory, PolicyForm, PolicyIndex, Random, SearchGame, sorted_active};

/// Calls `check` with the positions of random games.
fn walk<G: SearchGame>(seed: u64, games: usize, mut check: impl FnMut(&G)) {
    let mut random = Random::new(seed);
    for _ in 0..games {
        let mut history = GameHistory::new(G::start());
        for _ in 0..120 {
            let position = history.position();
            if position.outcome().is_some() {
                break;
            }
            check(position);
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            history.play(mv);
        }
    }
}

/// Outputs are within the shape of the head, whatever the feature set.
fn outputs_are_in_range<G: SearchGame>() {
    for form in PolicyForm::ALL {
        let shape = form.shape::<G>();
        for name in G::feature_set_names() {
            let set = G::feature_set(&name).unwrap();
            walk::<G>(5, 5, |position| {
                let numbering = form.numbering(position, &*set);
                for mv in position.legal_moves() {
                    let PolicyIndex { from, to } = numbering.index(mv);
                    assert!(from < shape.from && to < shape.to, "{form:?} {}", position.to_fen());
                }
            });
        }
    }
}

#[test]
fn outputs_are_in_range_for_every_game() {
    outputs_are_in_range::<Chess>();
    outputs_are_in_range::<Hexchess>();
    outputs_are_in_range::<ConnectFour>();
}

/// Moves that lose material by SEE, and no others, use the second half of the outputs; moves from
/// attacked cells the second half of the origins.
fn halves_follow_see<G: SearchGame>() {
    let set = G::feature_set(&G::feature_set_names()[0]).unwrap();
    let half = PolicyForm::PieceTo.shape::<G>();
    let mut seen = [0; 4];
    walk::<G>(6, 20, |position| {
        let numbering = PolicyForm::PieceToSee.numbering(position, &*set);
        for mv in position.legal_moves() {
            let index = numbering.index(mv);
            let loses = position.see_ge(mv, 0) == Some(false);
            let attacked = position.attacked_cells() >> position.policy_index(mv).from & 1 == 1;
            assert_eq!(index.to >= half.to, loses, "{} {mv:?}", position.to_fen());
            assert_eq!(index.from >= half.from, attacked, "{} {mv:?}", position.to_fen());
            seen[usize::from(loses) + 2 * usize::from(attacked)] += 1;
        }
    });
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

#[test]
fn halves_of_the_outputs_follow_see() {
    halves_follow_see::<Chess>();
    halves_follow_see::<Hexchess>();
}

/// Where a network cannot distinguish two positions, because their features are equal, a policy
/// cannot either: moves that correspond must have the same outputs.
fn moves_are_mirrored_as_features<G: Symmetric>() {
    let symmetries = G::symmetries();
    let symmetry: &Symmetry<G> =
        symmetries.iter().find(|symmetry| symmetry.name == "left-right").unwrap();
    let mut alike = 0;
    for name in G::feature_set_names() {
        let set = G::feature_set(&name).unwrap();
        walk::<G>(7, 20, |position| {
            let Some(image) = (symmetry.position)(position) else { return };
            let side = position.side_to_move();
            let features = |position| sorted_active(&*set, position, side);
            if features(position) != features(&image) {
                return;
            }
            let here = PolicyForm::PieceToSee.numbering(position, &*set);
            let there = PolicyForm::PieceToSee.numbering(&image, &*set);
            for mv in position.legal_moves() {
                let text = (symmetry.move_text)(&position.move_text(mv));
                let other = image.parse_move(&text).unwrap();
                assert_eq!(here.index(mv), there.index(other), "{name} {}", position.to_fen());
                alike += 1;
            }
        });
    }
    assert!(alike > 1000, "{alike}");
}

#[test]
fn mirrored_features_have_mirrored_moves() {
    moves_are_mirrored_as_features::<Chess>();
    moves_are_mirrored_as_features::<Hexchess>();
}
