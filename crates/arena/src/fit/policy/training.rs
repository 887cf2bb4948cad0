//! Training of a policy head by conditional logistic regression: which of the moves of a node fails
//! high. One thread and a fixed order, so that the same nodes give the same bytes.

use games::Random;
use nnue::Weights;

/// Nodes in a step.
const BATCH: usize = 512;
const EPOCHS: usize = 4;
/// The largest change of a weight in a step.
const RATE: f32 = 0.003;
/// How far weights are pulled back to the start in a step, relative to the rate.
const DECAY: f32 = 0.003;
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-6;
const SEED: u64 = 24;

/// The moves of a node among all moves. The last one fails high.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) start: u32,
    pub(super) len: u16,
}

/// Nodes to learn from.
pub(super) struct Nodes<'a> {
    pub(super) activations: &'a [u8],
    pub(super) width: usize,
    pub(super) choices: &'a [Choice],
    pub(super) moves: &'a [[u16; 2]],
    /// 1.0 in the activations.
    pub(super) activation_unit: f32,
}

impl Nodes<'_> {
    fn activations(&self, node: usize) -> &[u8] {
        &self.activations[node * self.width..][..self.width]
    }

    fn moves(&self, node: usize) -> &[[u16; 2]] {
        let Choice { start, len } = self.choices[node];
        &self.moves[start as usize..][..usize::from(len)]
    }
}

/// A policy head in floats: a row of weights and a bias for each output.
#[derive(Clone, Debug)]
pub(super) struct PolicyWeights {
    /// The number of outputs for origins.
    origins: usize,
    width: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl PolicyWeights {
    pub(super) fn zeros(origins: usize, targets: usize, width: usize) -> Self {
        let outputs = origins + targets;
        Self { origins, width, weights: vec![0.0; outputs * width], bias: vec![0.0; outputs] }
    }

    /// The values of integer weights, whose 1.0 is `weight_unit`, and of their biases, whose 1.0 is
    /// `output_unit`.
    pub(super) fn of_integers(
        integers: &Weights<i8, i32>,
        origins: usize,
        width: usize,
        weight_unit: f32,
        output_unit: f32,
    ) -> Self {
        Self {
            origins,
            width,
            weights: integers.weights.iter().map(|&w| f32::from(w) / weight_unit).collect(),
            bias: integers.bias.iter().map(|&bias| bias as f32 / output_unit).collect(),
        }
    }

    pub(super) fn quantise(&self, weight_unit: f32, output_unit: f32) -> Weights<i8, i32> {
        let weight = |&weight: &f32| (weight * weight_unit).round().clamp(-127.0, 127.0) as i8;
        let bias = |&bias: &f32| (bias * output_unit).round() as i32;
        Weights {
            weights: self.weights.iter().map(weight).collect(),
            bias: self.bias.iter().map(bias).collect(),
        }
    }

    /// Copies an output of another head.
    pub(super) fn copy_row(&mut self, row: usize, from: &Self, from_row: usize) {
        let width = self.width;
        self.weights[row * width..][..width]
            .copy_from_slice(&from.weights[from_row * width..][..width]);
        self.bias[row] = from.bias[from_row];
    }

    fn output(&self, row: usize, activations: &[u8], scale: f32) -> f32 {
        let weights = &self.weights[row * self.width..][..self.width];
        // Several sums, which the compiler vectorises.
        let mut sums = [0.0; 16];
        let (inputs, rest) = activations.as_chunks::<16>();
        let (rows, rest_row) = weights.as_chunks::<16>();
        for (inputs, row) in inputs.iter().zip(rows) {
            for (sum, (&input, weight)) in sums.iter_mut().zip(inputs.iter().zip(row)) {
                *sum += f32::from(input) * weight;
            }
        }
        let rest: f32 = rest.iter().zip(rest_row).map(|(&input, w)| f32::from(input) * w).sum();
        (sums.iter().sum::<f32>() + rest) * scale + self.bias[row]
    }

    /// The rows of a move.
    fn rows(&self, [from, to]: [u16; 2]) -> [usize; 2] {
        [from.into(), self.origins + usize::from(to)]
    }

    fn logits(&self, set: &Nodes<'_>, node: usize, logits: &mut Vec<f32>) {
        let (activations, scale) = (set.activations(node), 1.0 / set.activation_unit);
        logits.clear();
        logits.extend(set.moves(node).iter().map(|&mv| {
            let [from, to] = self.rows(mv);
            self.output(from, activations, scale) + self.output(to, activations, scale)
        }));
    }
}

/// The negative log-probability of the last of some logits.
pub(super) fn loss_of_last(logits: &[f32]) -> f32 {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - max).exp()).sum();
    logits.last().map_or(0.0, |last| sum.ln() + max - last)
}

/// The mean loss of a head on some nodes.
pub(super) fn mean_loss(weights: &PolicyWeights, set: &Nodes<'_>, nodes: &[usize]) -> f64 {
    let mut logits = Vec::new();
    let losses = nodes.iter().map(|&node| {
        weights.logits(set, node, &mut logits);
        f64::from(loss_of_last(&logits))
    });
    losses.sum::<f64>() / nodes.len().max(1) as f64
}

/// The derivatives of a batch, and the moments of Adam.
struct Adam {
    gradient: PolicyWeights,
    touched: Vec<bool>,
    first: PolicyWeights,
    second: PolicyWeights,
}

impl Adam {
    fn new(weights: &PolicyWeights) -> Self {
        let outputs = weights.bias.len();
        let zeros = PolicyWeights::zeros(weights.origins, outputs - weights.origins, weights.width);
        Self {
            gradient: zeros.clone(),
            touched: vec![false; outputs],
            first: zeros.clone(),
            second: zeros,
        }
    }

    /// Adds the derivatives of a node.
    fn add(&mut self, weights: &PolicyWeights, set: &Nodes<'_>, node: usize, logits: &[f32]) {
        let (activations, scale) = (set.activations(node), 1.0 / set.activation_unit);
        let loss = loss_of_last(logits);
        let last = logits.last().copied().unwrap_or(0.0);
        for (place, (&mv, logit)) in set.moves(node).iter().zip(logits).enumerate() {
            let is_last = f32::from(u8::from(place + 1 == logits.len()));
            let derivative = (logit - last - loss).exp() - is_last;
            for row in weights.rows(mv) {
                self.touched[row] = true;
                self.gradient.bias[row] += derivative;
                let derivative = derivative * scale;
                let gradient = &mut self.gradient.weights[row * set.width..][..set.width];
                for (gradient, &input) in gradient.iter_mut().zip(activations) {
                    *gradient += derivative * f32::from(input);
                }
            }
        }
    }

    /// Makes a step with the rows that have derivatives, and clears these.
    fn step(&mut self, weights: &mut PolicyWeights, start: &PolicyWeights, rate: f32, scale: f32) {
        let width = weights.width;
        let Self { gradient, touched, first, second } = self;
        for row in (0..touched.len()).filter(|&row| std::mem::take(&mut touched[row])) {
            let cells = row * width..(row + 1) * width;
            let parts = [
                (&mut weights.weights[cells.clone()], &start.weights[cells.clone()]),
                (&mut weights.bias[row..=row], &start.bias[row..=row]),
            ];
            let moments = [
                (
                    &mut gradient.weights[cells.clone()],
                    &mut first.weights[cells.clone()],
                    &mut second.weights[cells],
                ),
                (
                    &mut gradient.bias[row..=row],
                    &mut first.bias[row..=row],
                    &mut second.bias[row..=row],
                ),
            ];
            for ((weights, start), (gradient, first, second)) in parts.into_iter().zip(moments) {
                let moments = gradient.iter_mut().zip(first).zip(second);
                for ((weight, start), ((gradient, first), second)) in
                    weights.iter_mut().zip(start).zip(moments)
                {
                    let derivative = std::mem::take(gradient) * scale;
                    *first += (1.0 - BETAS[0]) * (derivative - *first);
                    *second += (1.0 - BETAS[1]) * (derivative * derivative - *second);
                    let step = *first / (second.sqrt() + EPSILON);
                    *weight -= rate * (step + DECAY * (*weight - start));
                }
            }
        }
    }
}

/// Trains a head on some nodes.
pub(super) fn train(weights: &mut PolicyWeights, set: &Nodes<'_>, nodes: &[usize]) {
    let start = weights.clone();
    let mut adam = Adam::new(weights);
    let mut random = Random::new(SEED);
    let mut order = nodes.to_vec();
    let mut logits = Vec::new();
    let steps = EPOCHS * order.len().div_ceil(BATCH);
    let mut step = 0;
    for _ in 0..EPOCHS {
        for place in (1..order.len()).rev() {
            order.swap(place, random.below(place + 1));
        }
        for batch in order.chunks(BATCH) {
            for &node in batch {
                weights.logits(set, node, &mut logits);
                adam.add(weights, set, node, &logits);
            }
            let progress = step as f32 / steps as f32;
            let rate = RATE * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            adam.step(weights, &start, rate, 1.0 / batch.len() as f32);
            step += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random nodes of `width` activations with 2 to 5 moves each.
    fn nodes(count: usize, width: usize) -> (Vec<u8>, Vec<Choice>, Vec<[u16; 2]>) {
        let mut random = Random::new(3);
        let (mut activations, mut nodes, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            activations.extend((0..width).map(|_| random.below(128) as u8));
            let len = 2 + random.below(4);
            nodes.push(Choice { start: moves.len() as u32, len: len as u16 });
            moves.extend((0..len).map(|_| [random.below(4) as u16, random.below(6) as u16]));
        }
        (activations, nodes, moves)
    }

    #[test]
    fn derivatives_equal_finite_differences() {
        let width = 19;
        let (activations, nodes, moves) = nodes(6, width);
        let set = Nodes {
            activations: &activations,
            width,
            choices: &nodes,
            moves: &moves,
            activation_unit: 127.0,
        };
        let mut random = Random::new(4);
        let mut weights = PolicyWeights::zeros(4, 6, width);
        for weight in weights.weights.iter_mut().chain(&mut weights.bias) {
            *weight = random.below(2001) as f32 / 1000.0 - 1.0;
        }
        let mut adam = Adam::new(&weights);
        let mut logits = Vec::new();
        let all: Vec<usize> = (0..nodes.len()).collect();
        for &node in &all {
            weights.logits(&set, node, &mut logits);
            adam.add(&weights, &set, node, &logits);
        }
        let loss = |weights: &PolicyWeights| mean_loss(weights, &set, &all) * all.len() as f64;
        for cell in (0..weights.weights.len()).step_by(3) {
            let step = 0.01;
            let mut moved = weights.clone();
            moved.weights[cell] += step;
            let up = loss(&moved);
            moved.weights[cell] -= 2.0 * step;
            let difference = (up - loss(&moved)) / f64::from(2.0 * step);
            let derivative = f64::from(adam.gradient.weights[cell]);
            assert!((difference - derivative).abs() < 2e-3, "{cell}: {difference} {derivative}");
        }
    }

    #[test]
    fn a_rule_of_the_activations_is_learnt() {
        let width = 32;
        let (activations, nodes, mut moves) = nodes(6000, width);
        // The destination that the first activations name fails high.
        for (index, node) in nodes.iter().enumerate() {
            let wanted = u16::from(activations[index * width] > 63);
            let moves = &mut moves[node.start as usize..][..usize::from(node.len)];
            let (last, others) = moves.split_last_mut().unwrap();
            last[1] = wanted;
            for mv in others {
                mv[1] = 1 - wanted;
            }
        }
        let set = Nodes {
            activations: &activations,
            width,
            choices: &nodes,
            moves: &moves,
            activation_unit: 127.0,
        };
        let (training, held_out): (Vec<usize>, Vec<usize>) =
            (0..nodes.len()).partition(|node| node % 5 != 0);
        let mut weights = PolicyWeights::zeros(4, 6, width);
        let before = mean_loss(&weights, &set, &held_out);
        train(&mut weights, &set, &training);
        let after = mean_loss(&weights, &set, &held_out);
        assert!(after < 0.95 * before, "{before} {after}");
        let mut again = PolicyWeights::zeros(4, 6, width);
        train(&mut again, &set, &training);
        assert_eq!(again.weights, weights.weights, "the same nodes give the same bytes");
    }
}
