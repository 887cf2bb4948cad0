//! Stub.
use crate::kernels::Kernel;
use crate::view::{View, ViewMut, ViewSize};
#[derive(Clone, Debug)]
pub(crate) struct StockfishNetwork;
#[derive(Clone, Debug)]
pub(crate) struct StockfishWorkspace;
#[expect(clippy::unused_self, clippy::needless_pass_by_value)]
impl StockfishNetwork {
    pub(crate) fn view_size(&self) -> ViewSize {
        ViewSize { blocks: 0, fixed: 0 }
    }
    pub(crate) fn workspace(&self) -> StockfishWorkspace {
        StockfishWorkspace
    }
    pub(crate) fn refresh(&self, _kernel: Kernel, _view: ViewMut<'_>, _active: &[u32]) {}
    pub(crate) fn update(
        &self,
        _kernel: Kernel,
        _child: ViewMut<'_>,
        _parent: View<'_>,
        _added: &[u32],
        _removed: &[u32],
    ) {
    }
    pub(crate) fn update_in_place(
        &self,
        _kernel: Kernel,
        _view: ViewMut<'_>,
        _added: &[u32],
        _removed: &[u32],
    ) {
    }
    pub(crate) fn evaluate(
        &self,
        _kernel: Kernel,
        _own: View<'_>,
        _theirs: View<'_>,
        _bucket: usize,
        _workspace: &mut StockfishWorkspace,
    ) -> StockfishValue {
        StockfishValue { psqt: 0, positional: 0 }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StockfishValue {
    pub(crate) psqt: i32,
    pub(crate) positional: i32,
}
impl StockfishValue {
    pub(crate) fn centipawns(self) -> i32 {
        self.psqt + self.positional
    }
}
