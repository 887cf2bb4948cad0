//! Positions to measure on where there is no data: random play.

use dataset::{Batch, PolicyTarget};
use games::conformance::Random;
use games::registry::{GameVisitor, with_game};
use games::{Color, FeatureSet, FeatureSetError, Game, PolicyForm};
use nnue::{Architecture, Perspectives};

use super::ExportError;

/// Games are broken off here; random ones seldom end by themselves.
const MOST_PLIES: usize = 160;

/// One position of so many is taken, so that they differ.
const EVERY: usize = 4;

/// So many positions of the network's game from random play, as its feature set sees them. The same seed gives the
/// same positions.
pub fn random_positions(
    architecture: &Architecture,
    count: usize,
    seed: u64,
) -> Result<Batch, ExportError> {
    let name = &architecture.features;
    let game = name.split('.').next().unwrap_or_default();
    with_game(game, RandomPlay { architecture, count, seed }).unwrap_or_else(|_| {
        Err(FeatureSetError::Unknown {
            name: name.clone(),
            known: format!("the sets of {}", games::registry::GAMES.join(", ")),
        }
        .into())
    })
}

struct RandomPlay<'a> {
    architecture: &'a Architecture,
    count: usize,
    seed: u64,
}

impl GameVisitor for RandomPlay<'_> {
    type Output = Result<Batch, ExportError>;

    fn visit<G: Game>(self) -> Self::Output {
        let Self { architecture, count, seed } = self;
        let set = G::feature_set(&architecture.features)?;
        if set.size() != architecture.inputs {
            let (name, set) = (set.name(), set.size());
            return Err(ExportError::Inputs { name, set, network: architecture.inputs });
        }
        let policy = architecture.policy().and_then(|(from, to)| PolicyForm::of::<G>(from, to));
        let mut batch = Batch::new(architecture.perspectives.count());
        let mut random = Random::new(seed);
        while batch.len() < count {
            let mut position = G::start();
            for _ in 0..MOST_PLIES {
                let moves = position.legal_moves();
                let Some(&mv) = random.pick(&moves) else { break };
                if batch.len() < count && random.below(EVERY) == 0 {
                    push(&mut batch, &*set, &position, architecture.perspectives);
                    if let Some(form) = policy {
                        push_legal(&mut batch, &position, &moves, form);
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

fn push<G: Game>(
    batch: &mut Batch,
    set: &dyn FeatureSet<G>,
    position: &G,
    perspectives: Perspectives,
) {
    let side = position.side_to_move();
    let views: &[Color] = match perspectives {
        Perspectives::One => &[Color::White],
        Perspectives::Two => &[side, !side],
    };
    for &view in views {
        let mut active = Vec::with_capacity(set.max_active());
        set.active(position, view, &mut active);
        batch.push_row(active);
    }
    batch.push(position.piece_count(), None, None);
}

fn push_legal<G: Game>(batch: &mut Batch, position: &G, moves: &[G::Move], form: PolicyForm) {
    if batch.legal_starts.is_empty() {
        batch.legal_starts.push(0);
    }
    let targets = moves.iter().map(|&mv| form.index(position, mv));
    batch
        .legal
        .extend(targets.map(|index| PolicyTarget { from: index.from as u16, to: index.to as u16 }));
    batch.legal_starts.push(batch.legal.len() as u32);
}
