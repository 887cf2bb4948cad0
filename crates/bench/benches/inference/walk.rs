//! Lines of moves, walked along as a search does.

use bench::lines::Line;
use nnue::{Accumulator, Network, Workspace};

/// Children of one line share so many places, as the plies of a search do.
const PLACES: usize = 4;

/// Walks along lines, updating both views at every step.
pub(super) struct Walker<'a> {
    network: &'a Network,
    lines: &'a [Line],
    pub(super) roots: Vec<[Accumulator; 2]>,
    places: [[Accumulator; 2]; PLACES],
    pub(super) workspace: Workspace,
}

impl<'a> Walker<'a> {
    pub(super) fn new(network: &'a Network, lines: &'a [Line]) -> Self {
        let empty = || [Accumulator::new(network), Accumulator::new(network)];
        let root = |line: &Line| {
            let mut root = empty();
            for (accumulator, active) in root.iter_mut().zip(&line.root) {
                network.refresh(accumulator, active);
            }
            root
        };
        Self {
            network,
            lines,
            roots: lines.iter().map(root).collect(),
            places: std::array::from_fn(|_| empty()),
            workspace: network.workspace(),
        }
    }

    /// Evaluates every position, or only the last of each line.
    pub(super) fn walk(&mut self, evaluate: bool) -> i64 {
        let Self { network, lines, roots, places, workspace } = self;
        let mut sum = 0;
        for (line, root) in lines.iter().zip(roots) {
            for (ply, step) in line.steps.iter().enumerate() {
                let (parent, child) = if ply == 0 {
                    (&*root, &mut places[0])
                } else {
                    let [parent, child] = places
                        .get_disjoint_mut([(ply - 1) % PLACES, ply % PLACES])
                        .expect("they are two places");
                    (&*parent, child)
                };
                for ((parent, child), view) in parent.iter().zip(child.iter_mut()).zip(&step.views)
                {
                    network.update(parent, child, view.added(), view.removed());
                }
                if evaluate || ply + 1 == line.steps.len() {
                    let views = places[ply % PLACES].each_ref();
                    let value = network.evaluate(views, step.side_to_move, 32, workspace);
                    sum += i64::from(value);
                }
            }
        }
        sum
    }
}

/// How many steps the lines have together.
pub(super) fn steps(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.steps.len()).sum()
}

/// Compares every updated accumulator with one that is computed anew.
pub(super) fn check(network: &Network, lines: &[Line]) {
    for line in lines {
        let mut active = line.root.clone();
        let mut updated = [Accumulator::new(network), Accumulator::new(network)];
        for (accumulator, active) in updated.iter_mut().zip(&active) {
            network.refresh(accumulator, active);
        }
        let mut fresh = updated.clone();
        for step in &line.steps {
            for (place, view) in step.views.iter().enumerate() {
                active[place].retain(|feature| !view.removed().contains(feature));
                active[place].extend(view.added());
                let parent = updated[place].clone();
                network.update(&parent, &mut updated[place], view.added(), view.removed());
                network.refresh(&mut fresh[place], &active[place]);
            }
            assert!(updated == fresh, "an update differs from a refresh");
        }
    }
}
