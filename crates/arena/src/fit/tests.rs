//! Tests of the fits: simulated samples whose rules are known.

use games::Random;
use search::{Params, SampleKind};

use super::{RuleFit, SampleTable, fit};

fn unit(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn happens(random: &mut Random, logit: f64) -> bool {
    unit(random) < 1.0 / (1.0 + (-logit).exp())
}

fn number(random: &mut Random, max: i32) -> i32 {
    random.below(2 * max as usize + 1) as i32 - max
}

/// A table from rows, by way of its file.
fn table(kind: SampleKind, rows: &[Vec<i32>]) -> SampleTable {
    let mut text = SampleTable::new(kind).to_csv("a test\nof facts");
    for row in rows {
        let row: Vec<_> = row.iter().map(i32::to_string).collect();
        text += &row.join(",");
        text.push('\n');
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("samples.csv");
    std::fs::write(&file, &text).unwrap();
    let table = SampleTable::read(&file).unwrap();
    assert_eq!(table.to_csv("a test of facts"), text);
    table
}

fn value(rule: &RuleFit, name: &str) -> i32 {
    let found = rule.params.iter().find(|(param, _)| *param == name);
    found.unwrap_or_else(|| panic!("{name} in {rule:?}")).1
}

#[test]
fn the_weights_of_ordering_are_found() {
    let mut random = Random::new(1);
    let mut rows = Vec::new();
    for node in 0..6000 {
        let policy = node % 2;
        let moves: Vec<Vec<i32>> = (0..6)
            .map(|_| {
                let histories: Vec<i32> = (0..6).map(|_| number(&mut random, 6000)).collect();
                let (check, policy_nats) = (random.below(5) == 0, number(&mut random, 2000));
                let others = [i32::from(check), policy, policy * policy_nats];
                histories.into_iter().chain(others).collect()
            })
            .collect();
        // The move before counts four times as much as the one two plies before, the rest nothing.
        let logit = |mv: &[i32]| {
            let nats = f64::from(mv[8]) / 1024.0;
            (4.0 * f64::from(mv[2]) + f64::from(mv[3])) / 10_000.0 + f64::from(mv[6]) + nats
        };
        let weights: Vec<f64> = moves.iter().map(|mv| logit(mv).exp()).collect();
        let mut rest = unit(&mut random) * weights.iter().sum::<f64>();
        let chosen = weights.iter().position(|weight| {
            rest -= weight;
            rest <= 0.0
        });
        for (index, mv) in moves.iter().enumerate() {
            let head = [node, 5, i32::from(Some(index) == chosen)];
            rows.push(head.iter().chain(mv).copied().collect());
        }
    }
    let table = table(SampleKind::CutNodes, &rows);
    assert_eq!(table.samples(), 6000);
    let rules = fit(&table, &Params::default());
    assert_eq!(rules.len(), 2);
    for (rule, prefix) in rules.iter().zip(["order", "policy_order"]) {
        let weight = |name: &str| value(rule, &format!("{prefix}_{name}"));
        assert!(rule.log_loss[1] < rule.log_loss[0], "{rule:?}");
        let ratio = f64::from(weight("one")) / f64::from(weight("two"));
        assert!((3.0..5.5).contains(&ratio), "{ratio}");
        assert!(weight("six").abs() < weight("two") / 2, "{rule:?}");
        // A nat of logit is 3840 / 5 · 10 of a score.
        assert!((6000..9500).contains(&weight("check")), "{}", weight("check"));
    }
    assert!((6500..9000).contains(&value(&rules[1], "policy_blend")), "{:?}", rules[1]);
}

/// A late move: depth, number, flags, correction, evaluation, history, policy.
fn late_move(random: &mut Random) -> Vec<i32> {
    let mut row = vec![3 + random.below(8) as i32, 2 + random.below(30) as i32];
    row.extend((0..9).map(|_| random.below(2) as i32));
    row.extend([random.below(100) as i32, number(random, 512), number(random, 9000)]);
    row.push(number(random, 2000));
    row
}

#[test]
fn reductions_follow_what_fails_high() {
    let mut random = Random::new(2);
    let rows: Vec<_> = (0..20_000)
        .map(|_| {
            let mut row = late_move(&mut random);
            // History and evaluation say much, whether the move gives check nothing.
            let logit = -1.0 + f64::from(row[13]) / 4000.0 + f64::from(row[12]) / 300.0
                - 0.5 * (f64::from(row[1])).ln();
            row.extend([1000, 50, i32::from(happens(&mut random, logit))]);
            row
        })
        .collect();
    let rule = &fit(&table(SampleKind::LateMoves, &rows), &Params::default())[0];
    assert!(rule.log_loss[1] < rule.log_loss[0], "{rule:?}");
    let (history, eval) = (value(rule, "lmr_history_divisor"), value(rule, "lmr_eval"));
    assert!(value(rule, "lmr_check").abs() < eval / 10, "{rule:?}");
    assert!(value(rule, "lmr_not_improving").abs() < eval / 10, "{rule:?}");
    // 4000 of history reduce as much as 300 centipawns.
    let ratio = f64::from(eval) * f64::from(history) / 1024.0 / 1024.0;
    assert!((11.0..16.0).contains(&ratio), "{ratio}: {rule:?}");
}

#[test]
fn a_rule_that_is_right_is_left_as_it_is() {
    let mut random = Random::new(3);
    let rows: Vec<_> = (0..3000)
        .map(|_| {
            let mut row = late_move(&mut random);
            // By the default numbers, of which each is right.
            let params = Params::default();
            let flag = |column: usize, number: i32| f64::from(row[column] * number);
            let thousandths = flag(6, (1 - row[2]) * params.lmr_tt_noisy)
                + flag(7, params.lmr_cutoff_count)
                - flag(8, params.lmr_not_improving)
                - flag(9, params.lmr_check)
                - flag(10, params.lmr_killer)
                - (flag(11, params.lmr_correction) + flag(14, params.lmr_policy)) / 1024.0
                - flag(13, 1024) / f64::from(params.lmr_history_divisor);
            let fails_high = happens(&mut random, -thousandths / 700.0);
            row.extend([1000, 50, i32::from(fails_high)]);
            row
        })
        .collect();
    let rule = &fit(&table(SampleKind::LateMoves, &rows), &Params::default())[0];
    assert!(rule.params.is_empty() && rule.reason.is_some(), "{rule:?}");
}

#[test]
fn margins_widen_where_corrections_are_large() {
    let mut random = Random::new(4);
    let rows: Vec<_> = (0..20_000)
        .map(|_| {
            let [depth, surplus, correction] = [7, 900, 120].map(|max| random.below(max) as i32);
            let improving = random.below(2) as i32;
            let margin = 60 * depth - 42 * improving;
            let logit = f64::from(surplus - 40 * depth + 30 * improving - 2 * correction) / 80.0;
            let fails_high = happens(&mut random, logit);
            vec![depth, surplus, improving, correction, margin, i32::from(fails_high)]
        })
        .collect();
    let rule = &fit(&table(SampleKind::RfpNodes, &rows), &Params::default())[0];
    assert!((15..45).contains(&value(rule, "rfp_improving")), "{rule:?}");
    assert!((1600..2500).contains(&value(rule, "rfp_correction")), "{rule:?}");
}

#[test]
fn few_samples_are_refused_with_a_reason() {
    for &kind in SampleKind::ALL {
        for rule in fit(&SampleTable::new(kind), &Params::default()) {
            assert!(rule.params.is_empty());
            assert!(rule.reason.unwrap().starts_with("expected at least"), "{kind}");
        }
    }
}

#[test]
fn damaged_files_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.csv");
    let refusal = |text: &str| {
        std::fs::write(&file, text).unwrap();
        SampleTable::read(&file).unwrap_err().to_string()
    };
    let head = SampleTable::new(SampleKind::RfpNodes).to_csv("");
    for (text, line, expected) in [
        (String::new(), 1, "`# accrue samples 1` and one of cut-nodes"),
        ("# accrue samples 1 elephants\n".into(), 1, "one of cut-nodes"),
        ("# accrue samples 1 rfp-nodes;\ndepth\n".into(), 2, "the columns depth,surplus"),
        (format!("{head}1,2,3\n"), 3, "6 numbers"),
        (format!("{head}1,2,3,4,5,6\n1,2,x,4,5,6\n"), 4, "a whole number"),
        (format!("{head}1,2,3,4,5,99999999999\n"), 3, "a whole number"),
        (format!("{head}{}\n", "1".repeat(10_000)), 3, "a whole number"),
    ] {
        let error = refusal(&text);
        assert!(error.contains(&format!("line {line}: ")) && error.contains(expected), "{error}");
    }
    std::fs::write(&file, b"\xff\xfe\0").unwrap();
    assert!(SampleTable::read(&file).unwrap_err().to_string().contains("x.csv"));
}
