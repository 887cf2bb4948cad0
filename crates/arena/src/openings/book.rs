//! Opening book: openings from a file, packed in memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::Path;

use dataset::formats::{Format, FormatError, Formats, open_source};
use games::ToolkitGame;

use super::OpeningsError;
use crate::game_record::Opening;

/// The maximum length of a line; no FEN is longer.
const MAX_LINE_BYTES: u64 = 4096;
/// Entries are numbered by 32 bits.
const MAX_ENTRIES: usize = u32::MAX as usize;

/// Packed openings: books have millions of entries.
#[derive(Clone, Debug)]
pub(super) struct Book<G: ToolkitGame> {
    /// Packed start positions, each followed by the codes of its moves.
    bytes: Vec<u8>,
    /// The offset of each entry, and the end of the last one.
    bounds: Vec<usize>,
    rules: Vec<(String, String)>,
    game: PhantomData<G>,
}

impl<G: ToolkitGame> Book<G> {
    pub(super) fn read(
        path: &Path,
        plies: Option<usize>,
        rules: &[(String, String)],
    ) -> Result<Self, OpeningsError> {
        let mut trial = G::start();
        for (name, value) in rules {
            trial.set(name, value)?;
        }
        let mut book =
            Self { bytes: Vec::new(), bounds: vec![0], rules: rules.to_vec(), game: PhantomData };
        if Formats::default().of_extension(path) == Some(Format::Pgn) {
            book.read_games(path, plies.unwrap_or(usize::MAX))?;
        } else {
            book.read_lines(path)?;
        }
        if book.len() == 0 {
            return Err(OpeningsError::Empty { path: path.to_owned() });
        }
        Ok(book)
    }

    pub(super) fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The entry with this index, which must exist.
    pub(super) fn get(&self, entry: usize) -> Opening<G> {
        let mut bytes = &self.bytes[self.bounds[entry]..self.bounds[entry + 1]];
        let mut start = G::unpack(0, &mut bytes).expect("it was packed when the book was read");
        for (name, value) in &self.rules {
            start.set(name, value).expect("it was set when the book was read");
        }
        let mut opening = Opening::at(start);
        let mut position = opening.start.clone();
        for code in bytes.as_chunks::<4>().0 {
            let mv = position.move_from_code(u32::from_le_bytes(*code));
            let mv = mv.expect("it was legal when the book was read");
            position.play(mv);
            opening.moves.push(mv);
        }
        opening
    }

    /// Adds an entry, unless the game is over there.
    fn add(&mut self, opening: &Opening<G>) -> Result<(), String> {
        if let Some(outcome) = opening.line().outcome() {
            return Err(format!("the game is over ({}); expected one to play", outcome.reason));
        }
        opening.start.pack(0, &mut self.bytes);
        let codes = opening.moves.iter().map(|&mv| G::move_code(mv));
        self.bytes.extend(codes.flat_map(u32::to_le_bytes));
        self.bounds.push(self.bytes.len());
        Ok(())
    }

    fn read_lines(&mut self, path: &Path) -> Result<(), OpeningsError> {
        let io = |source| OpeningsError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut buffer = Vec::new();
        for number in 1_u64.. {
            buffer.clear();
            let read = input.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut buffer);
            if read.map_err(io)? == 0 {
                break;
            }
            self.check_size(path)?;
            let line = line_of(&buffer);
            let added = line.and_then(|line| line.map_or(Ok(()), |line| self.add(&parse(line)?)));
            added.map_err(|fault| OpeningsError::Entry {
                path: path.to_owned(),
                place: format!("line {number}"),
                fault,
            })?;
        }
        Ok(())
    }

    fn read_games(&mut self, path: &Path, plies: usize) -> Result<(), OpeningsError> {
        let mut source = open_source::<G>(path, Format::Pgn, &[]).map_err(|e| refused(path, e))?;
        let entry = |place: String, fault: String| {
            let path = path.to_owned();
            OpeningsError::Entry { path, place, fault }
        };
        let mut reading: Option<(u32, Opening<G>)> = None;
        loop {
            let record = source.next().map_err(|error| refused(path, error))?;
            if let Some(fault) = source.faults().first.first() {
                return Err(entry(fault.place.clone(), fault.reason.clone()));
            }
            let goes_on = record.as_ref().map(|record| record.game);
            if let Some((game, opening)) = reading.take_if(|(game, _)| Some(*game) != goes_on) {
                self.check_size(path)?;
                let added = self.add(&opening);
                added.map_err(|fault| entry(format!("game {game}"), fault))?;
            }
            let Some(record) = record else { return Ok(()) };
            let (_, opening) =
                reading.get_or_insert_with(|| (record.game, Opening::at(record.position)));
            if opening.moves.len() < plies {
                opening.moves.extend(record.best_move);
            }
        }
    }

    fn check_size(&self, path: &Path) -> Result<(), OpeningsError> {
        let (path, most) = (path.to_owned(), MAX_ENTRIES);
        if self.len() >= most { Err(OpeningsError::TooLarge { path, most }) } else { Ok(()) }
    }
}

fn refused(path: &Path, error: FormatError) -> OpeningsError {
    let source = match error {
        FormatError::Io { source, .. } => source,
        other => std::io::Error::other(other),
    };
    OpeningsError::Io { path: path.to_owned(), source }
}

/// The text of a line, if it is not empty.
fn line_of(bytes: &[u8]) -> Result<Option<&str>, String> {
    if bytes.len() as u64 > MAX_LINE_BYTES {
        return Err(format!("longer than {MAX_LINE_BYTES} bytes; expected a FEN"));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| "not UTF-8; expected a FEN".to_owned())?;
    let text = text.trim();
    Ok((!text.is_empty() && !text.starts_with('#')).then_some(text))
}

/// Parses a FEN, or an EPD: the first four fields of a FEN, and operations that each end in a
/// semicolon. Operations are ignored.
fn parse<G: ToolkitGame>(line: &str) -> Result<Opening<G>, String> {
    let fen = line.trim_end_matches([';', ' ']);
    let whole = G::from_fen(fen);
    let position = whole.or_else(|fault| {
        let operations = line.contains(';');
        let words: Vec<_> = fen.split_whitespace().collect();
        let shorter = [6, 4].into_iter().filter(|&count| operations && count < words.len());
        let mut shorter = shorter.map(|count| G::from_fen(&words[..count].join(" ")));
        shorter.find_map(Result::ok).ok_or(fault)
    });
    position.map(Opening::at).map_err(|fault| fault.to_string())
}

#[cfg(test)]
mod tests {
    use games::Game;
    use std::io::Write;

    use games::chess::Chess;
    use games::hexchess::Hexchess;
    use tempfile::NamedTempFile;

    use super::*;
    use crate::Openings;

    fn file(ending: &str, text: &str) -> NamedTempFile {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn read(ending: &str, text: &str) -> Result<Openings<Chess>, OpeningsError> {
        Openings::read(file(ending, text).path(), None, &[])
    }

    const LINES: &str = "\u{feff}# a book\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n\
        r1bqk2r/ppppnpp1/1b5p/3Pp3/2B5/3PBN2/PPP2PPP/R2QK2R w KQkq - 1 9\r\n\
        4k3/8/8/8/8/8/8/R3K3 w Q - hmvc 3; id \"rook; and king\";\n\
        4k3/8/8/8/8/8/8/4K2R w K - 5 60;";

    #[test]
    fn lines_are_read_in_their_order_and_come_again() {
        let book = read(".epd", LINES).unwrap();
        assert_eq!(book.len(), 4);
        let fen = |number| book.get(number).start.to_fen();
        assert_eq!(fen(1), "r1bqk2r/ppppnpp1/1b5p/3Pp3/2B5/3PBN2/PPP2PPP/R2QK2R w KQkq - 1 9");
        assert_eq!(fen(2), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(fen(3), "4k3/8/8/8/8/8/8/4K2R w K - 5 60");
        assert_eq!(fen(4), fen(0));
    }

    #[test]
    fn a_seed_shuffles() {
        let lines = (1..=60).map(|n| format!("4k3/8/8/8/8/8/8/R3K3 w Q - 0 {n}\n"));
        let lines: String = lines.collect();
        let fens = |book: Openings<Chess>| -> Vec<String> {
            (0..60).map(|number| book.get(number).start.to_fen()).collect()
        };
        let shuffled = |seed| fens(read(".epd", &lines).unwrap().shuffled(seed));
        let plain = fens(read(".epd", &lines).unwrap());
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        assert_ne!(shuffled(1), plain);
        let [mut sorted, mut all] = [shuffled(1), plain];
        sorted.sort();
        all.sort();
        assert_eq!(sorted, all);
    }

    #[test]
    fn games_of_pgn_are_openings() {
        const GAMES: &str = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n\
            [Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n[Result \"*\"]\n\n1. O-O-O *\n";
        let book = read(".pgn", GAMES).unwrap();
        assert_eq!(book.len(), 2);
        assert_eq!(book.get(0).moves.len(), 4);
        assert!(book.get(0).line().position().to_fen().starts_with("r1bqkbnr/pppp1ppp/2n5/4p3"));
        let castled = book.get(1).line().position().to_fen();
        assert_eq!(castled, "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
        let short = Openings::<Chess>::read(file(".pgn", GAMES).path(), Some(1), &[]).unwrap();
        assert_eq!(short.get(0).moves.len(), 1);
    }

    #[test]
    fn faults_name_the_file_and_the_line() {
        let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
        let long = "8/".repeat(9000);
        for (ending, text, parts) in [
            (".epd", "\n8/8/8 w - - 0 1", ["line 2", "3 ranks"]),
            (".epd", "rubbish", ["line 1", "fields"]),
            (".epd", mate, ["line 1", "over (checkmate)"]),
            (".epd", &long, ["line 1", "longer than 4096"]),
            (".pgn", "[Event \"x\"]\n\n1. e4 e4 *\n", ["game 1, line 3", "not legal"]),
            (".pgn", "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# *\n", ["game 1", "over (checkmate)"]),
            (".epd", "", ["no openings", "FEN"]),
        ] {
            let fault = read(ending, text).unwrap_err().to_string();
            assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
            assert!(fault.contains(ending), "{fault}");
        }
    }

    #[test]
    fn rules_hold_for_every_entry() {
        let text = format!("{}\n", Hexchess::start().to_fen());
        let book = file(".epd", &text);
        let rules = [("stalemate".to_owned(), "1/2".to_owned())];
        let with = Openings::<Hexchess>::read(book.path(), None, &rules).unwrap();
        let without = Openings::<Hexchess>::read(book.path(), None, &[]).unwrap();
        assert_ne!(with.get(0), without.get(0));
        let wrong = [("stalemate".to_owned(), "7".to_owned())];
        assert!(Openings::<Hexchess>::read(book.path(), None, &wrong).is_err());
    }
}
