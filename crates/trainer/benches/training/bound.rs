//! What the caches allow: every position reads a row for each active feature twice, forwards and backwards.

use std::hint::black_box;
use std::time::Instant;

/// f32 values that a second-level cache holds and a first-level cache does not.
const VALUES: usize = 64 * 1024;
const PASSES: usize = 2000;

/// Bytes that threads together read from their second-level caches in a second.
pub(crate) fn bytes_a_second(threads: usize) -> f64 {
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(one_thread)).collect();
        started.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    })
}

fn one_thread() -> f64 {
    let values = vec![[1.0f32; 32]; VALUES / 32];
    let begin = Instant::now();
    for _ in 0..PASSES {
        let sum = pulp::Arch::new().dispatch(Sum(black_box(&values)));
        assert_eq!(sum[0] as usize, VALUES / 32);
    }
    (PASSES * VALUES * size_of::<f32>()) as f64 / begin.elapsed().as_secs_f64()
}

struct Sum<'a>(&'a [[f32; 32]]);

impl pulp::NullaryFnOnce for Sum<'_> {
    type Output = [f32; 32];

    #[expect(clippy::inline_always, reason = "it is compiled for the processor by its caller")]
    #[inline(always)]
    fn call(self) -> [f32; 32] {
        let mut sum = [0.0; 32];
        for row in self.0 {
            for column in 0..32 {
                sum[column] += row[column];
            }
        }
        sum
    }
}

/// Bytes that a position of two perspectives reads, at least.
pub(crate) fn bytes_a_position(width: usize, features: usize) -> f64 {
    (2 * 2 * features * width * size_of::<f32>()) as f64
}
