//! Network speed: the time of each operation of a network, for each kernel of this processor, beside
//! a copy of the same bytes.

mod timing;

use nnue::{
    Accumulator, Architecture, IntegerParameters, Kernel, Network, NetworkError, PolicyHead,
};
use serde::Serialize;

use timing::{Random, Stopwatch, copy_floor};

/// The times of one network.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedTable {
    /// The architecture of the network.
    pub network: String,
    /// The kernels of this processor.
    pub kernels: Vec<&'static str>,
    /// The operations.
    pub rows: Vec<SpeedRow>,
}

/// The times of one operation.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedRow {
    /// What is measured.
    pub operation: &'static str,
    /// Nanoseconds of a memory copy of the bytes that the operation must read or write.
    pub floor: f64,
    /// Nanoseconds, by kernel.
    pub nanoseconds: Vec<f64>,
}

/// The number of active features of a position in these measurements.
const ACTIVE: usize = 32;

/// Measures a network, `seconds` for each operation and kernel. The figures are medians.
pub fn measure_speed(network: &Network, seconds: f64) -> SpeedTable {
    let stopwatch = &Stopwatch::new(seconds);
    let kernels = Kernel::available();
    let architecture = network.architecture();
    let view = 2 * architecture.accumulator.width;
    let views = architecture.perspectives.count();
    let floors = [
        ("update, hot", copy_floor(stopwatch, views * view)),
        ("update, cold", copy_floor(stopwatch, views * view)),
        ("refresh one view, 32 features", copy_floor(stopwatch, ACTIVE * view)),
        ("evaluate", copy_floor(stopwatch, views * view)),
        ("update, cold + evaluate", copy_floor(stopwatch, 2 * views * view)),
        ("policy, 32 moves", copy_floor(stopwatch, views * view)),
    ];
    let columns: Vec<Vec<f64>> = kernels
        .iter()
        .map(|&kernel| Bench::new(network.clone().with_kernel(kernel)).run(stopwatch))
        .collect();
    let rows = floors.into_iter().enumerate().filter_map(|(place, (operation, floor))| {
        let nanoseconds = columns.iter().map(|column| column.get(place).copied());
        Some(SpeedRow { operation, floor, nanoseconds: nanoseconds.collect::<Option<_>>()? })
    });
    SpeedTable {
        network: architecture.to_string(),
        rows: rows.collect(),
        kernels: kernels.into_iter().map(Kernel::name).collect(),
    }
}

/// A network with the inputs of its measurement.
struct Bench {
    network: Network,
    parents: [Accumulator; 2],
    children: [Accumulator; 2],
    features: Vec<u32>,
}

impl Bench {
    fn new(network: Network) -> Self {
        let mut random = Random(7);
        let inputs = network.architecture().inputs;
        let features: Vec<u32> = (0..4096).map(|_| random.below(inputs) as u32).collect();
        let mut parents = [Accumulator::new(&network), Accumulator::new(&network)];
        for (place, parent) in parents.iter_mut().enumerate() {
            network.refresh(parent, &features[place * ACTIVE..][..ACTIVE]);
        }
        Self { children: parents.clone(), parents, network, features }
    }

    /// Nanoseconds of each operation, in the order of the table.
    fn run(mut self, stopwatch: &Stopwatch) -> Vec<f64> {
        let mut workspace = self.network.workspace();
        let mut figures = vec![
            stopwatch.time(|round| self.update(round % (ACTIVE - 2))),
            stopwatch.time(|round| self.update(round * 7 % 4000)),
            stopwatch.time(|round| {
                let active = &self.features[round * 11 % 4000..][..ACTIVE];
                self.network.refresh(&mut self.children[0], active);
            }),
            stopwatch.time(|round| {
                let views = [&self.parents[0], &self.parents[1]];
                std::hint::black_box(self.network.evaluate(views, round & 1, 32, &mut workspace));
            }),
            stopwatch.time(|round| {
                self.update(round * 7 % 4000);
                let views = [&self.children[0], &self.children[1]];
                std::hint::black_box(self.network.evaluate(views, round & 1, 32, &mut workspace));
            }),
        ];
        if let Some(PolicyHead { from, to, .. }) = self.network.architecture().policy() {
            let mut random = Random(3);
            let rows: Vec<u16> = (0..32)
                .flat_map(|_| [random.below(from) as u16, (from + random.below(to)) as u16])
                .collect();
            let mut logits = vec![0.0; rows.len()];
            figures.push(stopwatch.time(|round| {
                let views = [&self.parents[0], &self.parents[1]];
                self.network.policy(views, round & 1, &rows, &mut logits, &mut workspace);
                std::hint::black_box(&logits);
            }));
        }
        figures
    }

    /// Adds one feature and removes one, in each perspective of the network.
    #[inline]
    fn update(&mut self, place: usize) {
        let views = self.network.architecture().perspectives.count();
        for view in 0..views {
            let (added, removed) = (&self.features[place..][..1], &self.features[place + 1..][..1]);
            self.network.update(&self.parents[view], &mut self.children[view], added, removed);
        }
    }
}

/// An integer network of that shape with random weights of the size that training gives.
pub fn random_network(architecture: Architecture) -> Result<Network, NetworkError> {
    let [mut feature, mut hidden, mut head, mut bias] = [1, 2, 3, 4].map(Random);
    let parameters = IntegerParameters::generate(
        &architecture,
        || feature.within(60) as i16,
        || hidden.within(40) as i8,
        || head.within(120) as i16,
        || bias.within(4000) as i32,
    );
    Network::from_integers(architecture, &parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_measured_for_every_kernel() {
        for (text, operations) in [("(768→16)×2→1 screlu", 5), ("(8→16)×2→1+64/64 screlu", 6)]
        {
            let network = random_network(text.parse().unwrap()).unwrap();
            let table = measure_speed(&network, 0.001);
            assert_eq!((table.network.ends_with(text), table.rows.len()), (true, operations));
            for row in table.rows {
                assert_eq!(row.nanoseconds.len(), table.kernels.len());
                assert!(row.floor > 0.0 && row.nanoseconds.iter().all(|time| *time > 0.0));
            }
        }
    }
}
