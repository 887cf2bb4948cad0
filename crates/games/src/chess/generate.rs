//! Captures and promotions, and the other moves, each told with what a search wants to know of it.
//!
//! `cozy_chess` makes all moves at once. A search mostly needs a part of them, and asks of each which piece it moves,
//! what it takes and whether it gives check: what is known here for all moves of a piece at once.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Color, File, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_pawn_quiets,
    get_rook_rays,
};

use super::kinds::Kinds;
use super::material::{value, value_of_kind};
use super::sliders::{bishop_moves, rook_moves};
use super::{Board, Chess, castling, en_passant_square, exchange};
use crate::{Described, PolicyIndex};

/// Moves that enter squares of a set: those of one piece, or of pawns that all go the same way.
#[derive(Clone, Copy)]
struct Group {
    piece: Piece,
    /// The square that is left is this more (modulo 64) than as much of the square that is entered as `along` lets through: all of
    /// it for pawns, nothing for a piece, which leaves the same square whatever it enters. So both are one piece of program
    /// without a branch.
    from: u8,
    along: u8,
    to: BitBoard,
    /// Whether it is castling, or a capture in passing.
    special: bool,
}

impl Group {
    #[inline]
    fn of_piece(piece: Piece, from: Square, to: BitBoard) -> Self {
        Self { piece, from: from as u8, along: 0, to, special: false }
    }

    /// Pawns that each stood that many squares before the one that they enter.
    #[inline]
    fn of_pawns(to: BitBoard, step: i8) -> Self {
        Self { piece: Piece::Pawn, from: step.wrapping_neg() as u8, along: 63, to, special: false }
    }

    /// The square from which one is entered.
    #[inline]
    fn from(&self, to: Square) -> Square {
        let number = (to as u8 & self.along).wrapping_add(self.from);
        Square::ALL[usize::from(number) % Square::NUM]
    }
}

/// One for each of 16 pieces, two for castling or for captures in passing, and four for pawns together.
const MOST_GROUPS: usize = 22;

/// The moves of all pieces. They are gathered before they are told, so that what is done with a move stands at one place
/// in the program: it is then compiled into the loop, not called.
type Groups = ArrayVec<Group, MOST_GROUPS>;

/// Tells what is known of one move.
#[inline]
pub(super) fn describe(board: &Board, mv: Move) -> Described<Move> {
    let side = board.side_to_move();
    let kinds = Kinds::of(board);
    let kind = kinds.on(mv.from);
    let taken = taken_kind(board, kinds, mv);
    let shown = castling::standard_target(board, mv).unwrap_or(mv.to);
    let promoted = mv.promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
    let quiet = taken.is_none() && mv.promotion.is_none();
    Described {
        mv,
        index: index(side, mv.from, shown),
        kind,
        taken,
        gain: taken.map_or(0, value_of_kind) + promoted,
        check: quiet && exchange::gives_check(board, mv, kind),
    }
}

/// The kind of the piece that a legal move takes.
#[inline]
pub(super) fn taken_kind(board: &Board, kinds: Kinds, mv: Move) -> Option<usize> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return Some(kinds.on(mv.to));
    }
    // A pawn that changes its file takes something, perhaps in passing.
    let pawn = Piece::Pawn as usize;
    (mv.from.file() != mv.to.file() && kinds.on(mv.from) == pawn).then_some(pawn)
}

/// Calls `visit` with each legal move that captures or promotes.
#[inline]
pub(super) fn tactical(position: &Chess, mut visit: impl FnMut(Described<Move>)) {
    let board = &position.board;
    let side = board.side_to_move();
    let enemies = board.colors(!side);
    let last = Rank::Eighth.relative_to(side).bitboard();
    let mut maker = Maker::new(board);
    maker.captures(enemies, maker.pinned);
    if !(behind(last, side) & board.colored_pieces(side, Piece::Pawn)).is_empty() {
        maker.pushes(last, maker.pinned);
    }
    maker.passing();
    maker.pieces(enemies);
    let kinds = Kinds::of(board);
    for group in &maker.groups {
        for to in group.to {
            let from = group.from(to);
            let taken = if group.special {
                Some(Piece::Pawn as usize)
            } else {
                enemies.has(to).then(|| kinds.on(to))
            };
            let gain = taken.map_or(0, value_of_kind);
            let promotes = group.piece == Piece::Pawn && last.has(to);
            let mut promotion = promotes.then_some(Piece::Knight);
            loop {
                let promoted = promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
                visit(Described {
                    mv: Move { from, to, promotion },
                    index: index(side, from, to),
                    kind: group.piece as usize,
                    taken,
                    gain: gain + promoted,
                    check: false,
                });
                promotion = match promotion {
                    Some(Piece::Knight) => Some(Piece::Bishop),
                    Some(Piece::Bishop) => Some(Piece::Rook),
                    Some(Piece::Rook) => Some(Piece::Queen),
                    _ => break,
                };
            }
        }
    }
}

/// Calls `visit` with each legal move that neither captures nor promotes.
#[inline]
pub(super) fn quiet(position: &Chess, visit: impl FnMut(Described<Move>)) {
    quiet_or_checks::<false>(position, visit);
}

/// Calls `visit` with those that give check.
#[inline]
pub(super) fn quiet_checks(position: &Chess, visit: impl FnMut(Described<Move>)) {
    quiet_or_checks::<true>(position, visit);
}

#[inline]
fn quiet_or_checks<const CHECKS: bool>(position: &Chess, mut visit: impl FnMut(Described<Move>)) {
    let board = &position.board;
    let side = board.side_to_move();
    let last = Rank::Eighth.relative_to(side).bitboard();
    let empty = !board.occupied();
    let checks = Checks::of(board);
    let mut maker = Maker::new(board);
    // Pawns that may give check by leaving their square are looked at one by one.
    maker.pushes(empty & !last, maker.pinned | checks.barring);
    maker.pieces(empty);
    maker.castling();
    for group in &maker.groups {
        let checking = checks.squares(group);
        // Where castling gives check is not known by its squares.
        let wanted = if CHECKS && !group.special { group.to & checking } else { group.to };
        for to in wanted {
            let mv = Move { from: group.from(to), to, promotion: None };
            let (shown, check) = if group.special {
                let shown = castling::standard_target(board, mv).unwrap_or(to);
                (shown, exchange::gives_check(board, mv, Piece::King as usize))
            } else {
                (to, CHECKS || checking.has(to))
            };
            if CHECKS && !check {
                continue;
            }
            visit(Described {
                mv,
                index: index(side, mv.from, shown),
                kind: group.piece as usize,
                taken: None,
                gain: 0,
                check,
            });
        }
    }
}

/// Calls `visit` with each legal move.
pub(super) fn all(board: &Board, mut visit: impl FnMut(Move)) {
    let last = Rank::Eighth.relative_to(board.side_to_move()).bitboard();
    for group in all_groups(board) {
        for to in group.to {
            let from = group.from(to);
            if group.piece == Piece::Pawn && last.has(to) {
                for promotion in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                    visit(Move { from, to, promotion: Some(promotion) });
                }
            } else {
                visit(Move { from, to, promotion: None });
            }
        }
    }
}

/// Whether there is any legal move.
pub(super) fn has_any(board: &Board) -> bool {
    !all_groups(board).is_empty()
}

/// The moves of all pieces.
fn all_groups(board: &Board) -> Groups {
    let mut maker = Maker::new(board);
    maker.pushes(BitBoard::FULL, maker.pinned);
    maker.captures(board.colors(!board.side_to_move()), maker.pinned);
    maker.passing();
    maker.pieces(!board.colors(board.side_to_move()));
    maker.castling();
    maker.groups
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "a handful of instructions for each move")]
fn index(side: Color, from: Square, to: Square) -> PolicyIndex {
    // Ranks are turned round for Black.
    let flip = 56 * side as usize;
    PolicyIndex { from: from as usize ^ flip, to: to as usize ^ flip }
}

/// The squares that pawns on `squares` step to.
#[inline]
fn before(squares: BitBoard, side: Color) -> BitBoard {
    behind(squares, !side)
}

/// The squares from which a pawn steps to one of `squares`.
#[inline]
fn behind(squares: BitBoard, side: Color) -> BitBoard {
    BitBoard(if side == Color::White { squares.0 >> 8 } else { squares.0 << 8 })
}

/// Whether a pawn can step forward that neither a pin nor a check hinders: a legal move that is quickly seen.
#[inline]
pub(super) fn has_free_step(board: &Board) -> bool {
    let side = board.side_to_move();
    // Only what stands on a line with its king can be pinned.
    let king = board.king(side);
    let lines = get_bishop_rays(king) | get_rook_rays(king);
    let pawns = board.colored_pieces(side, Piece::Pawn) & !lines;
    board.checkers().is_empty() && !(behind(!board.occupied(), side) & pawns).is_empty()
}

/// Gathers moves.
struct Maker<'a> {
    board: &'a Board,
    groups: Groups,
    king: Square,
    /// The squares whose entering answers a check.
    answers: BitBoard,
    /// What cannot leave its line with the king.
    pinned: BitBoard,
}

impl<'a> Maker<'a> {
    #[inline]
    fn new(board: &'a Board) -> Self {
        let king = board.king(board.side_to_move());
        let checkers = board.checkers();
        let answers = match checkers.next_square() {
            None => BitBoard::FULL,
            // Against two checkers only the king can move.
            Some(_) if checkers.0 & checkers.0.wrapping_sub(1) != 0 => BitBoard::EMPTY,
            Some(checker) => get_between_rays(checker, king) | checkers,
        };
        Self { board, groups: Groups::new(), king, answers, pinned: board.pinned() }
    }

    /// Adds a group. There is room for all that a position can have.
    #[inline]
    fn add(&mut self, group: Group) {
        let added = self.groups.try_push(group);
        debug_assert!(added.is_ok(), "too many groups");
    }

    /// Adds those squares of a group that it may enter, if there are any.
    #[inline]
    fn add_if_any(&mut self, group: Group) {
        if !group.to.is_empty() {
            self.add(group);
        }
    }

    /// Adds the moves of pieces of a kind, which stay on their line if they are pinned.
    #[inline]
    fn each(&mut self, piece: Piece, movers: BitBoard, reach: impl Fn(Square) -> BitBoard) {
        for from in movers {
            let mut to = reach(from) & self.answers;
            if self.pinned.has(from) {
                to &= get_line_rays(self.king, from);
            }
            self.add_if_any(Group::of_piece(piece, from, to));
        }
    }

    /// Adds steps of pawns that enter `targets`, one by one for those of `apart`.
    #[inline]
    fn pushes(&mut self, targets: BitBoard, apart: BitBoard) {
        let (board, side) = (self.board, self.board.side_to_move());
        let pawns = board.colored_pieces(side, Piece::Pawn);
        let occupied = board.occupied();
        let once = before(pawns & !apart, side) & !occupied;
        let third = Rank::Third.relative_to(side).bitboard();
        let twice = before(once & third, side) & !occupied;
        let targets_in_check = targets & self.answers;
        let step = if side == Color::White { 8 } else { -8 };
        self.add_if_any(Group::of_pawns(once & targets_in_check, step));
        self.add_if_any(Group::of_pawns(twice & targets_in_check, 2 * step));
        self.each(Piece::Pawn, pawns & apart, |from| {
            get_pawn_quiets(from, side, occupied) & targets
        });
    }

    /// Adds captures of `victims` by pawns, one by one for those of `apart`.
    #[inline]
    fn captures(&mut self, victims: BitBoard, apart: BitBoard) {
        let (board, side) = (self.board, self.board.side_to_move());
        let pawns = board.colored_pieces(side, Piece::Pawn);
        let ahead = before(pawns & !apart, side);
        let left = BitBoard((ahead & !File::A.bitboard()).0 >> 1);
        let right = BitBoard((ahead & !File::H.bitboard()).0 << 1);
        let taken = victims & self.answers;
        let step = if side == Color::White { 8 } else { -8 };
        self.add_if_any(Group::of_pawns(left & taken, step - 1));
        self.add_if_any(Group::of_pawns(right & taken, step + 1));
        self.each(Piece::Pawn, pawns & apart, |from| get_pawn_attacks(from, side) & victims);
    }

    /// Adds the moves of other pieces that enter `targets`, but for castling.
    // Not compiled into those who ask: there are several, and it is large.
    #[inline(never)]
    fn pieces(&mut self, targets: BitBoard) {
        let (board, king) = (self.board, self.king);
        let occupied = board.occupied();
        let own = |piece: Piece| board.colored_pieces(board.side_to_move(), piece);
        self.each(Piece::Knight, own(Piece::Knight), |from| get_knight_moves(from) & targets);
        let diagonal = |from| bishop_moves(from, occupied) & targets;
        let straight = |from| rook_moves(from, occupied) & targets;
        self.each(Piece::Bishop, own(Piece::Bishop), diagonal);
        self.each(Piece::Rook, own(Piece::Rook), straight);
        self.each(Piece::Queen, own(Piece::Queen), |from| diagonal(from) | straight(from));
        let safe = |to: &Square| is_safe(board, *to, occupied ^ king.bitboard());
        let to = (get_king_moves(king) & targets).iter().filter(safe).collect();
        self.add_if_any(Group::of_piece(Piece::King, king, to));
    }

    /// Adds castling, where it is legal.
    #[inline]
    fn castling(&mut self) {
        for rook in self.board.castling_rooks() {
            if self.board.can_castle(rook) {
                let group = Group::of_piece(Piece::King, self.king, rook.bitboard());
                self.add(Group { special: true, ..group });
            }
        }
    }

    /// Adds captures in passing, where they are legal.
    #[inline]
    fn passing(&mut self) {
        let Some(file) = self.board.en_passant() else { return };
        let side = self.board.side_to_move();
        let to = en_passant_square(file, side);
        let pawns = self.board.colored_pieces(side, Piece::Pawn);
        for from in get_pawn_attacks(to, !side) & pawns {
            if self.board.leaves_king_safe(Piece::Pawn, Move { from, to, promotion: None }) {
                let group = Group::of_piece(Piece::Pawn, from, to.bitboard());
                self.add(Group { special: true, ..group });
            }
        }
    }
}

/// Whether the king of the side to move would not be attacked on a square.
#[inline]
fn is_safe(board: &Board, square: Square, occupied: BitBoard) -> bool {
    let side = board.side_to_move();
    let enemies = board.colors(!side);
    let queens = board.pieces(Piece::Queen);
    let steps = get_knight_moves(square) & board.pieces(Piece::Knight)
        | get_king_moves(square) & board.pieces(Piece::King)
        | get_pawn_attacks(square, side) & board.pieces(Piece::Pawn);
    if !(steps & enemies).is_empty() {
        return false;
    }
    // Mostly no slider stands on any of the rays.
    let diagonal = (board.pieces(Piece::Bishop) | queens) & enemies;
    let straight = (board.pieces(Piece::Rook) | queens) & enemies;
    ((get_bishop_rays(square) & diagonal).is_empty()
        || (bishop_moves(square, occupied) & diagonal).is_empty())
        && ((get_rook_rays(square) & straight).is_empty()
            || (rook_moves(square, occupied) & straight).is_empty())
}

/// From where the enemy's king can be checked.
struct Checks {
    king: Square,
    /// The squares from which a piece of each kind attacks it.
    direct: [BitBoard; Piece::NUM],
    /// Own pieces that bar the way of an own slider.
    barring: BitBoard,
}

impl Checks {
    #[inline]
    fn of(board: &Board) -> Self {
        let side = board.side_to_move();
        let (own, occupied) = (board.colors(side), board.occupied());
        let king = board.king(!side);
        let (diagonal, straight) = (bishop_moves(king, occupied), rook_moves(king, occupied));
        let queens = board.pieces(Piece::Queen);
        let behind = get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens)
            | get_rook_rays(king) & (board.pieces(Piece::Rook) | queens);
        let mut barring = BitBoard::EMPTY;
        for slider in behind & own {
            let between = get_between_rays(slider, king) & occupied;
            if between.0 & between.0.wrapping_sub(1) == 0 {
                barring |= between & own;
            }
        }
        let pawns = get_pawn_attacks(king, !side);
        let knights = get_knight_moves(king);
        let all = diagonal | straight;
        let direct = [pawns, knights, diagonal, straight, all, BitBoard::EMPTY];
        Self { king, direct, barring }
    }

    /// Where a piece gives check by going there. That it left its square uncovers no check of its own: standing there
    /// it would have given that check already. Pawns that go together bar no way.
    #[inline]
    fn squares(&self, group: &Group) -> BitBoard {
        let mut squares = self.direct[group.piece as usize];
        if group.along == 0 {
            let from = group.from(Square::A1);
            if self.barring.has(from) {
                squares |= !get_line_rays(self.king, from);
            }
        }
        squares
    }
}
