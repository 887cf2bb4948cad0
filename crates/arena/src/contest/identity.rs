//! Match identity: everything that decides which games are played, but for their number.

use std::path::Path;

use crate::checksum::{ChecksumError, checksum_of_file};
use crate::engine_spec::{EngineSpec, PlayerSpec};
use crate::networks::{NetworkLoader, NetworkSource};
use crate::tournament::{MatchIdentity, Shape};

/// The settings of a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchSettings<'a> {
    /// The version of the program.
    pub version: &'a str,
    /// The game.
    pub game: &'a str,
    /// Which players meet.
    pub shape: Shape,
    /// The engines.
    pub engines: &'a [EngineSpec],
    /// The book of openings.
    pub book: Option<&'a Path>,
    /// Other settings as text: limits, openings, adjudication.
    pub others: &'a [(&'a str, String)],
}

impl MatchSettings<'_> {
    /// The settings as names and values, with checksums of networks and book in the place of files.
    pub fn identity(&self, networks: &NetworkLoader) -> Result<MatchIdentity, ChecksumError> {
        let mut identity = vec![
            entry("program", self.version),
            entry("game", self.game),
            entry("shape", format!("{:?}", self.shape)),
        ];
        for (number, spec) in (1..).zip(self.engines) {
            identity.push(entry(&format!("engine {number}"), &spec.text));
            let PlayerSpec::Search(search) = &spec.player else { continue };
            for (name, net) in [("network", &search.net), ("large network", &search.large)] {
                let Some(net) = net else { continue };
                let sum = networks.checksum(&NetworkSource::new(net))?;
                identity.push(entry(&format!("{name} of engine {number}"), sum));
            }
        }
        if let Some(book) = self.book {
            identity.push(entry("book", checksum_of_file(book)?));
        }
        identity.extend(self.others.iter().map(|(name, value)| entry(name, value)));
        Ok(identity)
    }
}

fn entry(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}
