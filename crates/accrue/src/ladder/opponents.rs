//! Programs whose strength is known.

use std::path::Path;

/// A program, and how strong it is.
#[derive(Debug, PartialEq)]
pub(super) struct Opponent {
    /// What it is called here.
    pub(super) name: &'static str,
    /// The program.
    pub(super) command: &'static str,
    /// Its rating at 4 s + 0.04 s, on the scale of CCRL Blitz.
    pub(super) elo: f64,
    /// What makes it play fair: one thread, no book, no thinking on the other's time.
    settings: &'static str,
    /// Whether it plays unless others are asked for.
    pub(super) usual: bool,
}

/// An opponent that is installed.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) opponent: &'static Opponent,
    pub(super) path: String,
}

impl Found {
    /// The opponent as the command line of a match has it.
    pub(super) fn spec(&self) -> String {
        let Opponent { name, settings, .. } = self.opponent;
        format!("name={name},cmd={}{settings}", self.path)
    }
}

/// A rating that Stockfish was told to play at, which is not the one that it plays at.
macro_rules! stockfish {
    ($label:literal) => {
        concat!(
            ",option.Threads=1,option.Hash=16,option.Ponder=false,option.UCI_LimitStrength=true,option.UCI_Elo=",
            $label
        )
    };
}

pub(super) const OPPONENTS: [Opponent; 9] = [
    Opponent {
        name: "stockfish-1350",
        command: "stockfish",
        elo: 1560.0,
        settings: stockfish!("1350"),
        usual: true,
    },
    Opponent {
        name: "stockfish-1800",
        command: "stockfish",
        elo: 1855.0,
        settings: stockfish!("1800"),
        usual: true,
    },
    Opponent {
        name: "gnuchess",
        command: "gnuchess",
        elo: 2616.0,
        settings: ",arg=--uci,option.OwnBook=false",
        usual: true,
    },
    Opponent {
        name: "stockfish-2100",
        command: "stockfish",
        elo: 2740.0,
        settings: stockfish!("2100"),
        usual: false,
    },
    Opponent {
        name: "toga2",
        command: "toga2",
        elo: 2912.0,
        settings: ",option.OwnBook=false",
        usual: true,
    },
    Opponent {
        name: "glaurung",
        command: "glaurung",
        elo: 2912.0,
        settings: ",option.Threads=1,option.Ponder=false,option.OwnBook=false",
        usual: true,
    },
    Opponent {
        name: "stockfish-2400",
        command: "stockfish",
        elo: 3090.0,
        settings: stockfish!("2400"),
        usual: false,
    },
    Opponent {
        name: "ethereal-chess",
        command: "ethereal-chess",
        elo: 3214.0,
        settings: ",option.Threads=1,option.Hash=16",
        usual: true,
    },
    Opponent {
        name: "stockfish-2850",
        command: "stockfish",
        elo: 3340.0,
        settings: stockfish!("2850"),
        usual: false,
    },
];

/// Those that are installed: in `PATH`, or where Debian has games.
pub(super) fn found() -> Vec<Found> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> =
        std::env::split_paths(&path).chain([Path::new("/usr/games").to_owned()]).collect();
    let find = |opponent: &'static Opponent| {
        let mut files = folders.iter().map(|folder| folder.join(opponent.command));
        let file = files.find(|file| file.is_file())?;
        Some(Found { opponent, path: file.to_str()?.to_owned() })
    };
    OPPONENTS.iter().filter_map(find).collect()
}
