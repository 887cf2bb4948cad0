//! Positions valued by a network.

use std::sync::Arc;

use games::Game;
use nnue::{AccumulatorStack, Network};

use super::Evaluator;
use crate::{GameInputs, InputsError};

/// A network's value of positions.
#[derive(Debug)]
pub struct NetworkEvaluator<G: Game> {
    stack: AccumulatorStack<Arc<Network>, G, GameInputs<G>>,
}

impl<G: Game> NetworkEvaluator<G> {
    /// Asks `network`, which must have been made for positions of `G`. Many threads may share one network.
    pub fn new(network: Arc<Network>) -> Result<Self, InputsError> {
        let inputs = GameInputs::new(network.architecture())?;
        Ok(Self::with_inputs(network, inputs))
    }

    /// The same for a network that does not name its feature set; see [`GameInputs::from_set`].
    pub fn with_inputs(network: Arc<Network>, inputs: GameInputs<G>) -> Self {
        Self { stack: AccumulatorStack::new(network, inputs, G::start()) }
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<G> {
    fn reset(&mut self, position: &G) {
        self.stack.reset(position.clone());
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.stack.push(position.clone());
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    #[inline]
    fn evaluate(&mut self) -> i32 {
        self.stack.evaluate()
    }
}
