//! A network that can be asked: immutable, shared between threads, several in one process.

use alloc::string::String;
use alloc::vec::Vec;

use crate::float::{FloatNetwork, FloatWorkspace};
use crate::integer::{IntegerNetwork, IntegerWorkspace, Views};
use crate::noru::{NoruNetwork, NoruWorkspace};
use crate::outputs::centipawns_of;
use crate::stockfish::{StockfishNetwork, StockfishWorkspace};
use crate::view::{View, ViewMut, ViewSize};
use crate::{
    Accumulator, Architecture, Arithmetic, FloatParameters, Head, IntegerParameters, Kernel,
    NetworkError, Outputs, Perspectives, ValueOutput,
};

/// Whose arithmetic a network is evaluated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Ours; also bullet's, which is a case of it.
    Accrue,
    /// That of the crate `noru`: its accumulators saturate, and its values are its own, not centipawns.
    Noru,
    /// That of Stockfish 15.
    Stockfish,
}

/// How far an integer network is from the float network that it was made from, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantisationError {
    /// On how many positions it was measured.
    pub positions: u64,
    /// The mean of the absolute differences.
    pub mean: f32,
    /// The largest absolute difference.
    pub most: f32,
}

/// A network, ready to evaluate positions.
#[derive(Clone, Debug)]
pub struct Network {
    architecture: Architecture,
    body: Body,
    kernel: Kernel,
    provenance: String,
    quantisation_error: Option<QuantisationError>,
}

#[derive(Clone, Debug)]
enum Body {
    Integer(IntegerNetwork),
    Float(FloatNetwork),
    Noru(NoruNetwork),
    Stockfish(StockfishNetwork),
}

/// Memory for the intermediate results of evaluations. One for each thread.
#[derive(Clone, Debug)]
pub struct Workspace(WorkspaceBody);

#[derive(Clone, Debug)]
enum WorkspaceBody {
    Integer(IntegerWorkspace),
    Float(FloatWorkspace),
    Noru(NoruWorkspace),
    Stockfish(StockfishWorkspace),
}

impl Network {
    /// A network that is evaluated in integers.
    pub fn from_integers(
        architecture: Architecture,
        parameters: &IntegerParameters,
    ) -> Result<Self, NetworkError> {
        parameters.check(&architecture)?;
        if architecture.arithmetic() == Arithmetic::Float {
            let expected = "activations that integers can do: crelu, screlu, pairwise";
            return Err(NetworkError::field("architecture", &architecture, expected));
        }
        let body = Body::Integer(IntegerNetwork::new(&architecture, parameters));
        Ok(Self::with_body(architecture, body))
    }

    /// A network that is evaluated in floats.
    pub fn from_floats(
        architecture: Architecture,
        parameters: &FloatParameters,
    ) -> Result<Self, NetworkError> {
        parameters.check(&architecture)?;
        let body = Body::Float(FloatNetwork::new(&architecture, parameters)?);
        Ok(Self::with_body(architecture, body))
    }

    pub(crate) fn from_noru(architecture: Architecture, network: NoruNetwork) -> Self {
        Self::with_body(architecture, Body::Noru(network))
    }

    pub(crate) fn from_stockfish(architecture: Architecture, network: StockfishNetwork) -> Self {
        Self::with_body(architecture, Body::Stockfish(network))
    }

    fn with_body(architecture: Architecture, body: Body) -> Self {
        Self {
            architecture,
            body,
            kernel: Kernel::best(),
            provenance: String::new(),
            quantisation_error: None,
        }
    }

    /// The same network with a note of where it comes from.
    #[must_use]
    pub fn with_provenance(
        mut self,
        provenance: String,
        quantisation_error: Option<QuantisationError>,
    ) -> Self {
        self.provenance = provenance;
        self.quantisation_error = quantisation_error;
        self
    }

    /// The same network, evaluated by another kernel than the best one. The results are the same.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// What the network is.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Whose arithmetic it has.
    pub fn dialect(&self) -> Dialect {
        match self.body {
            Body::Integer(_) | Body::Float(_) => Dialect::Accrue,
            Body::Noru(_) => Dialect::Noru,
            Body::Stockfish(_) => Dialect::Stockfish,
        }
    }

    /// Whether it is evaluated in floats.
    pub fn is_float(&self) -> bool {
        matches!(self.body, Body::Float(_))
    }

    /// The kernel that evaluates it.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// How it was made, as the file tells.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// How far it is from its float original, as the file tells.
    pub fn quantisation_error(&self) -> Option<QuantisationError> {
        self.quantisation_error
    }

    /// Memory for evaluations of this network.
    pub fn workspace(&self) -> Workspace {
        Workspace(match &self.body {
            Body::Integer(network) => WorkspaceBody::Integer(network.workspace()),
            Body::Float(_) => WorkspaceBody::Float(FloatWorkspace::default()),
            Body::Noru(network) => WorkspaceBody::Noru(network.workspace()),
            Body::Stockfish(network) => WorkspaceBody::Stockfish(network.workspace()),
        })
    }

    /// Sets `accumulator` to the sum of the active features.
    ///
    /// # Panics
    ///
    /// If a feature is not below the architecture's `inputs`, or the accumulator is another network's.
    pub fn refresh(&self, accumulator: &mut Accumulator, active: &[u32]) {
        self.own_size(accumulator);
        self.refresh_view(accumulator.view_mut(), active);
    }

    /// Sets `child` to `parent` with features added and removed.
    ///
    /// # Panics
    ///
    /// If a feature is not below the architecture's `inputs`, or an accumulator is another network's.
    pub fn update(
        &self,
        parent: &Accumulator,
        child: &mut Accumulator,
        added: &[u32],
        removed: &[u32],
    ) {
        self.own_size(parent);
        self.own_size(child);
        self.update_view(child.view_mut(), parent.view(), added, removed);
    }

    /// The value of a position in centipawns, for the side to move.
    ///
    /// `views` are the first and the second player's; a network with one perspective reads only the first.
    /// `side_to_move` is 0 or 1. `pieces`, the number of pieces on the board, chooses the output bucket.
    ///
    /// # Panics
    ///
    /// If an accumulator or the workspace is another network's.
    #[inline]
    pub fn evaluate(
        &self,
        views: [&Accumulator; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
    ) -> i32 {
        let views = views.map(|view| {
            self.own_size(view);
            view.view()
        });
        self.evaluate_views(views, side_to_move, pieces, workspace)
    }

    /// All that the network says about a position but the policy; see [`evaluate`](Network::evaluate).
    pub fn outputs(
        &self,
        views: [&Accumulator; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
    ) -> Outputs {
        let views = views.map(|view| {
            self.own_size(view);
            view.view()
        });
        self.outputs_of_views(views, side_to_move, pieces, workspace)
    }

    /// The policy's logits numbered `rows`: cells that a move leaves come first, then those it enters.
    ///
    /// Asks for all outputs at once or for some, whichever is cheaper. Without a policy head `logits` is left
    /// as it is.
    ///
    /// # Panics
    ///
    /// If a row is not below the head's number of outputs, `logits` is shorter than `rows`, or an accumulator
    /// or the workspace is another network's.
    pub fn policy(
        &self,
        views: [&Accumulator; 2],
        side_to_move: usize,
        rows: &[u16],
        logits: &mut [f32],
        workspace: &mut Workspace,
    ) {
        let views = views.map(|view| {
            self.own_size(view);
            view.view()
        });
        self.policy_of_views(views, side_to_move, rows, logits, workspace);
    }

    fn own_size(&self, accumulator: &Accumulator) {
        assert!(accumulator.size() == self.view_size(), "the accumulator is of another network");
    }

    pub(crate) fn view_size(&self) -> ViewSize {
        match &self.body {
            Body::Integer(network) => ViewSize { blocks: network.transformer.blocks(), fixed: 0 },
            Body::Float(network) => ViewSize { blocks: 0, fixed: network.width() },
            Body::Noru(network) => network.view_size(),
            Body::Stockfish(network) => network.view_size(),
        }
    }

    #[inline]
    pub(crate) fn refresh_view(&self, view: ViewMut<'_>, active: &[u32]) {
        match &self.body {
            Body::Integer(network) => {
                network.transformer.refresh(self.kernel, view.values, active);
            }
            Body::Float(network) => network.refresh(view.fixed, active),
            Body::Noru(network) => network.refresh(self.kernel, view, active),
            Body::Stockfish(network) => network.refresh(self.kernel, view, active),
        }
    }

    #[inline]
    pub(crate) fn update_view(
        &self,
        child: ViewMut<'_>,
        parent: View<'_>,
        added: &[u32],
        removed: &[u32],
    ) {
        match &self.body {
            Body::Integer(network) => {
                let (child, parent) = (child.values, parent.values);
                network.transformer.update(self.kernel, child, parent, added, removed);
            }
            Body::Float(network) => {
                child.fixed.copy_from_slice(parent.fixed);
                network.update_in_place(child.fixed, added, removed);
            }
            Body::Noru(network) => network.update(self.kernel, child, parent, added, removed),
            Body::Stockfish(network) => {
                network.update(self.kernel, child, parent, added, removed);
            }
        }
    }

    pub(crate) fn update_view_in_place(&self, view: ViewMut<'_>, added: &[u32], removed: &[u32]) {
        match &self.body {
            Body::Integer(network) => {
                network.transformer.update_in_place(self.kernel, view.values, added, removed);
            }
            Body::Float(network) => network.update_in_place(view.fixed, added, removed),
            Body::Noru(network) => network.update_in_place(self.kernel, view, added, removed),
            Body::Stockfish(network) => {
                network.update_in_place(self.kernel, view, added, removed);
            }
        }
    }

    /// The views in the order that the network reads them.
    #[inline]
    fn order<'a>(&self, views: [View<'a>; 2], side_to_move: usize) -> [View<'a>; 2] {
        match self.architecture.perspectives {
            Perspectives::Two if side_to_move == 0 => views,
            Perspectives::Two => [views[1], views[0]],
            Perspectives::One => [views[0], View { values: &[], fixed: &[], ..views[1] }],
        }
    }

    #[inline]
    pub(crate) fn evaluate_views(
        &self,
        views: [View<'_>; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
    ) -> i32 {
        let [own, theirs] = self.order(views, side_to_move);
        match (&self.body, &mut workspace.0) {
            (Body::Integer(network), WorkspaceBody::Integer(workspace)) => {
                if let Some((first, output)) = self.value_head() {
                    let mut raw = [0];
                    let views = Views { own: own.values, theirs: theirs.values };
                    let bucket = self.architecture.buckets.choose(pieces);
                    network.outputs(self.kernel, views, bucket, first, &mut raw, workspace);
                    return self.centipawns(output, raw[0]);
                }
            }
            (Body::Noru(network), WorkspaceBody::Noru(workspace)) => {
                return network.evaluate(self.kernel, own, theirs, workspace);
            }
            (Body::Stockfish(network), WorkspaceBody::Stockfish(workspace)) => {
                let bucket = self.architecture.buckets.choose(pieces);
                let value = network.evaluate(self.kernel, own, theirs, bucket, workspace);
                return value.centipawns();
            }
            _ => {}
        }
        self.outputs_of_views(views, side_to_move, pieces, workspace).value
    }

    pub(crate) fn outputs_of_views(
        &self,
        views: [View<'_>; 2],
        side_to_move: usize,
        pieces: usize,
        workspace: &mut Workspace,
    ) -> Outputs {
        let [own, theirs] = self.order(views, side_to_move);
        let bucket = self.architecture.buckets.choose(pieces);
        match (&self.body, &mut workspace.0) {
            (Body::Integer(network), WorkspaceBody::Integer(workspace)) => {
                let mut raw = [0; MOST_OUTPUTS];
                let raw = &mut raw[..self.output_count()];
                let views = Views { own: own.values, theirs: theirs.values };
                network.outputs(self.kernel, views, bucket, 0, raw, workspace);
                let unit = self.architecture.output_unit();
                let real: [f32; MOST_OUTPUTS] =
                    core::array::from_fn(|i| raw.get(i).map_or(0.0, |&raw| raw as f32 / unit));
                let mut outputs = Outputs::new(&self.architecture, &real);
                if let Some((first, output)) = self.value_head() {
                    outputs.value = self.centipawns(output, raw[first]);
                }
                outputs
            }
            (Body::Float(network), WorkspaceBody::Float(workspace)) => {
                let mut real = Vec::new();
                let (own, theirs) = (own.fixed, theirs.fixed);
                network.outputs(&self.architecture, own, theirs, bucket, workspace, &mut real);
                Outputs::new(&self.architecture, &real)
            }
            (Body::Noru(_), WorkspaceBody::Noru(_))
            | (Body::Stockfish(_), WorkspaceBody::Stockfish(_)) => {
                let value = self.evaluate_views(views, side_to_move, pieces, workspace);
                Outputs { value, wdl: None, quantiles: None }
            }
            _ => panic!("the workspace is of another network"),
        }
    }

    pub(crate) fn policy_of_views(
        &self,
        views: [View<'_>; 2],
        side_to_move: usize,
        rows: &[u16],
        logits: &mut [f32],
        workspace: &mut Workspace,
    ) {
        let [own, theirs] = self.order(views, side_to_move);
        match (&self.body, &mut workspace.0) {
            (Body::Integer(network), WorkspaceBody::Integer(workspace)) => {
                let unit = self.architecture.policy_unit();
                let views = Views { own: own.values, theirs: theirs.values };
                network.policy(self.kernel, views, rows, logits, unit, workspace);
            }
            (Body::Float(network), WorkspaceBody::Float(workspace)) => {
                network.policy(own.fixed, theirs.fixed, rows, workspace, logits);
            }
            (Body::Noru(_), WorkspaceBody::Noru(_))
            | (Body::Stockfish(_), WorkspaceBody::Stockfish(_)) => {}
            _ => panic!("the workspace is of another network"),
        }
    }

    /// The number and the meaning of the value head's output.
    #[inline]
    fn value_head(&self) -> Option<(usize, ValueOutput)> {
        let mut first = 0;
        for head in &self.architecture.heads {
            match *head {
                Head::Value(output) => return Some((first, output)),
                Head::Policy { .. } => {}
                other => first += other.outputs(),
            }
        }
        None
    }

    fn output_count(&self) -> usize {
        let heads = self.architecture.heads.iter();
        heads.filter(|head| !matches!(head, Head::Policy { .. })).map(|head| head.outputs()).sum()
    }

    #[inline]
    fn centipawns(&self, output: ValueOutput, raw: i32) -> i32 {
        let unit = f64::from(self.architecture.output_unit());
        let scale = self.architecture.scales.centipawns;
        match output {
            // In double precision the quotient is exact enough to truncate as whole numbers do.
            ValueOutput::Sigmoid | ValueOutput::Linear => {
                (f64::from(raw) * f64::from(scale) / unit) as i32
            }
            ValueOutput::Tanh => centipawns_of(output, scale, (f64::from(raw) / unit) as f32),
        }
    }
}

/// Value, WDL and quantiles together.
const MOST_OUTPUTS: usize = 9;
