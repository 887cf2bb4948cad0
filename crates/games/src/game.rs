//! What a game is, to everything that is not the game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{BoardGeometry, FeatureSet, FeatureSetError, FenError, MoveError, SettingError};

/// One of the two players. The player who begins the standard game is `White`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// The player who begins.
    White,
    /// The other one.
    Black,
}

impl Color {
    /// Both, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];
}

impl std::ops::Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// A share of the point that a game is worth, in quarters: Gliński's stalemate is worth ¾ to one side
/// and ¼ to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Points(u8);

impl Points {
    /// The whole point.
    pub const WIN: Self = Self(4);
    /// Half of it.
    pub const DRAW: Self = Self(2);
    /// Nothing.
    pub const LOSS: Self = Self(0);

    /// A number of quarters, at most four.
    pub const fn quarters(quarters: u8) -> Option<Self> {
        if quarters <= 4 { Some(Self(quarters)) } else { None }
    }

    /// The number of quarters, 0 to 4.
    pub const fn as_quarters(self) -> u8 {
        self.0
    }

    /// The share, 0.0 to 1.0.
    pub fn as_f32(self) -> f32 {
        f32::from(self.0) / 4.0
    }

    /// What is left for the other player.
    #[must_use]
    pub const fn rest(self) -> Self {
        Self(4 - self.0)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// White's share.
    pub white: Points,
    /// Why, in a word or two: `checkmate`, `stalemate`, `fifty moves`.
    pub reason: &'static str,
}

impl Outcome {
    /// `side` gets `points`, the other player the rest.
    pub const fn new(side: Color, points: Points, reason: &'static str) -> Self {
        let white = match side {
            Color::White => points,
            Color::Black => points.rest(),
        };
        Self { white, reason }
    }

    /// Half a point each.
    pub const fn draw(reason: &'static str) -> Self {
        Self { white: Points::DRAW, reason }
    }

    /// The share of `side`.
    pub const fn points(self, side: Color) -> Points {
        match side {
            Color::White => self.white,
            Color::Black => self.white.rest(),
        }
    }
}

/// How many outputs a policy head has for the cell that a move leaves and for the one it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyShape {
    /// Cells that a move can leave. 1 where nothing moves on the board, only onto it.
    pub from: usize,
    /// Cells that a move can enter.
    pub to: usize,
}

/// The outputs of a policy head that a move belongs to, as the mover sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyIndex {
    /// Below [`PolicyShape::from`].
    pub from: usize,
    /// Below [`PolicyShape::to`].
    pub to: usize,
}

/// What a capture takes and with what, in hundredths of a pawn; for ordering moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Value of the piece that is taken.
    pub victim: i32,
    /// Value of the piece that takes it.
    pub attacker: i32,
}

/// Where the mover's pieces are in danger: a bit for each of the first 128 cells, as the mover sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dangers {
    /// Pieces that the enemy, if it were its turn, would win by taking them, cheapest piece first; by [`PolicyIndex::from`].
    pub threatened: u128,
    /// Cells that the enemy attacks, or would attack if one of the mover's pieces left its cell; by [`PolicyIndex::to`]. An exchange on
    /// any other cell takes nothing from the mover.
    pub attacked: u128,
}

impl Dangers {
    /// Of a game that cannot tell.
    pub const UNKNOWN: Self = Self { threatened: 0, attacked: u128::MAX };
}

/// A legal move, with what a search wants to know of each. Generators know most of it anyway, so they tell it along with
/// the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described<M> {
    /// The move.
    pub mv: M,
    /// Its cells, as the mover sees the board; see [`Game::policy_index`].
    pub index: PolicyIndex,
    /// See [`Game::moved_kind`].
    pub kind: usize,
    /// See [`Game::taken_kind`].
    pub taken: Option<usize>,
    /// What it captures and what it gains by turning into another piece, in hundredths of a pawn.
    pub gain: i32,
    /// Whether it is quiet and gives check. Of captures and promotions this is not asked.
    pub check: bool,
}

impl<M> Described<M> {
    /// Whether it captures or promotes.
    #[inline]
    pub fn is_tactical(&self) -> bool {
        self.taken.is_some() || self.gain != 0
    }
}

/// A rule that is played in more than one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name, for example `stalemate`.
    pub name: &'static str,
    /// The values that it takes, the default first.
    pub values: &'static [&'static str],
    /// What it decides, in one line.
    pub about: &'static str,
}

/// A position of a two-player game of perfect information, and the rules that lead on from it.
///
/// Positions are values: `clone`, then `play`. A position knows nothing of the moves that led to it;
/// [`Line`](crate::Line) adds that history and with it draws by repetition.
///
/// Positions are checked where they are made ([`from_fen`](Game::from_fen)), so every method may rely on
/// a position that can be played. The methods with a body are capabilities that a game may lack.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// A move. It means something only together with the position that it was generated for.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The name on the command line and in files.
    const NAME: &'static str;

    /// How often a position must have occurred for the game to be drawn, if it can occur again at all.
    const REPETITIONS: Option<usize>;

    /// The shape of a policy head for this game.
    const POLICY: PolicyShape;

    /// Where the game begins.
    fn start() -> Self;

    /// Reads a position and refuses it, naming the fault, unless it can be played.
    fn from_fen(fen: &str) -> Result<Self, FenError>;

    /// The position as text that [`from_fen`](Game::from_fen) reads back.
    fn to_fen(&self) -> String;

    /// Who plays next.
    fn side_to_move(&self) -> Color;

    /// A hash that is equal for positions with the same pieces, side to move and possible moves.
    fn hash(&self) -> u64;

    /// Calls `visit` with each legal move. There is none when the game has ended by the position itself.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));

    /// Plays a move.
    ///
    /// The move must be legal: one that [`for_each_move`](Game::for_each_move) or
    /// [`parse_move`](Game::parse_move) gave for this very position. Anything else may panic or
    /// give a position that is not one of the game.
    fn play(&mut self, mv: Self::Move);

    /// What it means that the side to move has no legal move.
    fn outcome_without_moves(&self) -> Outcome;

    /// Whether the game is over although there are legal moves: too many without progress, too little
    /// material. Repetition is [`Line`](crate::Line)'s.
    fn outcome_by_rule(&self) -> Option<Outcome> {
        None
    }

    /// How many plies ago the last move was played that cannot be taken back, such as a capture: how far
    /// back an equal position can be. 0 where no position can occur again.
    fn reversible_plies(&self) -> usize {
        0
    }

    /// The move as text, in the form that UCI uses where UCI knows the game.
    fn move_text(&self, mv: Self::Move) -> String;

    /// A text that is a move of this game, for error messages.
    const MOVE_EXAMPLE: &'static str;

    /// Reads a legal move.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let found = self.legal_moves().into_iter().find(|&mv| self.move_text(mv) == text);
        found.ok_or_else(|| MoveError::illegal(text, self.to_fen()))
    }

    /// A number for the move, for tables and files. Distinct for the legal moves of one position.
    fn move_code(mv: Self::Move) -> u32;

    /// The legal move with this number, if there is one. The number may come from anywhere.
    fn move_from_code(&self, code: u32) -> Option<Self::Move> {
        self.legal_moves().into_iter().find(|&mv| Self::move_code(mv) == code)
    }

    /// The policy outputs of a move, as the mover sees the board.
    fn policy_index(&self, mv: Self::Move) -> PolicyIndex;

    /// The board, for drawing.
    fn geometry() -> BoardGeometry;

    /// The letter of the piece on a cell of [`geometry`](Game::geometry), upper case for White.
    fn piece_on(&self, cell: usize) -> Option<char>;

    /// How many pieces are on the board, both sides together.
    fn piece_count(&self) -> usize;

    /// The names of the game's feature sets, the simplest first. A name that ends in `:…` takes a
    /// parameter there.
    fn feature_set_names() -> &'static [&'static str];

    /// The feature set of that name.
    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError>;

    // What a game may lack.

    /// Whether the side to move must answer an attack on its king.
    fn is_check(&self) -> bool {
        false
    }

    /// The position after passing, where passing would be a fair question to ask of a search: `None` if the
    /// game does not know it, or now is not the time, as in check.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// What the move captures, if it captures.
    fn capture(&self, _mv: Self::Move) -> Option<Capture> {
        None
    }

    /// What the move gains by turning the moved piece into another, in hundredths of a pawn.
    fn promotion_gain(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// What a piece of this letter (upper case) is worth, in hundredths of a pawn; `None` if it is never lost, as a king,
    /// or there is no such piece.
    fn piece_value(_letter: char) -> Option<i32> {
        None
    }

    /// How many kinds of pieces there are, for tables that learn during a search.
    const PIECE_KINDS: usize = 1;

    /// The kind of the piece that a legal move moves, below [`PIECE_KINDS`](Game::PIECE_KINDS).
    fn moved_kind(&self, _mv: Self::Move) -> usize {
        0
    }

    /// The kind of the piece that a legal move captures, if it captures.
    fn taken_kind(&self, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// Whether a legal move gains at least `threshold` hundredths of a pawn when both sides go on capturing on the cell that
    /// it enters, cheapest piece first, for as long as it pays them. `None` if the game cannot tell.
    ///
    /// `kind` and `taken` are what [`moved_kind`](Game::moved_kind) and [`taken_kind`](Game::taken_kind) say of the move.
    fn exchange_gains_by_kind(
        &self,
        _mv: Self::Move,
        _kind: usize,
        _taken: Option<usize>,
        _threshold: i32,
    ) -> Option<bool> {
        None
    }

    /// Where the mover's pieces are in danger. `least` is what the enemy must gain by taking a piece for it to be threatened, in
    /// hundredths of a pawn.
    fn dangers(&self, _least: i32) -> Dangers {
        Dangers::UNKNOWN
    }

    /// Whether a legal move attacks the enemy's king. False where the game has no such thing, or cannot tell for less than
    /// playing the move.
    fn gives_check(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Hashes of parts of the position, such as its pawns: positions that agree in one of them tend to be misjudged
    /// alike. 0 for a part that the game does not have.
    fn aspects(&self) -> [u64; 3] {
        [0; 3]
    }

    /// The position without the piece on a cell, if it can be played: to ask what the piece is worth.
    fn without_piece(&self, _cell: usize) -> Option<Self> {
        None
    }

    /// Appends the position in a form for files that is as short as the game can make it. The default is the
    /// FEN behind its length.
    ///
    /// `ply` is how many moves had been played before: the reader knows it too, so that a move number that
    /// follows from it need not be written. [`unpack`](Game::unpack) gives an equal position for the same `ply`.
    fn pack(&self, _ply: u16, bytes: &mut Vec<u8>) {
        let fen = self.to_fen();
        bytes.extend((fen.len() as u16).to_le_bytes());
        bytes.extend(fen.as_bytes());
    }

    /// Reads what [`pack`](Game::pack) wrote from the front of `bytes`, and leaves what follows it. The bytes may
    /// come from anywhere: `None` unless they are a position that can be played.
    fn unpack(_ply: u16, bytes: &mut &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (fen, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
        let position = Self::from_fen(std::str::from_utf8(fen).ok()?).ok()?;
        *bytes = rest;
        Some(position)
    }

    /// The rules that can be set.
    fn settings() -> &'static [Setting] {
        &[]
    }

    /// Sets one of [`settings`](Game::settings) for this position and all that follow from it.
    fn set(&mut self, name: &str, _value: &str) -> Result<(), SettingError> {
        Err(unknown_setting::<Self>(name))
    }

    /// Calls `visit` with each legal move that captures or promotes.
    fn for_each_tactical(&self, mut visit: impl FnMut(Self::Move)) {
        self.for_each_move(|mv| {
            if self.is_tactical(mv) {
                visit(mv);
            }
        });
    }

    /// Calls `visit` with each legal move that neither captures nor promotes.
    fn for_each_quiet(&self, mut visit: impl FnMut(Self::Move)) {
        self.for_each_move(|mv| {
            if !self.is_tactical(mv) {
                visit(mv);
            }
        });
    }

    /// Tells what a search wants to know of a legal move.
    fn describe(&self, mv: Self::Move) -> Described<Self::Move> {
        let taken = self.taken_kind(mv);
        let promotion = self.promotion_gain(mv);
        let quiet = taken.is_none() && promotion == 0;
        Described {
            mv,
            index: self.policy_index(mv),
            kind: self.moved_kind(mv),
            taken,
            gain: promotion + self.capture(mv).map_or(0, |capture| capture.victim),
            check: quiet && self.gives_check(mv),
        }
    }

    /// Like [`for_each_tactical`](Game::for_each_tactical), each as [`describe`](Game::describe) would tell it.
    fn describe_tactical(&self, mut visit: impl FnMut(Described<Self::Move>)) {
        self.for_each_tactical(|mv| visit(self.describe(mv)));
    }

    /// Like [`for_each_quiet`](Game::for_each_quiet), each as [`describe`](Game::describe) would tell it.
    fn describe_quiet(&self, mut visit: impl FnMut(Described<Self::Move>)) {
        self.for_each_quiet(|mv| visit(self.describe(mv)));
    }

    /// Those of [`describe_quiet`](Game::describe_quiet) that give check.
    fn describe_checks(&self, mut visit: impl FnMut(Described<Self::Move>)) {
        self.describe_quiet(|described| {
            if described.check {
                visit(described);
            }
        });
    }

    // What follows from the above.

    /// [`exchange_gains_by_kind`](Game::exchange_gains_by_kind) of a move whose kinds are not known yet.
    fn exchange_gains(&self, mv: Self::Move, threshold: i32) -> Option<bool> {
        self.exchange_gains_by_kind(mv, self.moved_kind(mv), self.taken_kind(mv), threshold)
    }

    /// Whether a legal move captures or promotes.
    fn is_tactical(&self, mv: Self::Move) -> bool {
        self.taken_kind(mv).is_some() || self.promotion_gain(mv) != 0
    }

    /// The legal moves, in a list of their own.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// Whether there is a legal move.
    fn has_moves(&self) -> bool {
        let mut any = false;
        self.for_each_move(|_| any = true);
        any
    }

    /// Whether a move, perhaps made for another position, is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut legal = false;
        self.for_each_move(|other| legal |= other == mv);
        legal
    }

    /// Whether and how the game is over, leaving aside repetition.
    fn outcome(&self) -> Option<Outcome> {
        if self.has_moves() { self.outcome_by_rule() } else { Some(self.outcome_without_moves()) }
    }
}

/// The error for a setting that `G` does not have.
pub(crate) fn unknown_setting<G: Game>(name: &str) -> SettingError {
    let names: Vec<_> = G::settings().iter().map(|setting| setting.name).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    SettingError::Unknown { game: G::NAME, name: name.to_owned(), known }
}
