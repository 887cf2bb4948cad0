//! Score sample: positions of games with a result, and the scores of searches with a network.

use dataset::Record;
use games::{GameHistory, GameScore, Random, ToolkitGame};
use search::{Control, Engine, Limits, Score};

use super::ScoredPosition;

/// A uniform random sample of positions of games.
#[derive(Debug)]
pub struct ScoreSample<G: ToolkitGame> {
    kept: Vec<(u64, G, GameScore)>,
    capacity: usize,
    seen: usize,
    random: Random,
}

impl<G: ToolkitGame> ScoreSample<G> {
    /// A sample of at most `capacity` positions.
    pub fn new(capacity: usize) -> Self {
        Self { kept: Vec::new(), capacity, seen: 0, random: Random::new(1) }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether the sample is empty.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Adds a record of game number `game`, if its result is known.
    pub fn add(&mut self, game: u64, record: &Record<G>) {
        let Some(result) = record.result else { return };
        self.seen += 1;
        let kept = || (game, record.position.clone(), result);
        if self.kept.len() < self.capacity {
            self.kept.push(kept());
        } else if let Some(place) = self.kept.get_mut(self.random.below(self.seen)) {
            *place = kept();
        }
    }

    /// Searches each position with `nodes` nodes; the scores are in the unit of the engine's network,
    /// which the model describes. Mate scores have no place in a score model and are left out.
    /// `searched` is called after each position.
    pub fn search(
        &self,
        engine: &mut Engine<G>,
        nodes: u64,
        mut searched: impl FnMut(),
    ) -> Vec<ScoredPosition> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let unit = engine.score_unit();
        let mut positions = Vec::with_capacity(self.kept.len());
        for (game, position, result) in &self.kept {
            engine.new_game();
            let history = GameHistory::new(position.clone());
            let found = engine.go(&history, &limits, &Control::new(), &mut |_| {});
            searched();
            if let Score::Centipawns(score) = found.score {
                positions.extend(ScoredPosition::new(
                    *game,
                    unit.raw(score),
                    position.piece_count(),
                    *result,
                ));
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::connect_four::ConnectFour;
    use search::EngineOptions;

    use super::*;

    #[test]
    fn every_position_is_as_likely_and_games_without_a_result_are_left_out() {
        let mut sample = ScoreSample::new(100);
        let mut record = Record::new(ConnectFour::start());
        sample.add(0, &record);
        assert!(sample.is_empty());
        record.result = Some(GameScore::WIN);
        (0..10_000).for_each(|game| sample.add(game, &record));
        assert_eq!(sample.len(), 100);
        let late = sample.kept.iter().filter(|(game, ..)| *game >= 5000).count();
        assert!((30..=70).contains(&late), "{late}");
        let mut engine = Engine::new(EngineOptions { hash_mib: 1, ..Default::default() }).unwrap();
        let mut steps = 0;
        assert_eq!(sample.search(&mut engine, 50, || steps += 1).len(), 100);
        assert_eq!(steps, 100);
    }
}
