//! Parser of engine specs.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use uci::client::EngineCommand;

use super::{EngineSpec, EngineSpecError, EngineSpecFault, PlayerSpec, SearchSpec};
use crate::search_limits::SearchLimits;

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    fn from_str(text: &str) -> Result<Self, EngineSpecError> {
        let mut parser = Parser {
            name: None,
            limits: SearchLimits::default(),
            search: SearchSpec::default(),
            external: EngineCommand::new(""),
            random: false,
            search_key: None,
            external_key: None,
        };
        let mut parts = text.split(',').filter(|part| !part.is_empty());
        let parsed = parts.try_for_each(|part| parser.add(part)).and_then(|()| parser.finish(text));
        parsed.map_err(|fault| EngineSpecError { text: text.to_owned(), fault })
    }
}

/// The keys so far.
struct Parser {
    name: Option<String>,
    limits: SearchLimits,
    search: SearchSpec,
    external: EngineCommand,
    random: bool,
    /// The first key that is for a search in this process.
    search_key: Option<String>,
    /// The first key that is for an external engine.
    external_key: Option<String>,
}

impl Parser {
    fn add(&mut self, part: &str) -> Result<(), EngineSpecFault> {
        // A word alone is the file of a network.
        let (key, value) = part.split_once('=').unwrap_or(("net", part));
        if value.is_empty() && !key.starts_with("option.") {
            return Err(EngineSpecFault::NoValue { key: key.to_owned() });
        }
        match key {
            "name" => self.name = Some(value.to_owned()),
            "tc" => {
                let control = value.parse().map_err(|error| {
                    let part = part.to_owned();
                    EngineSpecFault::TimeControl { part, error }
                })?;
                self.limits.time = Some(control);
            }
            "nodes" => self.limits.nodes = Some(number(part, value)?),
            "softnodes" => self.limits.soft_nodes = Some(number(part, value)?),
            "depth" => self.limits.depth = Some(number(part, value)? as usize),
            "movetime" => {
                self.limits.movetime = Some(Duration::from_millis(number(part, value)?));
            }
            "moves" if value == "random" => self.random = true,
            "moves" => return Err(unexpected(part, "`moves=random`")),
            "cmd" | "arg" | "dir" => self.add_external(key, value),
            _ if key.starts_with("option.") => self.add_external(key, value),
            _ => self.add_search(part, key, value)?,
        }
        Ok(())
    }

    fn add_search(&mut self, part: &str, key: &str, value: &str) -> Result<(), EngineSpecFault> {
        let search = &mut self.search;
        match key {
            "net" => search.net = Some(value.to_owned()),
            "features" => search.features = Some(value.to_owned()),
            "large" => search.large = Some(value.to_owned()),
            "blend" => {
                search.blend = number(part, value)?;
                if search.blend > 100 {
                    return Err(unexpected(part, "a percentage from 0 to 100"));
                }
            }
            "hash" => search.options.hash_mib = number(part, value)? as usize,
            "threads" => search.options.threads = number(part, value)? as usize,
            "overhead" => search.options.move_overhead = number(part, value)?,
            "mode" => {
                let mode = value.parse();
                search.options.mode = mode.map_err(|error| EngineSpecFault::Value {
                    part: part.to_owned(),
                    expected: format!("a search mode: {error}"),
                })?;
            }
            _ => {
                let Some(param) = key.strip_prefix("param.") else {
                    return Err(EngineSpecFault::UnknownKey { key: key.to_owned() });
                };
                let set = search.params.parse(param, value);
                set.map_err(|error| EngineSpecFault::Param { part: part.to_owned(), error })?;
            }
        }
        self.search_key.get_or_insert_with(|| key.to_owned());
        Ok(())
    }

    fn add_external(&mut self, key: &str, value: &str) {
        match key {
            "cmd" => value.clone_into(&mut self.external.command),
            "arg" => self.external.arguments.push(value.to_owned()),
            "dir" => self.external.folder = Some(value.into()),
            _ => {
                let name = key.trim_start_matches("option.").to_owned();
                self.external.options.push((name, value.to_owned()));
            }
        }
        self.external_key.get_or_insert_with(|| key.to_owned());
    }

    fn finish(self, text: &str) -> Result<EngineSpec, EngineSpecFault> {
        let Self { name, limits, search, external, random, search_key, external_key } = self;
        let is_external = external_key.is_some();
        match (search_key, external_key) {
            (Some(key), _) | (None, Some(key)) if random => {
                return Err(EngineSpecFault::RandomWith { key });
            }
            (Some(search), Some(external)) => {
                return Err(EngineSpecFault::Mixed { search, external });
            }
            _ => {}
        }
        if is_external && external.command.is_empty() {
            return Err(EngineSpecFault::NoCommand);
        }
        let stem = |path: &str| {
            let stem = Path::new(path).file_stem();
            stem.map_or_else(|| path.to_owned(), |stem| stem.to_string_lossy().into_owned())
        };
        let default_name = || match (&search.net, is_external) {
            _ if random => "random".to_owned(),
            (_, true) => stem(&external.command),
            (Some(net), false) => stem(net),
            (None, false) => "built-in".to_owned(),
        };
        let name = name.unwrap_or_else(default_name);
        let player = match (random, is_external) {
            (true, _) => PlayerSpec::Random,
            (false, true) => PlayerSpec::External(external),
            (false, false) => PlayerSpec::Search(Box::new(search)),
        };
        Ok(EngineSpec { text: text.to_owned(), name, limits, player })
    }
}

fn unexpected(part: &str, expected: &str) -> EngineSpecFault {
    EngineSpecFault::Value { part: part.to_owned(), expected: expected.to_owned() }
}

/// A number that is not zero.
fn number(part: &str, value: &str) -> Result<u64, EngineSpecFault> {
    let number = value.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| unexpected(part, "a whole number from 1 up"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> EngineSpec {
        text.parse().unwrap()
    }

    #[test]
    fn searches_in_this_process() {
        let text =
            "name=new,net=a/foo.accrue,hash=64,mode=classical,param.futility_base=90,nodes=500";
        let spec = parse(text);
        let PlayerSpec::Search(search) = &spec.player else { panic!("{spec:?}") };
        assert_eq!((spec.name.as_str(), search.net.as_deref()), ("new", Some("a/foo.accrue")));
        assert_eq!((search.options.hash_mib, search.params.futility_base), (64, 90));
        assert_eq!(spec.limits.nodes, Some(500));
        assert_eq!(parse("a/foo.accrue").name, "foo");
        assert_eq!(parse("hash=1").name, "built-in");
        assert_eq!(parse("moves=random").name, "random");
    }

    #[test]
    fn external_engines() {
        let text =
            "cmd=/usr/games/gnuchess,arg=--uci,arg=-x,option.OwnBook=false,option.Clear Hash=";
        let spec = parse(text);
        let PlayerSpec::External(command) = &spec.player else { panic!("{spec:?}") };
        assert_eq!(spec.name, "gnuchess");
        assert_eq!(command.arguments, ["--uci", "-x"]);
        let options = [("OwnBook", "false"), ("Clear Hash", "")];
        assert_eq!(command.options, options.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, parts) in [
            ("nett=foo", ["no key `nett`", "known: name"]),
            ("hash=none", ["`hash=none`", "whole number"]),
            ("param.x=3", ["no parameter `x`", "futility_base"]),
            ("param.futility_base=9999", ["`param.futility_base=9999`", "13 to 162"]),
            ("option.Hash=3", ["`cmd=`", "option.Hash=3"]),
            ("cmd=x,hash=3", ["`hash` is for a search", "`cmd`"]),
            ("name=", ["`name=`", "no value"]),
            ("mode=fast", ["`mode=fast`", "classical"]),
            ("blend=101", ["blend", "0 to 100"]),
            ("moves=best", ["`moves=best`", "moves=random"]),
            ("moves=random,hash=3", ["`hash`", "does not search"]),
            ("tc=fast", ["`tc=fast`", "10+0.1"]),
        ] {
            let fault = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
        }
    }
}
