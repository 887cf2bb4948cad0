//! PGN format: games with the comments of engines.
//!
//! A record is a position in which a move was played: best move = the move, result = the tag, score
//! = the comment. `{+0.31/12 0.05s}` (cutechess, fastchess), `{+0.31 12/18 123 45678}` or `{+0.31}`
//! (OpenBench) belongs to the position *before* the move and to the side that moved;
//! `{[%eval 0.31]}` (lichess) to the position *after* the move and to White. Mates (`M5`, `-M7`,
//! `#-3`) become scores beyond [`MATE_SCORE`](crate::MATE_SCORE). A position without such a comment
//! has no score.
//!
//! Moves of chess are SAN or UCI; those of other games are in the notation of the game, under a
//! `Variant` tag with the game's name. Variations and annotations are skipped. A game with a fault
//! is skipped as a whole. Lost: depth, time and all other words in comments.

mod collection;
mod comment;
mod game;
mod movetext;
mod tags;

use std::collections::VecDeque;
use std::io::BufRead;
use std::path::Path;

use games::ToolkitGame;

use super::lines::Lines;
use super::{Faults, FormatError, RecordSource};
use crate::Record;
use game::Reading;
use movetext::{Scanner, Token};

pub use collection::{PgnGame, PgnGames, read_pgn};
pub(super) use tags::tag_in;

/// Reads a file of games.
pub(super) struct Source<G: ToolkitGame, R> {
    lines: Lines<R>,
    scanner: Scanner,
    reading: Option<Reading<G>>,
    games: u32,
    ready: VecDeque<Record<G>>,
    /// The tags of the games whose records are ready, for [`read_pgn`].
    tags: VecDeque<Vec<(String, String)>>,
    faults: Faults,
    ended: bool,
}

impl<G: ToolkitGame, R: BufRead> Source<G, R> {
    pub(super) fn new(input: R, path: &Path) -> Self {
        Self {
            lines: Lines::new(input, path),
            scanner: Scanner::default(),
            reading: None,
            games: 0,
            ready: VecDeque::new(),
            tags: VecDeque::new(),
            faults: Faults::new("game"),
            ended: false,
        }
    }

    /// Reads one line. At the end of the file, finishes the last game.
    fn step(&mut self) -> Result<(), FormatError> {
        let line = match self.lines.next_bytes()? {
            // Names of players come in any encoding; only ASCII matters here.
            Some(Ok(bytes)) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Some(Err(fault)) => Err(fault),
            None => {
                self.finish_game();
                self.ended = true;
                return Ok(());
            }
        };
        match line {
            Ok(line) => self.read_line(&line),
            Err(fault) => self.game().blame(fault),
        }
        Ok(())
    }

    fn read_line(&mut self, line: &str) {
        // This tag starts a game, even if a comment or variation is open.
        if line.starts_with("[Event \"") {
            self.finish_game();
        }
        let between = self.scanner.open().is_none();
        if between && line.starts_with('%') {
            return;
        }
        if between && line.trim_start().starts_with('[') {
            if self.reading.as_ref().is_some_and(Reading::has_moves) {
                self.finish_game();
            }
            self.game().read_tags(line);
            return;
        }
        let mut rest = line;
        let mut scanner = std::mem::take(&mut self.scanner);
        while let Some(token) = scanner.next(&mut rest) {
            let ends = matches!(&token, Token::Word(word) if game::is_termination(word));
            let game = self.game();
            match token {
                Token::Word(word) => game.read_word(word),
                Token::Comment(text) => game.read_comment(&text),
                Token::Stray(character) => game.blame(format!("`{character}` closes nothing")),
            }
            if ends {
                self.finish_game();
            }
        }
        self.scanner = scanner;
    }

    /// The current game, or a new one that starts at the current line.
    fn game(&mut self) -> &mut Reading<G> {
        let line = self.lines.number();
        let games = &mut self.games;
        let reading = self.reading.get_or_insert_with(|| {
            *games = games.saturating_add(1);
            Reading::new(*games)
        });
        reading.line = line;
        reading
    }

    fn finish_game(&mut self) {
        let open = std::mem::take(&mut self.scanner).open();
        let Some(mut game) = self.reading.take() else { return };
        if let Some(open) = open {
            game.blame(format!("{open} is not closed"));
        }
        let number = game.number;
        let tags = std::mem::take(&mut game.tags);
        match game.finish() {
            Ok(records) => {
                if !records.is_empty() {
                    self.tags.push_back(tags);
                }
                self.ready.extend(records);
            }
            Err((line, fault)) => self.faults.add(format!("game {number}, line {line}"), fault),
        }
    }
}

impl<G: ToolkitGame, R: BufRead> RecordSource<G> for Source<G, R> {
    fn next(&mut self) -> Result<Option<Record<G>>, FormatError> {
        while self.ready.is_empty() && !self.ended {
            self.tags.clear();
            self.step()?;
        }
        Ok(self.ready.pop_front())
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes()
    }

    fn faults(&self) -> &Faults {
        &self.faults
    }
}
