//! noru 2.2.1 on the same positions: one thread, one sample a call, as its own example trains.

use std::time::Instant;

use dataset::Batch;
use noru::config::{Activation, NnueConfig};
use noru::trainer::{AdamState, Gradients, SimpleRng, TrainableWeights, TrainingSample};

/// Positions a second of (768→256)×2→32→1 with Adam.
pub(crate) fn noru(batch: &Batch, positions: usize) -> f64 {
    let config = NnueConfig::new_static(768, 256, &[32], Activation::SCReLU);
    let mut weights = TrainableWeights::init_random(config.clone(), &mut SimpleRng::new(1));
    let mut state = AdamState::new(config.clone());
    let mut gradients = Gradients::new(config);
    let list = |at: usize, view: usize| batch.row(at, view).iter().map(|&f| f as usize).collect();
    let samples: Vec<TrainingSample> = (0..positions)
        .map(|at| TrainingSample {
            stm_features: list(at, 0),
            nstm_features: list(at, 1),
            target: 1.0 / (1.0 + (-batch.scores[at] / 400.0).exp()),
            dense_input: Vec::new(),
        })
        .collect();
    let begin = Instant::now();
    gradients.zero();
    for sample in &samples {
        let forward = weights.forward(&sample.stm_features, &sample.nstm_features, &[]);
        weights.backward_bce(sample, &forward, &mut gradients);
    }
    weights.adam_update(&gradients, &mut state, 1e-3, positions as f32);
    positions as f64 / begin.elapsed().as_secs_f64()
}
