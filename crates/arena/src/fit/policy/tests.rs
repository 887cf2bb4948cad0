use games::chess::Chess;
use games::{BoardGame, Game, PolicyForm, Random, SearchGame};
use nnue::{Architecture, FileParameters, IntegerParameters, NetworkFile};
use search::{CutNodeSample, OrderingFeatures};

use super::PolicySamples;

fn network(encoding: &str) -> NetworkFile {
    let line = format!("chess.piece-square-mirrored (768→16)×2→1+{encoding} screlu");
    let architecture: Architecture = line.parse().unwrap();
    let mut random = Random::new(9);
    let mut number = |spread: usize| random.below(2 * spread + 1) as i32 - spread as i32;
    let features: Vec<i16> = (0..768 * 16).map(|_| number(60) as i16).collect();
    let mut features = features.into_iter();
    let parameters = IntegerParameters::generate(
        &architecture,
        || features.next().unwrap_or(40),
        || (number(60)) as i8,
        || 10,
        || 0,
    );
    NetworkFile::new(architecture, parameters, "a test".into(), None).unwrap()
}

/// Nodes of random games; the move with the highest number by `rank` fails high after three others.
fn nodes(
    count: usize,
    rank: impl Fn(&Chess, <Chess as Game>::Move) -> i32,
) -> Vec<CutNodeSample<Chess>> {
    let mut random = Random::new(2);
    let mut nodes = Vec::new();
    let features = OrderingFeatures { histories: [0; 6], check: false, policy: None };
    while nodes.len() < count {
        let mut position = Chess::start();
        for _ in 0..100 {
            let moves = position.legal_moves();
            let Some(&mv) = random.pick(&moves) else { break };
            let quiet: Vec<_> =
                moves.iter().copied().filter(|&mv| !position.is_noisy(mv)).collect();
            if quiet.len() > 3 && nodes.len() < count {
                let mut tried: Vec<_> = (0..4).map(|_| quiet[random.below(quiet.len())]).collect();
                tried.sort_by_key(|&mv| rank(&position, mv));
                if rank(&position, tried[3]) > rank(&position, tried[2]) {
                    let moves = tried.into_iter().map(|mv| (mv, features)).collect();
                    nodes.push(CutNodeSample { position: position.clone(), depth: 3, moves });
                }
            }
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
        }
    }
    nodes
}

fn samples(file: NetworkFile, nodes: &[CutNodeSample<Chess>]) -> PolicySamples<Chess> {
    let mut samples = PolicySamples::new(file).unwrap();
    for node in nodes {
        samples.push(node);
    }
    samples
}

#[test]
fn a_head_in_the_new_form_begins_as_good_as_the_old_one() {
    let nodes = nodes(300, |position, mv| position.policy_index(mv).to as i32);
    let file = network("64/384:piece-to");
    let samples = samples(file.clone(), &nodes);
    let FileParameters::Integer(parameters) = file.parameters() else { panic!() };
    let set = super::training::Nodes {
        activations: &samples.activations,
        width: samples.width,
        choices: &samples.nodes,
        moves: &samples.moves,
        activation_unit: file.architecture().activation_unit(),
    };
    let all: Vec<usize> = (0..nodes.len()).collect();
    let start = samples.start(parameters, &set, &all);
    // Where the own king is on the half of the board that the start was chosen for, the logits are
    // those of the old head.
    let half = |right: bool| {
        let is_right = |&node: &usize| {
            let position = &nodes[node].position;
            let set = Chess::feature_set("chess.piece-square-mirrored").unwrap();
            set.mirror(position).is_some() == right
        };
        let some: Vec<usize> = all.iter().copied().filter(is_right).collect();
        let old: f64 = some.iter().map(|&node| f64::from(samples.old_losses[node])).sum();
        (super::training::mean_loss(&start, &set, &some) - old / some.len() as f64).abs()
    };
    assert!(half(true).min(half(false)) < 1e-3, "{} {}", half(true), half(false));
}

#[test]
fn the_new_head_learns_what_the_old_one_cannot_express() {
    // Moves that lose material never fail high.
    let rank = |position: &Chess, mv| i32::from(position.see_ge(mv, 0) == Some(true));
    let nodes = nodes(6000, rank);
    let file = network("64/384:piece-to");
    let (fit, fitted) = samples(file.clone(), &nodes).fit().unwrap();
    let [before, after] = fit.log_loss;
    assert!(after < 0.6 * before, "{before} {after}");
    let fitted = fitted.expect("it is better");
    let head = fitted.architecture().policy().unwrap();
    assert_eq!(head.encoding_name(), Some(PolicyForm::PieceToSee.name()));
    assert_eq!((head.from, head.to), (128, 768));
    // Nothing else changes, and the file is read back.
    let [FileParameters::Integer(old), FileParameters::Integer(new)] =
        [file.parameters(), fitted.parameters()]
    else {
        panic!()
    };
    assert_eq!(old.feature_weights, new.feature_weights);
    assert_eq!(old.heads, new.heads);
    assert_eq!(NetworkFile::read(&fitted.write()).unwrap(), fitted);
    // The loss of the head that is written, by the engine's own evaluation, is the one reported.
    let again = samples(fitted, &nodes);
    let held_out: Vec<usize> = (0..nodes.len()).filter(|&node| again.is_held_out(node)).collect();
    let losses = held_out.iter().map(|&node| f64::from(again.old_losses[node]));
    let mean = losses.sum::<f64>() / held_out.len() as f64;
    assert!((mean - after).abs() < 1e-4, "{mean} {after}");
}

#[test]
fn too_few_nodes_and_networks_without_policy_are_refused() {
    let nodes = nodes(10, |position, mv| position.policy_index(mv).to as i32);
    let (fit, fitted) = samples(network("64/64:from-to"), &nodes).fit().unwrap();
    assert!(fit.reason.unwrap().contains("at least 5000") && fitted.is_none());
    let architecture: Architecture = "chess.piece-square (768→16)×2→1 screlu".parse().unwrap();
    let parameters = IntegerParameters::generate(&architecture, || 1, || 1, || 1, || 0);
    let file = NetworkFile::new(architecture, parameters, String::new(), None).unwrap();
    let error = PolicySamples::<Chess>::new(file).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("no policy head"), "{error}");
}
