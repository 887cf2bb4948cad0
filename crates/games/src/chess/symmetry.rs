//! Symmetries of chess: colour swap and left-right mirror.

use cozy_chess::{BoardBuilder, CastleRights, Color, Square};

use super::{Board, Chess};
use crate::conformance::{Symmetric, Symmetry};

impl Symmetric for Chess {
    fn symmetries() -> Vec<Symmetry<Self>> {
        vec![
            Symmetry {
                name: "colour swap",
                swaps_colors: true,
                position: swap_colors,
                move_text: |text| map_text(text, b'1', b'8'),
            },
            Symmetry {
                name: "left-right",
                swaps_colors: false,
                position: mirror,
                move_text: |text| map_text(text, b'a', b'h'),
            },
        ]
    }
}

/// Flips the board vertically and swaps the colours of all pieces.
fn swap_colors(position: &Chess) -> Option<Chess> {
    let mut image = image(position.board(), Square::flip_rank, |color| !color);
    image.side_to_move = !image.side_to_move;
    image.castle_rights.swap(0, 1);
    finish(position, &image)
}

/// Swaps the files a and h, b and g, and so on. `None` with castling rights: castling is not
/// symmetric.
fn mirror(position: &Chess) -> Option<Chess> {
    let rights = Color::ALL.map(|color| position.board().castle_rights(color));
    if rights != [CastleRights::EMPTY; 2] {
        return None;
    }
    finish(position, &image(position.board(), Square::flip_file, |color| color))
}

/// The board with every piece and the en-passant square mapped, and every colour mapped.
fn image(board: &Board, square: fn(Square) -> Square, color: fn(Color) -> Color) -> BoardBuilder {
    let before = board.to_builder();
    let mut after = before.clone();
    for from in Square::ALL {
        let placed = before.square(from).map(|(piece, owner)| (piece, color(owner)));
        *after.square_mut(square(from)) = placed;
    }
    after.en_passant = before.en_passant.map(square);
    after
}

fn finish(position: &Chess, image: &BoardBuilder) -> Option<Chess> {
    Some(Chess { board: Board::from(&image.build().ok()?), chess960: position.chess960 })
}

/// Reflects each square of a move's text: characters from `low` to `high` swap ends. The fifth
/// character names a promotion, not a file.
fn map_text(text: &str, low: u8, high: u8) -> String {
    let reflect = |byte: u8| if (low..=high).contains(&byte) { low + high - byte } else { byte };
    let squares = text.bytes().take(4).map(reflect);
    squares.chain(text.bytes().skip(4)).map(char::from).collect()
}
