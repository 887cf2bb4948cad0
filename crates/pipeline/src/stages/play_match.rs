//! Match stage: engines play each other, by an SPRT if wanted (`accrue match`).

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arena::contest::{
    Contest, ContestEvent, ContestFiles, ContestResult, MatchSettings, MatchState, MatchStatus,
};
use arena::tournament::{Fixture, Schedule, Shape, Tournament, entrants};
use arena::{
    Adjudication, Anchor, DrawRule, EngineSpec, Model, Openings, Played, SearchLimits, Sprt,
    TimeControl, WinRule,
};
use games::ToolkitGame;

use crate::{CommandLine, Context, PipelineError};

/// Sees every game of a match, in the order of their numbers, those of the journal included.
pub type Watch<'a, G> = &'a mut dyn FnMut(&Fixture, &Played<G>);

/// Lets engines play each other.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayMatch {
    /// The name of the game.
    pub game: String,
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub shape: Shape,
    /// The limits of engines that have none of their own.
    pub limits: SearchLimits,
    /// By how much a clock may be overstepped.
    pub time_margin: Duration,
    /// Rules that are played in more than one way, as names and values.
    pub rules: Vec<(String, String)>,
    /// A book of openings; `None` for the start position.
    pub openings: Option<PathBuf>,
    /// Whether the book is shuffled by `seed`.
    pub shuffle: bool,
    /// The number of random moves at the start of a game.
    pub random_plies: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// Which games end early.
    pub adjudication: Adjudication,
    /// The maximum number of games of each pairing, an even number.
    pub games: u64,
    /// Ends a match of two engines as soon as it decides.
    pub sprt: Option<Sprt>,
    /// Engines whose rating is known.
    pub anchors: Vec<Anchor>,
    /// The number of games that are played at the same time.
    pub concurrency: usize,
    /// The file of games.
    pub pgn: Option<PathBuf>,
    /// The file that a match is resumed from.
    pub journal: Option<PathBuf>,
    /// Whether a journal that exists is resumed.
    pub resume: bool,
}

impl PlayMatch {
    /// The time control of engines without limits.
    pub const DEFAULT_TIME: TimeControl = TimeControl {
        base: Duration::from_secs(8),
        increment: Duration::from_millis(80),
        moves: None,
    };
    /// The number of games of a pairing.
    pub const DEFAULT_GAMES: u64 = 100;
    /// The maximum number of games of an SPRT.
    pub const MAX_SPRT_GAMES: u64 = 100_000;
    /// By how much a clock may be overstepped.
    pub const DEFAULT_TIME_MARGIN: Duration = Duration::from_millis(50);
    /// The number of random plies from the start position; after a book there are none.
    pub const RANDOM_PLIES: usize = 8;
    /// Ends games that are clearly won.
    pub const WIN_RULE: WinRule = WinRule { moves: 3, score: 400, both: true };
    /// Ends games that are clearly drawn.
    pub const DRAW_RULE: DrawRule = DrawRule { after: 34, moves: 8, score: 15 };

    /// A match with the default settings.
    pub fn new(game: impl Into<String>, engines: Vec<EngineSpec>) -> Self {
        Self {
            game: game.into(),
            engines,
            shape: Shape::RoundRobin,
            limits: SearchLimits { time: Some(Self::DEFAULT_TIME), ..SearchLimits::default() },
            time_margin: Self::DEFAULT_TIME_MARGIN,
            rules: Vec::new(),
            openings: None,
            shuffle: false,
            random_plies: Self::RANDOM_PLIES,
            seed: 1,
            adjudication: Adjudication::default(),
            games: Self::DEFAULT_GAMES,
            sprt: None,
            anchors: Vec::new(),
            concurrency: 1,
            pgn: None,
            journal: None,
            resume: false,
        }
    }

    /// The equivalent command line.
    pub fn command(&self) -> CommandLine {
        let engines = self.engines.iter().map(|engine| engine.text.as_str());
        let command = engines.fold(CommandLine::new("match"), CommandLine::word);
        let SearchLimits { depth, nodes, movetime, time, .. } = self.limits;
        let plies = if self.openings.is_some() { 0 } else { Self::RANDOM_PLIES };
        let rules = self.rules.iter().map(|(name, value)| format!("{name}={value}"));
        let command = command
            .option("game", &self.game)
            .flag("gauntlet", self.shape == Shape::Gauntlet)
            .maybe("tc", time.filter(|&time| time != Self::DEFAULT_TIME))
            .maybe("nodes", nodes)
            .maybe("depth", depth)
            .maybe("movetime", movetime.map(|time| time.as_millis()))
            .unless_default(
                "time-margin",
                self.time_margin.as_millis(),
                Self::DEFAULT_TIME_MARGIN.as_millis(),
            );
        let command = rules.fold(command, |command, rule| command.option("rule", rule));
        let command = command
            .maybe("openings", self.openings.as_ref().map(|book| book.display()))
            .flag("shuffle", self.shuffle)
            .unless_default("random-plies", self.random_plies, plies)
            .unless_default("seed", self.seed, 1);
        let games = if self.sprt.is_some() { Self::MAX_SPRT_GAMES } else { Self::DEFAULT_GAMES };
        let command =
            adjudication(command, &self.adjudication).unless_default("games", self.games, games);
        let command = match &self.sprt {
            Some(sprt) => {
                let ((elo0, elo1), (alpha, beta)) = (sprt.elo(), sprt.risks());
                command
                    .option("sprt", format_args!("{elo0},{elo1}"))
                    .unless_default("alpha", alpha, 0.05)
                    .unless_default("beta", beta, 0.05)
                    .unless_default("model", sprt.model(), Model::Normalized)
            }
            None => command,
        };
        command
            .unless_default("concurrency", self.concurrency, 1)
            .maybe("pgn", self.pgn.as_ref().map(|path| path.display()))
            .maybe("journal", self.journal.as_ref().map(|path| path.display()))
            .flag("resume", self.resume)
    }

    /// The match, ready to be played. Everything that can be wrong with it is found here.
    pub fn contest<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
    ) -> Result<Contest<G>, PipelineError> {
        if self.games == 0 || !self.games.is_multiple_of(2) {
            let fault = format!("{} is not an even number, 2 or more", self.games);
            return Err(PipelineError::field("games", fault));
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            let fault = format!("compares two engines; there are {}", self.engines.len());
            return Err(PipelineError::field("sprt", fault));
        }
        let openings = self.start_positions()?;
        let entrants = entrants::<G>(&self.engines, self.limits, context.networks)?;
        let tournament = Tournament {
            schedule: Schedule::new(self.shape, entrants.len(), self.games / 2),
            entrants,
            openings,
            adjudication: self.adjudication,
            time_margin: self.time_margin,
            concurrency: self.concurrency,
        };
        let files = self.files(context)?;
        let (anchors, rules) = (self.anchors.clone(), self.rules.clone());
        Ok(Contest { tournament, sprt: self.sprt, anchors, rules, files })
    }

    /// Plays the match until it is over or the program is to stop.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        watch: Watch<'_, G>,
    ) -> Result<ContestResult, PipelineError> {
        let contest = self.contest::<G>(context)?;
        let result = contest.play(context.stop, &mut |event| {
            if let ContestEvent::Resumed(fixture, game) | ContestEvent::Finished(fixture, game, _) =
                &event
            {
                watch(fixture, game);
            }
            ControlFlow::Continue(())
        });
        Ok(result?)
    }

    /// The openings of the match.
    pub fn start_positions<G: ToolkitGame>(&self) -> Result<Openings<G>, PipelineError> {
        let openings = if let Some(path) = &self.openings {
            Openings::read(path, None, &self.rules)?
        } else {
            let mut start = G::start();
            for (name, value) in &self.rules {
                let set = start.set(name, value);
                set.map_err(|error| {
                    PipelineError::field(format!("rule {name}={value}"), error.to_string())
                })?;
            }
            Openings::start(start)
        };
        let openings = if self.shuffle { openings.shuffled(self.seed) } else { openings };
        let plies = self.random_plies;
        let openings = openings.with_random_plies(plies..=plies, self.seed);
        openings.map_err(|error| PipelineError::field("random plies", error.to_string()))
    }

    fn files(&self, context: &Context<'_>) -> Result<ContestFiles, PipelineError> {
        let settings = MatchSettings {
            version: env!("CARGO_PKG_VERSION"),
            game: &self.game,
            shape: self.shape,
            engines: &self.engines,
            book: self.openings.as_deref(),
            others: &[
                ("limit", format!("{:?} {:?}", self.limits, self.time_margin)),
                (
                    "start",
                    format!(
                        "{:?} {} {} {}",
                        self.rules, self.shuffle, self.random_plies, self.seed
                    ),
                ),
                ("adjudication", format!("{:?}", self.adjudication)),
            ],
        };
        let identity = settings.identity(context.networks)?;
        let files = ContestFiles {
            journal: self.journal.clone().map(|path| (path, identity)),
            pgn: self.pgn.clone(),
            resume: self.resume,
        };
        files.check()?;
        Ok(files)
    }
}

fn adjudication(command: CommandLine, rules: &Adjudication) -> CommandLine {
    let Adjudication { win, draw, max_plies } = *rules;
    let usual = (Some(PlayMatch::WIN_RULE), Some(PlayMatch::DRAW_RULE));
    let command = if (win, draw) == usual {
        command.flag("adjudicate", true)
    } else {
        let win = win.map(|WinRule { moves, score, .. }| format!("{moves},{score}"));
        let draw = draw.map(|DrawRule { after, moves, score }| format!("{after},{moves},{score}"));
        command.maybe("adjudicate-win", win).maybe("adjudicate-draw", draw)
    };
    command.maybe("adjudicate-plies", max_plies)
}

/// Whether the match with this journal is over.
pub(crate) fn is_match_over(journal: &Path) -> bool {
    let status = MatchStatus::read(journal).ok().flatten();
    status.is_some_and(|status| matches!(status.state, MatchState::Finished | MatchState::Decided))
}
