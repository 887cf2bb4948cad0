//! Positions valued by a network, or by two.

use std::sync::Arc;

use games::{Game, PolicyForm};
use nnue::{AccumulatorStack, Calibration, Network};

use super::{Evaluator, Opinion, Quantiles};
use crate::{GameInputs, InputsError};

type Stack<G> = AccumulatorStack<Arc<Network>, G, GameInputs<G>>;

/// A network's value of positions. A second, larger network can stand behind it: which of the two a decision needs is for
/// the search to say, by [`Opinion`].
#[derive(Debug)]
pub struct NetworkEvaluator<G: Game> {
    stack: Stack<G>,
    policy_form: Option<PolicyForm>,
    large: Option<Box<Stack<G>>>,
    quick: bool,
}

/// The most values of an accumulator that are updated and summed up in less time than a look into memory takes.
const MOST_QUICK: usize = 512;

impl<G: Game> NetworkEvaluator<G> {
    /// Asks `network`, which must have been made for positions of `G`. Many threads may share one network.
    pub fn new(network: Arc<Network>) -> Result<Self, InputsError> {
        let inputs = GameInputs::new(network.architecture())?;
        Ok(Self::with_inputs(network, inputs))
    }

    /// The same for a network that does not name its feature set; see [`GameInputs::from_set`].
    pub fn with_inputs(network: Arc<Network>, inputs: GameInputs<G>) -> Self {
        let policy = network.architecture().policy();
        let policy_form = policy.and_then(|(from, to)| PolicyForm::of::<G>(from, to));
        let architecture = network.architecture();
        let quick = architecture.hidden.is_empty() && architecture.accumulator.width <= MOST_QUICK;
        let stack = AccumulatorStack::new(network, inputs, G::start());
        Self { stack, policy_form, large: None, quick }
    }

    /// The same with a larger network behind it, whose policy is not asked.
    #[must_use]
    pub fn with_large(mut self, large: Self) -> Self {
        self.large = Some(Box::new(large.stack));
        self
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<G> {
    fn reset(&mut self, position: &G) {
        self.stack.reset(position.clone());
        if let Some(large) = &mut self.large {
            large.reset(position.clone());
        }
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.stack.push(position.clone());
        if let Some(large) = &mut self.large {
            large.push(position.clone());
        }
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
        if let Some(large) = &mut self.large {
            large.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self) -> i32 {
        self.stack.evaluate()
    }

    #[inline]
    fn is_quick(&self) -> bool {
        self.quick
    }

    #[inline]
    fn quantiles(&mut self, opinion: Opinion) -> Option<Quantiles> {
        match opinion {
            Opinion::First => self.stack.outputs().quantiles,
            Opinion::Second => self.large.as_mut()?.outputs().quantiles,
        }
    }

    #[inline]
    fn has_second(&self) -> bool {
        self.large.is_some()
    }

    #[inline]
    fn calibration(&self, opinion: Opinion) -> Option<&Calibration> {
        match opinion {
            Opinion::First => self.stack.network().calibration(),
            Opinion::Second => self.large.as_ref()?.network().calibration(),
        }
    }

    fn policy_form(&self) -> Option<PolicyForm> {
        self.policy_form
    }

    #[inline]
    fn policy(&mut self, rows: &[u16], logits: &mut [f32]) {
        self.stack.policy(rows, logits);
    }
}
