//! What a loop has decided so far: `state.toml`.

use std::io::ErrorKind;

use anyhow::{Context, bail};
use report::progress::Generation;
use serde::{Deserialize, Serialize};

use super::place::Place;
use pipeline::files;

/// What a loop has decided so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    #[serde(default)]
    pub(super) generations: Vec<Tested>,
}

/// A generation that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tested {
    pub(super) number: u64,
    /// The generation that it played against: the best at that time.
    pub(super) against: u64,
    pub(super) promoted: bool,
    /// `H1`, `H0` or `undecided`.
    pub(super) verdict: String,
    pub(super) games: u64,
    pub(super) points: f64,
    /// Over the one that it played against.
    pub(super) elo: f64,
    /// Missing if the games do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<f64>,
    /// Over the first network: the sum of all differences on the way.
    pub(super) rating: f64,
}

const FILE: &str = "state.toml";
const HEAD: &str = "# What `accrue loop` has decided. It goes on from here; do not change it.\n\n";

impl State {
    /// Reads it; before the first decision there is nothing.
    pub(super) fn read(place: &Place) -> anyhow::Result<Self> {
        let path = place.file(FILE);
        let shown = path.display();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
        };
        let state: Self = toml::from_str(&text).with_context(|| format!("{shown} is damaged"))?;
        for (tested, number) in state.generations.iter().zip(1..) {
            if tested.number != number || tested.against >= number {
                bail!("{shown} is damaged: generation {number} is `{tested:?}`");
            }
        }
        Ok(state)
    }

    pub(super) fn write(&self, place: &Place) -> anyhow::Result<()> {
        let text = toml::to_string(self).context("cannot write the state")?;
        Ok(files::replace(&place.file(FILE), format!("{HEAD}{text}").as_bytes())?)
    }

    pub(super) fn add(&mut self, tested: Tested) {
        self.generations.push(tested);
    }

    /// The generation that is under way.
    pub(super) fn next(&self) -> u64 {
        self.generations.len() as u64 + 1
    }

    /// The best generation; 0 is the network that it began with.
    pub(super) fn best(&self) -> u64 {
        let promoted = self.generations.iter().rev().find(|tested| tested.promoted);
        promoted.map_or(0, |tested| tested.number)
    }

    /// The rating of the best.
    pub(super) fn best_rating(&self) -> f64 {
        let promoted = self.generations.iter().rev().find(|tested| tested.promoted);
        promoted.map_or(0.0, |tested| tested.rating)
    }
}

impl Tested {
    /// The same for charts and pages.
    pub(super) fn generation(&self) -> Generation {
        Generation {
            number: self.number,
            against: self.against,
            promoted: self.promoted,
            verdict: self.verdict.clone(),
            games: self.games,
            score: self.points,
            elo: self.elo,
            elo_error: self.error,
            rating: self.rating,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_last_that_was_promoted() {
        let mut state = State::default();
        assert_eq!((state.best(), state.next()), (0, 1));
        for (number, promoted) in [(1, true), (2, false)] {
            state.add(Tested {
                number,
                against: number - 1,
                promoted,
                verdict: "H1".into(),
                games: 10,
                points: 7.5,
                elo: 190.0,
                error: None,
                rating: 190.0 * number as f64,
            });
        }
        assert_eq!((state.best(), state.next(), state.best_rating() as i64), (1, 3, 190));
        let text = toml::to_string(&state).unwrap();
        assert_eq!(toml::from_str::<State>(&text).unwrap(), state);
    }
}
