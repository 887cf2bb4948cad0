//! Loop state: the decisions so far, in `state.toml`.

use std::io::ErrorKind;

use report::progress::Generation;
use serde::{Deserialize, Serialize};

use super::folder::LoopFolder;
use crate::{PipelineError, files};

/// The decisions of a loop so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopState {
    /// The generations, in their order.
    #[serde(default)]
    pub generations: Vec<TestedGeneration>,
}

/// A generation that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestedGeneration {
    /// The number of the generation.
    pub number: u64,
    /// The generation that it played against: the best at that time.
    pub against: u64,
    /// Whether it is the best from then on.
    pub promoted: bool,
    /// `H1`, `H0` or `undecided`.
    pub verdict: String,
    /// The number of games of the gate.
    pub games: u64,
    /// Its score in these games.
    pub points: f64,
    /// The Elo difference to the network that it played against.
    pub elo: f64,
    /// The error of `elo`; `None` if the games do not determine it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The Elo difference to the first network: the sum of the differences on the way.
    pub rating: f64,
}

/// The largest state that is read: some ten thousand generations.
const MAX_STATE_BYTES: u64 = 4 << 20;
const FILE: &str = "state.toml";
const HEAD: &str =
    "# The decisions of `accrue loop`, which continues from here; do not change it.\n\n";

impl LoopState {
    /// Reads the state. Before the first decision there is no file.
    pub fn read(folder: &LoopFolder) -> Result<Self, PipelineError> {
        let path = folder.file(FILE);
        let text = match files::read_text(&path, MAX_STATE_BYTES) {
            Err(PipelineError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            text => text?,
        };
        let state: Self =
            toml::from_str(&text).map_err(|error| PipelineError::damaged(&path, &error))?;
        for (tested, number) in state.generations.iter().zip(1..) {
            if tested.number != number || tested.against >= number {
                let fault = format!("generation {number} is `{tested:?}`");
                return Err(PipelineError::damaged(&path, &fault));
            }
        }
        Ok(state)
    }

    /// Writes the state.
    pub fn write(&self, folder: &LoopFolder) -> Result<(), PipelineError> {
        let text = toml::to_string(self)
            .map_err(|error| PipelineError::field("the state", error.to_string()))?;
        files::replace(&folder.file(FILE), format!("{HEAD}{text}").as_bytes())
    }

    /// Adds a generation.
    pub fn add(&mut self, tested: TestedGeneration) {
        self.generations.push(tested);
    }

    /// The number of the generation that is being made.
    pub fn next(&self) -> u64 {
        self.generations.len() as u64 + 1
    }

    /// The number of the best generation; 0 is the network that the loop started from.
    pub fn best(&self) -> u64 {
        let promoted = self.generations.iter().rev().find(|tested| tested.promoted);
        promoted.map_or(0, |tested| tested.number)
    }

    /// The rating of the best generation.
    pub fn best_rating(&self) -> f64 {
        let promoted = self.generations.iter().rev().find(|tested| tested.promoted);
        promoted.map_or(0.0, |tested| tested.rating)
    }
}

impl TestedGeneration {
    /// The generation as charts and pages show it.
    pub fn generation(&self) -> Generation {
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
        let mut state = LoopState::default();
        assert_eq!((state.best(), state.next()), (0, 1));
        for (number, promoted) in [(1, true), (2, false)] {
            state.add(TestedGeneration {
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
        assert_eq!(toml::from_str::<LoopState>(&text).unwrap(), state);
    }
}
