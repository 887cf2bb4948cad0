//! Stockfish tests: compare both parts of the value, by every kernel, with the naive evaluation.

use super::StockfishNetwork;
use crate::accumulator::{AccumulatorMut, AccumulatorRef, PSQT};
use crate::blocks::BlockI16;
use crate::kernels::Kernel;
use crate::{StockfishFile, StockfishValue};

#[path = "../../tests/stockfish/naive.rs"]
mod naive;
#[path = "../../tests/stockfish/synthetic.rs"]
mod synthetic;

#[test]
fn both_parts_are_exact() {
    let file = StockfishFile::read(&synthetic::file(1)).unwrap();
    let network = StockfishNetwork::new(&file);
    let mut workspace = network.workspace();
    let mut random = synthetic::Random(2);
    assert_eq!(synthetic::TRANSFORMER, 12 + synthetic::DESCRIPTION.len());
    for _ in 0..40 {
        let features: [alloc::vec::Vec<u32>; 2] = core::array::from_fn(|_| {
            let count = random.below(33);
            (0..count).map(|_| random.below(22528) as u32).collect()
        });
        let expected = naive::terms(&file, [&features[0], &features[1]]);
        for kernel in Kernel::available() {
            let mut values = [[BlockI16::ZERO; 16]; 2];
            let mut psqt = [[0; PSQT]; 2];
            for ((values, psqt), active) in values.iter_mut().zip(&mut psqt).zip(&features) {
                network.refresh(kernel, AccumulatorMut { values, fixed: &mut [], psqt }, active);
            }
            let perspective =
                |i: usize| AccumulatorRef { values: &values[i], fixed: &[], psqt: &psqt[i] };
            for (bucket, expected) in expected.iter().enumerate() {
                let found = network.evaluate(
                    kernel,
                    perspective(0),
                    perspective(1),
                    bucket,
                    &mut workspace,
                );
                assert_eq!(found, *expected, "bucket {bucket}, kernel {kernel}");
            }
        }
    }
}
