//! How well moves are ordered before they are searched.

/// How often the best move is among the first, and how surprised a policy is by it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyTally {
    positions: u64,
    among: [u64; 3],
    /// Sum of the ranks of the best moves, from 1.
    ranks: u64,
    surprise: f64,
}

impl PolicyTally {
    /// How many first moves are looked at for each of the three shares.
    pub const FIRST: [usize; 3] = [1, 3, 5];

    /// Counts a position: a score for each legal move, and which of them is best. Scores are logarithms of odds, up
    /// to a constant.
    pub fn add(&mut self, scores: &[f64], best: usize) {
        let Some(&score) = scores.get(best) else { return };
        // Equal scores tell nothing: half of them come before, on average.
        let above = scores.iter().filter(|&&other| other > score).count();
        let equal = scores.iter().filter(|&&other| other.total_cmp(&score).is_eq()).count();
        let rank = above + equal / 2 + 1;
        self.positions += 1;
        self.ranks += rank as u64;
        for (among, first) in self.among.iter_mut().zip(Self::FIRST) {
            *among += u64::from(rank <= first);
        }
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total = scores.iter().map(|other| (other - most).exp()).sum::<f64>().ln() + most;
        self.surprise += total - score;
    }

    /// How many positions were counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The shares of positions whose best move is among the first 1, 3 and 5.
    pub fn among(&self) -> [f64; 3] {
        self.among.map(|among| among as f64 / self.positions as f64)
    }

    /// The mean rank of the best move, from 1.
    pub fn mean_rank(&self) -> f64 {
        self.ranks as f64 / self.positions as f64
    }

    /// The mean negative logarithm of the chance that the scores give to the best move.
    pub fn log_loss(&self) -> f64 {
        self.surprise / self.positions as f64
    }
}
