//! Who can be compared with whom.

/// A relation between players: who made at least a part of a point against whom.
#[derive(Clone, Debug)]
pub(super) struct GameScore {
    size: usize,
    /// Row by row: whether the row's player reaches the column's, over any number of steps once closed.
    reaches: Vec<bool>,
}

impl GameScore {
    /// Everybody reaches only himself.
    pub(super) fn new(size: usize) -> Self {
        let mut points = Self { size, reaches: vec![false; size * size] };
        (0..size).for_each(|player| points.add(player, player));
        points
    }

    /// `from` made points against `to`.
    pub(super) fn add(&mut self, from: usize, to: usize) {
        self.reaches[from * self.size + to] = true;
    }

    /// Adds all that follows from chains.
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

    /// Whether each reaches the other, so that the difference between them is finite.
    pub(super) fn comparable(&self, a: usize, b: usize) -> bool {
        self.reaches(a, b) && self.reaches(b, a)
    }
}
