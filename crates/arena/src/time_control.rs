//! Time control as text: `10+0.1`, `1:30+1`, `40/60`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::search_limits::TimeControl;

/// A text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a time control such as 10+0.1, 1:30+1 or 40/60+0.5{fault}")]
pub struct TimeControlError {
    /// The text.
    pub text: String,
    /// What is wrong with it, if it has the right form.
    pub fault: &'static str,
}

/// Seconds for the game and for each move: `10+0.1` or `1:30+1`; `40/60` for each forty moves.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let error = |fault| TimeControlError { text: text.to_owned(), fault };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.parse::<u32>().ok().filter(|&moves| moves > 0);
                (Some(moves.ok_or_else(|| error(""))?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => duration(minutes).and_then(|minutes| {
                let seconds = duration(seconds).filter(|seconds| seconds.as_secs() < 60)?;
                Some(minutes * 60 + seconds)
            }),
            None => duration(base),
        };
        let (Some(base), Some(increment)) = (base, duration(increment)) else {
            return Err(error(""));
        };
        if base.is_zero() && increment.is_zero() {
            return Err(error(": there is no time at all"));
        }
        Ok(Self { base, increment, moves })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Seconds, with or without a fraction; at most a week.
fn duration(text: &str) -> Option<Duration> {
    const WEEK: f64 = 7.0 * 24.0 * 3600.0;
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    (seconds <= WEEK).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_parsed_and_printed() {
        let millis = Duration::from_millis;
        for (text, base, increment, moves, printed) in [
            ("10+0.1", 10_000, 100, None, "10+0.1"),
            ("1:30+1", 90_000, 1000, None, "90+1"),
            ("40/60", 60_000, 0, Some(40), "40/60"),
            ("0+0.1", 0, 100, None, "0+0.1"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            let (base, increment) = (millis(base), millis(increment));
            assert_eq!(control, TimeControl { base, increment, moves });
            assert_eq!(control.to_string(), printed);
            assert_eq!(printed.parse(), Ok(control));
        }
        for wrong in ["", "x", "0", "0+0", "1e9", "inf", "-1+1", "0/60", "1:75", "1+", "99999999"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }
}
