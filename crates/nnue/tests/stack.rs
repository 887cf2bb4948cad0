//! Along random games, with null moves, undo and nodes that nobody evaluates, the stack says what a fresh
//! accumulator says.

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Color, ToolkitGame};
use nnue::{Accumulator, AccumulatorStack, Architecture, Kernel, Network, Outputs};
use proptest::prelude::*;
use search::GameInputs;

mod support;
use support::{Random, floats, integers};

fn network<G: ToolkitGame>(features: &str, rest: &str, seed: u64) -> Network {
    let size = G::feature_set(features).unwrap().size();
    let text = format!("{features} {}", rest.replace('N', &size.to_string()));
    let architecture: Architecture = text.parse().unwrap();
    match architecture.arithmetic() {
        nnue::Arithmetic::Integer => {
            Network::from_integers(architecture.clone(), &integers(&architecture, seed, false))
        }
        nnue::Arithmetic::Float => {
            Network::from_floats(architecture.clone(), &floats(&architecture, seed))
        }
    }
    .unwrap()
}

/// What the network says of a position, from nothing but the position.
fn oracle<G: ToolkitGame>(network: &Network, inputs: &GameInputs<G>, position: &G) -> Outputs {
    let views = Color::BOTH.map(|color| {
        let mut active = Vec::new();
        inputs.set().active(position, color, &mut active);
        let mut accumulator = Accumulator::new(network);
        network.refresh(&mut accumulator, &active);
        accumulator
    });
    let side = position.side_to_move() as usize;
    let views = [&views[0], &views[1]];
    network.outputs(views, side, position.piece_count(), &mut network.workspace())
}

/// A search-like walk: forward by moves and null moves, back by one or many plies, now and then an
/// evaluation. Returns how many evaluations were compared.
fn walk<G: ToolkitGame>(network: &Network, seed: u64, steps: usize) -> usize {
    let inputs = GameInputs::<G>::new(network.architecture()).unwrap();
    let naive = GameInputs::<G>::new(network.architecture()).unwrap();
    let mut random = Random(seed);
    let mut stack = AccumulatorStack::new(network, inputs, G::start());
    let mut line = vec![G::start()];
    let mut compared = 0;
    for _ in 0..steps {
        let position = line.last().unwrap().clone();
        let moves = position.legal_moves();
        let back = moves.is_empty() || random.below(6) == 0;
        if back {
            for _ in 0..=random.below(4) {
                stack.pop();
                if line.len() > 1 {
                    line.pop();
                }
            }
        } else if let Some(null) = position.null_move().filter(|_| random.below(8) == 0) {
            stack.push(null.clone());
            line.push(null);
        } else {
            let mut child = position.clone();
            child.play(moves[random.below(moves.len())]);
            stack.push(child.clone());
            line.push(child);
        }
        let top = line.last().unwrap();
        assert_eq!(stack.height(), line.len() - 1);
        assert!(stack.position() == top);
        if random.below(3) == 0 {
            let expected = oracle(network, &naive, top);
            // What the heads read is kept from one question to the next, or not.
            if random.below(2) == 0 {
                assert_eq!(stack.evaluate(), expected.value, "{}", top.to_fen());
            }
            assert_eq!(stack.outputs(), expected, "{}", top.to_fen());
            compared += 1;
        }
        if random.below(200) == 0 {
            stack.reset(G::start());
            line = vec![G::start()];
        }
    }
    compared
}

const CHESS: [&str; 5] = [
    "chess.piece-square",
    "chess.piece-square-stm",
    "chess.piece-square-mirrored",
    "chess.piece-square-mirrored:0123/4455/6666/6666/7777/7777/7777/7777",
    "chess.halfka-hm",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn chess(seed: u64) {
        for features in CHESS {
            let network = match features {
                "chess.piece-square-stm" => network::<Chess>(features, "N→24→8→1 relu/tanh", seed),
                _ => network::<Chess>(features, "(N→32)×2→8→1+3+5 screlu,crelu buckets=pieces:4", seed),
            };
            prop_assert!(walk::<Chess>(&network, seed, 300) > 50);
        }
    }

    #[test]
    fn hexchess(seed: u64) {
        for features in ["hexchess.piece-cell", "hexchess.piece-cell-mirrored"] {
            let network = network::<Hexchess>(features, "(N→40)×2→1 screlu", seed);
            prop_assert!(walk::<Hexchess>(&network, seed, 300) > 50);
        }
    }

    #[test]
    fn connect_four(seed: u64) {
        let network = network::<ConnectFour>("connect_four.cells", "(N→8)×2→1 crelu", seed);
        prop_assert!(walk::<ConnectFour>(&network, seed, 300) > 50);
    }
}

/// Each kernel by itself, at a width of more than a page: the stride between plies is padded there.
#[test]
fn every_kernel_along_a_game() {
    for kernel in Kernel::available() {
        for width in [64, 1024, 1056, 2048] {
            let rest = format!("(N→{width})×2→1 screlu");
            let network = network::<Chess>("chess.piece-square", &rest, 7).with_kernel(kernel);
            assert!(walk::<Chess>(&network, 5, 300) > 50);
        }
    }
}
