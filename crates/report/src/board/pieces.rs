//! Pieces: silhouettes for the letters of chess, discs for all others.

use maud::{Markup, html};

use super::outline::reference;
use crate::picture::Px;

/// Outlines around the centre of a cell that is 20 units high, by the letter of the piece.
pub(super) const SILHOUETTES: [(char, &str); 6] = [
    (
        'P',
        "M-5,7.2v-1.6c0,-1.6 1.8,-2.2 2.4,-3.4c.6,-1.1 .7,-2 .6,-2.9h-1.2v-1.2h1.3a2.6,2.6 0 1 1 \
         3.8,0h1.3v1.2h-1.2c-.1,.9 0,1.8 .6,2.9c.6,1.2 2.4,1.8 2.4,3.4v1.6z",
    ),
    (
        'N',
        "M-4.6,7.2c0,-3.4 2.8,-4.6 3,-7.2c-1.3,.5 -2.1,1.9 -3.3,2.3c-.9,.3 -1.7,-.1 -2,-1c-.2,-.7 \
         .2,-1.3 .7,-2l2.2,-3.5c.3,-1.2 .9,-1.9 1.5,-2.4l-.3,-2.1 2.2,1.4c3.9,.2 6.2,3.4 6.2,8.1\
         c0,2.6 -.3,4.4 -.3,6.4zM-2.2,-4.3v.9",
    ),
    (
        'B',
        "M-5,7.2v-1.7c1.5,-.3 2.6,-.8 3.1,-1.7c-2,-1 -2.9,-2.4 -2.9,-4c0,-2.6 2.2,-4.4 3.9,-6.2\
         a1.3,1.3 0 1 1 1.8,0c1.7,1.8 3.9,3.6 3.9,6.2c0,1.6 -.9,3 -2.9,4c.5,.9 1.6,1.4 3.1,1.7v1.7z\
         M0,-3.4v3.8M-1.9,-1.6h3.8",
    ),
    (
        'R',
        "M-5.5,7.2v-2l1.3,-1v-6l-1.4,-1.2v-4h2.4v1.6h2v-1.6h2.4v1.6h2v-1.6h2.4v4l-1.4,1.2v6l1.3,1\
         v2zM-4.2,-1.8h8.4M-4.2,4.2h8.4",
    ),
    (
        'Q',
        "M-5.2,7.2v-2l.6,-2.2-2.4,-7 2.9,2.9 .5,-5.3 2.3,4.7 1.3,-5.5 1.3,5.5 2.3,-4.7 .5,5.3 \
         2.9,-2.9-2.4,7 .6,2.2v2zM-4.4,3.6h8.8",
    ),
    (
        'K',
        "M-5.2,7.2v-2l.5,-1.8c-2.8,-2 -3.4,-5.6 -.8,-6.8c1.8,-.8 3.6,.1 4.7,1.6v-2h-1.4v-1.6h1.4\
         v-1.6h1.6v1.6h1.4v1.6h-1.4v2c1.1,-1.5 2.9,-2.4 4.7,-1.6c2.6,1.2 2,4.8 -.8,6.8l.5,1.8v2z\
         M-4.6,3.8h9.2",
    ),
];

/// A piece around a point. Upper-case letters are White's.
///
/// The letters of chess are silhouettes, `X` and `O` are discs in two colours, and every other
/// letter is a white or black disc with the letter on it.
pub(crate) fn piece(letter: char, (x, y): (f32, f32)) -> Markup {
    let is_white = letter.is_uppercase();
    let color = if is_white { "white" } else { "black" };
    let kind = letter.to_ascii_uppercase();
    if SILHOUETTES.iter().any(|(known, _)| *known == kind) {
        return reference(&format!("piece-{kind}"), color, (x, y), "");
    }
    let is_disc = matches!(kind, 'X' | 'O');
    let class = match (is_disc, is_white) {
        (true, true) => "first",
        (true, false) => "second",
        (false, _) => color,
    };
    let letter_class = if is_white { "white-letter" } else { "black-letter" };
    html! {
        circle r="8" cx=(Px(x)) cy=(Px(y)) class=(class) {}
        @if !is_disc {
            text class=(letter_class) x=(Px(x)) y=(Px(y + 3.6)) text-anchor="middle"
                font-size="10" font-weight="600" { (kind) }
        }
    }
}
