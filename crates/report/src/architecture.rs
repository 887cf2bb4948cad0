//! Architecture drawings: the layers of a network from its features to its heads, top to bottom, so
//! that the drawing is readable on a phone as well.

use maud::{Markup, html};

use crate::picture::{Picture, Px, text_width};

/// A layer of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerShape {
    /// Sums of the layer.
    pub width: usize,
    /// Values that the next layer reads.
    pub outputs: usize,
    /// The name of the activation.
    pub activation: String,
}

/// A head of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadShape {
    /// The name, such as `policy`.
    pub name: String,
    /// The name with its details, such as `quantiles 10 25 50 75 90 %`.
    pub label: String,
    /// The number of outputs.
    pub outputs: usize,
    /// Whether it reads the accumulator, past hidden layers and output buckets.
    pub reads_accumulator: bool,
}

/// The layers of a network.
///
/// ```
/// use report::architecture::{HeadShape, LayerShape, NetworkShape};
///
/// let value = HeadShape {
///     name: "value".into(),
///     label: "value (sigmoid)".into(),
///     outputs: 1,
///     reads_accumulator: false,
/// };
/// let network = NetworkShape {
///     features: "chess.piece-square".into(),
///     inputs: 768,
///     perspectives: 2,
///     accumulator: LayerShape { width: 256, outputs: 256, activation: "screlu".into() },
///     hidden: vec![],
///     buckets: 8,
///     heads: vec![value],
/// };
/// let svg = network.picture().standalone();
/// assert!(svg.contains("768 features") && svg.contains("8 output buckets"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// The name of the feature set.
    pub features: String,
    /// The number of features.
    pub inputs: usize,
    /// The number of perspectives: 1 or 2.
    pub perspectives: usize,
    /// The first layer.
    pub accumulator: LayerShape,
    /// The layers behind it.
    pub hidden: Vec<LayerShape>,
    /// The number of output buckets.
    pub buckets: usize,
    /// The heads.
    pub heads: Vec<HeadShape>,
}

const WIDTH: f32 = 360.0;
const MARGIN: f32 = 8.0;
const GAP: f32 = 12.0;
/// The height of a layer's box.
const BOX: f32 = 44.0;
/// The height of a head's row.
const ROW: f32 = 26.0;
/// The length of an arrow.
const ARROW: f32 = 24.0;
/// The width of the column of heads that read the accumulator.
const SIDE: f32 = 100.0;

/// A part of the width.
#[derive(Clone, Copy)]
struct Column {
    left: f32,
    width: f32,
}

impl Column {
    const ALL: Self = Self { left: MARGIN, width: WIDTH - 2.0 * MARGIN };

    fn middle(self) -> f32 {
        self.left + self.width / 2.0
    }

    /// The same column with less at both sides.
    fn inset(self, by: f32) -> Self {
        Self { left: self.left + by, width: self.width - 2.0 * by }
    }

    /// The left and the right half.
    fn halves(self) -> [Self; 2] {
        let width = (self.width - GAP) / 2.0;
        [self.left, self.left + width + GAP].map(|left| Self { left, width })
    }
}

impl NetworkShape {
    /// The picture.
    pub fn picture(&self) -> Picture {
        let columns = match self.perspectives {
            2 => Column::ALL.halves().to_vec(),
            _ => vec![Column::ALL.inset(Column::ALL.width / 4.0)],
        };
        let (side_heads, heads): (Vec<_>, Vec<_>) =
            self.heads.iter().partition(|head| head.reads_accumulator);
        let (main, side) = if side_heads.is_empty() {
            (Column::ALL, None)
        } else {
            let width = Column::ALL.width - SIDE - GAP;
            let side = Column { left: MARGIN + width + GAP, width: SIDE };
            (Column { left: MARGIN, width }, Some(side))
        };
        let features = 30.0;
        let accumulators = features + BOX + ARROW;
        let bus = accumulators + BOX + 20.0;
        let targets: Vec<f32> =
            std::iter::once(main.middle()).chain(side.map(Column::middle)).collect();
        let sources: Vec<f32> = columns.iter().map(|column| column.middle()).collect();
        let (stack, bottom) = self.stack(main, &heads, bus + ARROW);
        let body = html! {
            (text("net-name", (WIDTH / 2.0, 20.0), &self.features, WIDTH - 2.0 * MARGIN, 13.0))
            (self.inputs(&columns, features))
            (self.accumulators(&columns, accumulators))
            (self.bus(&sources, &targets, bus))
            (stack)
            @if let Some(side) = side {
                @for (place, head) in side_heads.iter().enumerate() {
                    @let top = bus + ARROW + place as f32 * (BOX + GAP);
                    (layer("net-head", side, top, &head.name, &outputs(head.outputs), &head.label))
                }
            }
        };
        let side_bottom = bus + ARROW + side_heads.len() as f32 * (BOX + GAP);
        let height = bottom.max(side_bottom) + MARGIN;
        Picture::new(WIDTH, height, &format!("architecture: {}", self.summary()), body)
    }

    /// The drawing in one sentence, for those who do not see it.
    fn summary(&self) -> String {
        let hidden: Vec<_> = self.hidden.iter().map(|layer| layer.width.to_string()).collect();
        let hidden = if hidden.is_empty() {
            "no hidden layers".to_owned()
        } else {
            format!("hidden layers of {}", hidden.join(" and "))
        };
        let heads: Vec<_> = self.heads.iter().map(|head| &*head.label).collect();
        format!(
            "{} features, {} accumulators of {}, {hidden}, {}; heads: {}",
            self.inputs,
            self.perspectives,
            self.accumulator.width,
            buckets(self.buckets),
            heads.join(", ")
        )
    }

    fn inputs(&self, columns: &[Column], top: f32) -> Markup {
        let names = match columns.len() {
            2 => ["side to move", "opponent"],
            _ => ["first player", ""],
        };
        let features = format!("{} features", self.inputs);
        html! {
            @for (column, name) in columns.iter().zip(names) {
                (layer("net-input", *column, top, name, &features, "the perspective of a player"))
                (arrow((column.middle(), top + BOX), ARROW))
            }
            @if columns.len() == 2 {
                (text("pale", (WIDTH / 2.0, top + BOX + 16.0), "same weights", 120.0, 11.0))
            }
        }
    }

    fn accumulators(&self, columns: &[Column], top: f32) -> Markup {
        let title = format!("accumulator {}", self.accumulator.width);
        html! {
            @for column in columns {
                (layer("net-layer", *column, top, &title, &self.accumulator.about(), ""))
            }
        }
    }

    /// The lines from the accumulators to everything that reads them.
    fn bus(&self, sources: &[f32], targets: &[f32], y: f32) -> Markup {
        let ends = || sources.iter().chain(targets).copied();
        let (left, right) =
            (ends().fold(f32::INFINITY, f32::min), ends().fold(f32::NEG_INFINITY, f32::max));
        html! {
            @for &x in sources {
                line class="net-flow" x1=(Px(x)) x2=(Px(x)) y1=(Px(y - 20.0)) y2=(Px(y)) {}
            }
            line class="net-flow" x1=(Px(left)) x2=(Px(right)) y1=(Px(y)) y2=(Px(y)) {}
            @for &x in targets { (arrow((x, y), ARROW)) }
            @if sources.len() == 2 {
                @let values = format!("2 × {} values", self.accumulator.outputs);
                (text("pale", (WIDTH / 2.0, y - 5.0), &values, 150.0, 11.0))
            }
        }
    }

    /// Hidden layers and the heads behind them, and where they end.
    fn stack(&self, column: Column, heads: &[&HeadShape], top: f32) -> (Markup, f32) {
        let has_buckets = self.buckets > 1;
        let inner = if has_buckets { column.inset(8.0) } else { column };
        let first = if has_buckets { top + 24.0 } else { top };
        let mut y = first;
        let body = html! {
            @for (place, hidden) in self.hidden.iter().enumerate() {
                @let title = format!("hidden layer {}: {}", place + 1, hidden.width);
                (layer("net-layer", inner, y, &title, &hidden.about(), ""))
                (arrow((inner.middle(), y + BOX), ARROW))
                @let () = y += BOX + ARROW;
            }
            (head_rows(inner, y, heads))
            @let () = y += ROW * heads.len().max(1) as f32;
        };
        if !has_buckets {
            return (body, y);
        }
        let frame = html! {
            rect class="net-frame" x=(Px(column.left)) y=(Px(top)) width=(Px(column.width))
                height=(Px(y - top + 8.0)) rx="8" {}
            // Beside the arrow that enters the first layer.
            text class="pale" x=(Px(column.left + 8.0)) y=(Px(top + 16.0)) font-size="11" {
                (buckets(self.buckets))
            }
            line class="net-flow" x1=(Px(column.middle())) x2=(Px(column.middle()))
                y1=(Px(top)) y2=(Px(first)) {}
            (body)
        };
        (frame, y + 8.0)
    }
}

impl LayerShape {
    fn about(&self) -> String {
        if self.outputs == self.width {
            self.activation.clone()
        } else {
            format!("{}, {}", self.activation, outputs(self.outputs))
        }
    }
}

fn outputs(count: usize) -> String {
    if count == 1 { "1 output".to_owned() } else { format!("{count} outputs") }
}

fn buckets(count: usize) -> String {
    if count == 1 { "1 output bucket".to_owned() } else { format!("{count} output buckets") }
}

/// A text around a point, smaller if the room needs it.
fn text(class: &str, (x, y): (f32, f32), words: &str, room: f32, size: f32) -> Markup {
    let size = size.min(size * room / text_width(words, size).max(1.0));
    html! {
        text class=(class) x=(Px(x)) y=(Px(y)) text-anchor="middle" font-size=(Px(size)) { (words) }
    }
}

/// A box with a name and a line below it.
fn layer(class: &str, column: Column, top: f32, name: &str, about: &str, tip: &str) -> Markup {
    let room = column.width - 10.0;
    html! {
        g {
            @if !tip.is_empty() { title { (tip) } }
            rect class=(class) x=(Px(column.left)) y=(Px(top)) width=(Px(column.width))
                height=(Px(BOX)) rx="6" {}
            (text("net-name", (column.middle(), top + 19.0), name, room, 13.0))
            (text("pale", (column.middle(), top + 35.0), about, room, 11.0))
        }
    }
}

/// A box with a row for each head.
fn head_rows(column: Column, top: f32, heads: &[&HeadShape]) -> Markup {
    let height = ROW * heads.len().max(1) as f32;
    let (left, right) = (column.left + 10.0, column.left + column.width - 10.0);
    html! {
        rect class="net-head" x=(Px(column.left)) y=(Px(top)) width=(Px(column.width))
            height=(Px(height)) rx="6" {}
        @for (row, head) in heads.iter().enumerate() {
            @let y = top + row as f32 * ROW + 17.0;
            @let count = outputs(head.outputs);
            @let room = column.width - 28.0 - text_width(&count, 11.0);
            // Where its details would become too small to be read, a head has its name alone.
            @let fits = text_width(&head.label, 10.5) <= room;
            @let words = if fits { &head.label } else { &head.name };
            @let size = 12f32.min(12.0 * room / text_width(words, 12.0).max(1.0));
            text x=(Px(left)) y=(Px(y)) font-size=(Px(size)) { (words) title { (head.label) } }
            text class="pale" x=(Px(right)) y=(Px(y)) text-anchor="end" font-size="11" { (count) }
        }
    }
}

/// An arrow down.
fn arrow((x, y): (f32, f32), length: f32) -> Markup {
    let tip = y + length;
    let corners = [(x, tip), (x - 4.5, tip - 8.0), (x + 4.5, tip - 8.0)];
    let corners = corners.map(|(x, y)| format!("{x:.1},{y:.1}")).join(" ");
    html! {
        line class="net-flow" x1=(Px(x)) x2=(Px(x)) y1=(Px(y)) y2=(Px(tip - 6.0)) {}
        polygon class="net-tip" points=(corners) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(name: &str, outputs: usize, reads_accumulator: bool) -> HeadShape {
        HeadShape {
            name: name.into(),
            label: format!("{name} <{outputs}>"),
            outputs,
            reads_accumulator,
        }
    }

    fn network(
        perspectives: usize,
        hidden: &[usize],
        buckets: usize,
        policy: bool,
    ) -> NetworkShape {
        let layer =
            |&width: &usize| LayerShape { width, outputs: width, activation: "crelu".into() };
        let mut heads = vec![head("value", 1, false), head("quantiles", 5, false)];
        heads[1].label = "quantiles 10 25 50 75 90 % around the value".into();
        heads.extend(policy.then(|| head("policy", 128, true)));
        NetworkShape {
            features: "chess.piece-square".into(),
            inputs: 768,
            perspectives,
            accumulator: LayerShape { width: 64, outputs: 32, activation: "pairwise".into() },
            hidden: hidden.iter().map(layer).collect(),
            buckets,
            heads,
        }
    }

    #[test]
    fn every_part_is_drawn() {
        let svg = network(2, &[16, 32], 8, true).picture().standalone();
        for text in [
            "side to move",
            "opponent",
            "accumulator 64",
            "pairwise, 32 outputs",
            "2 × 32 values",
            "hidden layer 2: 32",
            "8 output buckets",
            "value &lt;1&gt;",
            ">policy<",
            ">quantiles<",
            "128 outputs",
        ] {
            assert!(svg.contains(text), "no {text}: {svg}");
        }
        assert!(!svg.contains("style=") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn any_network_can_be_drawn() {
        for perspectives in [1, 2] {
            for hidden in [&[][..], &[1], &[16; 8]] {
                for (buckets, policy) in [(1, false), (64, true)] {
                    let mut network = network(perspectives, hidden, buckets, policy);
                    network.features = "x".repeat(300);
                    assert!(network.picture().height < 1000.0);
                    network.heads.clear();
                    let svg = network.picture().standalone();
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                }
            }
        }
    }
}
