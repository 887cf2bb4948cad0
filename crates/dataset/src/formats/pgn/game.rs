//! PGN game: the state of a game while it is read.

use games::{GameScore, ToolkitGame};

use super::comment::{self, CommentScore};
use super::tags::tag_in;
use crate::Record;
use crate::formats::values::{ply_of_fen, read_points, turn_points, turn_score};

/// The maximum length of a game: plies are counted by 16 bits.
const MAX_PLIES: usize = 1 << 16;

/// How many tags of a game are kept.
const MAX_TAGS: usize = 40;

/// The termination markers of PGN.
const TERMINATIONS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "*", "3/4-1/4", "1/4-3/4"];

pub(super) fn is_termination(word: &str) -> bool {
    TERMINATIONS.contains(&word)
}

/// A game whose end has not been read.
pub(super) struct Reading<G: ToolkitGame> {
    pub(super) number: u32,
    /// The current line.
    pub(super) line: u64,
    /// All tags, by name and value.
    pub(super) tags: Vec<(String, String)>,
    fen: Option<String>,
    variant: Option<String>,
    /// White's score, by the tag or else by the termination marker.
    white: Option<GameScore>,
    /// Whether anything but tags has been read.
    begun: bool,
    /// The current position, once there was a move.
    position: Option<G>,
    ply: u16,
    /// White's score of `position`, from the comment on the move before.
    announced: Option<i16>,
    records: Vec<Record<G>>,
    fault: Option<(u64, String)>,
}

impl<G: ToolkitGame> Reading<G> {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            line: 0,
            tags: Vec::new(),
            fen: None,
            variant: None,
            white: None,
            begun: false,
            position: None,
            ply: 0,
            announced: None,
            records: Vec::new(),
            fault: None,
        }
    }

    /// Whether the tag section is over.
    pub(super) fn has_moves(&self) -> bool {
        self.begun
    }

    /// Sets the reason why the game cannot be used. The first reason is kept.
    pub(super) fn blame(&mut self, fault: String) {
        let line = self.line;
        self.fault.get_or_insert((line, fault));
        self.records.clear();
    }

    /// Reads a line of tags.
    pub(super) fn read_tags(&mut self, mut line: &str) {
        while !line.trim().is_empty() {
            let Some((name, value, rest)) = tag_in(line) else {
                let shown: String = line.chars().take(60).collect();
                self.blame(format!("tag `{shown}` cannot be read; expected [Name \"value\"]"));
                return;
            };
            if self.tags.len() < MAX_TAGS {
                self.tags.push((name.to_owned(), value.clone()));
            }
            match name {
                "FEN" => self.fen = Some(value),
                "Variant" => self.variant = Some(value),
                "Result" => self.white = read_points(&value),
                _ => {}
            }
            line = rest;
        }
    }

    /// Reads a move, its number, an annotation or the end of the game.
    pub(super) fn read_word(&mut self, word: &str) {
        self.begun = true;
        if is_termination(word) {
            self.white = self.white.or_else(|| read_points(word));
            return;
        }
        let text = after_number(word).trim_end_matches(['!', '?']);
        let annotation = text.is_empty() || text.starts_with('$') || text == "e.p.";
        if annotation || self.fault.is_some() {
            return;
        }
        if let Err(fault) = self.play(text) {
            self.blame(fault);
        }
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        if self.records.len() >= MAX_PLIES {
            return Err(format!("more than {MAX_PLIES} moves"));
        }
        let position = match self.position.take() {
            Some(position) => position,
            None => self.begin()?,
        };
        let mv = position.parse_san(text).map_err(|fault| fault.to_string())?;
        let mut after = position.clone();
        after.play(mv);
        let side = position.side_to_move();
        let mut record = Record::new(position);
        record.score = self.announced.take().map(|score| turn_score(score, side));
        record.best_move = Some(mv);
        record.ply = self.ply;
        record.game = self.number;
        self.ply = self.ply.saturating_add(1);
        self.records.push(record);
        self.position = Some(after);
        Ok(())
    }

    /// The start position of the tags.
    fn begin(&mut self) -> Result<G, String> {
        let Some(settings) = G::settings_of_variant(self.variant.as_deref()) else {
            return Err(match &self.variant {
                Some(variant) => format!("the variant is `{variant}`, not {}", G::NAME),
                None => format!("no tag [Variant \"{}\"]: taken for chess", G::NAME),
            });
        };
        let mut position = match &self.fen {
            Some(fen) => {
                let position = G::from_fen(fen).map_err(|fault| format!("FEN: {fault}"))?;
                self.ply = ply_of_fen(fen, position.side_to_move());
                position
            }
            None => G::start(),
        };
        for (name, value) in settings {
            position.set(name, value).map_err(|fault| fault.to_string())?;
        }
        Ok(position)
    }

    /// Reads a comment on the last move.
    pub(super) fn read_comment(&mut self, text: &str) {
        self.begun = true;
        match (comment::read(text), self.records.last_mut()) {
            (Some(CommentScore::Mover(score)), Some(record)) => record.score = Some(score),
            (Some(CommentScore::White(score)), _) => self.announced = Some(score),
            _ => {}
        }
    }

    /// The records of the game, or the line and the reason of its fault.
    pub(super) fn finish(self) -> Result<Vec<Record<G>>, (u64, String)> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let mut records = self.records;
        for record in &mut records {
            let side = record.position.side_to_move();
            record.result = self.white.map(|white| turn_points(white, side));
        }
        Ok(records)
    }
}

/// The word without a leading move number: `12.`, `12...`, `12.e4`, `12`.
fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.is_empty() {
        return rest;
    }
    // `0-0` begins with a digit too.
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}
