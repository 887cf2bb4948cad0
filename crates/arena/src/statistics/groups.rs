//! Comparable players: the transitive closure of who scored against whom.

/// A relation between players: which player scored against which.
#[derive(Clone, Debug)]
pub(super) struct Reachability {
    size: usize,
    /// By row and column: whether the row's player reaches the column's, through any number of
    /// steps after [`closed`](Self::closed).
    reaches: Vec<bool>,
}

impl Reachability {
    /// Every player reaches only itself.
    pub(super) fn new(size: usize) -> Self {
        let mut points = Self { size, reaches: vec![false; size * size] };
        (0..size).for_each(|player| points.add(player, player));
        points
    }

    /// Records that `from` scored against `to`.
    pub(super) fn add(&mut self, from: usize, to: usize) {
        self.reaches[from * self.size + to] = true;
    }

    /// The transitive closure.
    #[must_use]
    pub(super) fn closed(mut self) -> Self {
        for middle in 0..self.size {
            for from in 0..self.size {
                if self.reaches(from, middle) {
                    for to in 0..self.size {
                        if self.reaches(middle, to) {
                            self.add(from, to);
                        }
                    }
                }
            }
        }
        self
    }

    pub(super) fn reaches(&self, from: usize, to: usize) -> bool {
        self.reaches[from * self.size + to]
    }

    /// Whether each reaches the other, so that their Elo difference is finite.
    pub(super) fn comparable(&self, a: usize, b: usize) -> bool {
        self.reaches(a, b) && self.reaches(b, a)
    }
}
