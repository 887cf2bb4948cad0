//! Chess and Chess960: the rules, built on the types and tables of [`cozy_chess`].
//!
//! This module adds a [`Board`] with a fast make move for the search, move generation, FEN parsing
//! and printing ([`Chess::from_fen`](Game::from_fen)), validation that names the fault of a
//! position, move notation, outcomes, symmetries, and the feature sets of networks.

mod board;
mod castling;
mod features;
mod fen;
mod generate;
mod keys;
mod kinds;
mod material;
mod notation;
mod pack;
mod san;
mod see;
mod sliders;
mod symmetry;
mod validate;

use cozy_chess::{BitBoard, BoardBuilder, Move, Piece, Rank, Square};

use keys::KEYS;
use kinds::Kinds;

use crate::{
    BoardGame, BoardGeometry, Capture, Color, FeatureSet, FeatureSetError, FenError, Game,
    GameScore, MoveError, MoveInfo, NamedValue, NotatedGame, Outcome, PackedGame, PolicyIndex,
    PolicyShape, SearchGame, Setting, SettingError, Threats, unknown_setting,
};

pub use board::Board;
pub use cozy_chess;

/// Name of the setting that writes castling moves as king takes rook.
const CHESS960: &str = "chess960";

/// A position of chess or Chess960.
///
/// Two positions are equal if their boards are equal. The setting `chess960` does not count, as it
/// only selects one of two notations for a castling move.
#[derive(Clone, Debug, Default)]
pub struct Chess {
    board: Board,
    /// Whether castling moves are written as king takes rook.
    chess960: bool,
}

impl Chess {
    /// The position in `builder`, or the error that [`from_fen`](Game::from_fen) returns for its
    /// FEN.
    ///
    /// The setting `chess960` is on if there are castling rights that standard chess does not have.
    pub fn from_builder(builder: &BoardBuilder) -> Result<Self, FenError> {
        validate::validate(builder)?;
        // cozy-chess makes the final check, in case `validate` has missed a fault.
        let board = builder.build().map_err(|error| FenError::illegal(error.to_string()))?;
        let board = Board::from(&board);
        let chess960 = !castling::is_standard(&board);
        Ok(Self { board, chess960 })
    }

    /// The Chess960 starting position with this number in Scharnagl's scheme (518 is standard
    /// chess), with the setting `chess960` on. Returns `None` for 960 and above.
    pub fn chess960_start(number: u32) -> Option<Self> {
        let board = (number < 960).then(|| cozy_chess::Board::chess960_startpos(number))?;
        Some(Self { board: Board::from(&board), chess960: true })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the setting `chess960` is on.
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Whether a legal en-passant capture exists. The board stores only the file of the last double
    /// step, whether or not a pawn can capture there.
    fn has_en_passant_capture(&self) -> bool {
        let Some(file) = self.board.en_passant() else { return false };
        let color = self.board.side_to_move();
        let to = en_passant_square(file, color);
        let pawns = self.board.colored_pieces(color, Piece::Pawn);
        let mut from = (cozy_chess::get_pawn_attacks(to, !color) & pawns).iter();
        from.any(|from| self.board.is_legal(Move { from, to, promotion: None }))
    }
}

impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl Eq for Chess {}

/// An example of a move, for error messages.
const MOVE_EXAMPLE: &str = "`e2e4` or `e7e8q`";

impl Game for Chess {
    type Move = Move;

    const NAME: &'static str = "chess";
    const REPETITIONS: Option<usize> = Some(3);
    const POLICY: PolicyShape = PolicyShape { from: 64, to: 64 };

    fn start() -> Self {
        Self::default()
    }

    /// Parses FEN, X-FEN or Shredder-FEN with four or six fields. Without the last two fields, the
    /// counters are 0 and 1. Any number of spaces may surround or separate fields.
    ///
    /// Castling letters are `KQkq` (the outermost rook on that side) or the file of the rook. An
    /// en-passant square is accepted after every double step, whether or not a pawn can capture
    /// there.
    fn from_fen(fen: &str) -> Result<Self, FenError> {
        Self::from_builder(&fen::parse(fen)?)
    }

    /// X-FEN: identical to FEN if the castling rights are those of standard chess.
    fn to_fen(&self) -> String {
        fen::write(&self.board)
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        color_of(self.board.side_to_move())
    }

    #[inline]
    fn hash(&self) -> u64 {
        let hash = self.board.hash();
        match self.board.en_passant() {
            Some(file) if self.has_en_passant_capture() => hash ^ KEYS.en_passant[file as usize],
            _ => hash,
        }
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        generate::all(&self.board, &mut visit);
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.board.play(mv);
    }

    fn outcome_without_moves(&self) -> Outcome {
        if self.is_check() {
            Outcome::new(self.side_to_move(), GameScore::LOSS, "checkmate")
        } else {
            Outcome::draw("stalemate")
        }
    }

    fn outcome_by_rule(&self) -> Option<Outcome> {
        if material::is_insufficient(&self.board) {
            Some(Outcome::draw("insufficient material"))
        } else if self.board.halfmove_clock() >= 100 {
            Some(Outcome::draw("fifty moves"))
        } else {
            None
        }
    }

    fn reversible_plies(&self) -> usize {
        usize::from(self.board.halfmove_clock())
    }

    fn move_text(&self, mv: Move) -> String {
        notation::text(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse(self, text)
    }

    fn move_code(mv: Move) -> u32 {
        notation::code(mv)
    }

    fn move_from_code(&self, code: u32) -> Option<Move> {
        notation::from_code(code).filter(|&mv| self.board.is_legal(mv))
    }

    /// Ranks are flipped for Black. For standard castling, the target is the square that the king
    /// lands on (g1, c1). For other castling it is the rook's square, which keeps the index
    /// distinct from that of a king step.
    fn policy_index(&self, mv: Move) -> PolicyIndex {
        let color = self.board.side_to_move();
        let to = castling::standard_target(&self.board, mv).unwrap_or(mv.to);
        PolicyIndex {
            from: mv.from.relative_to(color) as usize,
            to: to.relative_to(color) as usize,
        }
    }

    fn has_moves(&self) -> bool {
        generate::has_free_step(&self.board) || generate::has_any(&self.board)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv)
    }
}

impl BoardGame for Chess {
    const PIECES: &'static str = "PNBRQK";

    /// 64 squares from a1 = 0 and b1 = 1 to h8 = 63. Shade 0 is dark, the shade of a1.
    fn geometry() -> BoardGeometry {
        BoardGeometry::squares(8, 8)
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        let square = Square::try_index(cell)?;
        Some(fen::letter(self.board.piece_on(square)?, self.board.color_on(square)?))
    }

    #[inline]
    fn piece_count(&self) -> usize {
        self.board.occupied().len() as usize
    }

    /// `chess.piece-square-mirrored` accepts a table of king buckets as a parameter, as in
    /// `chess.piece-square-mirrored:0011/2233/4444/4444/4444/4444/4444/4444`.
    fn feature_set_names() -> Vec<String> {
        features::NAMES.iter().map(|&name| name.to_owned()).collect()
    }

    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        features::by_name(name)
    }

    fn piece_value(letter: char) -> Option<i32> {
        let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
        (piece != Piece::King).then(|| material::value(piece))
    }

    /// Also removes castling rights and an en-passant square that depend on the piece.
    fn without_piece(&self, cell: usize) -> Option<Self> {
        let square = Square::try_index(cell)?;
        let mut builder = self.board.to_builder();
        let (piece, color) = builder.square_mut(square).take()?;
        let rights = builder.castle_rights_mut(color);
        if piece == Piece::Rook && square.rank() == Rank::First.relative_to(color) {
            let others = |right: &cozy_chess::File| *right != square.file();
            rights.short = rights.short.filter(others);
            rights.long = rights.long.filter(others);
        }
        builder.en_passant = None;
        let without = Self::from_builder(&builder).ok()?;
        Some(Self { chess960: self.chess960, ..without })
    }
}

impl Chess {
    /// A set of squares from the perspective of the side to move.
    #[inline]
    fn seen(&self, squares: BitBoard) -> u128 {
        match self.board.side_to_move() {
            cozy_chess::Color::White => squares.0.into(),
            cozy_chess::Color::Black => squares.0.swap_bytes().into(),
        }
    }
}

impl SearchGame for Chess {
    /// Positions from self-play games, each of which began with six random plies.
    fn bench_fens() -> Vec<String> {
        include_str!("bench/chess.fens").lines().map(str::to_owned).collect()
    }

    #[inline]
    fn is_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// `None` if the side to move has only pawns and its king, because zugzwang is common there.
    fn null_move(&self) -> Option<Self> {
        let own = self.board.colors(self.board.side_to_move());
        let pieces = own & !self.board.pieces(Piece::Pawn) & !self.board.pieces(Piece::King);
        if pieces.is_empty() {
            return None;
        }
        Some(Self { board: self.board.null_move()?, chess960: self.chess960 })
    }

    fn capture(&self, mv: Move) -> Option<Capture> {
        let (victim, attacker) = (self.taken_kind(mv)?, self.moved_kind(mv));
        let [victim, attacker] = [victim, attacker].map(material::value_of_kind);
        Some(Capture { victim, attacker })
    }

    fn promotion_gain(&self, mv: Move) -> i32 {
        mv.promotion.map_or(0, |piece| material::value(piece) - material::value(Piece::Pawn))
    }

    const PIECE_KINDS: usize = Piece::NUM;

    #[inline]
    fn moved_kind(&self, mv: Move) -> usize {
        Kinds::of(&self.board).on(mv.from)
    }

    #[inline]
    fn taken_kind(&self, mv: Move) -> Option<usize> {
        generate::taken_kind(&self.board, Kinds::of(&self.board), mv)
    }

    fn see_ge_by_kind(
        &self,
        mv: Move,
        kind: usize,
        taken: Option<usize>,
        threshold: i32,
    ) -> Option<bool> {
        Some(see::gains(&self.board, mv, kind, taken, threshold))
    }

    fn threats(&self, least: i32) -> Threats {
        let attacked = see::attacked(&self.board);
        let threatened = see::threatened(&self.board, least, attacked);
        Threats { threatened: self.seen(threatened), attacked: self.seen(attacked) }
    }

    #[inline]
    fn attacked_cells(&self) -> u128 {
        self.seen(see::attacked(&self.board))
    }

    fn gives_check(&self, mv: Move) -> bool {
        see::gives_check(&self.board, mv, self.moved_kind(mv))
    }

    #[inline]
    fn correction_keys(&self) -> [u64; 3] {
        self.board.correction_keys().map(u64::from)
    }

    #[inline]
    fn for_each_quiet_move(&self, mut visit: impl FnMut(Move)) {
        generate::quiet(self, |move_info| visit(move_info.mv));
    }

    #[inline]
    fn move_info(&self, mv: Move) -> MoveInfo<Move> {
        generate::move_info(&self.board, mv)
    }

    #[inline]
    fn for_each_noisy(&self, visit: impl FnMut(MoveInfo<Move>)) {
        generate::noisy(self, visit);
    }

    #[inline]
    fn for_each_quiet(&self, visit: impl FnMut(MoveInfo<Move>)) {
        generate::quiet(self, visit);
    }

    fn for_each_quiet_check(&self, visit: impl FnMut(MoveInfo<Move>)) {
        generate::quiet_checks(self, visit);
    }
}

impl PackedGame for Chess {
    fn pack(&self, ply: u16, bytes: &mut Vec<u8>) {
        pack::pack(&self.board, ply, bytes);
    }

    fn unpack(ply: u16, bytes: &mut &[u8]) -> Option<Self> {
        pack::unpack(ply, bytes)
    }
}

impl NotatedGame for Chess {
    fn san(&self, mv: Move) -> String {
        san::write(self, mv)
    }

    fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        san::read(self, text)
    }

    fn variant_tag(&self) -> Option<&'static str> {
        self.chess960.then_some("fischerandom")
    }

    fn settings_of_variant(tag: Option<&str>) -> Option<&'static [NamedValue]> {
        const STANDARD: [&str; 4] = ["chess", "standard", "normal", "from position"];
        const FISCHER_RANDOM: [&str; 6] =
            ["chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "frc"];
        let tag = tag.unwrap_or("standard").to_ascii_lowercase();
        match tag.as_str() {
            tag if STANDARD.contains(&tag) => Some(&[]),
            tag if FISCHER_RANDOM.contains(&tag) => Some(&[(CHESS960, "true")]),
            _ => None,
        }
    }

    fn uci_options(&self) -> &'static [NamedValue] {
        if self.chess960 { &[("UCI_Chess960", "true")] } else { &[("UCI_Chess960", "false")] }
    }

    fn settings() -> &'static [Setting] {
        &[Setting {
            name: CHESS960,
            values: &["false", "true"],
            about: "castling moves are written as the king taking its rook (e1h1, not e1g1)",
        }]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        if name != CHESS960 {
            return Err(unknown_setting::<Self>(name));
        }
        self.chess960 = value.parse().map_err(|_| SettingError::Value {
            name: CHESS960,
            value: value.to_owned(),
            expected: "`false` or `true`",
        })?;
        Ok(())
    }
}

/// Converts a colour of cozy-chess.
#[inline]
fn color_of(color: cozy_chess::Color) -> Color {
    match color {
        cozy_chess::Color::White => Color::White,
        cozy_chess::Color::Black => Color::Black,
    }
}

/// The target square of an en-passant capture by a pawn of `color` on `file`.
fn en_passant_square(file: cozy_chess::File, color: cozy_chess::Color) -> Square {
    Square::new(file, Rank::Sixth.relative_to(color))
}
