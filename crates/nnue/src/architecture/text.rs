//! Architecture text: a network in one line, `chess.piece-square (768→256)×2→32→1 screlu,crelu`.
//!
//! ```text
//! [FEATURES ]SHAPE ACTIVATIONS[/OUTPUT][ buckets=RULE:N][ scales=…]
//! ```
//! - `FEATURES` is omitted for a set that the caller numbers (`raw:N`).
//! - `SHAPE` is `INPUTS→WIDTH→…→HEADS`, with `(INPUTS→WIDTH)×2` for two perspectives. Heads are
//!   joined by `+`: `1` is a value, `3` win, draw and loss, `5` quantiles, `4` quantiles around the
//!   value, `64/64` a policy.
//! - `ACTIVATIONS` is one name for each layer, joined by commas; the last one also applies to all
//!   following layers.
//! - `OUTPUT` is the meaning of the value, if it is not the logit of the expected score.
//! - `scales` are accumulator, activation shift, hidden shifts joined by `/` (`-` for none), heads,
//!   policy shift, centipawns; omitted if they are the usual ones.
//!
//! `->` and `x` are accepted for `→` and `×`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::{
    Architecture, ArchitectureError, BucketRule, Buckets, Description, Layer, Perspectives, Scales,
};
use crate::{Activation, Head, ValueOutput};

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.features != raw_name(self.inputs) {
            write!(f, "{} ", self.features)?;
        }
        match self.perspectives {
            Perspectives::One => write!(f, "{}→{}", self.inputs, self.accumulator.width)?,
            Perspectives::Two => write!(f, "({}→{})×2", self.inputs, self.accumulator.width)?,
        }
        for layer in &self.hidden {
            write!(f, "→{}", layer.width)?;
        }
        for (place, head) in self.heads.iter().enumerate() {
            f.write_str(if place == 0 { "→" } else { "+" })?;
            // The alternate form names each head.
            let text = if f.alternate() { head.named_text() } else { head.shape_text() };
            f.write_str(&text)?;
        }
        let mut activations: Vec<_> = self.hidden.iter().map(|l| l.activation.name()).collect();
        activations.insert(0, self.accumulator.activation.name());
        while activations.len() > 1 && activations.ends_with(&[activations[activations.len() - 2]])
        {
            activations.pop();
        }
        write!(f, " {}", activations.join(","))?;
        if let Some(output @ (ValueOutput::Linear | ValueOutput::Tanh)) = self.value_output()
            && !f.alternate()
        {
            write!(f, "/{}", output.name())?;
        }
        if self.buckets != Buckets::NONE {
            write!(f, " buckets={}:{}", self.buckets.rule.name(), self.buckets.count)?;
        }
        if self.scales != Scales::usual(self.accumulator.activation, self.hidden.len()) {
            write!(f, " scales={}", scales_text(&self.scales))?;
        }
        Ok(())
    }
}

fn raw_name(inputs: usize) -> String {
    format!("raw:{inputs}")
}

fn scales_text(scales: &Scales) -> String {
    let shifts: Vec<String> = scales.hidden_shifts.iter().map(ToString::to_string).collect();
    let shifts = if shifts.is_empty() { "-".to_string() } else { shifts.join("/") };
    format!(
        "{},{},{shifts},{},{},{}",
        scales.accumulator,
        scales.activation_shift,
        scales.head,
        scales.policy_shift,
        scales.centipawns
    )
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Self, ArchitectureError> {
        let text = text.replace("->", "→");
        let mut words = text.split_whitespace().peekable();
        let first = words.peek().ok_or_else(|| fault("is empty"))?;
        let named = !first.contains('→');
        let features = if named { words.next().map(ToString::to_string) } else { None };
        let shape = words.next().ok_or_else(|| fault("has no shape such as (768→256)×2→1"))?;
        let shape = Shape::parse(shape)?;
        let names = words.next().ok_or_else(|| fault("has no activation such as screlu"))?;
        let (names, output) = match names.split_once('/') {
            Some((names, output)) => {
                let known = ValueOutput::from_name(output).ok_or_else(|| {
                    fault(&format!("has output `{output}`; expected sigmoid, linear or tanh"))
                })?;
                (names, Some(known))
            }
            None => (names, None),
        };
        let activations = parse_activations(names, 1 + shape.hidden.len())?;
        let mut heads = shape.heads;
        match (heads.iter_mut().find(|head| head.value_output().is_some()), output) {
            (Some(value), Some(output)) => *value = Head::Value(output),
            (None, Some(_)) => return Err(fault("has an output function but no value head")),
            (_, None) => {}
        }
        let mut buckets = Buckets::NONE;
        let mut scales = Scales::usual(activations[0], shape.hidden.len());
        for word in words {
            match word.split_once('=') {
                Some(("buckets", value)) => buckets = parse_buckets(value)?,
                Some(("scales", value)) => scales = parse_scales(value)?,
                _ => return Err(fault(&format!("has `{word}`; expected buckets=… or scales=…"))),
            }
        }
        let hidden = shape.hidden.iter().zip(&activations[1..]);
        Self::new(Description {
            features: features.unwrap_or_else(|| raw_name(shape.inputs)),
            inputs: shape.inputs,
            perspectives: shape.perspectives,
            accumulator: Layer { width: shape.width, activation: activations[0] },
            hidden: hidden.map(|(&width, &activation)| Layer { width, activation }).collect(),
            buckets,
            heads,
            scales,
        })
    }
}

fn fault(what: &str) -> ArchitectureError {
    ArchitectureError(format!("the description of the network {what}"))
}

struct Shape {
    inputs: usize,
    perspectives: Perspectives,
    width: usize,
    hidden: Vec<usize>,
    heads: Vec<Head>,
}

impl Shape {
    fn parse(text: &str) -> Result<Self, ArchitectureError> {
        let bad = || fault(&format!("has shape `{text}`; expected a form such as (768→256)×2→1"));
        let (inputs, rest, perspectives) = match text.strip_prefix('(') {
            Some(inner) => {
                let (first, rest) = inner.split_once(')').ok_or_else(bad)?;
                let rest = rest.strip_prefix(['×', 'x']).ok_or_else(bad)?;
                let rest = rest.strip_prefix("2→").ok_or_else(bad)?;
                (first, rest, Perspectives::Two)
            }
            None => (text, "", Perspectives::One),
        };
        let mut numbers = inputs.split('→');
        let size = numbers.next().and_then(|n| n.parse().ok()).ok_or_else(bad)?;
        let width = numbers.next().and_then(|n| n.parse().ok()).ok_or_else(bad)?;
        let tail: Vec<&str> = match perspectives {
            Perspectives::One => numbers.collect(),
            Perspectives::Two if numbers.next().is_some() => return Err(bad()),
            Perspectives::Two => rest.split('→').collect(),
        };
        let (heads, hidden) = tail.split_last().ok_or_else(bad)?;
        let hidden = hidden.iter().map(|n| n.parse().map_err(|_| bad())).collect::<Result<_, _>>();
        let heads = heads.split('+').map(Head::parse).collect::<Result<_, _>>();
        let heads = heads.map_err(|text| fault(&text))?;
        Ok(Self { inputs: size, perspectives, width, hidden: hidden?, heads })
    }
}

fn parse_activations(names: &str, layers: usize) -> Result<Vec<Activation>, ArchitectureError> {
    let parse = |name| {
        Activation::from_name(name).ok_or_else(|| {
            let known: Vec<_> = Activation::ALL.iter().map(|a| a.name()).collect();
            fault(&format!("has activation `{name}`; expected one of {}", known.join(", ")))
        })
    };
    let mut activations = names.split(',').map(parse).collect::<Result<Vec<_>, _>>()?;
    if activations.len() > layers {
        return Err(fault(&format!(
            "has {} activations for {layers} layers; expected at most one for each",
            activations.len()
        )));
    }
    let last = activations[activations.len() - 1];
    activations.resize(layers, last);
    Ok(activations)
}

fn parse_buckets(text: &str) -> Result<Buckets, ArchitectureError> {
    text.split_once(':')
        .and_then(|(rule, count)| {
            Some(Buckets { rule: BucketRule::from_name(rule)?, count: count.parse().ok()? })
        })
        .ok_or_else(|| {
            fault(&format!("has buckets `{text}`; expected a form such as pieces:8 or fours:8"))
        })
}

fn parse_scales(text: &str) -> Result<Scales, ArchitectureError> {
    let fields: Vec<&str> = text.split(',').collect();
    let parsed = match fields.as_slice() {
        &[accumulator, activation, hidden, head, policy, centipawns] => (|| {
            Some(Scales {
                accumulator: accumulator.parse().ok()?,
                activation_shift: activation.parse().ok()?,
                hidden_shifts: match hidden {
                    "-" => Vec::new(),
                    list => list.split('/').map(|n| n.parse().ok()).collect::<Option<_>>()?,
                },
                head: head.parse().ok()?,
                policy_shift: policy.parse().ok()?,
                centipawns: centipawns.parse().ok()?,
            })
        })(),
        _ => None,
    };
    parsed
        .ok_or_else(|| fault(&format!("has scales `{text}`; expected six, as 255,1,6/6,64,6,400")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Descriptions that print exactly as written.
    const CANONICAL: [&str; 9] = [
        "(768→256)×2→1 screlu",
        "chess.piece-square (768→256)×2→32→1 screlu,crelu",
        "2→4→1 sigmoid",
        "chess.piece-square-stm 769→128→64→1 relu/tanh",
        "hexchess.piece-cell (1110→256)×2→1 crelu",
        "chess.halfka-hm (22528→128)×2→32→5+64/64 screlu,crelu",
        "chess.halfka-hm (22528→1024)×2→16→32→1+3 pairwise,crelu buckets=fours:8",
        "(768→64)×2→1 crelu/linear scales=127,0,-,32,6,361.5",
        "chess.piece-square-mirrored (768→128)×2→32→1+4+64/64 screlu,crelu",
    ];

    #[test]
    fn prints_and_parses_back() {
        for text in CANONICAL {
            let architecture: Architecture = text.parse().unwrap();
            assert_eq!(architecture.to_string(), text);
        }
    }

    #[test]
    fn ascii_arrows_are_read() {
        let ascii: Architecture = "(768->256)x2->1 screlu".parse().unwrap();
        assert_eq!(ascii.to_string(), CANONICAL[0]);
    }

    #[test]
    fn faults_are_named() {
        for (text, fragment) in [
            ("", "empty"),
            ("chess.piece-square", "no shape"),
            ("768→256→1", "no activation"),
            ("(768→256→1 screlu", "shape"),
            ("(768→256)×3→1 screlu", "shape"),
            ("(768→x)×2→1 screlu", "shape"),
            ("768 screlu", "shape"),
            ("0→4→1 relu", "features is 0"),
            ("768→9999→1 relu", "accumulator width is 9999"),
            ("768→255→1 pairwise", "even width"),
            ("768→256→2 relu", "head `2`"),
            ("768→256→1+1 relu", "two heads"),
            ("768→256→4 relu", "no value"),
            ("768→256→1+4 relu/tanh", "tanh"),
            ("768→256→1+4+5 relu", "quantiles twice"),
            ("768→256→1 gelu", "activation `gelu`"),
            ("768→256→32→1 relu,crelu,crelu", "3 activations for 2 layers"),
            ("768→256→1 relu/cos", "output `cos`"),
            ("768→256→3 relu/tanh", "no value head"),
            ("768→256→1 relu colour=red", "colour=red"),
            ("768→256→1 relu buckets=8", "buckets `8`"),
            ("768→256→1 relu buckets=none:8", "rule `none`"),
            ("768→256→1 relu scales=1,2", "scales `1,2`"),
            ("768→256→8→1 crelu scales=255,0,6,64,6,400", "reach 255"),
        ] {
            let error = text.parse::<Architecture>().unwrap_err().to_string();
            assert!(error.contains(fragment), "{text}: {error}");
        }
    }
}
