//! Every number of the search that could as well be another: one table, to be tuned as a whole.

/// A number that can be tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it is unless tuned.
    pub default: i32,
    /// The least that makes sense.
    pub least: i32,
    /// The most that makes sense.
    pub most: i32,
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal in $least:literal..$most:literal;)+) => {
        /// The numbers of a search. Depths are in plies, margins in centipawns, reductions in 1024ths of a ply.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        impl Params {
            /// All of them.
            pub const LIST: &'static [Param] = &[$(Param {
                name: stringify!($name), default: $default, least: $least, most: $most,
            },)+];

            /// Sets one by its name, to the nearest value that makes sense. False if there is none of that name.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($least, $most),)+
                    _ => return false,
                }
                true
            }

            /// The value of one by its name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Half the width of the first aspiration window.
    aspiration_width = 14 in 4..60;
    /// How much wider each next window is, in 64ths.
    aspiration_growth = 96 in 70..256;

    /// The greatest depth at which a position far above beta is believed.
    reverse_depth = 8 in 3..14;
    /// How far above beta, for each ply.
    reverse_margin = 82 in 30..160;
    /// How much less if the position is improving.
    reverse_improving = 66 in 0..160;

    /// The greatest depth at which a position far below alpha is only looked at for captures.
    razor_depth = 4 in 1..8;
    /// How far below alpha.
    razor_base = 220 in 80..500;
    /// How much farther for each ply squared.
    razor_margin = 150 in 50..400;

    /// The least depth for passing.
    null_depth = 3 in 2..6;
    /// By how much passing reduces.
    null_base = 4 in 2..6;
    /// Plies of depth for each further ply of reduction.
    null_divisor = 4 in 2..8;
    /// Centipawns above beta for each further ply of reduction.
    null_margin = 200 in 80..400;
    /// From which depth on a cutoff by passing is verified.
    null_verify = 14 in 8..20;

    /// The least depth for trying captures against a raised beta.
    probcut_depth = 5 in 3..9;
    /// How much beta is raised.
    probcut_margin = 190 in 80..400;
    /// How much shallower the search is that confirms it.
    probcut_reduction = 4 in 2..6;

    /// The least depth at which a node without a move from the table is reduced.
    internal_depth = 4 in 2..8;

    /// Quiet moves that are always looked at.
    late_base = 4 in 1..10;
    /// The greatest (reduced) depth at which quiet moves are given up because the position is too bad.
    futility_depth = 8 in 3..14;
    /// How bad.
    futility_base = 110 in 20..250;
    /// How much worse for each ply.
    futility_margin = 95 in 30..200;
    /// The greatest (reduced) depth at which moves are given up for their history.
    history_depth = 5 in 1..10;
    /// How bad that history must be for each ply.
    history_margin = 4200 in 1000..9000;
    /// What a quiet move may lose in an exchange, for each ply squared.
    see_quiet = 24 in 5..80;
    /// What a capture may lose in an exchange, for each ply.
    see_capture = 96 in 30..200;

    /// The least depth for asking whether the table's move is the only good one.
    singular_depth = 7 in 5..12;
    /// How much worse the others must be, in 16ths of a centipawn for each ply.
    singular_margin = 26 in 8..80;
    /// How much worse still for two plies more.
    singular_double = 20 in 5..80;
    /// How often a line may be extended by two plies.
    singular_most = 8 in 1..20;
    /// The least depth at which a check is extended.
    check_depth = 9 in 1..20;

    /// The reduction of late quiet moves that does not depend on anything.
    reduction_base = 800 in 200..1800;
    /// The part of it that grows with depth and number, in 1024ths.
    reduction_scale = 440 in 200..900;
    /// The same for captures.
    reduction_tactical_base = 100 in 0..1000;
    /// The same for captures.
    reduction_tactical_scale = 330 in 100..900;
    /// More where a cutoff is expected.
    reduction_cut = 1400 in 0..3000;
    /// Less on the main line, or what was once on it.
    reduction_pv = 1000 in 0..2500;
    /// More where the position does not improve.
    reduction_worse = 700 in 0..2000;
    /// More where the table's move is a capture.
    reduction_tactical_table = 600 in 0..2000;
    /// Less for moves that give check.
    reduction_check = 900 in 0..2000;
    /// Less for killers and counter-moves.
    reduction_killer = 900 in 0..2500;
    /// How much history takes away a ply.
    reduction_history = 9000 in 3000..20000;
    /// How far above the best a result must be for one ply more.
    deeper_margin = 40 in 5..150;

    /// What a move that fails high gains for each ply.
    bonus_scale = 150 in 50..400;
    /// The most that it gains.
    bonus_most = 1700 in 500..4000;
    /// What the moves tried before it lose, for each ply.
    malus_scale = 170 in 50..400;
    /// The most that they lose.
    malus_most = 1500 in 500..4000;
    /// How much correction histories are believed, in 1024ths.
    correction_share = 1024 in 0..2048;

    /// From this score on the game is decided and what counts are mates: no move of the main line is given up, and
    /// quiescence begins with checks.
    decided = 800 in 300..30000;

    /// How far below alpha a capture's gain may leave quiescence.
    quiescence_margin = 170 in 50..400;

    /// How the learned mode orders moves: 0 by exchanges and histories, 1 by the policy, 2 by both.
    learned_ordering = 2 in 0..2;
    /// What a nat of policy counts beside histories, where both order quiet moves, in 1024ths.
    learned_blend = 40000 in 0..131_072;
    /// What histories add to the policy, in 1024ths: 1024 of history then counts as a nat.
    learned_adapt = 160 in 0..1024;
    /// The least depth at which the policy is asked beside histories.
    learned_policy_depth = 3 in 1..30;
    /// How it reduces: 0 by number and history, 1 by the policy, 2 by all of these.
    learned_reductions = 2 in 0..2;
    /// By how much a nat above what all moves have on average lessens the reduction, where all count, in 1024ths of a ply.
    learned_relief = 300 in 0..2048;
    /// What a nat of surprise costs, in 1024ths of a ply for each natural logarithm of the depth.
    learned_spend = 440 in 0..1500;
    /// What is not charged, in 1024ths of a ply.
    learned_free = 600 in 0..3000;
    /// What a nat of surprise costs, in 1024ths of a ply, where it is decided whether a move is looked at at all.
    learned_price = 600 in 0..3000;
    /// What may be spent beyond the depth that is left, in 1024ths of a ply.
    learned_credit = 900 in 0..8192;
    /// By how much moves are dearer where a cutoff was expected, in 1024ths of a ply.
    learned_expected = 700 in 0..3000;
    /// By how much a fan twice as wide as usual cheapens moves, in 1024ths of a ply.
    learned_width = 512 in 0..2048;
    /// How wide a fan usually is, from the 25 % to the 75 % quantile, in centipawns.
    learned_usual = 250 in 20..1000;
    /// By how much moves are dearer where the whole fan lies below alpha, in 1024ths of a ply.
    learned_hopeless = 512 in 0..3000;
    /// How often a line may be extended because a move is nearly forced where much is open.
    learned_extensions = 0 in 0..16;
    /// How it cuts: 0 by margins, 1 by quantiles, 2 by quantiles in place of margins, and then by passing and captures.
    learned_cutoffs = 0 in 0..2;
    /// How far below the median the lower bound lies: 64 is the 25 % quantile, 128 the 10 % quantile.
    learned_low = 100 in 0..256;
    /// How far above the median the upper bound lies: 64 is the 75 % quantile, 128 the 90 % quantile.
    learned_high = 100 in 0..256;
    /// How far beyond the window a value must lie for its quantiles to be asked: hardly any fan is narrower.
    learned_least = 40 in 0..1000;
    /// The greatest depth at which it cuts by quantiles, if corrections were measured so far.
    learned_deepest = 8 in 1..30;
    /// How a likely cutoff is verified: 0 not at all, 1 by passing.
    learned_verify = 1 in 0..1;
    /// When the large network is asked: 0 never, 1 where the small one's fan does not clear the window, 2 where it is wider
    /// than `learned_theta`.
    learned_gate = 1 in 0..2;
    /// How wide, in centipawns.
    learned_theta = 100 in 0..2000;

    /// Time for a move, in 1024ths of what the clock would give to each.
    time_soft = 700 in 300..1200;
    /// The most that may be spent on a move, in 1024ths of the same.
    time_hard = 4200 in 2000..8000;
}
