//! `accrue net plot`: each weight is drawn on the board and the cell that its feature stands for.

#[path = "common/command.rs"]
mod command;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "common/networks.rs"]
mod networks;

use command::{complaint, lines};
use dataset::GameList;
use networks::{native, noru, put};
use nnue::{Architecture, FloatParameters, NetworkFile};

/// A neuron's largest weight, and one as far below zero.
const DEEPEST: [&str; 2] =
    [r#"class="raises" fill-opacity="1""#, r#"class="lowers" fill-opacity="1""#];

/// The feature of a piece on a cell.
fn feature(set: &str, piece: char, theirs: bool, cell: usize, bucket: usize) -> usize {
    let places = GameList::new()
        .with::<games::chess::Chess>()
        .with::<games::hexchess::Hexchess>()
        .feature_places(set)
        .expect("a feature set");
    let found = places.iter().position(|place| {
        place.is_some_and(|place| {
            (place.piece, place.theirs, place.cell, place.bucket) == (piece, theirs, cell, bucket)
        })
    });
    found.expect("a feature for that piece and cell")
}

/// The places, among all cells that are drawn, of those in a colour.
fn drawn(svg: &str, colour: &str) -> Vec<usize> {
    let used = svg.split("<use href=\"#").skip(1).filter_map(|used| used.split('>').next());
    // The headings are pieces.
    let cells = used.filter(|used| used.starts_with("square") || used.starts_with("hexagon"));
    cells.enumerate().filter(|(_, cell)| cell.contains(colour)).map(|(place, _)| place).collect()
}

#[test]
fn weights_are_drawn_where_their_features_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("neurons.svg");
    let shown = out.to_str().unwrap();
    for (text, cells) in [
        ("chess.piece-square (768→4)×2→1 screlu", 64),
        ("chess.halfka-hm (22528→4)×2→1 screlu", 64),
        ("hexchess.piece-cell-mirrored (1110→4)×2→1 screlu", 91),
    ] {
        let architecture: Architecture = text.parse().expect("an architecture");
        let set = architecture.features.clone();
        let mut weights = FloatParameters::generate(&architecture, || 0.0, || 0.0, || 0.0, || 0.0);
        weights.feature_weights[feature(&set, 'N', false, 28, 0) * 4 + 2] = 0.5;
        weights.feature_weights[feature(&set, 'Q', true, 7, 0) * 4 + 2] = -0.5;
        let file = NetworkFile::new(architecture, weights, String::new(), None).unwrap();
        let net = put(folder.path(), "net.accrue", file.write());
        let args = ["net", "plot", &net, "--out", shown, "--bucket", "0"];
        // The neuron with weights comes first, and it alone has colours.
        let told = lines(&[&args[..], &["--neurons", "3"]].concat()).join("\n");
        assert!(told.contains("3 neurons, 12 boards each"), "{told}");
        let svg = std::fs::read_to_string(&out).unwrap();
        assert_eq!(DEEPEST.map(|colour| drawn(&svg, colour)), [[cells + 28], [10 * cells + 7]]);
        assert!(svg.find("neuron 2<").unwrap() < svg.find("neuron 0<").unwrap(), "{text}");
        // One kind of piece has one board for each side.
        lines(&[&args[..], &["--only", "2", "--piece", "q"]].concat());
        let svg = std::fs::read_to_string(&out).unwrap();
        assert_eq!(DEEPEST.map(|colour| drawn(&svg, colour).len()), [0, 1], "{text}");
        assert_eq!(drawn(&svg, DEEPEST[1]), [cells + 7], "{text}");
    }
}

/// Without a bucket, what is drawn is the mean of all.
#[test]
fn buckets_are_averaged() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text =
        "chess.piece-square-mirrored:0011/1111/1111/1111/1111/1111/1111/1111 (1536→2)×2→1 screlu";
    let architecture: Architecture = text.parse().expect("an architecture");
    let set = architecture.features.clone();
    let mut weights = FloatParameters::generate(&architecture, || 0.0, || 0.0, || 0.0, || 0.0);
    for (bucket, weight) in [(0, 0.5), (1, 0.25)] {
        weights.feature_weights[feature(&set, 'R', false, 3, bucket) * 2] = weight;
    }
    let file = NetworkFile::new(architecture, weights, String::new(), None).unwrap();
    let net = put(folder.path(), "net.accrue", file.write());
    let out = folder.path().join("neurons.svg");
    let args = ["net", "plot", &net, "--out", out.to_str().unwrap(), "--only", "0"];
    for (bucket, most) in
        [(&["--bucket", "0"][..], "0.500"), (&["--bucket", "1"], "0.250"), (&[], "0.375")]
    {
        lines(&[&args[..], bucket].concat());
        let svg = std::fs::read_to_string(&out).unwrap();
        assert!(svg.contains(&format!(">max {most}<")), "{bucket:?}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("neurons.svg");
    let shown = out.to_str().unwrap();
    let net = put(folder.path(), "net.accrue", native(networks::SIMPLE).write());
    let noru = put(folder.path(), "net.noru", noru());
    for (args, words) in [
        (&["net", "plot", &net, "--out", shown, "--only", "16"][..], "has 16 neurons"),
        (&["net", "plot", &net, "--out", shown, "--piece", "X"], "known: PNBRQK\n"),
        (&["net", "plot", &net, "--out", shown, "--bucket", "1"], "there are 1, from 0 on"),
        (&["net", "plot", &net, "--out", shown, "--neurons", "0"], "0 neurons"),
        (&["net", "plot", &noru, "--out", shown], "network of noru"),
    ] {
        let complaint = complaint(args);
        assert!(complaint.contains(words), "{complaint:?} does not say {words:?}");
    }
    assert!(!out.exists(), "something was written");
}
