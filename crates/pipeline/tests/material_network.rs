//! A material network evaluates positions as the material evaluation of the search does.

#[path = "../../games/tests/fox_and_hounds/game.rs"]
mod game;

use std::sync::Arc;

use game::FoxAndHounds;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Random, ToolkitGame};
use pipeline::stages::material_network;
use search::{Evaluator, GameInputs, Linear, NetworkEvaluator};

fn network_equals_material<G: ToolkitGame>() {
    let file = material_network::<G>().unwrap();
    let inputs = GameInputs::<G>::new(file.architecture()).unwrap();
    let mut network = NetworkEvaluator::with_inputs(Arc::new(file.to_network().unwrap()), inputs);
    let mut material = Linear::<G>::material().unwrap();
    let mut random = Random::new(3);
    let mut position = G::start();
    network.reset(&position);
    for _ply in 0..200 {
        material.reset(&position);
        let (own, expected) = (network.evaluate(), material.evaluate());
        // Each of up to 36 pieces is rounded to less than two centipawns.
        assert!((own - expected).abs() <= 20, "{}: {own}, not {expected}", position.to_fen());
        if let Some(&mv) = random.pick(&position.legal_moves()) {
            position.play(mv);
            network.push(&position);
        } else {
            position = G::start();
            network.reset(&position);
        }
    }
}

#[test]
fn two_perspectives_give_the_material_of_the_search() {
    network_equals_material::<Chess>();
    network_equals_material::<Hexchess>();
    network_equals_material::<ConnectFour>();
}

/// Hounds and the fox differ in number, so that the sign of the evaluation alternates.
#[test]
fn one_perspective_gives_the_material_of_the_search() {
    network_equals_material::<FoxAndHounds>();
}
