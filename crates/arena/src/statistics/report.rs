//! Match report: the lines that fastchess prints, so that existing scripts can read them.

use super::{Sprt, Tally};

/// The state of a match in the format of fastchess. Unknown values are omitted.
pub fn report(tally: &Tally, sprt: Option<&Sprt>) -> Vec<String> {
    let estimate = tally.estimate();
    let mut lines = vec![
        format!(
            "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}",
            estimate.elo, estimate.elo_error, estimate.normalized, estimate.normalized_error
        ),
        odds(tally, estimate.los),
        games(tally),
    ];
    if tally.pairs() > 0 {
        lines.push(pairs(tally));
    }
    lines.extend(sprt.map(|sprt| sprt.line(tally)));
    lines
}

fn odds(tally: &Tally, los: f64) -> String {
    let mut parts = vec![format!("LOS: {:.2} %", 100.0 * los)];
    let pairs = tally.pairs_by_quarters();
    if tally.pairs() > 0 {
        let count = |range: &[u64]| range.iter().map(|&count| count as f64).sum::<f64>();
        let drawn = 100.0 * count(&pairs[4..5]) / count(&pairs);
        parts.push(format!("DrawRatio: {drawn:.2} %"));
        parts.push(format!("PairsRatio: {}", ratio(count(&pairs[5..]), count(&pairs[..4]))));
    } else if let Some(draws) = tally.draws().filter(|_| tally.games() > 0) {
        let drawn = 100.0 * draws as f64 / tally.games() as f64;
        parts.push(format!("DrawRatio: {drawn:.2} %"));
    }
    parts.join(", ")
}

fn games(tally: &Tally) -> String {
    let (games, points) = (tally.games(), tally.points());
    let mut parts = vec![format!("Games: {games}")];
    if let Some([losses, one_quarter, draws, three_quarters, wins]) = tally.by_quarters() {
        parts.push(format!("Wins: {wins}, Losses: {losses}, Draws: {draws}"));
        if one_quarter > 0 || three_quarters > 0 {
            parts.push(format!("ThreeQuarters: {three_quarters}, OneQuarter: {one_quarter}"));
        }
    }
    let percent = if games == 0 { 50.0 } else { 100.0 * points / games as f64 };
    // Quarter scores need a second digit.
    let digits = if (2.0 * points).fract() == 0.0 { 1 } else { 2 };
    parts.push(format!("Points: {points:.digits$} ({percent:.2} %)"));
    parts.join(", ")
}

fn pairs(tally: &Tally) -> String {
    let Some(pentanomial) = tally.pentanomial() else {
        return format!("Pairs(0-8 quarters): {:?}", tally.pairs_by_quarters());
    };
    let line = format!("Ptnml(0-2): {pentanomial:?}");
    let Some(split) = tally.won_and_lost() else { return line };
    let drawn = pentanomial[2].saturating_sub(split);
    format!("{line}, WL/DD Ratio: {}", ratio(split as f64, drawn as f64))
}

/// A ratio with two decimals, as text if the denominator is 0.
fn ratio(part: f64, whole: f64) -> String {
    match (part > 0.0, whole > 0.0) {
        (_, true) => format!("{:.2}", part / whole),
        (true, false) => "inf".to_owned(),
        (false, false) => "none".to_owned(),
    }
}
