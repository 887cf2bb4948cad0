//! Match samples: what the report of a quickstart shows of the games of its match.

use std::path::Path;

use arena::networks::NetworkSource;
use arena::tournament::{Fixture, Standings};
use arena::{Estimate, Played};
use games::{Color, GameScore, ToolkitGame};
use report::quickstart::{MatchResult, ReliabilityBins, SampleGame};
use search::Evaluator;

use crate::{Context, PipelineError};

/// The network's score that is one unit of log-odds, as in the target of the training.
const SCALE: f64 = 400.0;

/// What the report shows of the games of a match.
pub(super) struct MatchSamples<G: ToolkitGame> {
    evaluator: Box<dyn Evaluator<G>>,
    /// The first game won as White, won as Black, and not won.
    samples: [Option<SampleGame<G>>; 3],
    reliability: ReliabilityBins,
}

impl<G: ToolkitGame> MatchSamples<G> {
    /// For the network in a file.
    pub(super) fn new(net: &Path, context: &Context<'_>) -> Result<Self, PipelineError> {
        let loaded = context.networks.load(&NetworkSource::new(net))?;
        let evaluator = Box::new(loaded.evaluator::<G>()?);
        Ok(Self { evaluator, samples: Default::default(), reliability: ReliabilityBins::default() })
    }

    /// Counts the positions of a game after its opening, and keeps the game if it is the first of its
    /// kind. The network is the first of the pairing.
    pub(super) fn add(&mut self, fixture: &Fixture, played: &Played<G>) {
        let color = if fixture.is_return() { Color::Black } else { Color::White };
        let place = match (played.outcome.score(color) > GameScore::DRAW, color) {
            (true, Color::White) => 0,
            (true, Color::Black) => 1,
            (false, _) => 2,
        };
        self.samples[place].get_or_insert_with(|| sample(fixture, played, color));
        let mut line = played.record.opening().line();
        for played_move in played.record.played_moves() {
            let position = line.position();
            self.evaluator.reset(position);
            let value = self.evaluator.unit().raw(self.evaluator.evaluate());
            let expected = 1.0 / (1.0 + (-f64::from(value) / SCALE).exp());
            let score = played.outcome.score(position.side_to_move());
            self.reliability.add(expected, f64::from(score.as_quarters()) / 4.0);
            line.play(played_move.mv);
        }
    }

    /// The games and sums.
    pub(super) fn finish(self) -> (Vec<SampleGame<G>>, ReliabilityBins) {
        (self.samples.into_iter().flatten().collect(), self.reliability)
    }
}

fn sample<G: ToolkitGame>(fixture: &Fixture, played: &Played<G>, color: Color) -> SampleGame<G> {
    let mut players = ["net".to_owned(), "start".to_owned()];
    if color == Color::Black {
        players.reverse();
    }
    let opening = played.record.opening();
    SampleGame {
        number: fixture.number + 1,
        players,
        result: played.result().to_owned(),
        reason: played.reason(),
        start: opening.start.clone(),
        moves: played.record.moves().collect(),
        opening_plies: opening.moves.len(),
    }
}

/// The result of a match for the first of its two players.
pub(super) fn match_result(title: &str, standings: &Standings) -> MatchResult {
    let tally = standings.tally(0);
    let [losses, one_quarter, draws, three_quarters, wins] =
        tally.by_quarters().unwrap_or_default();
    let Estimate { elo, elo_error, elo_low, los, .. } = tally.estimate();
    MatchResult {
        title: title.to_owned(),
        wins,
        draws,
        losses,
        three_quarters,
        one_quarter,
        elo,
        elo_error,
        elo_low,
        los,
    }
}
