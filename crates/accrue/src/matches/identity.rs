//! What makes a match another one, for its journal.

use std::fmt::Debug;

use arena::tournament::{Identity, Shape};

use super::args::{AdjudicationArgs, LimitArgs, StartArgs};
use super::spec::{PlayerSpec, Spec};
use crate::datagen::manifest::{checksum, checksum_of_network};

/// All that decides which games are played, but for their number.
pub(crate) fn identity(
    game: &str,
    shape: Shape,
    specs: &[Spec],
    limits: &LimitArgs,
    start: &StartArgs,
    adjudication: &AdjudicationArgs,
) -> anyhow::Result<Identity> {
    let mut identity = vec![
        entry("program", env!("CARGO_PKG_VERSION")),
        entry("game", game),
        entry("shape", format!("{shape:?}")),
    ];
    for (number, spec) in (1..).zip(specs) {
        identity.push(entry(&format!("engine {number}"), &spec.text));
        let PlayerSpec::Own(own) = &spec.player else { continue };
        for (name, net) in [("network", &own.net), ("large network", &own.large)] {
            let Some(net) = net else { continue };
            let sum = checksum_of_network(net.as_ref())?;
            identity.push(entry(&format!("{name} of engine {number}"), sum));
        }
    }
    if let Some(book) = &start.openings {
        identity.push(entry("book", checksum(book)?));
    }
    let debug = |name: &str, value: &dyn Debug| entry(name, format!("{value:?}"));
    identity.push(debug("limit", limits));
    identity.push(debug("start", start));
    identity.push(debug("adjudication", adjudication));
    Ok(identity)
}

fn entry(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}
