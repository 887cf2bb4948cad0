//! Tests of ratings of players of known strength.

use games::{GameScore, Random};

use crate::statistics::expected_score;
use crate::{Anchor, Pairing, Rating, RatingsError, Standing, Tally, ratings};

/// A round robin of `pairs` pairs of games, a share of them drawn.
fn round_robin(truth: &[f64], pairs: usize, random: &mut Random) -> Vec<Pairing> {
    let mut results = Vec::new();
    for a in 0..truth.len() {
        for b in a + 1..truth.len() {
            let mut tally = Tally::new();
            for _ in 0..pairs {
                let mut game = || {
                    let score = expected_score(truth[a] - truth[b]);
                    // The largest share of draws that keeps the expected score.
                    let draws = score.min(1.0 - score);
                    let unit = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                    match unit {
                        _ if unit < draws => GameScore::DRAW,
                        _ if unit < score + draws / 2.0 => GameScore::WIN,
                        _ => GameScore::LOSS,
                    }
                };
                let (first, second) = (game(), game());
                tally.add_pair(first, second);
            }
            results.push(Pairing { a, b, tally });
        }
    }
    results
}

#[test]
fn a_round_robin_gives_the_truth_within_its_error_bars() {
    const RUNS: u64 = 200;
    let truth = [-150.0, -60.0, 0.0, 20.0, 190.0];
    let (mut covered, mut anchored) = (0, 0);
    for seed in 0..RUNS {
        let results = round_robin(&truth, 50, &mut Random::new(seed));
        let rated = ratings(truth.len(), &results, &[]).expect("sound results");
        assert!(rated.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        for (rating, truth) in rated.iter().zip(truth) {
            assert_eq!(rating.standing, Standing::Estimated);
            covered += u64::from((rating.elo - truth).abs() <= rating.error);
        }
        let anchors = [Anchor { player: 1, elo: 3000.0 }, Anchor { player: 3, elo: 3080.0 }];
        let rated = ratings(truth.len(), &results, &anchors).expect("sound results");
        assert_eq!(
            (rated[1].elo, rated[1].error, rated[1].standing),
            (3000.0, 0.0, Standing::Anchor)
        );
        for player in [0, 2, 4] {
            let truth = truth[player] + 3060.0;
            anchored += u64::from((rated[player].elo - truth).abs() <= rated[player].error);
        }
    }
    for (covered, of) in [(covered, 5 * RUNS), (anchored, 3 * RUNS)] {
        let share = covered as f64 / of as f64;
        println!("covered {share:.3} of {of}");
        assert!((0.92..=0.98).contains(&share), "{share}");
    }
}

#[test]
fn two_players_have_the_difference_of_their_score() {
    let tally = Tally::from_games(136, 111, 96);
    let estimate = tally.estimate();
    let anchor = Anchor { player: 0, elo: 1000.0 };
    let rated = ratings(2, &[Pairing { a: 1, b: 0, tally }], &[anchor]).expect("sound results");
    assert!((rated[1].elo - 1000.0 - estimate.elo).abs() < 1e-6, "{rated:?}");
    assert!((rated[1].error - estimate.elo_error).abs() < 0.5, "{rated:?} {estimate:?}");
}

#[test]
fn the_likeliest_ratings_explain_everybodys_points() {
    let results = round_robin(&[-300.0, 0.0, 100.0, 500.0], 40, &mut Random::new(9));
    let rated = ratings(4, &results, &[]).expect("sound results");
    for player in 0..4 {
        let mut surplus = 0.0;
        for Pairing { a, b, tally } in &results {
            let expected = tally.games() as f64 * expected_score(rated[*a].elo - rated[*b].elo);
            surplus += if *a == player { tally.points() - expected } else { 0.0 };
            surplus -= if *b == player { tally.points() - expected } else { 0.0 };
        }
        assert!(surplus.abs() < 1e-6, "player {player}: {surplus}");
    }
}

fn standings(rated: &[Rating]) -> Vec<Standing> {
    rated.iter().map(|rating| rating.standing).collect()
}

#[test]
fn what_has_no_finite_answer_is_named() {
    let met =
        |a, b, wins, draws, losses| Pairing { a, b, tally: Tally::from_games(wins, draws, losses) };
    // Players 0, 1 and 2 are comparable; 3 won all games; 4 lost all games; 5 and 6 met only each
    // other; 7 met no player.
    let results = [
        met(0, 1, 5, 5, 5),
        met(1, 2, 4, 0, 6),
        met(3, 0, 10, 0, 0),
        met(3, 1, 10, 0, 0),
        met(2, 4, 10, 0, 0),
        met(5, 6, 3, 0, 1),
    ];
    for anchors in [&[][..], &[Anchor { player: 1, elo: 50.0 }]] {
        let rated = ratings(8, &results, anchors).expect("sound results");
        let mut expected = vec![Standing::Estimated; 3];
        if !anchors.is_empty() {
            expected[1] = Standing::Anchor;
        }
        expected.extend([Standing::AtLeast, Standing::AtMost]);
        expected.extend([Standing::Apart; 3]);
        assert_eq!(standings(&rated), expected, "{rated:?}");
        assert!(rated.iter().all(|rating| rating.elo.is_finite() && !rating.error.is_nan()));
        assert!(rated[3].elo > rated[0].elo + 300.0 && rated[4].elo < rated[2].elo - 300.0);
        assert!((rated[5].elo - rated[6].elo - 190.8).abs() < 0.1, "{rated:?}");
        assert!(rated[7].error.is_infinite());
    }
}

#[test]
fn any_results_can_be_rated() {
    let mut random = Random::new(11);
    for _ in 0..300 {
        let players = 1 + random.below(7);
        let mut results = Vec::new();
        for _ in 0..random.below(12) {
            let (a, b) = (random.below(players), random.below(players));
            if a != b {
                let mut count = || match random.below(3) {
                    0 => 0,
                    _ => random.next_u64() >> (20 + random.below(44)),
                };
                results.push(Pairing { a, b, tally: Tally::from_games(count(), count(), count()) });
            }
        }
        let anchors: Vec<_> = (0..random.below(players + 1))
            .map(|player| Anchor { player, elo: random.below(4000) as f64 })
            .collect();
        let rated = ratings(players, &results, &anchors).expect("sound results");
        for rating in rated {
            assert!(rating.elo.is_finite() && !rating.error.is_nan(), "{results:?}: {rating:?}");
        }
    }
}

#[test]
fn unsound_results_are_refused() {
    let met = |a, b| [Pairing { a, b, tally: Tally::from_games(1, 1, 1) }];
    assert_eq!(ratings(2, &met(0, 2), &[]), Err(RatingsError::Player { player: 2, players: 2 }));
    assert_eq!(ratings(2, &met(1, 1), &[]), Err(RatingsError::Himself(1)));
    let anchor = Anchor { player: 0, elo: 1.0 };
    assert_eq!(ratings(2, &met(0, 1), &[anchor, anchor]), Err(RatingsError::AnchoredTwice(0)));
    let absurd = Anchor { player: 0, elo: f64::NAN };
    assert!(matches!(ratings(2, &met(0, 1), &[absurd]), Err(RatingsError::Anchor { .. })));
    assert_eq!(ratings(0, &[], &[]), Ok(Vec::new()));
}
