//! Record filter: the records to keep, and the reason for dropping each other one.

use games::{Random, ToolkitGame};

use crate::{MATE_SCORE, Record};

/// Why a filter drops a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// The side to move is in check.
    InCheck,
    /// The best move captures or promotes.
    Captures,
    /// The score announces a forced win or loss.
    Mates,
    /// There is no score.
    Unscored,
    /// There is no result.
    NoResult,
    /// The score is too large.
    Score,
    /// Too early in the game.
    Early,
    /// Too late in the game.
    Late,
    /// Too few pieces.
    FewPieces,
    /// Too many pieces.
    ManyPieces,
    /// The position occurred before.
    Duplicates,
}

impl DropReason {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InCheck => "in check",
            Self::Captures => "captures",
            Self::Mates => "mates",
            Self::Unscored => "unscored",
            Self::NoResult => "no result",
            Self::Score => "score",
            Self::Early => "early",
            Self::Late => "late",
            Self::FewPieces => "few pieces",
            Self::ManyPieces => "many pieces",
            Self::Duplicates => "duplicates",
        }
    }
}

/// The records to drop. The default drops none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent condition")]
pub struct Filter {
    /// Positions in check.
    pub in_check: bool,
    /// Positions whose best move captures or promotes.
    pub captures: bool,
    /// Scores that announce a forced win or loss.
    pub mates: bool,
    /// Records without score.
    pub unscored: bool,
    /// Records without result.
    pub no_result: bool,
    /// Scores farther from 0 than this. Does not apply to mates.
    pub max_score: Option<u16>,
    /// Plies below this.
    pub min_ply: Option<u16>,
    /// Plies above this.
    pub max_ply: Option<u16>,
    /// Positions with fewer pieces than this.
    pub min_pieces: Option<usize>,
    /// Positions with more pieces than this.
    pub max_pieces: Option<usize>,
}

impl Filter {
    /// Why to drop a record: the first reason that applies, cheap ones first.
    pub fn reason<G: ToolkitGame>(&self, record: &Record<G>) -> Option<DropReason> {
        let reasons = [
            (self.unscored && record.score.is_none(), DropReason::Unscored),
            (self.no_result && record.result.is_none(), DropReason::NoResult),
            (self.min_ply.is_some_and(|min| record.ply < min), DropReason::Early),
            (self.max_ply.is_some_and(|max| record.ply > max), DropReason::Late),
        ];
        if let Some(&(_, reason)) = reasons.iter().find(|(applies, _)| *applies) {
            return Some(reason);
        }
        self.by_score(record).or_else(|| self.by_position(record))
    }

    fn by_score<G: ToolkitGame>(&self, record: &Record<G>) -> Option<DropReason> {
        let score = record.score?.unsigned_abs();
        if score >= MATE_SCORE.unsigned_abs() {
            return self.mates.then_some(DropReason::Mates);
        }
        self.max_score.is_some_and(|max| score > max).then_some(DropReason::Score)
    }

    fn by_position<G: ToolkitGame>(&self, record: &Record<G>) -> Option<DropReason> {
        let position = &record.position;
        let pieces = || position.piece_count();
        let forces = |mv| position.capture(mv).is_some() || position.promotion_gain(mv) != 0;
        if self.min_pieces.is_some_and(|min| pieces() < min) {
            Some(DropReason::FewPieces)
        } else if self.max_pieces.is_some_and(|max| pieces() > max) {
            Some(DropReason::ManyPieces)
        } else if self.in_check && position.is_check() {
            Some(DropReason::InCheck)
        } else {
            (self.captures && record.best_move.is_some_and(forces)).then_some(DropReason::Captures)
        }
    }
}

/// Whether a game is in the share that a seed holds out for validation.
pub fn is_held_out(game: u32, share: f64, seed: u64) -> bool {
    let limit = (share * 2.0_f64.powi(64)) as u64;
    let seed = Random::new(seed).next_u64();
    Random::new(seed ^ u64::from(game)).next_u64() < limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::chess::Chess;
    use games::{Game, GameScore};

    fn record(fen: &str, best_move: &str) -> Record<Chess> {
        let mut record = Record::new(Chess::from_fen(fen).expect(fen));
        record.best_move = Some(record.position.parse_move(best_move).expect(best_move));
        record.score = Some(0);
        record.result = Some(GameScore::DRAW);
        record.ply = 20;
        record
    }

    #[test]
    fn every_reason_has_its_records() {
        const QUIET: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let quiet = record(QUIET, "e2e4");
        let all = Filter {
            in_check: true,
            captures: true,
            mates: true,
            unscored: true,
            no_result: true,
            max_score: Some(1000),
            min_ply: Some(8),
            max_ply: Some(200),
            min_pieces: Some(3),
            max_pieces: Some(4),
        };
        assert_eq!(all.reason(&quiet), None);
        let with = |change: fn(&mut Record<Chess>)| {
            let mut record = quiet.clone();
            change(&mut record);
            record
        };
        for (record, reason) in [
            (record("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1f1"), DropReason::InCheck),
            (record("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2d3"), DropReason::Captures),
            (record("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7e8n"), DropReason::Captures),
            (record("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), DropReason::Captures),
            (with(|record| record.score = Some(-MATE_SCORE)), DropReason::Mates),
            (with(|record| record.score = Some(i16::MIN)), DropReason::Mates),
            (with(|record| record.score = None), DropReason::Unscored),
            (with(|record| record.result = None), DropReason::NoResult),
            (with(|record| record.score = Some(-1001)), DropReason::Score),
            (with(|record| record.ply = 7), DropReason::Early),
            (with(|record| record.ply = 201), DropReason::Late),
            (record("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1"), DropReason::FewPieces),
            (record("4k3/ppp5/8/8/8/8/8/4K3 w - - 0 1", "e1d1"), DropReason::ManyPieces),
        ] {
            assert_eq!(all.reason(&record), Some(reason), "{record:?}");
            assert_eq!(Filter::default().reason(&record), None);
        }
        // A mate score does not count as too large.
        let capped = Filter { max_score: Some(1000), ..Filter::default() };
        assert_eq!(capped.reason(&with(|record| record.score = Some(MATE_SCORE))), None);
    }

    #[test]
    fn the_share_of_games_is_kept() {
        let held =
            |share, seed| (1..=100_000).filter(|&game| is_held_out(game, share, seed)).count();
        for seed in 0..3 {
            assert!((1900..2100).contains(&held(0.02, seed)), "{}", held(0.02, seed));
        }
        assert_eq!(held(0.0, 1), 0);
        assert_eq!(held(1.0, 1), 100_000);
        assert!((0..1000).any(|game| is_held_out(game, 0.5, 1) != is_held_out(game, 0.5, 2)));
    }
}
