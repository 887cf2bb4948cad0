//! Variable-length integers (LEB128): seven bits a byte, the lowest first, the top bit set in all
//! but the last.

/// Appends a number.
pub(super) fn push(mut value: u32, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends a signed number in zigzag encoding: 0, −1, 1, −2 … are 0, 1, 2, 3 …
pub(super) fn push_signed(value: i32, bytes: &mut Vec<u8>) {
    push((value << 1 ^ value >> 31) as u32, bytes);
}

/// Takes a number from the front. Returns `None` if the bytes end early or the number exceeds 32
/// bits.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0;
    for shift in (0..32).step_by(7) {
        let byte = take_byte(bytes)?;
        let part = u32::from(byte & 0x7F);
        if shift == 28 && byte > 0x0F {
            return None;
        }
        value |= part << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// The inverse of [`push_signed`].
#[inline]
pub(super) fn take_signed(bytes: &mut &[u8]) -> Option<i32> {
    let value = take(bytes)?;
    Some((value >> 1) as i32 ^ -((value & 1) as i32))
}

/// Takes a byte from the front.
#[inline]
pub(super) fn take_byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_and_leave_the_rest() {
        for value in [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, 0x1F_FFFF, 0x0FFF_FFFF, u32::MAX] {
            let mut bytes = Vec::new();
            push(value, &mut bytes);
            assert_eq!(bytes.len(), (value.max(1).ilog2() / 7 + 1) as usize);
            for end in 0..bytes.len() {
                assert_eq!(take(&mut &bytes[..end]), None);
            }
            bytes.push(9);
            let mut rest = bytes.as_slice();
            assert_eq!((take(&mut rest), rest), (Some(value), &[9][..]));
        }
        for value in [0, -1, 1, 63, -64, 64, i32::from(i16::MIN), i32::MAX, i32::MIN] {
            let mut bytes = Vec::new();
            push_signed(value, &mut bytes);
            assert_eq!(take_signed(&mut bytes.as_slice()), Some(value));
            assert_eq!(bytes.len() == 1, (-64..64).contains(&value));
        }
    }

    #[test]
    fn more_than_32_bits_are_refused() {
        for bytes in [[0xFF, 0xFF, 0xFF, 0xFF, 0x10], [0x80, 0x80, 0x80, 0x80, 0x80]] {
            assert_eq!(take(&mut &bytes[..]), None);
        }
    }
}
