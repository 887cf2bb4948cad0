//! Policy tally: the rank and the log-probability of best moves.

/// The ranks of best moves, and their mean negative log-probability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyTally {
    positions: u64,
    among: [u64; 3],
    /// Sum of the ranks of the best moves, from 1.
    ranks: u64,
    nats: f64,
}

impl PolicyTally {
    /// The ranks of the three shares.
    pub const FIRST: [usize; 3] = [1, 3, 5];

    /// Counts a position: the logit of each legal move, and the index of the best one.
    pub fn add(&mut self, scores: &[f64], best: usize) {
        let Some(&score) = scores.get(best) else { return };
        // Of equal logits half come before, on average.
        let above = scores.iter().filter(|&&other| other > score).count();
        let equal = scores.iter().filter(|&&other| other.total_cmp(&score).is_eq()).count();
        let rank = above + equal / 2 + 1;
        self.positions += 1;
        self.ranks += rank as u64;
        for (among, first) in self.among.iter_mut().zip(Self::FIRST) {
            *among += u64::from(rank <= first);
        }
        let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total = scores.iter().map(|other| (other - max).exp()).sum::<f64>().ln() + max;
        self.nats += total - score;
    }

    /// The number of positions.
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

    /// The mean negative log-probability of the best move, in nats.
    pub fn log_loss(&self) -> f64 {
        self.nats / self.positions as f64
    }
}
