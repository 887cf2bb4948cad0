//! Stub.
use crate::*;
/// Stub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chess;
#[allow(unused_variables, clippy::all, clippy::pedantic)]
impl Game for Chess {
    type Move = u32;
    const NAME: &'static str = "chess";
    const REPETITIONS: Option<usize> = None;
    const POLICY: PolicyShape = PolicyShape { from: 1, to: 1 };
    const MOVE_EXAMPLE: &'static str = "-";
    fn start() -> Self { Self }
    fn from_fen(fen: &str) -> Result<Self, FenError> { todo!() }
    fn to_fen(&self) -> String { todo!() }
    fn side_to_move(&self) -> Color { todo!() }
    fn hash(&self) -> u64 { todo!() }
    fn for_each_move(&self, visit: impl FnMut(Self::Move)) { todo!() }
    fn play(&mut self, mv: Self::Move) { todo!() }
    fn outcome_without_moves(&self) -> Outcome { todo!() }
    fn move_text(&self, mv: Self::Move) -> String { todo!() }
    fn move_code(mv: Self::Move) -> u32 { todo!() }
    fn policy_index(&self, mv: Self::Move) -> PolicyIndex { todo!() }
    fn geometry() -> BoardGeometry { todo!() }
    fn piece_on(&self, cell: usize) -> Option<char> { todo!() }
    fn feature_set_names() -> &'static [&'static str] { todo!() }
    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> { todo!() }
}
