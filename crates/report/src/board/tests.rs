use games::Game;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;

use super::*;

fn count(svg: &str, text: &str) -> usize {
    svg.matches(text).count()
}

fn drawn(drawing: &BoardDrawing) -> String {
    drawing.picture().inline().into_string()
}

#[test]
fn all_cells_and_pieces_of_all_games_are_drawn() {
    let chess = drawn(&BoardDrawing::of(&Chess::start()));
    assert_eq!((count(&chess, "#square"), count(&chess, "#piece-")), (64, 32));
    let hexchess = drawn(&BoardDrawing::of(&Hexchess::start()));
    assert_eq!((count(&hexchess, "#hexagon"), count(&hexchess, "#piece-")), (91, 36));
    let before = ConnectFour::start();
    let mut after = before.clone();
    after.play(after.legal_moves()[3]);
    let discs = drawn(&BoardDrawing::of(&after).changes_since(&before));
    assert_eq!((count(&discs, "class=\"plain\""), count(&discs, "<circle")), (42, 1));
    assert_eq!(count(&discs, "class=\"last\""), 1);
}

#[test]
fn every_cell_is_within_the_picture() {
    fn check<G: BoardGame>() {
        let drawing = BoardDrawing::of(&G::start());
        let (width, height) = extent(&drawing.geometry);
        for cell in 0..drawing.geometry.cells.len() {
            let (x, y) = drawing.centre(cell);
            assert!(x >= UNIT / 2.0 && x <= width - UNIT / 2.0, "{cell} is at {x}");
            assert!(y >= UNIT / 2.0 && y <= height - UNIT / 2.0, "{cell} is at {y}");
        }
    }
    check::<Chess>();
    check::<Hexchess>();
    check::<ConnectFour>();
}

#[test]
fn values_are_colours_of_cells() {
    let mut values = vec![0.0; 64];
    values[..3].copy_from_slice(&[1.0, -0.5, f32::NAN]);
    let svg = drawn(&BoardDrawing::empty(Chess::geometry()).heat(&values));
    assert_eq!(count(&svg, "class=\"raises\" fill-opacity=\"1\""), 1);
    assert_eq!(count(&svg, "class=\"lowers\" fill-opacity=\".50\""), 1);
    assert_eq!(count(&svg, "class=\"missing\""), 1);
    assert_eq!(count(&svg, "#square"), 64);
}

#[test]
fn files_and_ranks_have_names() {
    let chess = drawn(&BoardDrawing::empty(Chess::geometry()).coordinates());
    assert_eq!(count(&chess, "<text"), 16);
    assert!(chess.contains(">a<") && chess.contains(">8<"), "{chess}");
    // Ranks of hexagons bend, so only files are named.
    let hexchess = drawn(&BoardDrawing::empty(Hexchess::geometry()).coordinates());
    assert_eq!(count(&hexchess, "<text"), 11);
}

#[test]
fn arrows_to_cells_that_do_not_exist_are_left_out() {
    let board = BoardDrawing::empty(Chess::geometry()).arrow(12, 28, 0.5).arrow(0, 64, 1.0);
    assert_eq!(count(&drawn(&board), "arrowhead"), 1);
}

#[test]
fn letters_of_other_games_are_written_on_discs() {
    let svg = piece('m', (0.0, 0.0)).into_string();
    assert!(svg.contains("class=\"black\"") && svg.contains(">M<"), "{svg}");
}
