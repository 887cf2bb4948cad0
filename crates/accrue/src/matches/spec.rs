//! An engine in a few words: `name=new,net=new.accrue,hash=16,param.futility_base=90`.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{Pace, TimeControl};
use search::{EngineOptions, Params, SearchMode};

/// What the words say.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spec {
    /// The words themselves.
    pub(crate) text: String,
    /// What to call it.
    pub(crate) name: String,
    /// What differs from the pace of the match.
    pub(crate) pace: Pace,
    /// Who plays.
    pub(crate) player: PlayerSpec,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlayerSpec {
    /// The search of this program.
    Own(Box<OwnSpec>),
    /// Another program, which speaks UCI.
    Program(ProgramSpec),
    /// Random moves.
    Random,
}

/// How the search of this program is set up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OwnSpec {
    /// The file of its network; without one, the built-in evaluation values positions.
    pub(crate) net: Option<String>,
    /// The file of a larger network behind it.
    pub(crate) large: Option<String>,
    /// How much of the value is the network's, in percent.
    pub(crate) blend: u64,
    pub(crate) options: EngineOptions,
    pub(crate) params: Params,
}

/// How another program is started.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ProgramSpec {
    pub(crate) command: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) folder: Option<String>,
    pub(crate) options: Vec<(String, String)>,
}

const KEYS: &str = "name, tc, nodes, softnodes, depth, movetime; for this program's search net, large, blend, \
    hash, threads, overhead, mode, param.NAME; for another program cmd, arg, dir, option.NAME; \
    moves=random";

impl Spec {
    /// Reads the words.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let read = || -> anyhow::Result<Self> {
            let mut reading = Reading::new();
            for part in text.split(',').filter(|part| !part.is_empty()) {
                reading.read(part)?;
            }
            reading.finish(text)
        };
        read().with_context(|| format!("engine `{text}`"))
    }
}

/// What has been read so far.
struct Reading {
    name: Option<String>,
    pace: Pace,
    own: OwnSpec,
    program: ProgramSpec,
    random: bool,
    /// A key that only makes sense for this program's search, and one that does for others.
    keys: [Option<String>; 2],
}

impl Reading {
    fn new() -> Self {
        Self {
            name: None,
            pace: Pace::default(),
            own: OwnSpec {
                net: None,
                large: None,
                blend: 100,
                options: EngineOptions { mode: SearchMode::Auto, ..EngineOptions::default() },
                params: Params::default(),
            },
            program: ProgramSpec::default(),
            random: false,
            keys: [None, None],
        }
    }

    fn read(&mut self, part: &str) -> anyhow::Result<()> {
        // A word alone is the file of a network.
        let (key, value) = part.split_once('=').unwrap_or(("net", part));
        if value.is_empty() && !key.starts_with("option.") {
            bail!("`{key}=` has no value");
        }
        let read = || format!("`{part}`");
        match key {
            "name" => self.name = Some(value.to_owned()),
            "tc" => self.pace.time = Some(time_control(value).with_context(read)?),
            "nodes" => self.pace.nodes = Some(number(value).with_context(read)?),
            "softnodes" => self.pace.soft_nodes = Some(number(value).with_context(read)?),
            "depth" => self.pace.depth = Some(number(value).with_context(read)? as usize),
            "movetime" => {
                let millis = number(value).with_context(read)?;
                self.pace.movetime = Some(Duration::from_millis(millis));
            }
            "moves" if value == "random" => self.random = true,
            "moves" => bail!("`{part}`: expected `moves=random`"),
            "cmd" | "arg" | "dir" => self.read_program(key, value),
            _ if key.starts_with("option.") => self.read_program(key, value),
            _ => self.read_own(key, value).with_context(read)?,
        }
        Ok(())
    }

    fn read_own(&mut self, key: &str, value: &str) -> anyhow::Result<()> {
        let options = &mut self.own.options;
        match key {
            "net" => self.own.net = Some(value.to_owned()),
            "large" => self.own.large = Some(value.to_owned()),
            "blend" => {
                self.own.blend = number(value)?;
                if self.own.blend > 100 {
                    bail!("expected a percentage from 0 to 100");
                }
            }
            "hash" => options.hash_mib = number(value)? as usize,
            "threads" => options.threads = number(value)? as usize,
            "overhead" => options.move_overhead = number(value)?,
            "mode" => {
                options.mode = match value {
                    "auto" => SearchMode::Auto,
                    "classical" => SearchMode::Classical,
                    "learned" => SearchMode::Learned,
                    "seed" => SearchMode::Seed,
                    _ => bail!("expected `auto`, `classical`, `learned` or `seed`"),
                }
            }
            _ => {
                let Some(param) = key.strip_prefix("param.") else {
                    bail!("there is no key `{key}`; known: {KEYS}");
                };
                self.set_param(param, value)?;
            }
        }
        self.keys[0].get_or_insert_with(|| key.to_owned());
        Ok(())
    }

    fn set_param(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let Some(param) = Params::LIST.iter().find(|param| param.name == name) else {
            let known: Vec<_> = Params::LIST.iter().map(|param| param.name).collect();
            bail!("the search has no parameter `{name}`; known: {}", known.join(", "));
        };
        let (least, most) = (param.least, param.most);
        let value = value.parse().ok().filter(|value| (least..=most).contains(value));
        let value = value.with_context(|| format!("expected a whole number, {least} to {most}"))?;
        self.own.params.set(name, value);
        Ok(())
    }

    fn read_program(&mut self, key: &str, value: &str) {
        match key {
            "cmd" => value.clone_into(&mut self.program.command),
            "arg" => self.program.arguments.push(value.to_owned()),
            "dir" => self.program.folder = Some(value.to_owned()),
            _ => {
                let name = key.trim_start_matches("option.").to_owned();
                self.program.options.push((name, value.to_owned()));
            }
        }
        self.keys[1].get_or_insert_with(|| key.to_owned());
    }

    fn finish(self, text: &str) -> anyhow::Result<Spec> {
        let Self { name, pace, own, program, random, keys } = self;
        if let (true, Some(key)) = (random, keys.iter().flatten().next()) {
            bail!("`moves=random` does not search: `{key}` means nothing to it");
        }
        if let [Some(own), Some(other)] = &keys {
            bail!("`{own}` is for the search of this program and `{other}` for another program");
        }
        let is_program = keys[1].is_some();
        if is_program && program.command.is_empty() {
            bail!("`cmd=` is missing: which program is it?");
        }
        let file = |path: &str| {
            let stem = Path::new(path).file_stem();
            stem.map_or_else(|| path.to_owned(), |stem| stem.to_string_lossy().into_owned())
        };
        let default = || match (&own.net, is_program) {
            _ if random => "random".to_owned(),
            (_, true) => file(&program.command),
            (Some(net), false) => file(net),
            (None, false) => "built-in".to_owned(),
        };
        let name = name.unwrap_or_else(default);
        let player = match (random, is_program) {
            (true, _) => PlayerSpec::Random,
            (false, true) => PlayerSpec::Program(program),
            (false, false) => PlayerSpec::Own(Box::new(own)),
        };
        Ok(Spec { text: text.to_owned(), name, pace, player })
    }
}

/// A number that is not zero.
fn number(text: &str) -> anyhow::Result<u64> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.with_context(|| format!("`{text}` is not a whole number from 1 up"))
}

/// Reads a time control: `10+0.1` or `1:30+1` for the game, `40/60` for each forty moves.
pub(crate) fn time_control(text: &str) -> anyhow::Result<TimeControl> {
    let expected = || format!("`{text}` is not a time control such as 10+0.1, 1:30+1 or 40/60+0.5");
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse::<u32>().ok().filter(|&moves| moves > 0)), rest),
        None => (None, text),
    };
    if moves == Some(None) {
        bail!(expected());
    }
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => duration(minutes)
            .map(|minutes| minutes * 60)
            .and_then(|minutes| Some(minutes + duration(seconds).filter(|s| s.as_secs() < 60)?)),
        None => duration(base),
    };
    let (Some(base), Some(increment)) = (base, duration(increment)) else { bail!(expected()) };
    if base.is_zero() && increment.is_zero() {
        bail!("{}: there is no time at all", expected());
    }
    Ok(TimeControl { base, increment, moves: moves.flatten() })
}

/// Seconds, with or without a fraction; at most a week.
fn duration(text: &str) -> Option<Duration> {
    const WEEK: f64 = 7.0 * 24.0 * 3600.0;
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    (seconds <= WEEK).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_of_this_program() {
        let text =
            "name=new,net=a/foo.accrue,hash=64,mode=classical,param.futility_base=90,nodes=500";
        let spec = Spec::parse(text).unwrap();
        let PlayerSpec::Own(own) = &spec.player else { panic!("{spec:?}") };
        assert_eq!((spec.name.as_str(), own.net.as_deref()), ("new", Some("a/foo.accrue")));
        assert_eq!((own.options.hash_mib, own.params.futility_base), (64, 90));
        assert_eq!(spec.pace.nodes, Some(500));
        assert_eq!(Spec::parse("a/foo.accrue").unwrap().name, "foo");
        assert_eq!(Spec::parse("hash=1").unwrap().name, "built-in");
    }

    #[test]
    fn other_programs() {
        let text =
            "cmd=/usr/games/gnuchess,arg=--uci,arg=-x,option.OwnBook=false,option.Clear Hash=";
        let spec = Spec::parse(text).unwrap();
        let PlayerSpec::Program(program) = &spec.player else { panic!("{spec:?}") };
        assert_eq!(spec.name, "gnuchess");
        assert_eq!(program.arguments, ["--uci", "-x"]);
        let options = [("OwnBook", "false"), ("Clear Hash", "")];
        assert_eq!(program.options, options.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, parts) in [
            ("nett=foo", ["no key `nett`", "known: name"]),
            ("hash=none", ["`hash=none`", "whole number"]),
            ("param.x=3", ["no parameter `x`", "futility_base"]),
            ("param.futility_base=9999", ["`param.futility_base=9999`", "20 to 250"]),
            ("option.Hash=3", ["`cmd=`", "option.Hash=3"]),
            ("cmd=x,hash=3", ["`hash` is for the search", "`cmd`"]),
            ("name=", ["`name=`", "no value"]),
            ("mode=fast", ["`mode=fast`", "classical"]),
            ("blend=101", ["blend", "0 to 100"]),
            ("moves=best", ["`moves=best`", "moves=random"]),
            ("moves=random,hash=3", ["`hash`", "does not search"]),
            ("tc=fast", ["`tc=fast`", "10+0.1"]),
        ] {
            let fault = format!("{:#}", Spec::parse(text).unwrap_err());
            assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
        }
    }

    #[test]
    fn time_controls() {
        let control = |text: &str| time_control(text).map(|t| (t.base, t.increment, t.moves)).ok();
        let millis = Duration::from_millis;
        assert_eq!(control("10+0.1"), Some((millis(10_000), millis(100), None)));
        assert_eq!(control("1:30+1"), Some((millis(90_000), millis(1000), None)));
        assert_eq!(control("40/60"), Some((millis(60_000), millis(0), Some(40))));
        assert_eq!(control("0+0.1"), Some((millis(0), millis(100), None)));
        for wrong in ["", "x", "0", "0+0", "1e9", "inf", "-1+1", "0/60", "1:75", "1+", "99999999"] {
            assert_eq!(control(wrong), None, "{wrong}");
        }
    }
}
