//! Explained evaluation (`--explain`): by bucket, by piece and by move.

use anyhow::bail;
use games::{PolicyForm, PolicyShape, ToolkitGame};
use nnue::{Head, Network, PolicyHead};
use serde::Serialize;

use super::{PositionEvaluator, Report};

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
    evaluator: &mut PositionEvaluator<'_, G>,
    position: &G,
) -> Vec<BucketLine> {
    let [white, black] = &evaluator.accumulators(position);
    let (accumulators, side) = ([white, black], position.side_to_move() as usize);
    let (network, workspace) = (evaluator.network, &mut evaluator.workspace);
    let line = |bucket| {
        let eval = network.outputs_in_bucket(accumulators, side, bucket, workspace).value;
        let parts = network.stockfish_value(accumulators, side, bucket, workspace).map(|value| {
            // Sixteenths of a unit, 361 of which are a pawn.
            let centipawns = |part: i32| f64::from(part) / 16.0 * 100.0 / 361.0;
            (centipawns(value.psqt), centipawns(value.positional))
        });
        BucketLine { bucket, eval, parts }
    };
    (0..network.architecture().buckets.count).map(line).collect()
}

/// The contribution of each piece for the side to move: the value with it minus the value without
/// it.
pub(super) fn pieces<G: ToolkitGame>(
    evaluator: &mut PositionEvaluator<'_, G>,
    position: &G,
) -> Vec<PieceLine> {
    let whole = evaluator.outputs(position).value;
    let cells = G::geometry().cells.into_iter().enumerate();
    cells
        .filter_map(|(number, cell)| {
            let piece = position.piece_on(number)?;
            let without = position.without_piece(number);
            let loses = without.map(|position| whole - evaluator.outputs(&position).value);
            Some(PieceLine { cell: cell.name, piece, loses })
        })
        .collect()
}

/// Checks that the policy head, if there is one, numbers moves as `G` does.
pub(super) fn check_policy<G: ToolkitGame>(network: &Network) -> anyhow::Result<()> {
    let PolicyShape { from, to } = G::POLICY;
    match network.architecture().policy() {
        Some(head) if policy_form::<G>(head).is_none() => {
            bail!("its {}; moves of {} take {from}/{to}", Head::Policy(head).label(), G::NAME)
        }
        Some(_) | None => Ok(()),
    }
}

fn policy_form<G: ToolkitGame>(head: PolicyHead) -> Option<PolicyForm> {
    PolicyForm::of_head::<G>(head.encoding_name(), head.from, head.to)
}

/// The probability of each legal move by the policy head, highest first; empty without one.
pub(super) fn policy<G: ToolkitGame>(
    evaluator: &mut PositionEvaluator<'_, G>,
    position: &G,
) -> Vec<(String, f32)> {
    let Some(head) = evaluator.network.architecture().policy() else { return Vec::new() };
    let form = policy_form::<G>(head).unwrap_or_default();
    let moves = position.legal_moves();
    let rows: Vec<u16> = moves
        .iter()
        .map(|&mv| form.index(position, mv))
        .flat_map(|index| [index.from as u16, (head.from + index.to) as u16])
        .collect();
    let mut logits = vec![0.0; rows.len()];
    let [white, black] = &evaluator.accumulators(position);
    let side = position.side_to_move() as usize;
    evaluator.network.policy([white, black], side, &rows, &mut logits, &mut evaluator.workspace);
    let scores: Vec<f32> = logits.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - most).exp()).sum();
    let mut policy: Vec<_> = moves
        .iter()
        .zip(&scores)
        .map(|(&mv, score)| (position.move_text(mv), (score - most).exp() / sum))
        .collect();
    policy.sort_by(|a, b| b.1.total_cmp(&a.1));
    policy
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
