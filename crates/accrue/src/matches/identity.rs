//! What makes a match another one, for its journal.

use std::fmt::Debug;

use arena::tournament::{Identity, Shape};

use super::args::{AdjudicationArgs, LimitArgs, StartArgs};
use super::spec::{PlayerSpec, Spec};
use crate::datagen::manifest::checksum;

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
        if let PlayerSpec::Own(own) = &spec.player
            && let Some(net) = &own.net
        {
            identity.push(entry(&format!("network of engine {number}"), checksum(net.as_ref())?));
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
