//! Benchmark networks: random weights of the sizes that training gives.

use nnue::{Architecture, Head, IntegerParameters, Network, NetworkError, Parameters, Weights};

/// A reproducible random generator.
#[derive(Clone, Debug)]
pub struct RandomWeights(u64);

impl RandomWeights {
    /// Starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// `SplitMix64`.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// From 0 to `limit` − 1.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// From −`most` to `most`, more often near 0.
    pub fn weight(&mut self, most: i32) -> i32 {
        let mut one = || self.below(most as usize + 1) as i32;
        one() - one()
    }

    /// A list of such weights.
    ///
    /// # Panics
    ///
    /// If `most` does not fit the type.
    pub fn weights<T: TryFrom<i32>>(&mut self, count: usize, most: i32) -> Vec<T> {
        let one = |_| T::try_from(self.weight(most)).ok().expect("`most` fits the type");
        (0..count).map(one).collect()
    }
}

/// Weights for `architecture`. About half of the accumulator values are between 0 and 1.
///
/// # Panics
///
/// If the architecture has a policy.
pub fn random_parameters(architecture: &Architecture, seed: u64) -> IntegerParameters {
    let mut random = RandomWeights::new(seed);
    let width = architecture.accumulator.width;
    let buckets = architecture.buckets.count;
    let mut inputs = architecture.accumulator_outputs();
    let mut hidden = Vec::new();
    for layer in &architecture.hidden {
        let outputs = buckets * layer.width;
        hidden.push(Weights {
            weights: random.weights(outputs * inputs, 40),
            bias: random.weights(outputs, 2000),
        });
        inputs = layer.outputs();
    }
    assert!(architecture.policy().is_none(), "{architecture} has a policy");
    let head = |head: &Head| Weights {
        weights: random.weights(buckets * head.outputs() * inputs, 90),
        bias: random.weights(buckets * head.outputs(), 2000),
    };
    Parameters {
        heads: architecture.heads.iter().map(head).collect(),
        hidden,
        feature_weights: random.weights(architecture.inputs * width, 50),
        feature_bias: random.weights(width, 100),
        policy: None,
    }
}

/// A network with the architecture `text` and random weights.
pub fn random_network(text: &str, seed: u64) -> Result<Network, NetworkError> {
    let architecture: Architecture = text.parse()?;
    let parameters = random_parameters(&architecture, seed);
    Network::from_integers(architecture, &parameters)
}
