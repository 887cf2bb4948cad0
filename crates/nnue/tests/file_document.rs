//! `docs/network-file.md` shows a whole file byte by byte; these are those bytes.

use std::fmt::Write;

use nnue::{Accumulator, Architecture, FloatParameters, Network, NetworkFile, Weights};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/network-file.md");

/// Exclusive or, by hand: the first neuron is `or`, the second `not and`, and the output is their `and`.
fn exclusive_or() -> NetworkFile {
    let architecture: Architecture = "2→4→1 sigmoid".parse().unwrap();
    let parameters = FloatParameters {
        feature_weights: vec![20.0, -20.0, 0.0, 0.0, 24.0, -24.0, 0.0, 0.0],
        feature_bias: vec![-10.0, 30.0, 0.0, 0.0],
        hidden: Vec::new(),
        heads: vec![Weights { weights: vec![20.0, 20.0, 0.0, 0.0], bias: vec![-30.0] }],
        policy: None,
    };
    NetworkFile::new(architecture, parameters, "exclusive or, by hand\n".into(), None).unwrap()
}

/// As `hexdump -C` prints it: lines that repeat the one before are a star.
fn hexdump(bytes: &[u8]) -> String {
    let mut dump = String::new();
    let (mut before, mut starred) = (None, false);
    for (place, line) in bytes.chunks(16).enumerate() {
        if before == Some(line) {
            if !starred {
                dump += "*\n";
            }
            starred = true;
            continue;
        }
        (before, starred) = (Some(line), false);
        let hex = |half: &[u8]| {
            let bytes: Vec<String> = half.iter().map(|byte| format!("{byte:02x}")).collect();
            bytes.join(" ")
        };
        let (first, second) = line.split_at(line.len().min(8));
        let text: String = line
            .iter()
            .map(|&byte| if byte.is_ascii_graphic() || byte == b' ' { byte.into() } else { '.' })
            .collect();
        writeln!(dump, "{:08x}  {:23}  {:23}  |{text}|", place * 16, hex(first), hex(second))
            .unwrap();
    }
    writeln!(dump, "{:08x}", bytes.len()).unwrap();
    dump
}

#[test]
fn the_document_shows_the_real_bytes() {
    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let dump = hexdump(&exclusive_or().write());
    assert!(document.contains(&format!("```text\n{dump}```\n")), "the bytes are\n{dump}");
}

#[test]
fn the_document_shows_a_network_that_works() {
    let network = Network::from_bytes(&exclusive_or().write()).unwrap();
    let mut workspace = network.workspace();
    for active in [&[][..], &[0], &[1], &[0, 1]] {
        let mut view = Accumulator::new(&network);
        network.refresh(&mut view, active);
        let value = network.evaluate([&view, &view], 0, 0, &mut workspace);
        assert_eq!(value > 0, active.len() == 1, "{active:?}: {value}");
    }
}
