//! Overflow proof: bounds of the sums in any position.
//!
//! Everything is computed in `i64`, from the stored integers. Sums wrap while they are computed, so
//! only the final value matters, and that is what is bounded here.

use dataset::GameList;

use super::ExportError;
use super::round::Stored;

/// The range of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) min: i64,
    pub(super) max: i64,
}

impl Range {
    /// The maximum absolute value.
    pub(super) fn reach(self) -> i64 {
        self.max.max(-self.min)
    }

    /// The range after `map`, which must be monotonic.
    pub(super) fn map(self, map: impl Fn(i64) -> i64) -> Self {
        Self { min: map(self.min), max: map(self.max) }
    }
}

/// The maximum reach of any neuron, and its index.
pub(super) fn largest(ranges: &[Range]) -> (usize, i64) {
    let reaches = ranges.iter().map(|range| range.reach()).enumerate();
    reaches.fold((0, 0), |best, next| if next.1 > best.1 { next } else { best })
}

/// The ranges of the sums of a layer, for one bucket: `weights` are `[output][input]`.
pub(super) fn sums<T: Stored>(weights: &[T], bias: &[i64], inputs: &[Range]) -> Vec<Range> {
    let rows = weights.chunks_exact(inputs.len().max(1)).zip(bias);
    let sum = |(row, &bias): (&[T], &i64)| {
        let mut range = Range { min: bias, max: bias };
        for (&weight, input) in row.iter().zip(inputs) {
            let weight: i64 = weight.into();
            let ends = [weight * input.min, weight * input.max];
            range.min += ends[0].min(ends[1]);
            range.max += ends[0].max(ends[1]);
        }
        range
    };
    rows.map(sum).collect()
}

/// The number of neurons to process together: enough for a cache line of a row, few enough for sets
/// of a million features.
const CHUNK: usize = 16;

/// Features of a set that cannot be active together.
///
/// At most one feature of a group is active, because a cell holds one piece. All active features
/// are of one bucket. There are at most `most_active`.
#[derive(Clone, Debug)]
pub(super) struct Exclusions {
    /// `[bucket][group][feature]`
    buckets: Vec<Vec<Vec<u32>>>,
    max_active: usize,
}

impl Exclusions {
    /// The exclusions of the feature set of that name.
    pub(super) fn of(name: &str, inputs: usize, games: &GameList) -> Result<Self, ExportError> {
        let shape = games.feature_set_shape(name)?;
        if shape.size != inputs {
            let (name, set) = (name.to_owned(), shape.size);
            return Err(ExportError::Inputs { name, set, network: inputs });
        }
        let places = games.feature_places(name)?;
        let placed = places.iter().flatten();
        let count = placed.clone().map(|place| place.bucket + 1).max().unwrap_or(1);
        let cells = placed.map(|place| place.cell + 1).max().unwrap_or(0);
        let mut buckets = vec![vec![Vec::new(); cells]; count];
        for (feature, place) in (0_u32..).zip(&places) {
            match place {
                Some(place) => buckets[place.bucket][place.cell].push(feature),
                // Features without a place may be active together with any others.
                None => buckets.iter_mut().for_each(|groups| groups.push(vec![feature])),
            }
        }
        Ok(Self { buckets, max_active: shape.max_active })
    }

    /// The range of each neuron's sum in a transformer: `weights` are `[feature][neuron]`.
    pub(super) fn ranges(&self, weights: &[i16], bias: &[i64]) -> Vec<Range> {
        let width = bias.len();
        let mut ranges = Vec::with_capacity(width);
        for (chunk, bias) in bias.chunks(CHUNK).enumerate() {
            let columns = Columns { weights, width, first: chunk * CHUNK, count: bias.len() };
            ranges.extend(self.chunk(columns, bias));
        }
        ranges
    }

    fn chunk(&self, columns: Columns<'_>, bias: &[i64]) -> Vec<Range> {
        let mut ranges: Vec<_> = bias.iter().map(|&b| Range { min: b, max: b }).collect();
        for groups in &self.buckets {
            // The maximum and minimum that each group can add to each neuron; 0 if none of its
            // features is active.
            let mut max = vec![Vec::with_capacity(groups.len()); columns.count];
            let mut min = max.clone();
            for group in groups {
                let (low, high) = columns.extremes(group);
                for neuron in 0..columns.count {
                    max[neuron].push(high[neuron]);
                    min[neuron].push(-low[neuron]);
                }
            }
            for (neuron, range) in ranges.iter_mut().enumerate() {
                let max = bias[neuron] + largest_sum(&mut max[neuron], self.max_active);
                let min = bias[neuron] - largest_sum(&mut min[neuron], self.max_active);
                range.max = range.max.max(max);
                range.min = range.min.min(min);
            }
        }
        ranges
    }
}

/// Adjacent neurons of a transformer.
#[derive(Clone, Copy)]
struct Columns<'a> {
    weights: &'a [i16],
    width: usize,
    first: usize,
    count: usize,
}

impl Columns<'_> {
    /// The minimum and maximum weight of a group's features, or 0, for each neuron.
    fn extremes(self, group: &[u32]) -> ([i32; CHUNK], [i32; CHUNK]) {
        let (mut low, mut high) = ([0; CHUNK], [0; CHUNK]);
        for &feature in group {
            let row = &self.weights[feature as usize * self.width + self.first..][..self.count];
            for (neuron, &weight) in row.iter().enumerate() {
                let weight = i32::from(weight);
                low[neuron] = weight.min(low[neuron]);
                high[neuron] = weight.max(high[neuron]);
            }
        }
        (low, high)
    }
}

/// The sum of the `count` largest of some non-negative numbers.
fn largest_sum(numbers: &mut [i32], count: usize) -> i64 {
    if count < numbers.len() {
        numbers.select_nth_unstable_by(count, |a, b| b.cmp(a));
    }
    numbers.iter().take(count).map(|&number| i64::from(number)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Random;

    fn within(random: &mut Random, range: Range) -> i64 {
        range.min + random.below((range.max - range.min + 1) as usize) as i64
    }

    /// Inputs at the ends of their ranges reach the range of a sum, and no inputs exceed it.
    #[test]
    fn sums_stay_within_their_range_and_reach_its_ends() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let inputs: Vec<_> = (0..7)
                .map(|_| {
                    let min = random.below(100) as i64 - 50;
                    Range { min, max: min + random.below(100) as i64 }
                })
                .collect();
            let weights: Vec<i8> = (0..7).map(|_| random.next_u64() as i8).collect();
            let bias = [random.below(1000) as i64 - 500];
            let range = sums(&weights, &bias, &inputs)[0];
            let sum = |values: &[i64]| {
                let products = weights.iter().zip(values).map(|(&w, value)| i64::from(w) * value);
                bias[0] + products.sum::<i64>()
            };
            let ends = |max: bool| -> Vec<i64> {
                let end = |(&w, input): (&i8, &Range)| {
                    if (w > 0) == max { input.max } else { input.min }
                };
                weights.iter().zip(&inputs).map(end).collect()
            };
            assert_eq!(range, Range { min: sum(&ends(false)), max: sum(&ends(true)) });
            for _ in 0..20 {
                let values: Vec<_> = inputs.iter().map(|&i| within(&mut random, i)).collect();
                assert!((range.min..=range.max).contains(&sum(&values)));
            }
        }
    }

    #[test]
    fn only_as_many_as_can_be_active_are_summed() {
        assert_eq!(largest_sum(&mut [3, 9, 0, 4, 1], 2), 13);
        assert_eq!(largest_sum(&mut [3, 9], 5), 12);
        // Seven unstructured features: all may be active.
        let exclusions = Exclusions::of("raw:7", 7, &GameList::new()).unwrap();
        let ranges = exclusions.ranges(&[1, -2, 3, -4, 5, -6, 7], &[10]);
        assert_eq!(ranges, [Range { min: -2, max: 26 }]);
    }
}
