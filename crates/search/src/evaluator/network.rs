//! Network evaluation: accumulator stacks of one network, or of a small and a large one.

use std::sync::Arc;

use games::{PolicyForm, SearchGame};
use nnue::{AccumulatorStack, Calibration, Network, PolicyCalibration};

use super::{Evaluator, NetworkSize, Quantiles};
use crate::{GameInputs, InputsError, MOVE_CLASS_SCHEME, MOVE_CLASSES};

type Stack<G> = AccumulatorStack<Arc<Network>, G, GameInputs<G>>;

/// Evaluates positions by a network. A second, larger one can stand behind it; the search chooses
/// between them by [`NetworkSize`].
///
/// ```
/// use std::sync::Arc;
///
/// use games::{Game, GameHistory, chess::Chess};
/// use nnue::{IntegerParameters, Network};
/// use search::{Control, Engine, EngineOptions, Limits, NetworkEvaluator};
///
/// // Usually: `Network::from_bytes(&std::fs::read("net.accrue")?)`.
/// let architecture = "chess.piece-square (768→16)×2→1 screlu".parse()?;
/// let parameters = IntegerParameters::generate(&architecture, || 20, || 0, || 10, || 0);
/// let network = Arc::new(Network::from_integers(architecture, &parameters)?);
///
/// let mut engine = Engine::<Chess>::new(EngineOptions::default())?;
/// NetworkEvaluator::<Chess>::new(network.clone())?; // it fits the game
/// engine.set_evaluator(move || NetworkEvaluator::new(network.clone()).expect("it fits the game"));
/// let game = GameHistory::new(Chess::start());
/// let result = engine.go(&game, &Limits::to_depth(3), &Control::new(), &mut |_| {});
/// assert!(result.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NetworkEvaluator<G: SearchGame> {
    stack: Stack<G>,
    policy_form: Option<PolicyForm>,
    /// Whether the calibration of the policy is for the move classes of this search.
    knows_classes: bool,
    large: Option<Box<Stack<G>>>,
    fast: bool,
}

/// The widest accumulator whose update and output take less time than a cache miss.
const MAX_FAST_WIDTH: usize = 512;

impl<G: SearchGame> NetworkEvaluator<G> {
    /// Evaluates by `network`, which must have been made for positions of `G`. Many threads may
    /// share one network.
    pub fn new(network: Arc<Network>) -> Result<Self, InputsError> {
        let inputs = GameInputs::new(network.architecture())?;
        Ok(Self::with_inputs(network, inputs))
    }

    /// The same for a network that does not name its feature set; see [`GameInputs::from_set`].
    pub fn with_inputs(network: Arc<Network>, inputs: GameInputs<G>) -> Self {
        let policy = network.architecture().policy();
        let policy_form = policy
            .and_then(|head| PolicyForm::of_head::<G>(head.encoding_name(), head.from, head.to));
        let architecture = network.architecture();
        let fast =
            architecture.hidden.is_empty() && architecture.accumulator.width <= MAX_FAST_WIDTH;
        let knows_classes = foreign_move_classes(&network).is_none();
        let stack = AccumulatorStack::new(network, inputs, G::start());
        Self { stack, policy_form, knows_classes, large: None, fast }
    }

    /// The same with a larger network behind it, whose policy is not used.
    #[must_use]
    pub fn with_large(mut self, large: Self) -> Self {
        self.large = Some(Box::new(large.stack));
        self
    }
}

/// The scheme of move classes that a network's policy biases were fitted for, where that is not
/// this search's. The search then orders by the policy without biases.
pub fn foreign_move_classes(network: &Network) -> Option<&str> {
    let policy = network.calibration()?.policy()?;
    let known =
        policy.move_classes == MOVE_CLASS_SCHEME && policy.class_biases.len() == MOVE_CLASSES;
    (!known).then_some(policy.move_classes.as_str())
}

impl<G: SearchGame> Evaluator<G> for NetworkEvaluator<G> {
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
    fn is_fast(&self) -> bool {
        self.fast
    }

    #[inline]
    fn quantiles(&mut self, size: NetworkSize) -> Option<Quantiles> {
        match size {
            NetworkSize::Small => self.stack.outputs().quantiles,
            NetworkSize::Large => self.large.as_mut()?.outputs().quantiles,
        }
    }

    #[inline]
    fn has_large(&self) -> bool {
        self.large.is_some()
    }

    #[inline]
    fn calibration(&self, size: NetworkSize) -> Option<&Calibration> {
        match size {
            NetworkSize::Small => self.stack.network().calibration(),
            NetworkSize::Large => self.large.as_ref()?.network().calibration(),
        }
    }

    #[inline]
    fn policy_calibration(&self) -> Option<&PolicyCalibration> {
        let calibration = self.stack.network().calibration().filter(|_| self.knows_classes);
        calibration.and_then(Calibration::policy)
    }

    fn policy_form(&self) -> Option<PolicyForm> {
        self.policy_form
    }

    #[inline]
    fn policy(&mut self, rows: &[u16], logits: &mut [f32]) {
        self.stack.policy(rows, logits);
    }
}
