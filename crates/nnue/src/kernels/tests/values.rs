//! Random blocks for tests, with an increased frequency of extreme values.

use alloc::vec::Vec;
use core::array;

use proptest::prelude::*;

use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8};

/// The distribution of values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Palette {
    /// Uniform over the range.
    Uniform,
    /// Only the extremes of the range, and the neighbours of these and of zero.
    Extreme,
    /// The lowest value.
    Least,
    /// The highest value.
    Most,
    /// Within a few hundred of zero, as in trained networks.
    Small,
    /// Mostly zero.
    Sparse,
    /// Zero.
    Zero,
}

impl Arbitrary for Palette {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        prop_oneof![
            Just(Self::Uniform),
            Just(Self::Extreme),
            Just(Self::Least),
            Just(Self::Most),
            Just(Self::Small),
            Just(Self::Sparse),
            Just(Self::Zero),
        ]
        .boxed()
    }
}

/// A generator of values, which proptest seeds.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Arbitrary for Random {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        any::<u64>().no_shrink().prop_map(Self).boxed()
    }
}

impl Random {
    pub(super) fn i16s(&mut self, palette: Palette, blocks: usize) -> Vec<BlockI16> {
        let mut value = || self.value(palette, i16::MIN.into(), i16::MAX.into()) as i16;
        (0..blocks).map(|_| BlockI16(array::from_fn(|_| value()))).collect()
    }

    pub(super) fn i8s(&mut self, palette: Palette, blocks: usize) -> Vec<BlockI8> {
        let mut value = || self.value(palette, i8::MIN.into(), i8::MAX.into()) as i8;
        (0..blocks).map(|_| BlockI8(array::from_fn(|_| value()))).collect()
    }

    pub(super) fn activations(&mut self, palette: Palette, blocks: usize) -> Vec<BlockU8> {
        let mut value = || self.value(palette, 0, 127) as u8;
        (0..blocks).map(|_| BlockU8(array::from_fn(|_| value()))).collect()
    }

    pub(super) fn i32s(&mut self, palette: Palette, blocks: usize) -> Vec<BlockI32> {
        let mut value = || self.value(palette, i32::MIN.into(), i32::MAX.into()) as i32;
        (0..blocks).map(|_| BlockI32(array::from_fn(|_| value()))).collect()
    }

    pub(super) fn indices(&mut self, count: usize, end: usize) -> Vec<u32> {
        (0..count).map(|_| (self.next() % end as u64) as u32).collect()
    }

    fn value(&mut self, palette: Palette, min: i64, max: i64) -> i64 {
        let next = self.next();
        let value = match palette {
            Palette::Uniform => min + (next % (max - min + 1) as u64) as i64,
            Palette::Extreme => [min, min + 1, -1, 0, 1, max - 1, max][(next % 7) as usize],
            Palette::Least => min,
            Palette::Most => max,
            Palette::Small => (next % 601) as i64 - 300,
            Palette::Sparse if next.is_multiple_of(13) => (next % 601) as i64 - 300,
            Palette::Sparse | Palette::Zero => 0,
        };
        value.clamp(min, max)
    }

    /// The `SplitMix64` generator.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
