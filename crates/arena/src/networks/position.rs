//! Position evaluator: a network evaluates single positions from scratch, by every head.

use std::sync::Arc;

use games::{Color, PolicyForm, ToolkitGame};
use nnue::{Accumulator, Network, Outputs, Workspace};
use search::GameInputs;

use super::{LoadedNetwork, NetworkLoadError};

/// A network that evaluates positions of `G` from scratch.
///
/// A search keeps accumulators along a line instead; this is for explanations, curves and pages,
/// which look at one position after the other.
#[derive(Debug)]
pub struct PositionEvaluator<G: ToolkitGame> {
    network: Arc<Network>,
    inputs: GameInputs<G>,
    workspace: Workspace,
}

/// The contribution of a piece to an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceContribution {
    /// The cell of the piece.
    pub cell: usize,
    /// Its letter.
    pub piece: char,
    /// The value with the piece minus the value without it, for the side to move. `None` if the
    /// position without the piece is not playable: a king, or a check.
    pub value: Option<i32>,
}

impl LoadedNetwork {
    /// An evaluator of single positions of `G`.
    pub fn position_evaluator<G: ToolkitGame>(
        &self,
    ) -> Result<PositionEvaluator<G>, NetworkLoadError> {
        let network = Arc::clone(self.network());
        let workspace = network.workspace();
        Ok(PositionEvaluator { inputs: self.inputs()?, network, workspace })
    }
}

impl<G: ToolkitGame> PositionEvaluator<G> {
    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The output bucket of a position.
    pub fn bucket(&self, position: &G) -> usize {
        self.network.architecture().buckets.choose(position.piece_count())
    }

    fn accumulators(&self, position: &G) -> [Accumulator; 2] {
        Color::BOTH.map(|color| {
            let mut active = Vec::new();
            self.inputs.set().active(position, color, &mut active);
            let mut accumulator = Accumulator::new(&self.network);
            self.network.refresh(&mut accumulator, &active);
            accumulator
        })
    }

    /// The outputs for a position.
    pub fn outputs(&mut self, position: &G) -> Outputs {
        let [white, black] = &self.accumulators(position);
        let side = position.side_to_move() as usize;
        self.network.outputs([white, black], side, position.piece_count(), &mut self.workspace)
    }

    /// The value of each output bucket for a position, and for a Stockfish network its
    /// piece-square and positional parts in sixteenths of a unit.
    pub fn buckets(&mut self, position: &G) -> Vec<(i32, Option<nnue::StockfishValue>)> {
        let [white, black] = &self.accumulators(position);
        let (views, side) = ([white, black], position.side_to_move() as usize);
        let workspace = &mut self.workspace;
        let network = &self.network;
        let bucket = |bucket| {
            let value = network.outputs_in_bucket(views, side, bucket, workspace).value;
            (value, network.stockfish_value(views, side, bucket, workspace))
        };
        (0..network.architecture().buckets.count).map(bucket).collect()
    }

    /// The contribution of each piece.
    pub fn contributions(&mut self, position: &G) -> Vec<PieceContribution> {
        let whole = self.outputs(position).value;
        let cells = 0..G::geometry().cells.len();
        cells
            .filter_map(|cell| {
                let piece = position.piece_on(cell)?;
                let without = position.without_piece(cell);
                let value = without.map(|position| whole - self.outputs(&position).value);
                Some(PieceContribution { cell, piece, value })
            })
            .collect()
    }

    /// How the policy head numbers moves of `G`; `None` without a policy head for this game.
    pub fn policy_form(&self) -> Option<PolicyForm> {
        let head = self.network.architecture().policy()?;
        PolicyForm::of_head::<G>(head.encoding_name(), head.from, head.to)
    }

    /// The probability of each legal move by the policy head, highest first; empty without one.
    pub fn policy(&mut self, position: &G) -> Vec<(G::Move, f32)> {
        let Some((head, form)) = self.network.architecture().policy().zip(self.policy_form())
        else {
            return Vec::new();
        };
        let moves = position.legal_moves();
        let numbering = form.numbering(position, self.inputs.set());
        let rows: Vec<u16> = moves
            .iter()
            .map(|&mv| numbering.index(mv))
            .flat_map(|index| [index.from as u16, (head.from + index.to) as u16])
            .collect();
        let mut logits = vec![0.0; rows.len()];
        let [white, black] = &self.accumulators(position);
        let side = position.side_to_move() as usize;
        self.network.policy([white, black], side, &rows, &mut logits, &mut self.workspace);
        let scores: Vec<f32> = logits.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
        let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = scores.iter().map(|score| (score - max).exp()).sum();
        let shares = scores.iter().map(|score| (score - max).exp() / sum);
        let mut policy: Vec<_> = moves.into_iter().zip(shares).collect();
        policy.sort_by(|a, b| b.1.total_cmp(&a.1));
        policy
    }
}
