use games::BoardGame;
use games::chess::Chess;
use games::hexchess::Hexchess;

use super::*;

/// Two features for each cell of hexchess: a knight of each side.
fn knights() -> Vec<Option<FeaturePlace>> {
    let cells = Hexchess::geometry().cells.len();
    let place = |number: usize| FeaturePlace {
        bucket: 0,
        piece: 'N',
        theirs: number >= cells,
        cell: number % cells,
    };
    (0..2 * cells).map(|number| Some(place(number))).collect()
}

fn selection(count: usize) -> NeuronSelection {
    NeuronSelection { count, ..NeuronSelection::default() }
}

#[test]
fn every_cell_is_drawn_in_the_colour_of_its_weight() {
    let (geometry, places) = (Hexchess::geometry(), knights());
    let cells = geometry.cells.len();
    let mut weights = vec![0.0; places.len() * 3];
    weights[5 * 3 + 1] = 0.5;
    weights[(cells + 7) * 3 + 1] = -0.25;
    let mut places = places;
    places[3] = None;
    let layer = FirstLayer { geometry: &geometry, places: &places, weights: &weights, width: 3 };
    let boards = NeuronBoards::new(&layer, &selection(2)).unwrap();
    assert_eq!((boards.neurons(), boards.boards()), (2, 2));
    let svg = boards.picture("a < b", "(1→3)×2→1").standalone();
    let drawn: Vec<&str> = svg.split("<use href=\"#hexagon\"").skip(1).collect();
    assert_eq!(drawn.len(), 2 * 2 * cells);
    assert!(drawn[5].contains("class=\"raises\" fill-opacity=\"1\""), "{}", drawn[5]);
    assert!(drawn[cells + 7].contains("class=\"lowers\" fill-opacity=\".50\""));
    assert!(drawn[3].contains("missing"), "{}", drawn[3]);
    // The neuron with weights comes first.
    assert!(svg.find("neuron 1<").unwrap() < svg.find("neuron 0<").unwrap());
    assert!(svg.contains("a &lt; b: 2 of 3 accumulator neurons") && svg.contains(">max 0.500<"));
}

#[test]
fn the_mean_of_buckets_is_drawn_unless_one_is_named() {
    let geometry = Chess::geometry();
    let rook = |bucket| Some(FeaturePlace { bucket, piece: 'R', theirs: false, cell: 3 });
    let places = [rook(0), rook(1)];
    let layer =
        FirstLayer { geometry: &geometry, places: &places, weights: &[0.5, 0.25], width: 1 };
    for (bucket, words) in [
        (Some(0), ["king bucket 0<", ">max 0.500<"]),
        (Some(1), ["king bucket 1<", ">max 0.250<"]),
        (None, ["mean of 2 king buckets<", ">max 0.375<"]),
    ] {
        let boards = NeuronBoards::new(&layer, &NeuronSelection { bucket, ..selection(1) });
        let svg = boards.unwrap().picture("net", "1→1").standalone();
        assert!(words.iter().all(|words| svg.contains(words)), "{words:?}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let (geometry, places) = (Hexchess::geometry(), knights());
    let weights = vec![0.0; places.len() * 3];
    let layer = FirstLayer { geometry: &geometry, places: &places, weights: &weights, width: 3 };
    let error = |selection: NeuronSelection| NeuronBoards::new(&layer, &selection).unwrap_err();
    let unknown = error(NeuronSelection { pieces: vec!['n', 'x'], ..selection(1) });
    assert_eq!(unknown, NeuronError::UnknownPiece { piece: 'X', known: "N".into() });
    let unknown = error(NeuronSelection { bucket: Some(1), ..selection(1) });
    assert_eq!(unknown, NeuronError::UnknownBucket { bucket: 1, buckets: 1 });
    let unknown = error(NeuronSelection { only: vec![3], ..selection(1) });
    assert_eq!(unknown, NeuronError::UnknownNeuron { number: 3, width: 3 });
    for count in [0, MAX_NEURONS + 1] {
        assert_eq!(error(selection(count)), NeuronError::Count { count });
    }
    let short = FirstLayer { weights: &weights[1..], ..layer };
    assert!(matches!(NeuronBoards::new(&short, &selection(1)), Err(NeuronError::Size { .. })));
}
