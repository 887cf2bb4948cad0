//! Integer inference: evaluates quantised networks, with weights in the layout of the kernels.

use alloc::vec::Vec;

use crate::blocks::{BLOCK, BlockI16, BlockI32, BlockU8, SUMS};
use crate::kernels::{Kernel, Simd, Squash, Task};
use crate::transformer::{Step, Transformer};
use crate::{Architecture, IntegerParameters};

mod direct;
mod layered;
mod pack;
mod policy;

pub(crate) use pack::Inputs;

use direct::Direct;
use layered::Layered;
use policy::Policy;

/// An integer network for inference.
#[derive(Clone, Debug)]
pub(crate) struct IntegerNetwork {
    pub(crate) transformer: Transformer,
    squash: Squash,
    limit: i16,
    activation_shift: u32,
    trunk: Trunk,
    policy: Option<Policy>,
}

/// The layers between the accumulator and the head outputs.
#[derive(Clone, Debug)]
enum Trunk {
    /// None: output weights are multiplied with the accumulator itself.
    Direct(Direct),
    /// Hidden layers.
    Layered(Layered),
}

/// The buffers of an evaluation.
#[derive(Clone, Debug)]
pub(crate) struct IntegerWorkspace {
    activations: Vec<BlockU8>,
    sums: Vec<BlockI32>,
    layers: [Vec<BlockU8>; 2],
    policy_sums: Vec<BlockI32>,
}

impl IntegerNetwork {
    /// The caller has checked that the parameters fit the architecture.
    pub(crate) fn new(architecture: &Architecture, parameters: &IntegerParameters) -> Self {
        let layer = architecture.accumulator;
        let scales = &architecture.scales;
        // Unused if no layer follows the accumulator.
        let squash = layer.activation.squash().unwrap_or(Squash::Crelu);
        let trunk = if architecture.hidden.is_empty() {
            Trunk::Direct(Direct::new(architecture, parameters))
        } else {
            Trunk::Layered(Layered::new(architecture, parameters))
        };
        let (weights, bias) = (&parameters.feature_weights, &parameters.feature_bias);
        Self {
            transformer: Transformer::new(layer, weights, bias),
            squash,
            limit: scales.accumulator,
            activation_shift: scales.activation_shift,
            trunk,
            policy: parameters.policy.as_ref().map(|policy| Policy::new(architecture, policy)),
        }
    }

    pub(crate) fn workspace(&self) -> IntegerWorkspace {
        let sums = match &self.trunk {
            Trunk::Layered(layered) => layered.max_sum_blocks(),
            Trunk::Direct(_) => 0,
        };
        let policy = self.policy.as_ref().map_or(0, Policy::sum_blocks);
        let layer = alloc::vec![BlockU8::ZERO; sums.div_ceil(BLOCK / SUMS)];
        IntegerWorkspace {
            activations: alloc::vec![BlockU8::ZERO; 2 * self.transformer.blocks()],
            sums: alloc::vec![BlockI32::ZERO; sums],
            layers: [layer.clone(), layer],
            policy_sums: alloc::vec![BlockI32::ZERO; policy],
        }
    }

    /// The outputs of the heads, starting at output `first`, as many as `raw` holds, in units of
    /// [`Architecture::output_unit`]. `again` promises that the last call with this workspace was
    /// for the same perspectives and the same bucket: the layers before the heads are then reused.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "what to ask, of what, and where to put it")]
    pub(crate) fn outputs(
        &self,
        kernel: Kernel,
        perspectives: AccumulatorPair<'_>,
        bucket: usize,
        first: usize,
        raw: &mut [i32],
        workspace: &mut IntegerWorkspace,
        again: bool,
    ) {
        kernel.run(Outputs { network: self, perspectives, bucket, first, raw, workspace, again });
    }

    /// Updates the accumulators of both perspectives and computes one output, in a single kernel
    /// call. `second` means that the second perspective is the side to move's.
    #[inline(always)]
    pub(crate) fn step_and_output(
        &self,
        kernel: Kernel,
        step: Step<'_>,
        second: bool,
        bucket: usize,
        output: usize,
        workspace: &mut IntegerWorkspace,
    ) -> i32 {
        kernel.run(StepAndOutput { network: self, step, second, bucket, output, workspace })
    }

    /// Computes the policy logits `rows`. `unit` is 1.0 in the integer outputs. Does nothing without
    /// a policy head.
    pub(crate) fn policy(
        &self,
        kernel: Kernel,
        perspectives: AccumulatorPair<'_>,
        rows: &[u16],
        logits: &mut [f32],
        unit: f32,
        workspace: &mut IntegerWorkspace,
    ) {
        if let Some(policy) = &self.policy {
            let scale = 1.0 / unit;
            kernel.run(PolicyLogits {
                network: self,
                policy,
                perspectives,
                rows,
                logits,
                scale,
                workspace,
            });
        }
    }

    /// The activations of the perspectives, one after the other, each padded to whole blocks.
    pub(crate) fn activations<'w>(
        &self,
        kernel: Kernel,
        perspectives: AccumulatorPair<'_>,
        workspace: &'w mut IntegerWorkspace,
    ) -> &'w [BlockU8] {
        let count = kernel.run(Activations { network: self, perspectives, workspace });
        &workspace.activations[..count]
    }

    /// The activations of the perspectives, one after the other.
    #[inline(always)]
    fn activate<'w, S: Simd>(
        &self,
        simd: S,
        perspectives: AccumulatorPair<'_>,
        activations: &'w mut [BlockU8],
    ) -> &'w [BlockU8] {
        let perspective = match self.squash {
            Squash::Pairwise => perspectives.own.len() / 2,
            Squash::Crelu | Squash::Screlu => perspectives.own.len(),
        };
        let (shift, limit) = (self.activation_shift, self.limit);
        if perspectives.theirs.is_empty() {
            let activations = &mut activations[..perspective];
            simd.activate(self.squash, limit, shift, perspectives.own, activations);
            return activations;
        }
        let activations = &mut activations[..2 * perspective];
        let both = [perspectives.own, perspectives.theirs];
        simd.activate_both(self.squash, limit, shift, both, activations);
        activations
    }
}

/// The accumulators that an evaluation reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccumulatorPair<'a> {
    /// The side to move's.
    pub(crate) own: &'a [BlockI16],
    /// The other side's; empty for a network with one perspective.
    pub(crate) theirs: &'a [BlockI16],
}

struct Outputs<'a> {
    network: &'a IntegerNetwork,
    perspectives: AccumulatorPair<'a>,
    bucket: usize,
    first: usize,
    raw: &'a mut [i32],
    workspace: &'a mut IntegerWorkspace,
    again: bool,
}

impl Task for Outputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, perspectives, bucket, first, raw, workspace, again } = self;
        match &network.trunk {
            Trunk::Direct(direct) => {
                direct.run(simd, network.limit, perspectives, bucket, first, raw);
            }
            Trunk::Layered(layered) => {
                let (sums, layers) = (&mut workspace.sums, &mut workspace.layers);
                let last = if again {
                    layered.last(layers)
                } else {
                    let input = network.activate(simd, perspectives, &mut workspace.activations);
                    layered.run(simd, bucket, input, sums, layers)
                };
                layered.heads(simd, bucket, first, last, raw);
            }
        }
    }
}

struct StepAndOutput<'a> {
    network: &'a IntegerNetwork,
    step: Step<'a>,
    second: bool,
    bucket: usize,
    output: usize,
    workspace: &'a mut IntegerWorkspace,
}

impl Task for StepAndOutput<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Self { network, step, second, bucket, output, workspace } = self;
        let values = step.run(simd, network.transformer.rows());
        let (first_perspective, second_perspective) = values.split_at(values.len() / 2);
        let perspectives = if second {
            AccumulatorPair { own: second_perspective, theirs: first_perspective }
        } else {
            AccumulatorPair { own: first_perspective, theirs: second_perspective }
        };
        match &network.trunk {
            Trunk::Direct(direct) => {
                direct.value(simd, network.limit, perspectives, bucket, output)
            }
            Trunk::Layered(layered) => {
                let (sums, layers) = (&mut workspace.sums, &mut workspace.layers);
                let input = network.activate(simd, perspectives, &mut workspace.activations);
                let last = layered.run(simd, bucket, input, sums, layers);
                layered.head(simd, bucket, output, last)
            }
        }
    }
}

struct PolicyLogits<'a> {
    network: &'a IntegerNetwork,
    policy: &'a Policy,
    perspectives: AccumulatorPair<'a>,
    rows: &'a [u16],
    logits: &'a mut [f32],
    scale: f32,
    workspace: &'a mut IntegerWorkspace,
}

impl Task for PolicyLogits<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, policy, perspectives, rows, logits, scale, workspace } = self;
        let input = network.activate(simd, perspectives, &mut workspace.activations);
        policy.run(simd, input, rows, logits, scale, &mut workspace.policy_sums);
    }
}

struct Activations<'a> {
    network: &'a IntegerNetwork,
    perspectives: AccumulatorPair<'a>,
    workspace: &'a mut IntegerWorkspace,
}

impl Task for Activations<'_> {
    /// The number of blocks.
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { network, perspectives, workspace } = self;
        network.activate(simd, perspectives, &mut workspace.activations).len()
    }
}
