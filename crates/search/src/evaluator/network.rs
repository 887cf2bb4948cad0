//! Network evaluation: accumulator stacks of one network, or of a small and a large one.

use std::sync::Arc;

use games::{PolicyForm, SearchGame};
use nnue::{
    AccumulatorStack, Calibration, FittedParams, Network, PolicyCalibration, QUANTILE_LEVELS,
    ScoreModel, ScoreUnit,
};

use super::{Evaluator, NetworkSize, Quantiles};
use crate::score::clamp_evaluation;
use crate::{GameInputs, InputsError, MOVE_CLASS_SCHEME, MOVE_CLASSES};

type Stack<G> = AccumulatorStack<Arc<Network>, G, GameInputs<G>>;

/// A network along the line that a search follows, with its unit.
#[derive(Debug)]
struct NormalisedNetwork<G: SearchGame> {
    stack: Stack<G>,
    unit: ScoreUnit,
    /// The network's calibration in normalised centipawns.
    calibration: Option<Calibration>,
}

impl<G: SearchGame> NormalisedNetwork<G> {
    fn set_unit(&mut self, unit: ScoreUnit) {
        self.unit = unit;
        let calibration = self.stack.network().calibration();
        self.calibration = calibration.map(|calibration| calibration.clone().normalised(unit));
    }

    #[inline]
    fn evaluate(&mut self) -> i32 {
        clamp_evaluation(self.unit.normalise(self.stack.evaluate()))
    }

    #[inline]
    fn quantiles(&mut self) -> Option<Quantiles> {
        let quantiles: [i32; QUANTILE_LEVELS.len()] = self.stack.outputs().quantiles?;
        Some(quantiles.map(|raw| clamp_evaluation(self.unit.normalise(raw))))
    }
}

/// Evaluates positions by a network. A second, larger one can stand behind it; the search chooses
/// between them by [`NetworkSize`].
///
/// Scores are normalised centipawns: each network's own scores times one factor, by its score model
/// ([`ScoreModel::search_unit`]), or by [`ScoreModel::DEFAULT`] if it has none.
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
    small: NormalisedNetwork<G>,
    policy_form: Option<PolicyForm>,
    /// Whether the calibration of the policy is for the move classes of this search.
    knows_classes: bool,
    large: Option<Box<NormalisedNetwork<G>>>,
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
        let unit = network.score_model().unwrap_or(&ScoreModel::DEFAULT).search_unit();
        let stack = AccumulatorStack::new(network, inputs, G::start());
        let mut small = NormalisedNetwork { stack, unit, calibration: None };
        small.set_unit(unit);
        Self { small, policy_form, knows_classes, large: None, fast }
    }

    /// The same with the unit of this model in place of the network's own.
    #[must_use]
    pub fn with_score_model(mut self, model: &ScoreModel) -> Self {
        self.small.set_unit(model.search_unit());
        self
    }

    /// The same with a larger network behind it, whose policy is not used.
    #[must_use]
    pub fn with_large(mut self, large: Self) -> Self {
        self.large = Some(Box::new(large.small));
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
        self.small.stack.reset(position.clone());
        if let Some(large) = &mut self.large {
            large.stack.reset(position.clone());
        }
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.small.stack.push(position.clone());
        if let Some(large) = &mut self.large {
            large.stack.push(position.clone());
        }
    }

    #[inline]
    fn pop(&mut self) {
        self.small.stack.pop();
        if let Some(large) = &mut self.large {
            large.stack.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self) -> i32 {
        self.small.evaluate()
    }

    fn unit(&self) -> ScoreUnit {
        self.small.unit
    }

    fn fitted_params(&self) -> Option<&FittedParams> {
        self.small.stack.network().fitted_params()
    }

    #[inline]
    fn is_fast(&self) -> bool {
        self.fast
    }

    #[inline]
    fn quantiles(&mut self, size: NetworkSize) -> Option<Quantiles> {
        match size {
            NetworkSize::Small => self.small.quantiles(),
            NetworkSize::Large => self.large.as_mut()?.quantiles(),
        }
    }

    #[inline]
    fn has_large(&self) -> bool {
        self.large.is_some()
    }

    #[inline]
    fn calibration(&self, size: NetworkSize) -> Option<&Calibration> {
        match size {
            NetworkSize::Small => self.small.calibration.as_ref(),
            NetworkSize::Large => self.large.as_ref()?.calibration.as_ref(),
        }
    }

    #[inline]
    fn policy_calibration(&self) -> Option<&PolicyCalibration> {
        let calibration = self.small.calibration.as_ref().filter(|_| self.knows_classes);
        calibration.and_then(Calibration::policy)
    }

    fn policy_form(&self) -> Option<PolicyForm> {
        self.policy_form
    }

    fn policy_mirror(&self, position: &G) -> Option<&'static [u8]> {
        self.small.stack.inputs().set().mirror(position)
    }

    #[inline]
    fn policy(&mut self, rows: &[u16], logits: &mut [f32]) {
        self.small.stack.policy(rows, logits);
    }
}
