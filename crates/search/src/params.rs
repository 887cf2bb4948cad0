//! Search parameters: every number of the search that can be tuned, and every named choice, in one
//! table.

mod choices;
mod error;
mod fitted;
mod groups;
mod parse;

pub use choices::{CutoffVerification, GateRule, Selectivity};
pub use error::ParamError;
pub use fitted::NamedNumbers;

use crate::UnknownName;

/// A number that can be tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value unless tuned.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
}

/// A parameter with named values, which is chosen and not tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamChoice {
    /// Its name.
    pub name: &'static str,
    /// Its value unless chosen.
    pub default: &'static str,
    /// All values.
    pub values: &'static [&'static str],
}

macro_rules! params {
    (
        numbers { $(
            $(#[doc = $doc:literal])+
            $name:ident = $default:literal in $min:literal..$max:literal;
        )+ }
        choices { $(
            $(#[doc = $choice_doc:literal])+
            $choice:ident: $type:ident = $chosen:ident;
        )+ }
    ) => {
        /// The parameters of a search. Depths are in plies, margins in normalised centipawns (100 win
        /// half of the games), reductions in 1024ths of a ply. Margins of SEE are in the unit of the
        /// game's piece values.
        ///
        /// ```
        /// use search::{Params, Selectivity};
        ///
        /// let mut params = Params::default();
        /// params.parse("futility_base", "90")?;
        /// params.parse("learned_ordering", "classical")?;
        /// assert_eq!(params.futility_base, 90);
        /// assert_eq!(params.learned_ordering, Selectivity::Classical);
        ///
        /// let error = params.parse("late_base", "3").unwrap_err().to_string();
        /// assert_eq!(error, "the search parameter `late_base` is now called `lmp_base`");
        /// # Ok::<(), search::ParamError>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)+
            $($(#[doc = $choice_doc])+ pub $choice: $type,)+
            /// The numbers that were set by their names.
            pub named: NamedNumbers,
        }

        impl Default for Params {
            fn default() -> Self {
                Self {
                    $($name: $default,)+
                    $($choice: $type::$chosen,)+
                    named: NamedNumbers::default(),
                }
            }
        }

        impl Params {
            /// All numbers.
            pub const LIST: &'static [Param] = &[$(Param {
                name: stringify!($name), default: $default, min: $min, max: $max,
            },)+];

            /// All choices.
            pub const CHOICES: &'static [ParamChoice] = &[$(ParamChoice {
                name: stringify!($choice), default: $type::$chosen.name(), values: $type::NAMES,
            },)+];

            /// Sets a number by its name, clamped to its range. False if there is none of that
            /// name. The numbers of a network do not replace it.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                let set = self.set_unnamed(name, value);
                if set {
                    self.named.add(name);
                }
                set
            }

            /// Sets a number like [`Params::set`], but one that a network may replace.
            fn set_unnamed(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($min, $max),)+
                    _ => return false,
                }
                true
            }

            /// A number by its name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Sets a choice by its name and the name of its value. False if there is none of that
            /// name.
            fn choose(&mut self, name: &str, value: &str) -> Result<bool, UnknownName> {
                match name {
                    $(stringify!($choice) => self.$choice = value.parse()?,)+
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    };
}

params! {
    numbers {
        /// Half the width of the first aspiration window.
        aspiration_width = 9 in 3..39;
        /// How much wider each next window is, in 64ths.
        aspiration_growth = 96 in 70..256;

        /// Reverse futility pruning (RFP): the maximum depth.
        rfp_max_depth = 8 in 3..14;
        /// RFP: the margin above beta for each ply.
        rfp_margin = 60 in 19..104;
        /// RFP: how much smaller the margin is if the position is improving.
        rfp_improving = 42 in -104..208;
        /// RFP: the part of the margin that depends on nothing.
        rfp_base = 0 in -130..130;
        /// RFP: how much larger the margin is for each 1024 centipawns of correction by correction
        /// history.
        rfp_correction = 0 in -4096..8192;

        /// Razoring: the maximum depth.
        razor_max_depth = 4 in 1..8;
        /// Razoring: the margin below alpha.
        razor_base = 140 in 52..325;
        /// Razoring: how much larger the margin is for each ply squared.
        razor_margin = 97 in 32..260;

        /// Null-move pruning (NMP): the minimum depth.
        nmp_min_depth = 3 in 2..6;
        /// NMP: the reduction in plies.
        nmp_base = 4 in 2..6;
        /// NMP: plies of depth for each further ply of reduction.
        nmp_depth_divisor = 4 in 2..8;
        /// NMP: normalised centipawns above beta for each further ply of reduction.
        nmp_eval_divisor = 120 in 52..260;
        /// NMP: the maximum of these further plies.
        nmp_eval_max = 3 in 1..8;
        /// NMP: the minimum depth at which a fail high is verified.
        nmp_verify_depth = 14 in 8..20;

        /// ProbCut: the minimum depth.
        probcut_min_depth = 5 in 3..9;
        /// ProbCut: how much beta is raised.
        probcut_margin = 121 in 52..260;
        /// ProbCut: the reduction of the search that confirms a cutoff.
        probcut_reduction = 4 in 2..6;

        /// Internal iterative reductions (IIR): the minimum depth at which a node without a TT move
        /// is reduced.
        iir_min_depth = 4 in 2..8;

        /// Hindsight: a node after a reduced move is searched a ply less deep if the two static
        /// evaluations before and after that move add up to this much.
        hindsight_margin = 99 in 13..390;
        /// Alpha-raise reduction: below this depth the moves after one that raised alpha are searched a
        /// ply less deep.
        alpha_raise_max_depth = 12 in 2..24;

        /// Ordering of quiet moves: the weight of butterfly history, in 1024ths.
        order_butterfly = 512 in -4096..8192;
        /// The same of threat history.
        order_threats = 512 in -4096..8192;
        /// The same of continuation history of the move before.
        order_one = 1024 in -4096..8192;
        /// The same of the move two plies before.
        order_two = 1024 in -4096..8192;
        /// The same of the move four plies before.
        order_four = 512 in -4096..8192;
        /// The same of the move six plies before.
        order_six = 256 in -4096..8192;
        /// The bonus of a quiet move that gives check.
        order_check = 6000 in -20_000..60_000;

        /// Late-move pruning (LMP): quiet moves that are searched at any depth.
        lmp_base = 4 in 1..10;
        /// Futility pruning: the maximum reduced depth.
        futility_max_depth = 8 in 3..14;
        /// Futility pruning: the margin below alpha.
        futility_base = 71 in 13..162;
        /// Futility pruning: how much larger the margin is for each ply.
        futility_margin = 64 in 19..130;
        /// Futility pruning of captures: the maximum depth.
        futility_noisy_depth = 6 in 1..12;
        /// Futility pruning of captures: the margin below alpha.
        futility_noisy_base = 140 in 13..325;
        /// History pruning: the maximum reduced depth.
        history_pruning_depth = 5 in 1..10;
        /// History pruning: the negative history for each ply below which a quiet move is pruned.
        history_pruning_margin = 4592 in 1000..9000;
        /// History pruning: what a nat of policy below the average move counts beside histories, in
        /// 1024ths.
        history_pruning_policy = 34481 in 0..131_072;
        /// SEE pruning: what a quiet move may lose, for each ply squared.
        see_quiet_margin = 20 in 5..80;
        /// SEE pruning: what a noisy move may lose, for each ply.
        see_noisy_margin = 86 in 30..200;

        /// Singular extensions: the minimum depth.
        singular_min_depth = 7 in 5..12;
        /// Singular extensions: how much worse the other moves must be, in 16ths of a centipawn for
        /// each ply.
        singular_margin = 18 in 5..52;
        /// Singular extensions: how much worse still for a double extension.
        singular_double_margin = 12 in 3..52;
        /// Singular extensions: how much worse still for a triple extension of a quiet move.
        singular_triple_margin = 65 in 13..260;
        /// Singular extensions: how many double extensions a line may have.
        singular_max_doubles = 8 in 1..20;
        /// Check extensions: the minimum depth.
        check_extension_depth = 9 in 1..20;

        /// Late-move reductions (LMR) of quiet moves: the part that depends on nothing.
        lmr_base = 784 in -2000..5000;
        /// LMR of quiet moves: the factor of ln(depth) · ln(move number), in 1024ths.
        lmr_scale = 477 in 0..900;
        /// LMR of noisy moves: the part that depends on nothing.
        lmr_noisy_base = 106 in -2000..5000;
        /// LMR of noisy moves: the factor of ln(depth) · ln(move number), in 1024ths.
        lmr_noisy_scale = 339 in 0..900;
        /// LMR: more in cut nodes.
        lmr_cut_node = 1451 in -1500..3000;
        /// LMR: less in nodes that are or were PV nodes.
        lmr_tt_pv = 980 in -1500..2500;
        /// LMR: more where the position is not improving.
        lmr_not_improving = 836 in -1500..2000;
        /// LMR: more for quiet moves where the TT move is noisy.
        lmr_tt_noisy = 544 in -1500..2000;
        /// LMR: less for moves that give check.
        lmr_check = 898 in -1500..2000;
        /// LMR: less for killer moves.
        lmr_killer = 757 in -1500..2500;
        /// LMR: the history that reduces by one ply less.
        lmr_history_divisor = 9445 in 3000..200_000;
        /// LMR: more in cut nodes without a TT move.
        lmr_no_tt_move = 603 in -1500..3000;
        /// LMR: more where more than two children of this node's children failed high.
        lmr_cutoff_count = 761 in -1500..3000;
        /// LMR: less for each 1024 centipawns of correction by correction history.
        lmr_correction = 208 in -60_000..60_000;
        /// LMR: less for each 1024 centipawns of the static evaluation above alpha, up to half as many
        /// either way.
        lmr_eval = 0 in -8192..8192;
        /// LMR: how far above the best score a reduced search must be for a re-search one ply
        /// deeper.
        lmr_deeper_margin = 23 in 3..97;

        /// History bonus of a move that fails high, for each ply.
        history_bonus_scale = 160 in 50..400;
        /// The largest history bonus.
        history_bonus_max = 1905 in 500..4000;
        /// History malus of the moves searched before it, for each ply.
        history_malus_scale = 181 in 50..400;
        /// The largest history malus.
        history_malus_max = 1500 in 500..4000;
        /// History bonus of the move that led to a node that fails low, in 1024ths of that of a move
        /// that fails high.
        history_prior_bonus = 832 in 0..2048;
        /// History bonus of a quiet move for each centipawn that the static evaluation rises by it.
        history_eval_scale = 14 in 0..100;
        /// The largest such bonus.
        history_eval_max = 1000 in 100..4000;
        /// The weight of correction history, in 1024ths.
        correction_weight = 1079 in 0..2048;

        /// From this score on the game is decided and mates are what counts: PV nodes prune no
        /// moves, and quiescence search begins with checks.
        decided_score = 520 in 195..19_500;

        /// Quiescence search: the futility margin of noisy moves below alpha.
        qs_futility_margin = 114 in 32..260;

        /// What a nat of policy counts beside histories, where both order quiet moves, in 1024ths.
        policy_blend = 27342 in 0..131_072;
        /// Ordering of quiet moves beside the policy: the weight of butterfly history, in 1024ths.
        policy_order_butterfly = 512 in -4096..8192;
        /// The same of threat history.
        policy_order_threats = 512 in -4096..8192;
        /// The same of continuation history of the move before.
        policy_order_one = 1024 in -4096..8192;
        /// The same of the move two plies before.
        policy_order_two = 1024 in -4096..8192;
        /// The same of the move four plies before.
        policy_order_four = 512 in -4096..8192;
        /// The same of the move six plies before.
        policy_order_six = 256 in -4096..8192;
        /// The bonus of a quiet move that gives check, beside the policy.
        policy_order_check = 6000 in -20_000..60_000;
        /// What histories add to the policy where it orders alone, in 1024ths: 1024 of history then
        /// count as a nat.
        policy_history_weight = 160 in 0..1024;
        /// The minimum depth at which the policy is evaluated beside histories.
        policy_min_depth = 3 in 1..30;
        /// LMR: less for each nat of policy above the average move, where classical and learned
        /// rules both reduce.
        lmr_policy = 118 in -512..2048;
        /// Learned LMR: the cost of a nat of negative log-probability for each ln(depth).
        policy_lmr_scale = 440 in 0..1500;
        /// Learned LMR: what is not charged.
        policy_lmr_offset = 600 in 0..3000;
        /// Learned pruning: the cost of a nat of negative log-probability.
        policy_pruning_scale = 600 in 0..3000;
        /// Learned pruning: how far the cost may exceed the depth left.
        policy_pruning_margin = 900 in 0..8192;
        /// Learned LMR: more in cut nodes.
        policy_lmr_cut_node = 700 in 0..3000;
        /// Learned LMR: less where the quantile interval is twice as wide as usual.
        quantile_lmr_width = 512 in 0..2048;
        /// The usual width of the interval from the 25 % to the 75 % quantile, in centipawns.
        quantile_usual_width = 162 in 13..650;
        /// Learned LMR: more where the whole quantile interval lies below alpha.
        quantile_lmr_fail_low = 512 in 0..3000;
        /// How often a line may be extended because a move is nearly forced and the quantile
        /// interval wide.
        policy_max_extensions = 0 in 0..16;
        /// How far below the median the lower bound of the interval lies: 64 is the 25 % quantile,
        /// 128 the 10 % quantile.
        quantile_lower = 100 in 0..256;
        /// How far above the median the upper bound of the interval lies: 64 is the 75 % quantile,
        /// 128 the 90 % quantile.
        quantile_upper = 100 in 0..256;
        /// How far outside the window an evaluation must lie before its quantiles are computed:
        /// hardly any interval is narrower.
        quantile_min_margin = 26 in 0..650;
        /// The maximum depth of cutoffs by quantiles, if calibration reaches that far.
        quantile_max_depth = 8 in 1..30;
        /// The width of the small network's quantile interval above which `learned_gate` = `width`
        /// evaluates the large network, in centipawns.
        learned_gate_width = 65 in 0..1300;

        /// The soft time limit, in 1024ths of an even share of the clock.
        time_soft = 700 in 300..1200;
        /// The hard time limit, in 1024ths of an even share of the clock.
        time_hard = 4200 in 2000..8000;
    }
    choices {
        /// Move ordering in the learned mode.
        learned_ordering: Selectivity = Both;
        /// Late-move reductions and pruning in the learned mode.
        learned_reductions: Selectivity = Both;
        /// Cutoffs before the moves of a node in the learned mode: by margins, by quantiles, or by
        /// quantiles in place of the margins and then by null move and ProbCut.
        learned_cutoffs: Selectivity = Classical;
        /// How a likely fail high is verified where cutoffs are learned.
        learned_verification: CutoffVerification = NullMove;
        /// When the large network is evaluated.
        learned_gate: GateRule = Decision;
    }
}

#[cfg(test)]
mod tests;
