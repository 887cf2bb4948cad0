//! Explained evaluation (`--explain`): by bucket, by piece and by move.

use anyhow::bail;
use arena::networks::{PieceContribution, PositionEvaluator};
use games::{PolicyForm, PolicyShape, ToolkitGame};
use nnue::{Head, Network, PolicyHead, StockfishValue};
use serde::Serialize;

use super::Report;

/// The output of one bucket.
#[derive(Debug, Serialize)]
pub(super) struct BucketLine {
    bucket: usize,
    eval: i32,
    /// The piece-square part and the positional part of a Stockfish network, in centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<(f64, f64)>,
}

/// The change of the evaluation without a piece.
#[derive(Debug, Serialize)]
pub(super) struct PieceLine {
    cell: String,
    piece: char,
    /// `None` if the position without the piece is not valid: a king, or a check.
    loses: Option<i32>,
}

/// The output of each bucket for the position.
pub(super) fn buckets<G: ToolkitGame>(
    evaluator: &mut PositionEvaluator<G>,
    position: &G,
) -> Vec<BucketLine> {
    // Sixteenths of a unit, 361 of which are a pawn.
    let centipawns = |part: i32| f64::from(part) / 16.0 * 100.0 / 361.0;
    let line = |(bucket, (eval, value)): (usize, (i32, Option<StockfishValue>))| {
        let parts = value.map(|value| (centipawns(value.psqt), centipawns(value.positional)));
        BucketLine { bucket, eval, parts }
    };
    evaluator.buckets(position).into_iter().enumerate().map(line).collect()
}

/// The contribution of each piece for the side to move.
pub(super) fn pieces<G: ToolkitGame>(
    evaluator: &mut PositionEvaluator<G>,
    position: &G,
) -> Vec<PieceLine> {
    let cells = G::geometry().cells;
    let line = |PieceContribution { cell, piece, value }| PieceLine {
        cell: cells[cell].name.clone(),
        piece,
        loses: value,
    };
    evaluator.contributions(position).into_iter().map(line).collect()
}

/// Checks that the policy head, if there is one, numbers moves as `G` does.
pub(super) fn check_policy<G: ToolkitGame>(network: &Network) -> anyhow::Result<()> {
    let PolicyShape { from, to } = G::POLICY;
    match network.architecture().policy() {
        Some(head) if !fits::<G>(head) => {
            bail!("its {}; moves of {} take {from}/{to}", Head::Policy(head).label(), G::NAME)
        }
        Some(_) | None => Ok(()),
    }
}

fn fits<G: ToolkitGame>(head: PolicyHead) -> bool {
    PolicyForm::of_head::<G>(head.encoding_name(), head.from, head.to).is_some()
}

/// The probability of each legal move by the policy head, highest first; empty without one.
pub(super) fn policy<G: ToolkitGame>(
    evaluator: &mut PositionEvaluator<G>,
    position: &G,
) -> Vec<(String, f32)> {
    let policy = evaluator.policy(position).into_iter();
    policy.map(|(mv, share)| (position.move_text(mv), share)).collect()
}

/// Appends the explanation to the lines of the report.
pub(super) fn append(report: &Report, lines: &mut Vec<String>) {
    if report.buckets.len() > 1 {
        lines.push("by bucket".to_owned());
    }
    for BucketLine { bucket, eval, parts } in
        report.buckets.iter().filter(|_| report.buckets.len() > 1)
    {
        let parts = parts.map_or_else(String::new, |(psqt, positional)| {
            format!("  piece-square {psqt:+9.2}  positional {positional:+9.2}")
        });
        let mark = if *bucket == report.bucket { "  <- this position's" } else { "" };
        lines.push(format!("  {bucket:>2} {eval:>+7}{parts}{mark}"));
    }
    if !report.pieces.is_empty() {
        lines.push("without a piece, the value loses".to_owned());
    }
    for PieceLine { cell, piece, loses } in &report.pieces {
        let loses = loses.map_or_else(|| "-".to_owned(), |loses| format!("{loses:+}"));
        lines.push(format!("  {piece} {cell:<3} {loses:>7}"));
    }
    if !report.policy.is_empty() {
        lines.push("moves by policy".to_owned());
    }
    for (text, share) in &report.policy {
        lines.push(format!("  {text:<6} {:5.1} %", share * 100.0));
    }
}
