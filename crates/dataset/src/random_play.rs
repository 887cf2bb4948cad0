//! Random play: positions to measure on if there is no data.

use games::{
    Color, FeatureSetError, MoveNumbering, PerspectiveCount, PolicyForm, Random, ToolkitGame,
};

use crate::{Batch, PolicyTarget};

/// The maximum length of a game; random games seldom end by themselves.
const MAX_PLIES: usize = 160;

/// One position in this number is taken, so that positions differ.
const EVERY: usize = 4;

/// A set of positions. The same value gives the same positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomPlay {
    /// The number of positions.
    pub count: usize,
    /// The seed.
    pub seed: u64,
    /// The numbering of the legal moves; `None` if they are not needed.
    pub policy: Option<PolicyForm>,
}

impl RandomPlay {
    /// Plays games and returns the features of the positions.
    pub(crate) fn positions<G: ToolkitGame>(
        self,
        features: &str,
    ) -> Result<Batch, FeatureSetError> {
        let set = G::feature_set(features)?;
        let perspectives = match set.perspectives() {
            PerspectiveCount::One => 1,
            PerspectiveCount::Two => 2,
        };
        let mut batch = Batch::new(perspectives);
        let mut random = Random::new(self.seed);
        while batch.len() < self.count {
            let mut position = G::start();
            for _ in 0..MAX_PLIES {
                let moves = position.legal_moves();
                let Some(&mv) = random.pick(&moves) else { break };
                if batch.len() < self.count && random.below(EVERY) == 0 {
                    let side = position.side_to_move();
                    let seen: &[Color] =
                        if perspectives == 1 { &[Color::White] } else { &[side, !side] };
                    for &perspective in seen {
                        let mut active = Vec::with_capacity(set.max_active());
                        set.active(&position, perspective, &mut active);
                        batch.push_row(active);
                    }
                    batch.push(position.piece_count(), None, None);
                    if let Some(form) = self.policy {
                        push_legal(&mut batch, &form.numbering(&position, &*set), &moves);
                    }
                }
                position.play(mv);
                if position.outcome_by_rule().is_some() {
                    break;
                }
            }
        }
        Ok(batch)
    }
}

fn push_legal<G: ToolkitGame>(
    batch: &mut Batch,
    numbering: &MoveNumbering<'_, G>,
    moves: &[G::Move],
) {
    if batch.legal_starts.is_empty() {
        batch.legal_starts.push(0);
    }
    let targets = moves.iter().map(|&mv| numbering.index(mv));
    batch
        .legal
        .extend(targets.map(|index| PolicyTarget { from: index.from as u16, to: index.to as u16 }));
    batch.legal_starts.push(batch.legal.len() as u32);
}
