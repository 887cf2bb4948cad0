//! Game descriptions: [`GameInfo`], a game behind an object-safe trait, and [`FeatureSetShape`].
//!
//! Code that selects a game by name at run time takes a list of these. This module names no game.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::{
    BoardGeometry, FeatureIndex, FeaturePlace, FeatureSetError, PerspectiveCount, PolicyForm,
    PolicyShape, Setting, ToolkitGame,
};

/// The size and the form of a feature set, which a network has to match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureSetShape {
    /// The full name.
    pub name: String,
    /// The game that it belongs to; `None` for `raw:N`.
    pub game: Option<&'static str>,
    /// The number of features.
    pub size: usize,
    /// The maximum number of features that are active at once.
    pub max_active: usize,
    /// The perspectives that a network uses.
    pub perspectives: PerspectiveCount,
}

/// The maximum size of a `raw:N` set.
pub const MAX_RAW_FEATURES: usize = 1 << 20;

impl FeatureSetShape {
    /// The shape of `raw:N`: N features that the caller numbers and that belong to no game. `None`
    /// if the name is not of this form.
    pub fn raw(name: &str) -> Option<Result<Self, FeatureSetError>> {
        let size = name.strip_prefix("raw:")?.parse().ok();
        let size = size.filter(|size| (1..=MAX_RAW_FEATURES).contains(size));
        Some(match size {
            Some(size) => Ok(Self {
                name: name.to_owned(),
                game: None,
                size,
                max_active: size,
                perspectives: PerspectiveCount::One,
            }),
            None => Err(FeatureSetError::Parameter {
                name: name.to_owned(),
                fault: format!("expected a whole number from 1 to {MAX_RAW_FEATURES} after `raw:`"),
            }),
        })
    }
}

/// A type-erased description of a game: its name, its feature sets, its settings. [`Described`]
/// implements it for every game.
///
/// ```
/// use games::{Described, GameInfo, chess::Chess, connect_four::ConnectFour};
///
/// let games: [&dyn GameInfo; 2] = [&Described::<Chess>::new(), &Described::<ConnectFour>::new()];
/// let game = games.into_iter().find(|game| game.name() == "chess").unwrap();
/// let shape = game.feature_set_shape("chess.piece-square")?;
/// assert_eq!((shape.size, shape.max_active), (768, 32));
/// # Ok::<(), games::FeatureSetError>(())
/// ```
pub trait GameInfo: Debug + Send + Sync {
    /// [`Game::NAME`](crate::Game::NAME).
    fn name(&self) -> &'static str;
    /// The initial position.
    fn start_fen(&self) -> String;
    /// The board.
    fn geometry(&self) -> BoardGeometry;
    /// The rules that can be set.
    fn settings(&self) -> &'static [Setting];
    /// The names of the feature sets, simplest first.
    fn feature_set_names(&self) -> Vec<String>;
    /// The shape of the feature set of that name.
    fn feature_set_shape(&self, name: &str) -> Result<FeatureSetShape, FeatureSetError>;
    /// The piece and the cell of each feature of a set; see
    /// [`FeatureSet::place`](crate::FeatureSet::place).
    fn feature_places(&self, name: &str) -> Result<Vec<Option<FeaturePlace>>, FeatureSetError>;
    /// The number of outputs of a policy head of this form.
    fn policy_shape(&self, form: PolicyForm) -> PolicyShape;
    /// The form of a policy head with these numbers of outputs and, if the network file has it,
    /// this name; `None` if the head is not for this game.
    fn policy_form(&self, name: Option<&str>, from: usize, to: usize) -> Option<PolicyForm>;
    /// The shared factor of each feature of a set; empty if the set has none. See
    /// [`FeatureSet::factors`](crate::FeatureSet::factors).
    fn feature_factors(&self, name: &str) -> Result<Vec<FeatureIndex>, FeatureSetError>;
}

/// [`GameInfo`] of the game `G`.
pub struct Described<G>(PhantomData<fn() -> G>);

impl<G> Described<G> {
    /// Creates the only value of this type.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G> Default for Described<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: ToolkitGame> Debug for Described<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Described").field(&G::NAME).finish()
    }
}

impl<G: ToolkitGame> GameInfo for Described<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn start_fen(&self) -> String {
        G::start().to_fen()
    }

    fn geometry(&self) -> BoardGeometry {
        G::geometry()
    }

    fn settings(&self) -> &'static [Setting] {
        G::settings()
    }

    fn feature_set_names(&self) -> Vec<String> {
        G::feature_set_names()
    }

    fn feature_set_shape(&self, name: &str) -> Result<FeatureSetShape, FeatureSetError> {
        let set = G::feature_set(name)?;
        Ok(FeatureSetShape {
            name: set.name(),
            game: Some(G::NAME),
            size: set.size(),
            max_active: set.max_active(),
            perspectives: set.perspectives(),
        })
    }

    fn feature_places(&self, name: &str) -> Result<Vec<Option<FeaturePlace>>, FeatureSetError> {
        let set = G::feature_set(name)?;
        Ok((0..set.size() as u32).map(|feature| set.place(feature)).collect())
    }

    fn policy_shape(&self, form: PolicyForm) -> PolicyShape {
        form.shape::<G>()
    }

    fn policy_form(&self, name: Option<&str>, from: usize, to: usize) -> Option<PolicyForm> {
        PolicyForm::of_head::<G>(name, from, to)
    }

    fn feature_factors(&self, name: &str) -> Result<Vec<FeatureIndex>, FeatureSetError> {
        let set = G::feature_set(name)?;
        let features = if set.factors() == 0 { 0 } else { set.size() as FeatureIndex };
        Ok((0..features).map(|feature| set.factor(feature)).collect())
    }
}
