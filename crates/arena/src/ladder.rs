//! Ladder: chess engines of known rating, as opponents of a gauntlet.

use std::path::{Path, PathBuf};

/// A chess engine of known rating.
#[derive(Debug, PartialEq)]
pub struct LadderOpponent {
    /// Its name on the ladder.
    pub name: &'static str,
    /// The program.
    pub command: &'static str,
    /// Its rating at 4 s + 0.04 s, on the scale of CCRL Blitz.
    pub elo: f64,
    /// Keys of its engine spec: one thread, no book, no pondering.
    settings: &'static str,
    /// Whether it plays by default.
    pub is_default: bool,
}

/// An opponent that is installed.
#[derive(Clone, Debug, PartialEq)]
pub struct InstalledOpponent {
    /// The opponent.
    pub opponent: &'static LadderOpponent,
    /// The path of the program.
    pub path: String,
}

/// Why opponents cannot be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LadderError {
    /// None of the default opponents is installed.
    #[error("no opponent is installed; install one of {known}")]
    NoneInstalled {
        /// The names of all opponents.
        known: String,
    },
    /// The opponent is not installed.
    #[error("{name} is not installed: {command} is neither in PATH nor in /usr/games")]
    NotInstalled {
        /// The opponent.
        name: String,
        /// Its program.
        command: &'static str,
    },
    /// There is no opponent of that name.
    #[error("no opponent is called `{name}`; known: {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names of all opponents.
        known: String,
    },
}

impl InstalledOpponent {
    /// The text of its [`EngineSpec`](crate::EngineSpec).
    pub fn spec_text(&self) -> String {
        let LadderOpponent { name, settings, .. } = self.opponent;
        format!("name={name},cmd={}{settings}", self.path)
    }
}

/// Settings of Stockfish with a limited strength. The Elo of the option is not the one that it
/// plays at.
macro_rules! stockfish {
    ($elo:literal) => {
        concat!(
            ",option.Threads=1,option.Hash=16,option.Ponder=false",
            ",option.UCI_LimitStrength=true,option.UCI_Elo=",
            $elo
        )
    };
}

impl LadderOpponent {
    const fn new(
        name: &'static str,
        command: &'static str,
        elo: f64,
        settings: &'static str,
        is_default: bool,
    ) -> Self {
        Self { name, command, elo, settings, is_default }
    }
}

/// The opponents, the weakest first.
pub const LADDER: [LadderOpponent; 9] = [
    LadderOpponent::new("stockfish-1350", "stockfish", 1560.0, stockfish!("1350"), true),
    LadderOpponent::new("stockfish-1800", "stockfish", 1855.0, stockfish!("1800"), true),
    LadderOpponent::new("gnuchess", "gnuchess", 2616.0, ",arg=--uci,option.OwnBook=false", true),
    LadderOpponent::new("stockfish-2100", "stockfish", 2740.0, stockfish!("2100"), false),
    LadderOpponent::new("toga2", "toga2", 2912.0, ",option.OwnBook=false", true),
    LadderOpponent::new(
        "glaurung",
        "glaurung",
        2912.0,
        ",option.Threads=1,option.Ponder=false,option.OwnBook=false",
        true,
    ),
    LadderOpponent::new("stockfish-2400", "stockfish", 3090.0, stockfish!("2400"), false),
    LadderOpponent::new(
        "ethereal-chess",
        "ethereal-chess",
        3214.0,
        ",option.Threads=1,option.Hash=16",
        true,
    ),
    LadderOpponent::new("stockfish-2850", "stockfish", 3340.0, stockfish!("2850"), false),
];

/// The opponents that are installed in one of these folders or in `/usr/games`.
pub fn installed_opponents(folders: impl IntoIterator<Item = PathBuf>) -> Vec<InstalledOpponent> {
    let games = Path::new("/usr/games").to_owned();
    let folders: Vec<_> = folders.into_iter().chain([games]).collect();
    let find = |opponent: &'static LadderOpponent| {
        let mut files = folders.iter().map(|folder| folder.join(opponent.command));
        let file = files.find(|file| file.is_file())?;
        Some(InstalledOpponent { opponent, path: file.to_str()?.to_owned() })
    };
    LADDER.iter().filter_map(find).collect()
}

/// The installed opponents with these names; without names, those that play by default.
pub fn choose_opponents<'a>(
    names: &[String],
    installed: &'a [InstalledOpponent],
) -> Result<Vec<&'a InstalledOpponent>, LadderError> {
    let known = || LADDER.map(|opponent| opponent.name).join(", ");
    if names.is_empty() {
        let usual: Vec<_> = installed.iter().filter(|found| found.opponent.is_default).collect();
        if usual.is_empty() {
            return Err(LadderError::NoneInstalled { known: known() });
        }
        return Ok(usual);
    }
    let choose = |name: &String| {
        if let Some(found) = installed.iter().find(|found| found.opponent.name == name) {
            return Ok(found);
        }
        let name = name.clone();
        Err(match LADDER.iter().find(|opponent| opponent.name == name) {
            Some(&LadderOpponent { command, .. }) => LadderError::NotInstalled { name, command },
            None => LadderError::Unknown { name, known: known() },
        })
    };
    names.iter().map(choose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineSpec;

    #[test]
    fn opponents_can_be_chosen() {
        let installed: Vec<_> = LADDER[..2]
            .iter()
            .map(|opponent| InstalledOpponent {
                opponent,
                path: format!("/x/{}", opponent.command),
            })
            .collect();
        let names = |names: &[&str]| -> Result<Vec<&str>, LadderError> {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            let chosen = choose_opponents(&names, &installed)?;
            Ok(chosen.iter().map(|found| found.opponent.name).collect())
        };
        assert_eq!(names(&[LADDER[1].name]).unwrap(), [LADDER[1].name]);
        let missing = names(&[LADDER[3].name]).unwrap_err().to_string();
        assert!(missing.contains("is not installed"), "{missing}");
        let unknown = names(&["deep-thought"]).unwrap_err().to_string();
        assert!(unknown.contains("known: ") && unknown.contains("gnuchess"), "{unknown}");
        assert!(choose_opponents(&[], &[]).is_err());
    }

    #[test]
    fn every_opponent_is_an_engine() {
        for opponent in &LADDER {
            let installed = InstalledOpponent { opponent, path: "/usr/games/x".into() };
            let spec: EngineSpec = installed.spec_text().parse().unwrap();
            assert_eq!(spec.name, opponent.name);
        }
    }
}
