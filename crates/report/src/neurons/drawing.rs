//! Drawing of neurons: rows of boards in the colours of their weights, headings and a legend.

use maud::{Markup, html};

use super::{NeuronBoards, NeuronRow};
use crate::board::{BoardDrawing, extent, piece};
use crate::picture::{Picture, Px};

const MARGIN: f32 = 24.0;
const LABEL: f32 = 92.0;
const GAP: f32 = 8.0;
/// Between own and their boards, and between neurons that stand side by side.
const WIDE_GAP: f32 = 26.0;
const HEAD: f32 = 100.0;
/// How wide pictures are, if their boards are neither too small nor too large then.
const WIDTH: f32 = 1240.0;
/// How wide boards are at least, and at most.
const BOARD: (f32, f32) = (84.0, 150.0);

/// Sizes that follow from what is drawn.
struct Layout {
    /// Pixels for each unit of a board drawing.
    scale: f32,
    board: (f32, f32),
    block: (f32, f32),
    /// Neurons side by side.
    abreast: usize,
    /// Whether both own and their pieces are drawn.
    is_mixed: bool,
}

impl Layout {
    fn new(boards: &NeuronBoards) -> Self {
        let (across, up) = extent(&boards.geometry);
        let columns = boards.columns.len().max(1) as f32;
        let theirs = boards.columns.iter().filter(|column| column.theirs).count();
        let is_mixed = theirs > 0 && theirs < boards.columns.len();
        let halves = if is_mixed { WIDE_GAP - GAP } else { 0.0 };
        let fixed = LABEL + halves + columns * GAP + WIDE_GAP;
        let room = WIDTH - 2.0 * MARGIN + WIDE_GAP;
        // As many neurons side by side as fit with small boards; then the boards take all the room.
        let fitting = (room / (fixed + columns * BOARD.0)) as usize;
        let abreast = fitting.clamp(1, boards.neurons.len().max(1));
        let left = room / abreast as f32 - fixed;
        let scale = (left / columns).clamp(BOARD.0, BOARD.1) / across;
        let board = (across * scale, up * scale);
        let block = (fixed + columns * board.0, board.1 + 14.0);
        Self { scale, board, block, abreast, is_mixed }
    }

    /// Where a board's left edge is within its block.
    fn left(&self, boards: &NeuronBoards, column: usize) -> f32 {
        let is_second_half = self.is_mixed && boards.columns[column].theirs;
        let halves = if is_second_half { WIDE_GAP - GAP } else { 0.0 };
        LABEL + halves + column as f32 * (self.board.0 + GAP)
    }
}

pub(super) fn picture(boards: &NeuronBoards, title: &str, subtitle: &str) -> Picture {
    let layout = Layout::new(boards);
    let rows = boards.neurons.len().div_ceil(layout.abreast);
    let width = 2.0 * MARGIN + layout.abreast as f32 * layout.block.0 - WIDE_GAP;
    // The title and the legend need room too.
    let width = width.max(720.0);
    let height = HEAD + rows as f32 * layout.block.1 + MARGIN;
    let body = html! {
        text class="title" x=(Px(MARGIN)) y="30" { (title) }
        text class="pale" x=(Px(MARGIN)) y="50" { (subtitle) }
        (legend(width))
        @for block in 0..layout.abreast {
            (headings(boards, &layout, MARGIN + block as f32 * layout.block.0))
        }
        @for (place, neuron) in boards.neurons.iter().enumerate() {
            @let left = MARGIN + (place % layout.abreast) as f32 * layout.block.0;
            @let top = HEAD + (place / layout.abreast) as f32 * layout.block.1;
            (row(boards, &layout, neuron, (left, top)))
        }
    };
    Picture { uses_outlines: true, ..Picture::new(width, height, title, body) }
}

/// A bar from the colour of negative to that of positive weights, at the upper right.
fn legend(width: f32) -> Markup {
    const STEPS: u8 = 17;
    const STEP: f32 = 10.0;
    let left = width - MARGIN - f32::from(STEPS) * STEP;
    let words = [("start", 0.0, "lowers"), ("middle", 0.5, "0"), ("end", 1.0, "raises")];
    html! {
        g transform=(format_args!("translate({left:.1} 18)")) {
            @for step in 0..STEPS {
                @let share = 2.0 * f32::from(step) / f32::from(STEPS - 1) - 1.0;
                @let class = if share < 0.0 { "lowers" } else { "raises" };
                rect class=(class) x=(Px(f32::from(step) * STEP)) width=(Px(STEP)) height="10"
                    fill-opacity=(format_args!("{:.2}", share.abs())) {}
            }
            @for (anchor, share, words) in words {
                @let x = share * f32::from(STEPS) * STEP;
                text class="pale" x=(Px(x)) y="25" text-anchor=(anchor) { (words) }
            }
        }
    }
}

fn headings(boards: &NeuronBoards, layout: &Layout, left: f32) -> Markup {
    let mut half = None;
    html! {
        @for (place, column) in boards.columns.iter().enumerate() {
            @let x = left + layout.left(boards, place);
            @if half.replace(column.theirs) != Some(column.theirs) {
                text class="pale" x=(Px(x)) y=(Px(HEAD - 30.0)) {
                    (if column.theirs { "their pieces" } else { "own pieces" })
                }
            }
            @let own = column.piece;
            @let letter = if column.theirs { own.to_ascii_lowercase() } else { own };
            (piece(letter, (x + layout.board.0 / 2.0, HEAD - 15.0)))
        }
    }
}

fn row(
    boards: &NeuronBoards,
    layout: &Layout,
    neuron: &NeuronRow,
    (left, top): (f32, f32),
) -> Markup {
    let weights = neuron.weights.iter().flatten().filter(|weight| weight.is_finite());
    let most = weights.fold(0.0, |most: f32, weight| most.max(weight.abs()));
    let scale = most.max(f32::MIN_POSITIVE);
    let middle = top + layout.board.1 / 2.0;
    html! {
        text x=(Px(left)) y=(Px(middle - 3.0)) { "neuron " (neuron.number) }
        text class="pale" x=(Px(left)) y=(Px(middle + 14.0)) { "max " (format_args!("{most:.3}")) }
        @for (place, weights) in neuron.weights.iter().enumerate() {
            @let x = left + layout.left(boards, place);
            @let scaled: Vec<f32> = weights.iter().map(|weight| weight / scale).collect();
            g transform=(format_args!("translate({x:.1} {top:.1}) scale({:.4})", layout.scale)) {
                (BoardDrawing::empty(boards.geometry.clone()).heat(&scaled).cells())
            }
        }
    }
}
