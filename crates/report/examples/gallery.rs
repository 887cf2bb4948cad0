//! Gallery: every page and picture with made-up numbers, to look at after a change of style.
//!
//!     cargo run -p report --example gallery -- FOLDER

use std::path::Path;
use std::{env, fs, io};

use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{FeaturePlace, Game, ToolkitGame};
use report::Picture;
use report::board::BoardDrawing;
use report::calibration::{
    CalibrationCounts, CalibrationReport, CoverageGroup, CoverageRow, CutoffRow, OrderingRow,
    PinballReport, QuantileShares, SearchCosts,
};
use report::neurons::{FirstLayer, NeuronBoards, NeuronSelection};
use report::page::ListedCommand;
use report::progress::{self, Generation};
use report::quickstart::{FittedRule, MatchResult, QuickstartReport, ReliabilityBin, SampleGame};
use report::training::{Superbatch, TrainingReport};

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).unwrap_or_else(|| "gallery".to_owned());
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    fs::write(folder.join("chess.html"), quickstart::<Chess>())?;
    fs::write(folder.join("hexchess.html"), quickstart::<Hexchess>())?;
    fs::write(folder.join("training.html"), training())?;
    fs::write(folder.join("calibration.html"), calibration())?;
    fs::write(folder.join("loop.html"), progress::html("accrue loop", &generations()))?;
    fs::write(folder.join("loop.svg"), progress::ratings(&generations()).standalone())?;
    fs::write(folder.join("neurons.svg"), neurons::<Hexchess>().standalone())?;
    let board = BoardDrawing::of(&Chess::start()).coordinates();
    let board = board.arrow(12, 28, 1.0).arrow(6, 21, 0.3);
    fs::write(folder.join("board.svg"), board.picture().standalone())
}

fn superbatches() -> Vec<Superbatch> {
    let batch = |number: u64| {
        let at = number as f64;
        Superbatch {
            number,
            step: 100 * number,
            loss: Some(0.06 / at + 0.021 - 0.0001 * at),
            validation_loss: Some(0.06 / at + 0.023 + 0.00005 * at),
            is_best: number == 24,
            rate: Some(0.001 * (1.02 - at / 40.0)),
            speed: Some(1.2e6 + 1e4 * at),
        }
    };
    (1..=40).map(batch).collect()
}

fn game<G: ToolkitGame>(number: u64) -> SampleGame<G> {
    let mut position = G::start();
    let mut moves = Vec::new();
    for ply in 0..60 {
        let legal = position.legal_moves();
        let Some(&mv) = legal.get((ply * 7 + number as usize) % legal.len().max(1)) else { break };
        position.play(mv);
        moves.push(mv);
    }
    SampleGame {
        number,
        players: ["net".into(), "start".into()],
        result: "1-0".into(),
        reason: "White wins by adjudication".into(),
        start: G::start(),
        moves,
        opening_plies: 8,
    }
}

fn neurons<G: ToolkitGame>() -> Picture {
    let geometry = G::geometry();
    let kinds = ['P', 'N', 'B', 'R', 'Q', 'K'];
    let mut places = Vec::new();
    let mut weights = Vec::new();
    for (half, theirs) in [false, true].into_iter().enumerate() {
        for (kind, &piece) in kinds.iter().enumerate() {
            for (cell, place) in geometry.cells.iter().enumerate() {
                places.push(Some(FeaturePlace { bucket: 0, piece, theirs, cell }));
                for neuron in 0..8_u8 {
                    let turn = f32::from(neuron) + kind as f32 + 3.0 * half as f32;
                    weights.push((place.x * 0.6 + turn).sin() * (place.y * 0.5 - turn).cos());
                }
            }
        }
    }
    let layer = FirstLayer { geometry: &geometry, places: &places, weights: &weights, width: 8 };
    let boards = NeuronBoards::new(&layer, &NeuronSelection::default()).expect("neurons");
    boards.picture("net.accrue", "hexchess.piece-cell (1092→8)×2→1 screlu")
}

fn quickstart<G: ToolkitGame>() -> String {
    let command = |title: &str, command: &str| ListedCommand {
        title: title.to_owned(),
        command: command.to_owned(),
    };
    let bin = |tenth: u8| ReliabilityBin {
        positions: 400 - 30 * u64::from(tenth.abs_diff(5)),
        expected: f64::from(tenth) / 10.0 + 0.05,
        score: f64::from(tenth) / 12.0 + 0.09,
    };
    let report = QuickstartReport::<G> {
        positions: 1_200_000,
        threads: 2,
        steps: vec![command("self-play games", "accrue datagen --game chess --out games.data")],
        matches: vec![MatchResult {
            title: "match against the start".into(),
            wins: 312,
            draws: 120,
            losses: 68,
            elo: 185.0,
            elo_error: 29.0,
            los: 1.0,
            ..MatchResult::default()
        }],
        superbatches: superbatches(),
        rules: vec![FittedRule {
            rule: "late-move reductions".into(),
            samples: [16_000, 4000],
            log_loss: [Some(0.1718), Some(0.171)],
            params: vec![("lmr_killer".into(), 1662)],
            reason: None,
        }],
        reliability: (0..10).map(bin).collect(),
        games: vec![game(3), game(12)],
        neurons: Some(neurons::<G>()),
        next: vec![command("Improve the network", "accrue loop loop.toml")],
    };
    report.html()
}

fn training() -> String {
    let report = TrainingReport {
        architecture: "chess.piece-square (768→256)×2→1 screlu".into(),
        ended: "finished".into(),
        parameters: 197_377,
        step: 4000,
        steps: 4000,
        positions: 65_536_000,
        threads: 2,
        best_validation: Some((0.0243, 2400)),
        head_losses: vec![("value".into(), 0.0243)],
        superbatches: superbatches(),
        neurons: Some(neurons::<Chess>()),
        config: "[network]\nfeatures = \"chess.piece-square\"\n".into(),
    };
    report.html()
}

fn generations() -> Vec<Generation> {
    let generation = |number: u64| Generation {
        number,
        against: number.saturating_sub(1),
        promoted: number % 3 != 2,
        verdict: if number % 3 == 2 { "H0" } else { "H1" }.to_owned(),
        games: 400,
        score: 230.5,
        elo: 53.0,
        elo_error: Some(31.0),
        rating: 160.0 * (number as f64).sqrt() - if number % 3 == 2 { 60.0 } else { 0.0 },
    };
    (1..=14).map(generation).collect()
}

fn calibration() -> String {
    let levels = [0.1, 0.25, 0.5, 0.75, 0.9];
    let shares = |spread: f64| QuantileShares {
        below: levels.map(|level| 0.5 + (level - 0.5) * spread).to_vec(),
        between: 0.8 * spread,
        is_off: (spread - 1.0).abs() > 0.03,
    };
    let row = |group: CoverageGroup, name: &str, tick: &str, spread: f64| CoverageRow {
        group,
        name: format!("{name} {tick}"),
        tick: tick.to_owned(),
        positions: 4321,
        before: shares(spread),
        after: Some(shares(1.0 + (spread - 0.7) / 10.0)),
    };
    let mut coverage = vec![row(CoverageGroup::All, "all", "", 0.7)];
    for (depth, spread) in
        ["1", "2", "4", "6", "8", "10"].into_iter().zip([0.9, 0.8, 0.75, 0.7, 0.6, 0.5])
    {
        coverage.push(row(CoverageGroup::Depth, "depth", depth, spread));
    }
    for (pieces, spread) in ["0–8", "9–16", "17–24", "25–32"].into_iter().zip([0.8, 0.7, 0.6, 0.65])
    {
        coverage.push(row(CoverageGroup::Pieces, "pieces", pieces, spread));
    }
    for (value, spread) in
        ["0–50", "51–150", "151–400", "401–"].into_iter().zip([0.8, 0.7, 0.6, 0.5])
    {
        coverage.push(row(CoverageGroup::Value, "|value|", value, spread));
    }
    let pinball = PinballReport { loss: 21.34, skill: 0.08, shuffled_skill: -0.031 };
    let order = |name: &str, log_loss| OrderingRow {
        name: name.to_owned(),
        positions: 2000,
        top: [0.31, 0.55, 0.69],
        mean_rank: 5.61,
        log_loss,
    };
    let report = CalibrationReport {
        network: "net.accrue".into(),
        architecture: "chess.piece-square (768→256)×2→1+quantiles screlu".into(),
        game: "chess".into(),
        counts: CalibrationCounts { records: 20_000, ..CalibrationCounts::default() },
        before: "uncorrected".into(),
        levels: levels.to_vec(),
        coverage,
        pinball,
        calibrated_pinball: Some(pinball),
        correlations: vec![
            ("width q90 − q10".into(), Some(0.412)),
            ("|search of depth 4 − median|".into(), Some(0.355)),
            ("|median|".into(), Some(-0.081)),
        ],
        correlation_positions: 8123,
        orderings: vec![order("policy, uncorrected", Some(2.412)), order("captures by SEE", None)],
        uniform_log_loss: Some(3.33),
        searches: Some(SearchCosts {
            positions: 400,
            depth: 8,
            nodes: vec![
                ("classical ordering".into(), 31_200.0),
                ("with the policy".into(), 24_100.0),
                ("learned search".into(), 14_900.0),
            ],
            cutoffs: vec![CutoffRow {
                name: "fail high".into(),
                made: 9100,
                checked: 90,
                wrong: 3,
            }],
        }),
    };
    report.html()
}
