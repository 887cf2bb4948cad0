//! Move generation by groups: collects the moves of a position piece by piece.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Color, File, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_pawn_quiets,
    get_rook_rays,
};

use crate::chess::sliders::{bishop_moves, rook_moves};
use crate::chess::{Board, en_passant_square};

/// Moves to a set of target squares: those of one piece, or of pawns that all step the same way.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) piece: Piece,
    /// The origin square is `from + (to & along)` modulo 64. `along` is a full mask for pawns,
    /// whose origin depends on the target, and 0 for a single piece, whose origin is fixed. Both
    /// cases thus share one branch-free computation.
    from: u8,
    along: u8,
    pub(super) to: BitBoard,
    /// Whether this is castling or an en-passant capture.
    pub(super) special: bool,
}

impl Group {
    /// The origin square, if one piece moves.
    #[inline]
    pub(super) fn single(&self) -> Option<Square> {
        (self.along == 0).then(|| self.from(Square::A1))
    }

    #[inline]
    fn of_piece(piece: Piece, from: Square, to: BitBoard) -> Self {
        Self { piece, from: from as u8, along: 0, to, special: false }
    }

    /// Pawns that each come from `step` squares before their target.
    #[inline]
    fn of_pawns(to: BitBoard, step: i8) -> Self {
        Self { piece: Piece::Pawn, from: step.wrapping_neg() as u8, along: 63, to, special: false }
    }

    /// The origin square of a move to `to`.
    #[inline]
    pub(super) fn from(&self, to: Square) -> Square {
        let number = (to as u8 & self.along).wrapping_add(self.from);
        Square::ALL[usize::from(number) % Square::NUM]
    }
}

/// One for each of 16 pieces, two for castling or en-passant captures, and four for pawns that move
/// together.
const MAX_GROUPS: usize = 22;

/// The moves of all pieces. They are collected before they are visited, so that the visitor has a
/// single call site and is inlined into the loop.
pub(super) type Groups = ArrayVec<Group, MAX_GROUPS>;

/// Collects groups of moves.
pub(super) struct Maker<'a> {
    board: &'a Board,
    pub(super) groups: Groups,
    king: Square,
    /// The target squares that resolve a check.
    answers: BitBoard,
    /// The pinned pieces, which cannot leave their line with the king.
    pub(super) pinned: BitBoard,
}

impl<'a> Maker<'a> {
    #[inline]
    pub(super) fn new(board: &'a Board) -> Self {
        let king = board.king(board.side_to_move());
        let checkers = board.checkers();
        let answers = match checkers.next_square() {
            None => BitBoard::FULL,
            // In double check only the king can move.
            Some(_) if checkers.0 & checkers.0.wrapping_sub(1) != 0 => BitBoard::EMPTY,
            Some(checker) => get_between_rays(checker, king) | checkers,
        };
        Self { board, groups: Groups::new(), king, answers, pinned: board.pinned() }
    }

    /// Adds a group. The capacity suffices for every position.
    #[inline]
    fn add(&mut self, group: Group) {
        let added = self.groups.try_push(group);
        debug_assert!(added.is_ok(), "too many groups");
    }

    /// Adds a group unless it has no target.
    #[inline]
    fn add_if_any(&mut self, group: Group) {
        if !group.to.is_empty() {
            self.add(group);
        }
    }

    /// Adds the moves of the pieces of a kind. Pinned pieces stay on their line with the king.
    #[inline]
    pub(super) fn each(
        &mut self,
        piece: Piece,
        movers: BitBoard,
        reach: impl Fn(Square) -> BitBoard,
    ) {
        for from in movers {
            let mut to = reach(from) & self.answers;
            if self.pinned.has(from) {
                to &= get_line_rays(self.king, from);
            }
            self.add_if_any(Group::of_piece(piece, from, to));
        }
    }

    /// Adds pawn pushes to `targets`. The pawns in `apart` get one group each.
    #[inline]
    pub(super) fn pushes(&mut self, targets: BitBoard, apart: BitBoard) {
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

    /// Adds pawn captures of `victims`. The pawns in `apart` get one group each.
    #[inline]
    pub(super) fn captures(&mut self, victims: BitBoard, apart: BitBoard) {
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

    /// Adds the moves of pieces other than pawns to `targets`, without castling.
    // Not inlined: there are several callers, and the function is large.
    #[inline(never)]
    pub(super) fn pieces(&mut self, targets: BitBoard) {
        let board = self.board;
        let occupied = board.occupied();
        let own = |piece: Piece| board.colored_pieces(board.side_to_move(), piece);
        self.each(Piece::Knight, own(Piece::Knight), |from| get_knight_moves(from) & targets);
        let diagonal = |from| bishop_moves(from, occupied) & targets;
        let straight = |from| rook_moves(from, occupied) & targets;
        self.each(Piece::Bishop, own(Piece::Bishop), diagonal);
        self.each(Piece::Rook, own(Piece::Rook), straight);
        self.each(Piece::Queen, own(Piece::Queen), |from| diagonal(from) | straight(from));
        self.king(targets, false);
    }

    /// Adds king moves to `targets`, optionally with castling.
    #[inline]
    pub(super) fn king(&mut self, targets: BitBoard, castles: bool) {
        let (board, king) = (self.board, self.king);
        let others = board.occupied() ^ king.bitboard();
        let safe = |to: &Square| is_safe(board, *to, others);
        let mut to: BitBoard = (get_king_moves(king) & targets).iter().filter(safe).collect();
        if castles {
            let can = |rook: &Square| board.can_castle(*rook);
            to |= board.castling_rooks().iter().filter(can).collect::<BitBoard>();
        }
        self.add_if_any(Group::of_piece(Piece::King, king, to));
    }

    /// Adds the legal castling moves.
    #[inline]
    pub(super) fn castling(&mut self) {
        for rook in self.board.castling_rooks() {
            if self.board.can_castle(rook) {
                let group = Group::of_piece(Piece::King, self.king, rook.bitboard());
                self.add(Group { special: true, ..group });
            }
        }
    }

    /// Adds the legal en-passant captures.
    #[inline]
    pub(super) fn passing(&mut self) {
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

/// The squares that pawns on `squares` push to.
#[inline]
fn before(squares: BitBoard, side: Color) -> BitBoard {
    behind(squares, !side)
}

/// The squares from which a pawn pushes to one of `squares`.
#[inline]
pub(super) fn behind(squares: BitBoard, side: Color) -> BitBoard {
    BitBoard(if side == Color::White { squares.0 >> 8 } else { squares.0 << 8 })
}

/// Whether the king of the side to move is not attacked on a square.
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
    // Usually no slider is on any of the rays, which saves the lookup of the attacks.
    let diagonal = (board.pieces(Piece::Bishop) | queens) & enemies;
    let straight = (board.pieces(Piece::Rook) | queens) & enemies;
    ((get_bishop_rays(square) & diagonal).is_empty()
        || (bishop_moves(square, occupied) & diagonal).is_empty())
        && ((get_rook_rays(square) & straight).is_empty()
            || (rook_moves(square, occupied) & straight).is_empty())
}
