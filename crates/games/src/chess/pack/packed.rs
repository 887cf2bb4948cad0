//! Packed position reader: the pieces of packed bytes, before the position is validated.

use cozy_chess::{Color, Piece};

use super::{CASTLING_ROOK, MAX_BYTES, MAX_PIECES, NUMBERED, PASSING_PAWN};

/// Bits of a kind beside the piece's own three.
const BLACK: u16 = 8;
/// A rook with castling rights, or a pawn that can be captured en passant.
const SPECIAL: u16 = 16;
const INVALID: u16 = 32;

/// Decodes five bits: the kind, and in the bits from 8 up the length of its code.
const CODES: [u16; 32] = {
    let mut codes = [0; 32];
    let mut bits = 0;
    while bits < 32 {
        let pawn = bits & 1 == 0;
        let (black, length) = if pawn { (bits >> 1 & 1, 2) } else { (bits >> 4, 5) };
        let kind = match (bits >> 1 & 7) as u32 {
            _ if pawn => Piece::Pawn as u16,
            CASTLING_ROOK => Piece::Rook as u16 | SPECIAL,
            PASSING_PAWN => Piece::Pawn as u16 | SPECIAL,
            kind if kind < CASTLING_ROOK => kind as u16 + 1,
            _ => INVALID,
        };
        codes[bits] = kind | (black as u16 * BLACK) | length << 8;
        bits += 1;
    }
    codes
};

/// The pieces of a packed position: at most 32, one king of each colour among them.
pub(in crate::chess) struct Packed {
    kinds: [u8; MAX_PIECES],
    squares: [u8; MAX_PIECES],
    count: usize,
    pub(in crate::chess) side: Color,
    pub(super) clock: u8,
    /// The move number, if it is stored.
    pub(super) number: Option<u16>,
    /// The squares of the kings, White's first.
    pub(in crate::chess) kings: [u8; 2],
}

/// A piece of a packed position.
#[derive(Clone, Copy)]
pub(in crate::chess) struct PackedPiece {
    /// P N B R Q K from 0.
    pub(in crate::chess) piece: u8,
    /// 1 for Black.
    pub(in crate::chess) color: u8,
    /// a1 = 0.
    pub(in crate::chess) square: u8,
    pub(super) special: bool,
}

impl Packed {
    /// Reads a position from the front of `bytes`.
    #[inline]
    pub(in crate::chess) fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (&state, mut rest) = rest.split_first()?;
        let side = if state < 0x80 { Color::White } else { Color::Black };
        let (mut clock, mut number) = (state & 0x7F, None);
        if clock == NUMBERED {
            clock = *rest.split_off_first()?;
            number = Some(take_number(&mut rest)?);
        }
        let (kinds, squares) = ([0; MAX_PIECES], [0; MAX_PIECES]);
        let mut packed = Self { kinds, squares, count: 0, side, clock, number, kings: [0; 2] };
        packed.take_pieces(u64::from_le_bytes(*occupied), &mut rest)?;
        packed.find_kings()?;
        *bytes = rest;
        Some(packed)
    }

    /// The number of pieces.
    pub(in crate::chess) fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(in crate::chess) fn pieces(&self) -> impl ExactSizeIterator<Item = PackedPiece> {
        let kinds = &self.kinds[..self.count];
        kinds.iter().zip(&self.squares[..self.count]).map(|(&kind, &square)| PackedPiece {
            piece: kind & 7,
            color: kind >> 3 & 1,
            square,
            special: u16::from(kind) & SPECIAL != 0,
        })
    }

    #[inline]
    fn take_pieces(&mut self, mut occupied: u64, bytes: &mut &[u8]) -> Option<()> {
        self.count = occupied.count_ones() as usize;
        if self.count > MAX_PIECES {
            return None;
        }
        // A padded copy, so that reads may extend past the end.
        let mut coded = [0; MAX_BYTES + 8];
        let length = bytes.len().min(MAX_BYTES);
        coded[..length].copy_from_slice(&bytes[..length]);
        let (mut used, mut seen) = (0, 0);
        // Eight bytes hold at least 57 unread bits, wherever in the first byte reading starts:
        // enough for 11 pieces.
        let kinds = self.kinds[..self.count].chunks_mut(11);
        for (kinds, squares) in kinds.zip(self.squares[..self.count].chunks_mut(11)) {
            let word = coded.get(used / 8..)?.first_chunk()?;
            let mut bits = u64::from_le_bytes(*word) >> (used % 8);
            for (kind, square) in kinds.iter_mut().zip(squares) {
                let code = CODES[(bits & 31) as usize];
                *kind = code as u8;
                *square = occupied.trailing_zeros() as u8;
                bits >>= code >> 8;
                used += usize::from(code >> 8);
                seen |= code;
                occupied &= occupied.wrapping_sub(1);
            }
        }
        let end = used.div_ceil(8);
        let padding = if used % 8 == 0 { 0 } else { coded[end - 1] >> (used % 8) };
        if end > length || padding != 0 || seen & INVALID != 0 {
            return None;
        }
        *bytes = &bytes[end..];
        Some(())
    }

    /// Records the squares of the kings. Unused entries hold pawns and do not interfere.
    #[inline]
    fn find_kings(&mut self) -> Option<()> {
        for (color, king) in [0, BLACK as u8].into_iter().zip(&mut self.kings) {
            let wanted = Piece::King as u8 | color;
            let places = self.kinds.iter().enumerate();
            let places = places.fold(0, |all, (i, &kind)| all | u32::from(kind == wanted) << i);
            if places.count_ones() != 1 {
                return None;
            }
            *king = self.squares[places.trailing_zeros() as usize];
        }
        Some(())
    }
}

/// Reads a 16-bit number, seven bits per byte.
fn take_number(bytes: &mut &[u8]) -> Option<u16> {
    let mut number = 0_u32;
    for shift in [0, 7, 14] {
        let byte = *bytes.split_off_first()?;
        number |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return u16::try_from(number).ok();
        }
    }
    None
}
