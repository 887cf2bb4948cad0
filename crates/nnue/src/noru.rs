//! Stub.
use crate::kernels::Kernel;
use crate::view::{View, ViewMut, ViewSize};
#[derive(Clone, Debug)]
pub(crate) struct NoruNetwork;
#[derive(Clone, Debug)]
pub(crate) struct NoruWorkspace;
#[expect(clippy::unused_self, clippy::needless_pass_by_value)]
impl NoruNetwork {
    pub(crate) fn view_size(&self) -> ViewSize {
        ViewSize { blocks: 0, fixed: 0 }
    }
    pub(crate) fn workspace(&self) -> NoruWorkspace {
        NoruWorkspace
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
        _workspace: &mut NoruWorkspace,
    ) -> i32 {
        0
    }
}
