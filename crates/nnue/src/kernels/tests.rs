//! Kernel tests: every kernel, and the model of every width, equals [`Scalar`], which in turn
//! equals a naive oracle.

mod naive;
mod values;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

use proptest::prelude::*;

use self::values::{Palette, Random};
use super::model::Model;
use super::{Factor, Kernel, Scalar, Sharing, Simd, Squash, Task};
use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8};

/// Up to 2048 values.
const BLOCKS: core::ops::RangeInclusive<usize> = 1..=32;

const FACTORS: [Factor; 5] =
    [Factor::Identity, Factor::Relu, Factor::Crelu, Factor::Screlu, Factor::Pairwise];

const SQUASHES: [Squash; 3] = [Squash::Crelu, Squash::Screlu, Squash::Pairwise];

/// Declares a task: its name, its fields, and its body, which uses `simd`.
macro_rules! task {
    ($name:ident { $($field:ident: $type:ty),* } -> $output:ty, |$simd:ident| $body:expr) => {
        #[derive(Clone)]
        struct $name { $($field: $type),* }

        impl Task for $name {
            type Output = $output;

            fn run<S: Simd>(self, $simd: S) -> $output {
                let Self { $($field),* } = self;
                $body
            }
        }
    };
}

task!(Update {
    parent: Vec<BlockI16>, rows: Vec<BlockI16>, added: Vec<u32>, removed: Vec<u32>
} -> Vec<BlockI16>, |simd| {
    let mut child = vec![BlockI16::ZERO; parent.len()];
    simd.update(&mut child, &parent, &rows, &added, &removed);
    child
});

task!(UpdateBoth {
    parents: Vec<BlockI16>, rows: Vec<BlockI16>, added: Vec<[u32; 2]>, removed: Vec<[u32; 2]>
} -> Vec<BlockI16>, |simd| {
    let mut children = vec![BlockI16::ZERO; parents.len()];
    simd.update_both(&mut children, &parents, &rows, &added, &removed);
    children
});

task!(Dot {
    factor: Factor, limit: i16, narrow: bool, accumulator: Vec<BlockI16>, weights: Vec<BlockI16>
} -> i32, |simd| simd.dot(factor, limit, narrow, &accumulator, &weights));

task!(DotBoth {
    factor: Factor, limit: i16, narrow: bool, perspectives: [Vec<BlockI16>; 2], weights: Vec<BlockI16>
} -> i32, |simd| simd.dot_both(factor, limit, narrow, [&perspectives[0], &perspectives[1]], &weights));

task!(Activate {
    squash: Squash, limit: i16, shift: u32, accumulator: Vec<BlockI16>
} -> Vec<BlockU8>, |simd| {
    let halves = if squash == Squash::Pairwise { 2 } else { 1 };
    let mut activations = vec![BlockU8([255; 64]); accumulator.len() / halves];
    simd.activate(squash, limit, shift, &accumulator, &mut activations);
    activations
});

task!(ActivateBoth {
    squash: Squash, limit: i16, shift: u32, perspectives: [Vec<BlockI16>; 2]
} -> Vec<BlockU8>, |simd| {
    let halves = if squash == Squash::Pairwise { 2 } else { 1 };
    let mut activations = vec![BlockU8([255; 64]); 2 * perspectives[0].len() / halves];
    let perspectives = [perspectives[0].as_slice(), perspectives[1].as_slice()];
    simd.activate_both(squash, limit, shift, perspectives, &mut activations);
    activations
});

task!(Affine {
    input: Vec<BlockU8>, weights: Vec<BlockI8>, bias: Vec<BlockI32>, skip_zeros: bool,
    sharing: Sharing
} -> Vec<BlockI32>, |simd| {
    let mut sums = vec![BlockI32::ZERO; bias.len()];
    simd.affine(&input, &weights, &bias, &mut sums, skip_zeros, sharing);
    sums
});

task!(AffineRows {
    input: Vec<BlockU8>, weights: Vec<BlockI8>, bias: Vec<i32>, rows: Vec<u16>
} -> Vec<i32>, |simd| {
    let mut sums = vec![0; rows.len()];
    simd.affine_rows(&input, &weights, &bias, &rows, &mut sums);
    sums
});

task!(ActivateSums { squash: Squash, shift: u32, sums: Vec<BlockI32> } -> Vec<BlockU8>, |simd| {
    let mut activations = vec![BlockU8([255; 64]); sums.len().div_ceil(4)];
    simd.activate_sums(squash, shift, &sums, &mut activations);
    activations
});

task!(DotU8 { input: Vec<BlockU8>, weights: Vec<BlockI16> } -> i32, |simd| {
    simd.dot_u8(&input, &weights)
});

/// Asserts that every implementation returns `expected` for `task`.
fn assert_all<T: Task<Output: Debug + PartialEq> + Clone>(task: &T, expected: &T::Output) {
    assert_eq!(&task.clone().run(Scalar), expected, "specification");
    for kernel in Kernel::available() {
        assert_eq!(&kernel.run(task.clone()), expected, "{kernel}");
    }
    assert_eq!(&task.clone().run(Model::<16, false>), expected, "model of 128 bits");
    assert_eq!(&task.clone().run(Model::<32, true>), expected, "model of 256 bits");
    assert_eq!(&task.clone().run(Model::<64, true>), expected, "model of 512 bits");
    assert_eq!(&task.clone().run(Model::<64, false>), expected, "model of 512 bits, fused");
}

/// Limits: those of known networks, and the extremes.
fn limit() -> impl Strategy<Value = i16> {
    prop_oneof![Just(1), Just(127), Just(181), Just(255), Just(32767), 0..=i16::MAX]
}

/// Row counts; those with specialised loops are more frequent.
fn count() -> impl Strategy<Value = usize> {
    prop_oneof![0_usize..4, 0_usize..40]
}

proptest! {
    #[test]
    fn updates(
        random: Random,
        palette: Palette,
        width in BLOCKS,
        added in count(),
        removed in count(),
    ) {
        let mut random = random;
        let parent = random.i16s(palette, width);
        let rows = random.i16s(palette, width * 8);
        let added = random.indices(added, 8);
        let removed = random.indices(removed, 8);
        let expected = naive::update(&parent, &rows, &added, &removed);
        assert_all(&Update { parent, rows, added, removed }, &expected);
    }

    #[test]
    fn updates_of_both(
        random: Random,
        palette: Palette,
        width in BLOCKS,
        added in count(),
        removed in count(),
    ) {
        let mut random = random;
        let parents = random.i16s(palette, 2 * width);
        let rows = random.i16s(palette, width * 8);
        let [added, removed] = [added, removed].map(|count| [0, 1].map(|_| random.indices(count, 8)));
        let expected: Vec<_> = (0..2)
            .flat_map(|perspective| {
                let parent = &parents[perspective * width..][..width];
                naive::update(parent, &rows, &added[perspective], &removed[perspective])
            })
            .collect();
        let [added, removed] = [added, removed].map(|[first, second]| {
            first.into_iter().zip(second).map(|(first, second)| [first, second]).collect()
        });
        assert_all(&UpdateBoth { parents, rows, added, removed }, &expected);
    }

    #[test]
    fn dots(
        random: Random,
        palettes: [Palette; 2],
        width in BLOCKS,
        limit in limit(),
        narrow: bool,
    ) {
        let mut random = random;
        for factor in FACTORS {
            let halves = if factor == Factor::Pairwise { 2 } else { 1 };
            let accumulator = random.i16s(palettes[0], width * halves);
            let mut weights = random.i16s(palettes[1], width);
            if narrow {
                let max = 32767 / limit.max(1);
                for block in &mut weights {
                    block.0 = block.0.map(|weight| weight.clamp(-max, max));
                }
            }
            let expected = naive::dot(factor, limit, &accumulator, &weights);
            let other = random.i16s(palettes[0], width * halves);
            let both = expected.wrapping_add(naive::dot(factor, limit, &other, &weights));
            let perspectives = [accumulator.clone(), other];
            let twice = [weights.clone(), weights.clone()].concat();
            assert_all(&DotBoth { factor, limit, narrow, perspectives, weights: twice }, &both);
            assert_all(&Dot { factor, limit, narrow, accumulator, weights }, &expected);
        }
    }

    #[test]
    fn activations(
        random: Random,
        palette: Palette,
        width in BLOCKS,
        limit in limit(),
        more in prop_oneof![Just(0_u32), 0_u32..31],
    ) {
        let mut random = random;
        for squash in SQUASHES {
            let halves = if squash == Squash::Pairwise { 2 } else { 1 };
            let accumulator = random.i16s(palette, width * halves);
            let limit = i32::from(limit);
            let largest = if squash == Squash::Crelu { limit } else { limit * limit };
            let min = (0..31).find(|&shift| largest >> shift <= 127).unwrap();
            let (limit, shift) = (limit as i16, (min + more).min(31));
            let mut expected = naive::activate(squash, limit, shift, &accumulator);
            let one = Activate { squash, limit, shift, accumulator: accumulator.clone() };
            assert_all(&one, &expected);
            let second = random.i16s(palette, width * halves);
            expected.extend(naive::activate(squash, limit, shift, &second));
            let perspectives = [accumulator, second];
            assert_all(&ActivateBoth { squash, limit, shift, perspectives }, &expected);
        }
    }

    #[test]
    fn affine_layers(
        random: Random,
        palettes: [Palette; 2],
        inputs in prop_oneof![4 => BLOCKS, 1 => 33_usize..70],
        outputs in prop_oneof![Just(1_usize), 1_usize..8],
        max in prop_oneof![Just(127_i8), Just(65), Just(64), Just(33), Just(32), Just(16)],
    ) {
        let mut random = random;
        let input = random.activations(palettes[0], inputs);
        let mut weights = random.i8s(palettes[1], inputs * 16 * outputs);
        for block in &mut weights {
            block.0 = block.0.map(|weight| weight.clamp(-max, max));
        }
        let sharing = Sharing::new(&weights, outputs);
        let promised = Sharing {
            any: if max <= 32 { 4 } else if max <= 64 { 2 } else { 1 },
            run: if max <= 16 { 8 } else if max <= 64 { 2 } else { 1 },
        };
        prop_assert_eq!(sharing.and(promised), promised);
        let bias = random.i32s(palettes[1], outputs);
        let expected = naive::affine(&input, &weights, &bias);
        for sharing in [sharing, Sharing::NONE] {
            for skip_zeros in [false, true] {
                let (input, weights, bias) = (input.clone(), weights.clone(), bias.clone());
                assert_all(&Affine { input, weights, bias, skip_zeros, sharing }, &expected);
            }
        }
    }

    #[test]
    fn affine_rows(
        random: Random,
        palettes: [Palette; 2],
        inputs in BLOCKS,
        outputs in 1_usize..20,
        count in 0_usize..20,
    ) {
        let mut random = random;
        let input = random.activations(palettes[0], inputs);
        let weights = random.i8s(palettes[1], inputs * outputs);
        let bias: Vec<_> =
            random.i32s(palettes[1], outputs).iter().map(|block| block.0[0]).collect();
        let rows: Vec<_> =
            random.indices(count, outputs).into_iter().map(|row| row as u16).collect();
        let expected = naive::affine_rows(&input, &weights, &bias, &rows);
        assert_all(&AffineRows { input, weights, bias, rows }, &expected);
    }

    #[test]
    fn activations_of_sums(random: Random, palette: Palette, blocks in BLOCKS, shift in 0_u32..32) {
        let mut random = random;
        let sums = random.i32s(palette, blocks);
        for squash in SQUASHES {
            let expected = naive::activate_sums(squash, shift, &sums);
            assert_all(&ActivateSums { squash, shift, sums: sums.clone() }, &expected);
        }
    }

    #[test]
    fn dots_of_activations(random: Random, palettes: [Palette; 2], blocks in BLOCKS) {
        let mut random = random;
        let input = random.activations(palettes[0], blocks);
        let weights = random.i16s(palettes[1], blocks);
        let expected = naive::dot_u8(&input, &weights);
        assert_all(&DotU8 { input, weights }, &expected);
    }
}

#[test]
fn names_of_kernels_are_read_back() {
    for kernel in Kernel::available() {
        assert_eq!(kernel.name().parse(), Ok(kernel));
    }
    assert_eq!(Kernel::available().last(), Some(&Kernel::best()));
    let unknown = "mmx".parse::<Kernel>().unwrap_err();
    assert!(unknown.to_string().contains("scalar"), "{unknown}");
}
