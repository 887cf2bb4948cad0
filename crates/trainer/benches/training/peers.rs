//! noru 2.2.1 on the same positions: one thread, one sample a call, as its own example trains.

use std::io::Write;
use std::process::Command;
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
    let list = |at: usize, perspective: usize| {
        batch.row(at, perspective).iter().map(|&f| f as usize).collect()
    };
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

/// Positions a second of a `PyTorch` step on the same rows, if somebody has said which Python has it.
pub(crate) fn torch(batches: &[Vec<Batch>], rounds: usize) -> Option<f64> {
    let python = std::env::var_os("ACCRUE_TORCH_PYTHON")?;
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    for batch in batches.iter().flatten() {
        let rows = batch.features.iter().flat_map(|&feature| (feature as u16).to_le_bytes());
        file.write_all(&rows.collect::<Vec<u8>>()).expect("room on the disk");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/training/torch_step.py");
    let output = Command::new(python)
        .arg(script)
        .arg(file.path())
        .args([super::THREADS.to_string(), rounds.to_string()])
        .output()
        .expect("the Python of ACCRUE_TORCH_PYTHON");
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    Some(text.trim().parse().unwrap_or_else(|_| panic!("PyTorch said {text} {error}")))
}
