//! Evaluation: computes the value, the outputs and the policy of a network.

use alloc::vec::Vec;

use super::{Body, Network, Workspace, WorkspaceBody};
use crate::accumulator::AccumulatorRef;
use crate::blocks::{BlockI16, blocks};
use crate::heads::MAX_OUTPUTS;
use crate::integer::AccumulatorPair;
use crate::transformer::Step;
use crate::{Accumulator, Head, Outputs, Perspectives, StockfishValue};

/// The panic message if a caller mixes up networks.
const FOREIGN: &str = "the workspace is of another network";

impl Network {
    /// The value of a position in centipawns, for the side to move.
    ///
    /// `accumulators` are the first and the second player's; a network with one perspective reads
    /// only the first. `side_to_move` is 0 or 1. `pieces`, the number of pieces on the board,
    /// selects the output bucket.
    ///
    /// # Panics
    ///
    /// If an accumulator or the workspace belongs to another network.
    #[inline]
    pub fn evaluate(
        &self,
        accumulators: [&Accumulator; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
    ) -> i32 {
        self.evaluate_accumulators(self.borrow_both(accumulators), side_to_move, pieces, workspace)
    }

    /// All outputs except the policy; see [`evaluate`](Network::evaluate).
    pub fn outputs(
        &self,
        accumulators: [&Accumulator; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
    ) -> Outputs {
        self.outputs_of_accumulators(
            self.borrow_both(accumulators),
            side_to_move,
            pieces,
            workspace,
            false,
        )
    }

    /// [`outputs`](Network::outputs) of a given bucket, which may differ from the position's own,
    /// for inspection.
    ///
    /// # Panics
    ///
    /// If there is no such bucket, or an accumulator or the workspace belongs to another network.
    pub fn outputs_in_bucket(
        &self,
        accumulators: [&Accumulator; 2],
        side_to_move: usize,
        bucket: usize,
        workspace: &mut Workspace,
    ) -> Outputs {
        let accumulators = self.order(self.borrow_both(accumulators), side_to_move);
        self.outputs_of(accumulators, bucket, workspace, false)
    }

    /// The two parts of a Stockfish network's value, by any of its buckets; `None` for other
    /// networks.
    ///
    /// # Panics
    ///
    /// If there is no such bucket, or an accumulator or the workspace belongs to another network.
    pub fn stockfish_value(
        &self,
        accumulators: [&Accumulator; 2],
        side_to_move: usize,
        bucket: usize,
        workspace: &mut Workspace,
    ) -> Option<StockfishValue> {
        let [own, theirs] = self.order(self.borrow_both(accumulators), side_to_move);
        match (&self.body, &mut workspace.0) {
            (Body::Stockfish(network), WorkspaceBody::Stockfish(workspace)) => {
                Some(network.evaluate(self.kernel, own, theirs, bucket, workspace))
            }
            _ => None,
        }
    }

    /// The policy logits `rows`: origin cells come first, then target cells.
    ///
    /// Computes all outputs or only these, whichever is cheaper. Without a policy head `logits` is
    /// unchanged.
    ///
    /// # Panics
    ///
    /// If a row is not below the head's number of outputs, `logits` is shorter than `rows`, or an
    /// accumulator or the workspace belongs to another network.
    pub fn policy(
        &self,
        accumulators: [&Accumulator; 2],
        side_to_move: usize,
        rows: &[u16],
        logits: &mut [f32],
        workspace: &mut Workspace,
    ) {
        self.policy_of_accumulators(
            self.borrow_both(accumulators),
            side_to_move,
            rows,
            logits,
            workspace,
        );
    }

    #[inline(always)]
    fn borrow_both<'a>(&self, accumulators: [&'a Accumulator; 2]) -> [AccumulatorRef<'a>; 2] {
        accumulators.map(|accumulator| {
            self.own_size(accumulator);
            accumulator.borrowed()
        })
    }

    /// The accumulators in the order in which the network reads them.
    #[inline]
    fn order<'a>(
        &self,
        accumulators: [AccumulatorRef<'a>; 2],
        side_to_move: usize,
    ) -> [AccumulatorRef<'a>; 2] {
        match self.architecture.perspectives {
            Perspectives::Two if side_to_move == 0 => accumulators,
            Perspectives::Two => [accumulators[1], accumulators[0]],
            Perspectives::One => {
                [accumulators[0], AccumulatorRef { values: &[], fixed: &[], ..accumulators[1] }]
            }
        }
    }

    /// The fast path of searches: only the value, for an integer network with a value head.
    /// `accumulators` are in the order in which the network reads them.
    #[inline(always)]
    pub(crate) fn evaluate_values(
        &self,
        [own, theirs]: [&[BlockI16]; 2],
        pieces: usize,
        workspace: &mut Workspace,
    ) -> Option<i32> {
        let value = self.value.as_ref()?;
        let (Body::Integer(network), WorkspaceBody::Integer(workspace)) =
            (&self.body, &mut workspace.0)
        else {
            return None;
        };
        let bucket = self.architecture.buckets.choose(pieces);
        let theirs = if self.architecture.perspectives == Perspectives::One { &[] } else { theirs };
        let mut raw = [0];
        let accumulators = AccumulatorPair { own, theirs };
        network.outputs(
            self.kernel,
            accumulators,
            bucket,
            value.output,
            &mut raw,
            workspace,
            false,
        );
        Some(value.read(raw[0]))
    }

    /// Whether the network supports [`step_and_evaluate`](Self::step_and_evaluate).
    pub(crate) fn has_steps(&self) -> bool {
        let integer = matches!(self.body, Body::Integer(_));
        integer && self.value.is_some() && self.architecture.perspectives == Perspectives::Two
    }

    /// Updates both accumulators and returns the same value as
    /// [`evaluate_values`](Self::evaluate_values), which is what a search does at most nodes.
    /// `side_to_move` is 0 or 1. Returns `None` without an update if the network does not support
    /// this.
    #[inline(always)]
    pub(crate) fn step_and_evaluate(
        &self,
        step: Step<'_>,
        side_to_move: usize,
        bucket: usize,
        workspace: &mut Workspace,
    ) -> Option<i32> {
        let (Some(value), Body::Integer(network), WorkspaceBody::Integer(workspace)) =
            (&self.value, &self.body, &mut workspace.0)
        else {
            return None;
        };
        let second = side_to_move != 0;
        let raw =
            network.step_and_output(self.kernel, step, second, bucket, value.output, workspace);
        Some(value.read(raw))
    }

    #[inline]
    pub(crate) fn evaluate_accumulators(
        &self,
        accumulators: [AccumulatorRef<'_>; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
    ) -> i32 {
        let accumulators = self.order(accumulators, side_to_move);
        if let (Body::Stockfish(network), WorkspaceBody::Stockfish(workspace)) =
            (&self.body, &mut workspace.0)
        {
            let bucket = self.architecture.buckets.choose(pieces);
            let [own, theirs] = accumulators;
            return network.evaluate(self.kernel, own, theirs, bucket, workspace).centipawns();
        }
        let values = [accumulators[0].values, accumulators[1].values];
        self.evaluate_values(values, pieces, workspace).unwrap_or_else(|| {
            let bucket = self.architecture.buckets.choose(pieces);
            self.outputs_of(accumulators, bucket, workspace, false).value
        })
    }

    /// `again` promises that the workspace was last used for the value of the same position.
    pub(crate) fn outputs_of_accumulators(
        &self,
        accumulators: [AccumulatorRef<'_>; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
        again: bool,
    ) -> Outputs {
        let bucket = self.architecture.buckets.choose(pieces);
        self.outputs_of(self.order(accumulators, side_to_move), bucket, workspace, again)
    }

    /// The outputs of one bucket. The accumulators are in the network's order.
    #[inline]
    fn outputs_of(
        &self,
        [own, theirs]: [AccumulatorRef<'_>; 2],
        bucket: usize,
        workspace: &mut Workspace,
        again: bool,
    ) -> Outputs {
        let value = |value| Outputs { value, wdl: None, quantiles: None };
        match (&self.body, &mut workspace.0) {
            (Body::Integer(network), WorkspaceBody::Integer(workspace)) => {
                let mut raw = [0; MAX_OUTPUTS];
                let raw = &mut raw[..self.output_count()];
                let accumulators = AccumulatorPair { own: own.values, theirs: theirs.values };
                network.outputs(self.kernel, accumulators, bucket, 0, raw, workspace, again);
                let unit = self.architecture.output_unit();
                let real: [f32; MAX_OUTPUTS] =
                    core::array::from_fn(|i| raw.get(i).map_or(0.0, |&raw| raw as f32 / unit));
                let value = self.value.as_ref().map(|value| value.read(raw[value.output]));
                Outputs::new(&self.architecture, &real, value)
            }
            (Body::Float(network), WorkspaceBody::Float(workspace)) => {
                let mut real = Vec::new();
                let (own, theirs) = (own.fixed, theirs.fixed);
                network.outputs(&self.architecture, own, theirs, bucket, workspace, &mut real);
                Outputs::new(&self.architecture, &real, None)
            }
            (Body::Noru(network), WorkspaceBody::Noru(workspace)) => {
                value(network.evaluate(self.kernel, own, theirs, workspace))
            }
            (Body::Stockfish(network), WorkspaceBody::Stockfish(workspace)) => {
                let parts = network.evaluate(self.kernel, own, theirs, bucket, workspace);
                value(parts.centipawns())
            }
            _ => panic!("{FOREIGN}"),
        }
    }

    pub(crate) fn policy_of_accumulators(
        &self,
        accumulators: [AccumulatorRef<'_>; 2],
        side_to_move: usize,
        rows: &[u16],
        logits: &mut [f32],
        workspace: &mut Workspace,
    ) {
        let [own, theirs] = self.order(accumulators, side_to_move);
        match (&self.body, &mut workspace.0) {
            (Body::Integer(network), WorkspaceBody::Integer(workspace)) => {
                let unit = self.architecture.policy_unit();
                let accumulators = AccumulatorPair { own: own.values, theirs: theirs.values };
                network.policy(self.kernel, accumulators, rows, logits, unit, workspace);
            }
            (Body::Float(network), WorkspaceBody::Float(workspace)) => {
                network.policy(own.fixed, theirs.fixed, rows, workspace, logits);
            }
            (Body::Noru(_), WorkspaceBody::Noru(_))
            | (Body::Stockfish(_), WorkspaceBody::Stockfish(_)) => {}
            _ => panic!("{FOREIGN}"),
        }
    }

    /// Replaces `activations` by those of the accumulators, which are in the order in which the
    /// network reads them.
    pub(crate) fn activations_of_accumulators(
        &self,
        accumulators: [AccumulatorRef<'_>; 2],
        activations: &mut Vec<u8>,
        workspace: &mut Workspace,
    ) {
        activations.clear();
        let [own, theirs] = self.order(accumulators, 0);
        if let (Body::Integer(network), WorkspaceBody::Integer(workspace)) =
            (&self.body, &mut workspace.0)
        {
            let accumulators = AccumulatorPair { own: own.values, theirs: theirs.values };
            let width = self.architecture.accumulator.outputs();
            let padded = network.activations(self.kernel, accumulators, workspace);
            for perspective in padded.chunks(blocks(width)) {
                let values = perspective.iter().flat_map(|block| block.0);
                activations.extend(values.take(width));
            }
        }
    }

    fn output_count(&self) -> usize {
        self.architecture.layer_heads().map(Head::outputs).sum()
    }
}
