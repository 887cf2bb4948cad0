//! Random networks, the same ones on every run.

use nnue::{
    Accumulator, Architecture, Arithmetic, FileParameters, FloatParameters, IntegerParameters,
    Network, NetworkFile, Outputs, Parameters, QuantisationError, Weights,
};

/// A generator of random numbers (xorshift with a multiplier), so that tests repeat.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A whole number from −`max` to `max`.
    pub(crate) fn within(&mut self, max: i32) -> i32 {
        (self.next() % (2 * max as u64 + 1)) as i32 - max
    }

    /// A number from −1 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.within(1 << 20) as f32 / (1 << 20) as f32
    }

    fn many<T>(&mut self, count: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..count).map(|_| one(self)).collect()
    }
}

/// How long each tensor is, written out once more from the documentation of `Parameters`.
fn shapes(architecture: &Architecture) -> Parameters<(), (), (), ()> {
    let unit = |count: usize| vec![(); count];
    let buckets = architecture.buckets.count;
    let mut inputs = architecture.accumulator_outputs();
    let mut hidden = Vec::new();
    for layer in &architecture.hidden {
        let weights = unit(buckets * layer.width * inputs);
        hidden.push(Weights { weights, bias: unit(buckets * layer.width) });
        inputs = layer.outputs();
    }
    Parameters {
        feature_weights: unit(architecture.inputs * architecture.accumulator.width),
        feature_bias: unit(architecture.accumulator.width),
        hidden,
        heads: architecture
            .layer_heads()
            .map(|head| Weights {
                weights: unit(buckets * head.outputs() * inputs),
                bias: unit(buckets * head.outputs()),
            })
            .collect(),
        policy: architecture.policy().map(|head| Weights {
            weights: unit(head.outputs() * architecture.accumulator_outputs()),
            bias: unit(head.outputs()),
        }),
    }
}

pub(crate) fn integers(architecture: &Architecture, random: &mut Random) -> IntegerParameters {
    let shapes = shapes(architecture);
    let layer = |shape: &Weights<(), ()>, random: &mut Random| Weights {
        weights: random.many(shape.weights.len(), |r| r.within(127) as i8),
        bias: random.many(shape.bias.len(), |r| r.within(9000)),
    };
    let hidden = shapes.hidden.iter().map(|shape| layer(shape, random)).collect();
    let policy = shapes.policy.as_ref().map(|shape| layer(shape, random));
    Parameters {
        feature_weights: random.many(shapes.feature_weights.len(), |r| r.within(90) as i16),
        feature_bias: random.many(shapes.feature_bias.len(), |r| r.within(90) as i16),
        hidden,
        heads: shapes
            .heads
            .iter()
            .map(|shape| Weights {
                weights: random.many(shape.weights.len(), |r| r.within(200) as i16),
                bias: random.many(shape.bias.len(), |r| r.within(30000)),
            })
            .collect(),
        policy,
    }
}

pub(crate) fn floats(architecture: &Architecture, random: &mut Random) -> FloatParameters {
    let shapes = shapes(architecture);
    let layer = |shape: &Weights<(), ()>, random: &mut Random| Weights {
        weights: random.many(shape.weights.len(), Random::unit),
        bias: random.many(shape.bias.len(), Random::unit),
    };
    Parameters {
        feature_weights: random.many(shapes.feature_weights.len(), Random::unit),
        feature_bias: random.many(shapes.feature_bias.len(), Random::unit),
        hidden: shapes.hidden.iter().map(|shape| layer(shape, random)).collect(),
        heads: shapes.heads.iter().map(|shape| layer(shape, random)).collect(),
        policy: shapes.policy.as_ref().map(|shape| layer(shape, random)),
    }
}

/// A file with random weights, in integers if `quantised` and the architecture has them.
pub(crate) fn file(
    architecture: &Architecture,
    quantised: bool,
    random: &mut Random,
) -> NetworkFile {
    let quantised = quantised && architecture.arithmetic() == Arithmetic::Integer;
    let parameters: FileParameters = if quantised {
        integers(architecture, random).into()
    } else {
        floats(architecture, random).into()
    };
    let error = quantised.then(|| QuantisationError {
        positions: random.next(),
        mean: random.unit().abs(),
        max: 3.0 + random.unit(),
    });
    let provenance = "x é\n".repeat(random.below(20));
    NetworkFile::new(architecture.clone(), parameters, provenance, error).unwrap()
}

/// What a network says about some random positions, all heads included.
pub(crate) fn answers(network: &Network, random: &mut Random) -> Vec<(i32, Outputs, Vec<f32>)> {
    let architecture = network.architecture();
    let mut workspace = network.workspace();
    let rows: Vec<u16> =
        (0..architecture.policy().map_or(0, nnue::PolicyHead::outputs) as u16).collect();
    let mut answers = Vec::new();
    for _ in 0..8 {
        let views = [(); 2].map(|()| {
            let active: Vec<u32> =
                (0..random.below(12)).map(|_| random.below(architecture.inputs) as u32).collect();
            let mut view = Accumulator::new(network);
            network.refresh(&mut view, &active);
            view
        });
        let views = views.each_ref();
        let (side, pieces) = (random.below(2), random.below(33));
        let mut logits = vec![0.0; rows.len()];
        network.policy(views, side, &rows, &mut logits, &mut workspace);
        let outputs = network.outputs(views, side, pieces, &mut workspace);
        let value = network.evaluate(views, side, pieces, &mut workspace);
        answers.push((value, outputs, logits));
    }
    answers
}
