//! Setting values: enums and tables that settings hold.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The order of positions in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataOrder {
    /// Shuffled in each pass over the data.
    Shuffled,
    /// As in the files.
    Sequential,
}

/// A limit of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// The maximum that quantisation can represent.
    Auto,
    /// None.
    Off,
    /// From minus this to this.
    At(f32),
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Off => serializer.serialize_str("off"),
            Self::At(limit) => serializer.serialize_f32(limit),
        }
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LimitVisitor)
    }
}

struct LimitVisitor;

impl Visitor<'_> for LimitVisitor {
    type Value = Limit;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"auto\", \"off\" or a number above 0")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Limit, E> {
        match text {
            "auto" => Ok(Limit::Auto),
            "off" => Ok(Limit::Off),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_f64<E: de::Error>(self, limit: f64) -> Result<Limit, E> {
        let small = limit as f32;
        if small > 0.0 && small.is_finite() {
            return Ok(Limit::At(small));
        }
        Err(E::invalid_value(de::Unexpected::Float(limit), &self))
    }

    fn visit_i64<E: de::Error>(self, limit: i64) -> Result<Limit, E> {
        self.visit_f64(limit as f64)
    }
}

/// A hidden layer: a width, or width and activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenLayer {
    /// The number of neurons.
    pub width: usize,
    /// The activation function; unset: `network.hidden_activation`.
    pub activation: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HiddenTable {
    width: usize,
    activation: Option<String>,
}

impl Serialize for HiddenLayer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.activation.is_none() {
            return (self.width as u64).serialize(serializer);
        }
        let activation = self.activation.clone();
        HiddenTable { width: self.width, activation }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for HiddenLayer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HiddenVisitor)
    }
}

struct HiddenVisitor;

impl<'de> Visitor<'de> for HiddenVisitor {
    type Value = HiddenLayer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a width, or a table such as { width = 32, activation = \"crelu\" }")
    }

    fn visit_i64<E: de::Error>(self, width: i64) -> Result<HiddenLayer, E> {
        match usize::try_from(width) {
            Ok(width) => Ok(HiddenLayer { width, activation: None }),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(width), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HiddenLayer, A::Error> {
        let HiddenTable { width, activation } =
            HiddenTable::deserialize(MapAccessDeserializer::new(map))?;
        Ok(HiddenLayer { width, activation })
    }
}

/// The output buckets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BucketSettings {
    /// The rule that selects a bucket.
    pub rule: String,
    /// The number of buckets.
    pub count: usize,
}

impl Default for BucketSettings {
    fn default() -> Self {
        Self { rule: "none".into(), count: 1 }
    }
}

/// An example with features of the caller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// 0 or 1 for each input.
    pub inputs: Vec<u8>,
    /// The target.
    pub target: f32,
}
