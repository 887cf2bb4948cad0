//! Fit of the policy head: the head is trained where the search asks it, at cut nodes.
//!
//! A network learns its policy from the best moves of games. The search asks it elsewhere: in nodes
//! of the tree where a quiet move fails high. [`PolicySamples`] collects such nodes with the
//! activations of the accumulator, and [`PolicySamples::fit`] trains the head by conditional
//! logistic regression of the move that fails high. Everything else of the network stays as it is,
//! and so does its value.

mod training;

use std::sync::Arc;

use games::{PolicyForm, SearchGame};
use nnue::{
    AccumulatorStack, Architecture, FileParameters, Head, IntegerParameters, MoveEncoding, Network,
    NetworkError, NetworkFile, PolicyHead, Weights,
};
use search::{CutNodeSample, GameInputs, InputsError};

use super::RuleFit;
use training::{Choice, PolicyWeights, train};

const RULE: &str = "policy";

/// One node in so many blocks of nodes is held out; nodes of one search are alike.
const HELD_OUT_BLOCKS: usize = 10;
const MAX_BLOCKS: usize = 100;
/// Fewer nodes than this are not fitted.
const MIN_NODES: usize = 5000;

/// Why the policy of a network cannot be fitted.
#[derive(Debug, thiserror::Error)]
pub enum PolicyFitError {
    /// The network has no policy head that is evaluated in integers.
    #[error("the network {0} has no policy head in integers; nothing can be fitted")]
    NoPolicy(Box<Architecture>),
    /// The policy head does not number moves of the game.
    #[error("the policy {from}/{to} of the network is not for moves of {game}")]
    Game {
        /// Outputs for origins.
        from: usize,
        /// Outputs for destinations.
        to: usize,
        /// The game.
        game: &'static str,
    },
    /// The network does not read positions of the game.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Cut nodes as the policy head of a network sees them.
pub struct PolicySamples<G: SearchGame> {
    file: NetworkFile,
    old_form: PolicyForm,
    form: PolicyForm,
    stack: AccumulatorStack<Arc<Network>, G, GameInputs<G>>,
    /// The mirror of cells, once a node was mirrored.
    mirror: Option<&'static [u8]>,
    /// The activations of all nodes, one node after the other.
    activations: Vec<u8>,
    width: usize,
    nodes: Vec<Choice>,
    /// The outputs of the moves of all nodes.
    moves: Vec<[u16; 2]>,
    /// The loss of the old head on each node.
    old_losses: Vec<f32>,
}

impl<G: SearchGame> PolicySamples<G> {
    /// No samples of a network yet.
    pub fn new(file: NetworkFile) -> Result<Self, PolicyFitError> {
        let architecture = file.architecture();
        let head = architecture.policy();
        let (Some(head), FileParameters::Integer(_)) = (head, file.parameters()) else {
            return Err(PolicyFitError::NoPolicy(Box::new(architecture.clone())));
        };
        let old_form = PolicyForm::of_head::<G>(head.encoding_name(), head.from, head.to);
        let old_form =
            old_form.ok_or(PolicyFitError::Game { from: head.from, to: head.to, game: G::NAME })?;
        // Without kinds of pieces there is nothing to distinguish.
        let form = if G::PIECE_KINDS > 1 { PolicyForm::PieceToSee } else { old_form };
        let width = architecture.accumulator_outputs();
        let inputs = GameInputs::new(architecture)?;
        let network = Arc::new(file.to_network()?);
        Ok(Self {
            stack: AccumulatorStack::new(network, inputs, G::start()),
            file,
            old_form,
            form,
            mirror: None,
            activations: Vec::new(),
            width,
            nodes: Vec::new(),
            moves: Vec::new(),
            old_losses: Vec::new(),
        })
    }

    /// Adds a node.
    pub fn push(&mut self, sample: &CutNodeSample<G>) {
        let position = &sample.position;
        self.stack.reset(position.clone());
        let mut activations = Vec::with_capacity(self.width);
        self.stack.activations(&mut activations);
        self.activations.extend(&activations);
        let set = self.stack.inputs().set();
        let mirror = set.mirror(position);
        self.mirror = self.mirror.or(mirror);
        let (old, new) =
            (self.old_form.numbering(position, set), self.form.numbering(position, set));
        let origins = self.old_form.shape::<G>().from;
        let start = self.moves.len();
        let mut rows = Vec::with_capacity(2 * sample.moves.len());
        for &(mv, _) in &sample.moves {
            let index = new.index(mv);
            self.moves.push([index.from as u16, index.to as u16]);
            let index = old.index(mv);
            rows.extend([index.from as u16, (origins + index.to) as u16]);
        }
        let mut logits = vec![0.0; rows.len()];
        self.stack.policy(&rows, &mut logits);
        let logits: Vec<f32> = logits.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
        self.old_losses.push(training::loss_of_last(&logits));
        self.nodes.push(Choice { start: start as u32, len: sample.moves.len() as u16 });
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Trains the head. Returns what was found and, if it predicts the held-out nodes better, the
    /// network with the new head.
    pub fn fit(&self) -> Result<(RuleFit, Option<NetworkFile>), PolicyFitError> {
        if self.nodes.len() < MIN_NODES {
            let reason = format!("expected at least {MIN_NODES} nodes");
            return Ok((RuleFit::none(RULE, self.nodes.len(), &reason), None));
        }
        let FileParameters::Integer(parameters) = self.file.parameters() else {
            return Err(PolicyFitError::NoPolicy(Box::new(self.file.architecture().clone())));
        };
        let (training, held_out): (Vec<usize>, Vec<usize>) =
            (0..self.nodes.len()).partition(|&node| !self.is_held_out(node));
        let unit = self.file.architecture().policy_unit();
        let set = training::Nodes {
            activations: &self.activations,
            width: self.width,
            choices: &self.nodes,
            moves: &self.moves,
            activation_unit: self.file.architecture().activation_unit(),
        };
        let mut weights = self.start(parameters, &set, &training);
        train(&mut weights, &set, &training);
        let weight_unit = (1_u32 << self.file.architecture().scales.policy_shift) as f32;
        let quantised = weights.quantise(weight_unit, unit);
        let rounded = PolicyWeights::of_integers(
            &quantised,
            self.form.shape::<G>().from,
            self.width,
            weight_unit,
            unit,
        );
        let before = held_out.iter().map(|&node| f64::from(self.old_losses[node]));
        let before = before.sum::<f64>() / held_out.len() as f64;
        let after = training::mean_loss(&rounded, &set, &held_out);
        let fit = RuleFit {
            rule: RULE,
            samples: [training.len(), held_out.len()],
            coefficients: Vec::new(),
            log_loss: [before, after],
            params: Vec::new(),
            reason: None,
        }
        .judged();
        let file = if fit.reason.is_none() { Some(self.with_head(quantised)?) } else { None };
        Ok((fit, file))
    }

    fn is_held_out(&self, node: usize) -> bool {
        let block = (self.nodes.len() / MAX_BLOCKS).max(1);
        node / block % HELD_OUT_BLOCKS == HELD_OUT_BLOCKS - 1
    }

    /// The old head in the new form. A head whose moves are not mirrored has learnt one orientation
    /// more than the other: the better of both is the start.
    fn start(
        &self,
        parameters: &IntegerParameters,
        set: &training::Nodes<'_>,
        training: &[usize],
    ) -> PolicyWeights {
        let architecture = self.file.architecture();
        let weight_unit = (1_u32 << architecture.scales.policy_shift) as f32;
        let Some(old) = &parameters.policy else {
            return PolicyWeights::zeros(0, 0, self.width);
        };
        let old_shape = self.old_form.shape::<G>();
        let unit = architecture.policy_unit();
        let old = PolicyWeights::of_integers(old, old_shape.from, self.width, weight_unit, unit);
        let in_form = |mirror: Option<&[u8]>| self.in_form(&old, mirror);
        let plain = in_form(None);
        let Some(mirror) = self.mirror.filter(|_| self.old_form != PolicyForm::PieceToSee) else {
            return plain;
        };
        let mirrored = in_form(Some(mirror));
        let some = &training[..training.len().min(20_000)];
        let loss = |weights: &PolicyWeights| training::mean_loss(weights, set, some);
        if loss(&mirrored) < loss(&plain) { mirrored } else { plain }
    }

    /// The outputs of an old head, each copied to the outputs of the new form that it served.
    fn in_form(&self, old: &PolicyWeights, mirror: Option<&[u8]>) -> PolicyWeights {
        let (shape, old_shape) = (self.form.shape::<G>(), self.old_form.shape::<G>());
        let mut weights = PolicyWeights::zeros(shape.from, shape.to, self.width);
        let cell = |cell: usize| {
            mirror.and_then(|mirror| mirror.get(cell)).map_or(cell, |&cell| cell.into())
        };
        for from in 0..shape.from {
            let old_from = if self.old_form == self.form { from } else { from % G::POLICY.from };
            weights.copy_row(from, old, cell(old_from));
        }
        for to in 0..shape.to {
            let (cells, kinds) = (G::POLICY.to, G::PIECE_KINDS);
            let old_to = match self.old_form {
                form if form == self.form => to,
                PolicyForm::FromTo => cell(to % cells),
                PolicyForm::PieceTo | PolicyForm::PieceToSee => {
                    (to / cells % kinds) * cells + cell(to % cells)
                }
            };
            weights.copy_row(shape.from + to, old, old_shape.from + old_to);
        }
        weights
    }

    /// The network with another policy head. The calibration of the old one is left out.
    fn with_head(&self, policy: Weights<i8, i32>) -> Result<NetworkFile, PolicyFitError> {
        let file = &self.file;
        let shape = self.form.shape::<G>();
        let mut description = file.architecture().clone().into_description();
        for head in &mut description.heads {
            if let Head::Policy(head) = head {
                let moves = MoveEncoding::from_name(self.form.name());
                *head = PolicyHead { from: shape.from, to: shape.to, moves };
            }
        }
        let architecture = Architecture::new(description).map_err(NetworkError::from)?;
        let FileParameters::Integer(parameters) = file.parameters() else {
            return Err(PolicyFitError::NoPolicy(Box::new(architecture)));
        };
        let parameters = IntegerParameters { policy: Some(policy), ..parameters.clone() };
        let calibration = match file.calibration() {
            Some(calibration) => Some(calibration.clone().with_policy(None)?),
            None => None,
        };
        let line = format!("policy fitted on {} cut nodes", self.nodes.len());
        let provenance = format!("{}\n{line}", file.provenance().trim_end());
        let error = file.quantisation_error();
        Ok(NetworkFile::new(architecture, parameters, provenance, error)?
            .with_calibration(calibration)?
            .with_score_model(file.score_model().cloned())
            .with_fitted_params(file.fitted_params().cloned()))
    }
}

#[cfg(test)]
mod tests;
