//! Levels of strength: by nodes, and by sampling from the policy.

use std::time::Duration;

use arena::networks::LoadedNetwork;
use games::{Color, Random, ToolkitGame};
use search::{Clock, Limits};
use serde::{Deserialize, Serialize};

use super::evaluation::Judge;
use super::line::PlayedLine;
use super::score::{ScoreScale, WhiteScore};
use super::{Choice, GameServer};
use crate::error::ApiError;
use crate::limits;

/// A level of strength.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Level {
    number: u8,
    name: &'static str,
    about: &'static str,
    /// The nodes of a search; `None` if there is none, or no limit but time.
    nodes: Option<u64>,
    /// The temperature of a move that is drawn without a search.
    temperature: Option<f32>,
}

/// The levels, weakest first. None of them is a rating: how strong a level is depends on the game
/// and on the network.
pub(crate) const LEVELS: [Level; 9] = [
    drawn(
        1,
        "Beginner",
        2.0,
        "Does not look ahead. Draws a move from the network's policy at temperature 2: unlikely \
         moves are common, so pieces are left hanging.",
    ),
    drawn(
        2,
        "Novice",
        1.0,
        "Does not look ahead. Draws each move with the probability that the network's policy gives \
         it.",
    ),
    drawn(
        3,
        "Casual",
        0.4,
        "Does not look ahead. Draws from the policy at temperature 0.4: mostly the move that looks \
         best at a glance.",
    ),
    searched(4, "Club", 100, "Searches 100 positions for each move."),
    searched(5, "Advanced", 1000, "Searches 1,000 positions for each move."),
    searched(6, "Expert", 10_000, "Searches 10,000 positions for each move."),
    searched(7, "Master", 100_000, "Searches 100,000 positions for each move."),
    searched(8, "Champion", 1_000_000, "Searches a million positions for each move."),
    Level {
        number: 9,
        name: "Full strength",
        about: "Searches for three seconds, or as long as its clock allows, on the threads of the \
                server.",
        nodes: None,
        temperature: None,
    },
];

const fn drawn(number: u8, name: &'static str, temperature: f32, about: &'static str) -> Level {
    Level { number, name, about, nodes: None, temperature: Some(temperature) }
}

const fn searched(number: u8, name: &'static str, nodes: u64, about: &'static str) -> Level {
    Level { number, name, about, nodes: Some(nodes), temperature: None }
}

/// The time of a move at full strength without a clock.
const FULL_TIME: Duration = Duration::from_secs(3);
/// Without a policy, a move is drawn by the static evaluation after it: a difference of so many
/// centipawns makes it e times as likely, at temperature 1.
const VALUE_UNIT: f32 = 50.0;

/// The clocks of both sides in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clocks {
    white: u64,
    black: u64,
    #[serde(default)]
    increment: u64,
}

/// How a move is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// By a level, with the clocks of the game.
    Level(u8, Option<Clocks>),
    /// As a hint to a player.
    Hint,
}

/// A move of the engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChosenView {
    #[serde(rename = "move")]
    text: String,
    san: String,
    score: Option<WhiteScore>,
    expected: Option<f64>,
    depth: usize,
    nodes: u64,
    time_ms: u64,
    source: &'static str,
}

impl Strength {
    /// Whether nothing but time limits it.
    pub(crate) fn is_full(self) -> Result<bool, ApiError> {
        let level = self.level()?;
        Ok(level.is_some_and(|level| level.nodes.is_none() && level.temperature.is_none()))
    }

    /// The level; `None` for a hint.
    pub(crate) fn level(self) -> Result<Option<&'static Level>, ApiError> {
        let Self::Level(number, _) = self else { return Ok(None) };
        let found = LEVELS.iter().find(|level| level.number == number);
        found.map(Some).ok_or_else(|| {
            let message = format!("there is no level {number}; expected 1 to {}", LEVELS.len());
            ApiError::bad_request("bad_level", message)
        })
    }
}

impl<G: ToolkitGame> GameServer<G> {
    /// Chooses a move. The seed decides between moves of levels that draw.
    pub(super) fn chosen(
        &self,
        line: &PlayedLine<G>,
        choice: &Choice<'_>,
    ) -> Result<ChosenView, ApiError> {
        let &Choice { network, strength, grant, control, seed, .. } = choice;
        let history = line.history();
        let position = history.position();
        if history.outcome().is_some() {
            return Err(ApiError::bad_request("game_over", "the game is over"));
        }
        let level = strength.level()?;
        if let Some(temperature) = level.and_then(|level| level.temperature) {
            let began = std::time::Instant::now();
            let (mv, source) = self.drawn(position, network, temperature, seed)?;
            return Ok(ChosenView {
                text: position.move_text(mv),
                san: position.san(mv),
                score: None,
                expected: None,
                depth: 0,
                nodes: 0,
                time_ms: began.elapsed().as_millis() as u64,
                source,
            });
        }
        let mut engine = self.engine(network, grant, 1)?;
        let result =
            engine.go(&history, &search_limits(strength, level, position), control, &mut |_| {});
        let best =
            result.best.ok_or_else(|| ApiError::bad_request("game_over", "no legal move"))?;
        let scale = ScoreScale::new(network, &self.score_model, position);
        let (score, expected) = scale.score(result.score);
        Ok(ChosenView {
            text: position.move_text(best),
            san: position.san(best),
            score: Some(score),
            expected: Some(expected),
            depth: result.depth,
            nodes: result.nodes,
            time_ms: result.time.as_millis() as u64,
            source: "search",
        })
    }

    /// Draws a move by the policy, or without one by the static evaluations after the moves.
    fn drawn(
        &self,
        position: &G,
        network: Option<&LoadedNetwork>,
        temperature: f32,
        seed: u64,
    ) -> Result<(G::Move, &'static str), ApiError> {
        let mut judge = Judge::new(self, network)?;
        let policy = judge.policy(position);
        let (moves, logits, source): (Vec<_>, Vec<f32>, _) = if policy.is_empty() {
            let moves = position.legal_moves();
            let value = |&mv: &G::Move| {
                let mut after = position.clone();
                after.play(mv);
                let own = position.side_to_move();
                match after.outcome() {
                    Some(outcome) => (outcome.score(own).as_f32() - 0.5) * 4000.0 / VALUE_UNIT,
                    None => -judge.value(&after) as f32 / VALUE_UNIT,
                }
            };
            let values = moves.iter().map(value).collect();
            (moves, values, "evaluation")
        } else {
            let (moves, shares): (Vec<_>, Vec<f32>) = policy.into_iter().unzip();
            (moves, shares.into_iter().map(|share| share.max(1e-9).ln()).collect(), "policy")
        };
        let mv = draw(&moves, &logits, temperature, seed);
        let mv = mv.ok_or_else(|| ApiError::bad_request("game_over", "no legal move"))?;
        Ok((mv, source))
    }
}

/// Draws one of the moves with probabilities proportional to exp(logit / temperature).
fn draw<M: Copy>(moves: &[M], logits: &[f32], temperature: f32, seed: u64) -> Option<M> {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> =
        logits.iter().map(|logit| f64::from((logit - max) / temperature).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let mut random = Random::new(seed);
    let mut left = random.below(1 << 30) as f64 / f64::from(1 << 30) * sum;
    for (&mv, weight) in moves.iter().zip(&weights) {
        left -= weight;
        if left < 0.0 {
            return Some(mv);
        }
    }
    moves.last().copied()
}

fn search_limits<G: ToolkitGame>(
    strength: Strength,
    level: Option<&Level>,
    position: &G,
) -> Limits<G> {
    let clock = match strength {
        Strength::Level(_, Some(clocks)) => {
            let own = position.side_to_move();
            let remaining = if own == Color::White { clocks.white } else { clocks.black };
            Some(Clock {
                remaining: Duration::from_millis(remaining.min(86_400_000)),
                increment: Duration::from_millis(clocks.increment.min(3_600_000)),
                moves_to_go: None,
            })
        }
        _ => None,
    };
    let nodes = match level {
        Some(level) => level.nodes,
        None => Some(limits::HINT_NODES),
    };
    let movetime = (nodes.is_none() && clock.is_none()).then_some(FULL_TIME);
    Limits { nodes, clock, movetime, ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperature_flattens_or_sharpens() {
        let logits = [0.9_f32.ln(), 0.1_f32.ln()];
        let share = |temperature: f32| {
            let drawn = (0..2000).map(|seed| draw(&[0, 1], &logits, temperature, seed).unwrap());
            drawn.filter(|&mv| mv == 0).count() as f64 / 2000.0
        };
        assert!((share(1.0) - 0.9).abs() < 0.03, "{}", share(1.0));
        assert!((share(2.0) - 0.75).abs() < 0.04, "{}", share(2.0));
        assert!(share(0.4) > 0.98);
        assert_eq!(draw::<u8>(&[], &[], 1.0, 0), None);
    }

    #[test]
    fn levels_are_numbered_from_one() {
        for (level, number) in LEVELS.iter().zip(1..) {
            assert_eq!(level.number, number);
            assert!(level.about.len() > 20 && !level.name.is_empty());
        }
        assert!(Strength::Level(0, None).level().is_err());
        assert!(Strength::Level(10, None).level().is_err());
    }
}
