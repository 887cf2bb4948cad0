//! Rate: how fast a number grows, from looks at different times.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time over which the rate is taken.
const WINDOW: Duration = Duration::from_secs(20);
/// Looks that are closer together say too little.
const MIN_SPAN: Duration = Duration::from_millis(400);

/// A number at several times.
#[derive(Debug, Default)]
pub(super) struct Rate {
    looks: VecDeque<(Instant, u64)>,
}

impl Rate {
    /// Adds a look. A number that becomes smaller starts anew.
    pub(super) fn add(&mut self, now: Instant, value: u64) {
        if self.looks.back().is_some_and(|&(_, last)| value < last) {
            self.looks.clear();
        }
        let is_old = |looks: &VecDeque<(Instant, u64)>| {
            looks.len() > 1 && now.saturating_duration_since(looks[0].0) > WINDOW
        };
        while is_old(&self.looks) {
            self.looks.pop_front();
        }
        self.looks.push_back((now, value));
    }

    /// The growth a second, if there were looks enough.
    pub(super) fn per_second(&self) -> Option<f64> {
        let (&(start, first), &(end, last)) = (self.looks.front()?, self.looks.back()?);
        let span = end.saturating_duration_since(start);
        (span >= MIN_SPAN && last > first).then(|| (last - first) as f64 / span.as_secs_f64())
    }

    /// The seconds until the number reaches `target`.
    pub(super) fn seconds_to(&self, target: u64) -> Option<f64> {
        let (_, last) = *self.looks.back()?;
        Some(target.saturating_sub(last) as f64 / self.per_second()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_needs_two_looks_and_forgets_old_ones() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut rate = Rate::default();
        rate.add(at(0), 100);
        assert_eq!(rate.per_second(), None);
        rate.add(at(2), 300);
        assert_eq!((rate.per_second(), rate.seconds_to(500)), (Some(100.0), Some(2.0)));
        rate.add(at(60), 300);
        rate.add(at(61), 310);
        assert_eq!(rate.per_second(), Some(10.0));
        rate.add(at(62), 5);
        assert_eq!(rate.per_second(), None);
    }
}
