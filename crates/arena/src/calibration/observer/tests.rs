//! Tests of the observer: it equals an evaluation from scratch, and counts what it skips.

use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{BoardGame, Game, Random, SearchGame};
use nnue::{Accumulator, Architecture, FloatParameters, Outputs};

use super::*;

const NETWORK: &str = "chess.piece-square (768→16)×2→1+4+64/64 screlu";

fn network(text: &str) -> Arc<Network> {
    let architecture: Architecture = text.parse().unwrap();
    let [mut a, mut b, mut c, mut d] = [1, 2, 3, 4].map(Random::new);
    let weight = |random: &mut Random| random.below(2001) as f32 / 2000.0 - 0.5;
    let parameters = FloatParameters::generate(
        &architecture,
        || weight(&mut a),
        || weight(&mut b),
        || weight(&mut c),
        || weight(&mut d),
    );
    Arc::new(Network::from_floats(architecture, &parameters).unwrap())
}

fn observer<G: ToolkitGame>(text: &str) -> Result<Observer<G>, ObserverError> {
    let network = network(text);
    let inputs = GameInputs::new(network.architecture()).unwrap();
    Observer::new(network, inputs, 2000)
}

/// The outputs of the network from scratch, and the policy logits of all cells.
fn evaluate(network: &Network, position: &Chess) -> (Outputs, Vec<f32>) {
    let set = Chess::feature_set("chess.piece-square").unwrap();
    let accumulators = games::Color::BOTH.map(|color| {
        let mut active = Vec::new();
        set.active(position, color, &mut active);
        let mut view = Accumulator::new(network);
        network.refresh(&mut view, &active);
        view
    });
    let side = position.side_to_move() as usize;
    let mut workspace = network.workspace();
    let rows: Vec<u16> = (0..128).collect();
    let mut logits = vec![0.0; 128];
    network.policy(accumulators.each_ref(), side, &rows, &mut logits, &mut workspace);
    let pieces = position.piece_count();
    (network.outputs(accumulators.each_ref(), side, pieces, &mut workspace), logits)
}

#[test]
fn positions_are_asked_as_engines_ask_them() {
    let network = network(NETWORK);
    let mut observer = observer::<Chess>(NETWORK).unwrap();
    let (mut random, mut position) = (Random::new(2), Chess::start());
    for ply in 0..60 {
        let moves = position.legal_moves();
        let Some(&mv) = random.pick(&moves) else { break };
        let mut record = Record::new(position.clone());
        record.game = 5;
        record.depths = vec![DepthScore { depth: 3, score: 20 - ply }];
        let (outputs, logits) = evaluate(&network, &position);
        match observer.observe(&record, |position| position.piece_count() as i32) {
            None => assert!(position.is_check()),
            Some(seen) => {
                assert_eq!(Some(seen.quantiles), outputs.quantiles);
                assert_eq!((seen.game, seen.baseline), (5, position.piece_count() as i32));
                let sample = seen.samples().next().unwrap();
                assert_eq!((sample.target, sample.depth), (i32::from(20 - ply), 3));
            }
        }
        let sample = observer.policy_sample(&position, mv).unwrap();
        assert_eq!(moves[sample.best], mv);
        let classes = search::move_classes(&position, &moves);
        for (place, &mv) in moves.iter().enumerate() {
            let index = position.policy_index(mv);
            let expected = logits[index.from] + logits[64 + index.to];
            let (found, class) = sample.moves[place];
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            assert_eq!(usize::from(class), classes[place]);
        }
        position.play(mv);
    }
}

#[test]
fn what_says_nothing_of_quantiles_is_counted() {
    let mut observer = observer::<Chess>(NETWORK).unwrap();
    let mut record = Record::new(Chess::start());
    assert_eq!(observer.observe(&record, |_| 0), None);
    let score = |depth, score| DepthScore { depth, score };
    record.depths = vec![score(1, -2500), score(2, 1999), score(4, MATE_SCORE), score(6, i16::MIN)];
    let seen = observer.observe(&record, |_| 0).unwrap();
    assert_eq!(seen.scores, [score(1, -2000), score(2, 1999)]);
    assert_eq!((seen.at_depth(2), seen.at_depth(4)), (Some(1999), None));
    record.depths.drain(..2);
    assert_eq!(observer.observe(&record, |_| 0), None);
    record.position = Chess::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
    assert_eq!(observer.observe(&record, |_| 0), None);
    assert_eq!(observer.skipped(), SkippedRecords { in_check: 1, without_depths: 1, mates: 4 });
}

#[test]
fn networks_that_cannot_be_calibrated_are_refused() {
    let error = observer::<Chess>("chess.piece-square (768→8)×2→1 screlu").unwrap_err();
    assert!(matches!(error, ObserverError::NoQuantiles(_)), "{error}");
    let error = observer::<Hexchess>("hexchess.piece-cell (1110→8)×2→5+64/64 screlu").unwrap_err();
    assert!(error.to_string().contains("hexchess take 91/91"), "{error}");
    let mut silent = observer::<Chess>("chess.piece-square (768→8)×2→5 screlu").unwrap();
    let moves = Chess::start().legal_moves();
    assert_eq!(silent.policy_sample(&Chess::start(), moves[0]), None);
}
