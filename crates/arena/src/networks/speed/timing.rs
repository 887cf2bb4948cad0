//! Timing of short operations.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The time of the operations of one sample: long enough for the clock, short enough that most
/// samples are not interrupted.
const SAMPLE: Duration = Duration::from_micros(50);

/// Measures medians.
pub(super) struct Stopwatch {
    budget: Duration,
}

impl Stopwatch {
    /// A stopwatch that takes `seconds` for each measurement.
    pub(super) fn new(seconds: f64) -> Self {
        Self { budget: Duration::from_secs_f64(seconds) }
    }

    /// The median of the nanoseconds of one call. The calls are numbered.
    pub(super) fn time(&self, mut operation: impl FnMut(usize)) -> f64 {
        let mut round = 0;
        let mut batch = |calls: usize| {
            let start = Instant::now();
            for _ in 0..calls {
                operation(round);
                round = round.wrapping_add(1);
            }
            start.elapsed()
        };
        // Double the calls until a sample is long enough, which also warms the caches.
        let mut calls = 1;
        while batch(calls) < SAMPLE && calls < 1 << 20 {
            calls *= 2;
        }
        let begin = Instant::now();
        let mut samples = Vec::new();
        while samples.len() < 5 || begin.elapsed() < self.budget {
            samples.push(batch(calls).as_secs_f64() * 1e9 / calls as f64);
        }
        samples.sort_by(f64::total_cmp);
        samples[samples.len() / 2]
    }
}

/// Nanoseconds to copy that many bytes within the nearest cache that holds them.
///
/// The faster of two ways: that of the C library, which on some processors uses a microcoded copy
/// that is 20 times slower at unlucky alignments, and vector by vector. The buffers are half a page
/// apart.
pub(super) fn copy_floor(stopwatch: &Stopwatch, bytes: usize) -> f64 {
    const VECTOR: usize = 16;
    const PAGE: usize = 4096;
    let bytes = bytes.next_multiple_of(VECTOR);
    let apart = bytes.next_multiple_of(PAGE) + PAGE / 2;
    let mut memory = vec![1u8; 2 * apart];
    let mut measure = |copy: fn(&mut [u8], &[u8])| {
        stopwatch.time(|_| {
            let (from, to) = memory.split_at_mut(apart);
            copy(black_box(&mut to[..bytes]), black_box(&from[..bytes]));
        })
    };
    let whole = measure(<[u8]>::copy_from_slice);
    let by_vector = measure(|to, from| {
        for (to, from) in to.chunks_exact_mut(VECTOR).zip(from.chunks_exact(VECTOR)) {
            to.copy_from_slice(from);
        }
    });
    whole.min(by_vector)
}

/// A small random generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        // Marsaglia's xorshift: quality does not matter here.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// A number from −max to max.
    pub(super) fn within(&mut self, max: usize) -> i64 {
        self.below(2 * max + 1) as i64 - max as i64
    }
}
