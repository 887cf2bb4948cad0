//! Reference search: scores a move by a search of the position after it.

use games::ToolkitGame;
use nnue::ScoreModel;
use search::Score;

use crate::checksum::ChecksumError;
use crate::engine_spec::{EngineSpec, PlayerSpec};
use crate::networks::{NetworkLoadError, NetworkLoader, NetworkSource};
use crate::tournament::Entrant;

/// The engine that scores moves.
#[derive(Debug)]
pub struct Reference<G: ToolkitGame> {
    /// The engine with its limits.
    pub entrant: Entrant<G>,
    /// Identifies the engine, its networks and its limits in a cache: hexadecimal digits.
    pub identity: String,
    /// Turns its scores into expected scores.
    pub score_model: ScoreModel,
}

/// The score model of external engines, whose centipawns are normalised.
const EXTERNAL: ScoreModel = ScoreModel::NORMALISED;

impl<G: ToolkitGame> Reference<G> {
    /// The score model of a reference engine: that of its network, or `fallback` if it has no
    /// network.
    pub fn score_model(
        spec: &EngineSpec,
        networks: &NetworkLoader,
        fallback: &ScoreModel,
    ) -> Result<ScoreModel, NetworkLoadError> {
        let PlayerSpec::Search(search) = &spec.player else { return Ok(EXTERNAL) };
        let network = match &search.net {
            Some(net) => {
                let source = NetworkSource::new(net).with_features(search.features.clone());
                Some(networks.load(&source)?)
            }
            None => networks.default_network::<G>()?,
        };
        let model = network.map(|network| network.score_model().clone());
        Ok(model.unwrap_or_else(|| fallback.clone()))
    }
}

/// Identifies a reference engine by its spec, its limits and the contents of its networks: eight
/// bytes as hexadecimal digits.
///
/// The version of the program is no part of it: a new version goes on with the scores that an
/// earlier one wrote, so that both are measured by the same ones.
pub fn reference_identity<G: ToolkitGame>(
    spec: &EngineSpec,
    entrant: &Entrant<G>,
    networks: &NetworkLoader,
) -> Result<String, ChecksumError> {
    // The name and the limits are compared by meaning, not by their text.
    let own = ["name=", "tc=", "nodes=", "softnodes=", "depth=", "movetime="];
    let parts = spec.text.split(',').filter(|part| !own.iter().any(|key| part.starts_with(key)));
    let mut text = parts.collect::<Vec<_>>().join(",");
    text += "\n";
    text += &entrant.limits.to_string();
    text += "\n";
    if let PlayerSpec::Search(search) = &spec.player {
        let source = |net: &String| NetworkSource::new(net).with_features(search.features.clone());
        text += &networks.evaluation_identity::<G>(search.net.as_ref().map(source).as_ref())?;
        if let Some(large) = &search.large {
            text += &networks.checksum(&NetworkSource::new(large))?;
        }
    }
    Ok(crate::checksum_of_bytes(text.as_bytes())[..16].to_owned())
}

/// The score of a move for the side that plays it, given the score of the position after it for the
/// other side.
pub(super) fn before_move(after: Score) -> Score {
    match after {
        Score::Centipawns(score) => Score::Centipawns(score.saturating_neg()),
        // The opponent mates in that many moves.
        Score::Mate(moves) if moves > 0 => Score::Mate(-moves),
        // The opponent is mated; the move itself is one more.
        Score::Mate(moves) => Score::Mate(moves.saturating_neg().saturating_add(1)),
    }
}

/// The expected score of a game, 1 for a win and 1/2 for a draw, of a score of a search with that
/// many pieces on the board.
///
/// ```
/// use arena::regret::expected_score;
/// use nnue::ScoreModel;
/// use search::Score;
///
/// let model = ScoreModel::constant(154.0, 116.0);
/// assert_eq!(expected_score(&model, Score::Centipawns(0), 32), 0.5);
/// assert!(expected_score(&model, Score::Centipawns(100), 32) > 0.7);
/// assert_eq!(expected_score(&model, Score::Mate(3), 32), 1.0);
/// assert_eq!(expected_score(&model, Score::Mate(0), 32), 0.0);
/// ```
pub fn expected_score(model: &ScoreModel, score: Score, pieces: usize) -> f64 {
    match score {
        Score::Centipawns(score) => {
            let [win, loss] = model.win_and_loss(model.raw_of_search(score), pieces);
            (1.0 + win - loss) / 2.0
        }
        Score::Mate(moves) => f64::from(u8::from(moves > 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_change_sides() {
        assert_eq!(before_move(Score::Centipawns(31)), Score::Centipawns(-31));
        assert_eq!(before_move(Score::Mate(2)), Score::Mate(-2));
        // Mated at once: the move mates in one.
        assert_eq!(before_move(Score::Mate(0)), Score::Mate(1));
        assert_eq!(before_move(Score::Mate(-2)), Score::Mate(3));
        assert_eq!(before_move(Score::Mate(i32::MIN)), Score::Mate(i32::MAX));
        assert_eq!(before_move(Score::Centipawns(i32::MIN)), Score::Centipawns(i32::MAX));
    }

    #[test]
    fn expected_scores_rise_and_add_up_to_one() {
        let model = ScoreModel::constant(154.0, 116.0);
        let at = |score| expected_score(&model, Score::Centipawns(score), 20);
        for score in (-3000..3000).step_by(7) {
            assert!(at(score) <= at(score + 7));
            assert!((at(score) + at(-score) - 1.0).abs() < 1e-12, "{score}");
        }
    }
}
