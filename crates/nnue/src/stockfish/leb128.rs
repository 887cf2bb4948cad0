//! LEB128 compression: signed integers in groups of seven bits, lowest first. The top bit of a byte
//! marks continuation, and bit 6 of the last byte is the sign.

use alloc::vec::Vec;

use crate::NetworkError;
use crate::cursor::Cursor;

/// The marker of a compressed array. The number of bytes follows as a `u32`.
pub(super) const MARKER: &[u8] = b"COMPRESSED_LEB128";

/// Reads an array of `count` numbers, including the marker.
pub(super) fn read<T: TryFrom<i64>>(
    cursor: &mut Cursor<'_>,
    what: &'static str,
    count: usize,
) -> Result<Vec<T>, NetworkError> {
    cursor.take(what, MARKER.len())?;
    let size = cursor.u32(what)? as usize;
    let mut bytes = cursor.take(what, size)?;
    // A number takes at least one byte. Check this before allocating memory.
    if size < count {
        let (expected, found) = (count as u64, size as u64);
        return Err(NetworkError::Length { what: what.into(), expected, found });
    }
    let longest = (8 * size_of::<T>()).div_ceil(7);
    let mut values = Vec::with_capacity(count);
    for place in 0..count {
        let next = split_first(bytes, longest)
            .and_then(|(value, rest)| Some((T::try_from(value).ok()?, rest)));
        let Some((value, rest)) = next else {
            let found = alloc::format!("broken at number {place} of its LEB128 form");
            let bits = 8 * size_of::<T>();
            let expected = alloc::format!("{count} whole numbers of {bits} bits");
            return Err(NetworkError::field(what, found, expected));
        };
        values.push(value);
        bytes = rest;
    }
    if !bytes.is_empty() {
        let found = alloc::format!("followed by {} bytes within its LEB128 form", bytes.len());
        return Err(NetworkError::field(what, found, "none"));
    }
    Ok(values)
}

/// The first number and the bytes after it, if it takes at most `longest` bytes.
#[inline]
fn split_first(bytes: &[u8], longest: usize) -> Option<(i64, &[u8])> {
    let mut value = 0;
    for (place, &byte) in bytes.iter().take(longest).enumerate() {
        value |= i64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            let unused = 64 - 7 * (place + 1);
            return Some((value << unused >> unused, &bytes[place + 1..]));
        }
    }
    None
}

/// Appends an array, including the marker.
pub(super) fn write(bytes: &mut Vec<u8>, values: impl Iterator<Item = i32>) {
    bytes.extend_from_slice(MARKER);
    let size = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    for value in values {
        push(bytes, value);
    }
    let written = (bytes.len() - size - 4) as u32;
    bytes[size..size + 4].copy_from_slice(&written.to_le_bytes());
}

#[inline]
fn push(bytes: &mut Vec<u8>, mut value: i32) {
    // Bit 6 of the last byte must equal the sign, so the loop stops only once the rest fits in
    // seven signed bits.
    while !(-64..64).contains(&value) {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8 & 0x7F);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(content: &[u8]) -> Vec<u8> {
        [MARKER, &(content.len() as u32).to_le_bytes(), content].concat()
    }

    fn read_one<T: TryFrom<i64>>(content: &[u8]) -> Option<T> {
        read(&mut Cursor::new(&array(content)), "test", 1).ok().and_then(|mut one| one.pop())
    }

    #[test]
    fn every_16_bit_number_comes_back() {
        let mut bytes = Vec::new();
        let all = i16::MIN..=i16::MAX;
        write(&mut bytes, all.clone().map(i32::from));
        let values: Vec<i16> = read(&mut Cursor::new(&bytes), "test", 1 << 16).unwrap();
        assert!(values.into_iter().eq(all));
    }

    #[test]
    fn ends_of_32_bits_come_back() {
        let ends = [i32::MIN, i32::MIN + 1, -65, -64, -1, 0, 63, 64, 8191, 8192, i32::MAX];
        let mut bytes = Vec::new();
        write(&mut bytes, ends.into_iter());
        let mut cursor = Cursor::new(&bytes);
        assert_eq!(read::<i32>(&mut cursor, "test", ends.len()).unwrap(), ends);
        assert!(cursor.rest().is_empty());
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_eq!(read_one::<i16>(&[0xFF, 0xFF, 0x01]), Some(i16::MAX));
        assert_eq!(read_one::<i16>(&[0x80, 0x80, 0x02]), None, "32768");
        assert_eq!(read_one::<i16>(&[0x80, 0x80, 0x7E]), Some(i16::MIN));
        assert_eq!(read_one::<i16>(&[0xFF, 0xFF, 0x7D]), None, "-32769");
        assert_eq!(read_one::<i16>(&[0x80, 0x80, 0x80, 0x00]), None, "four bytes");
        assert_eq!(read_one::<i32>(&[0x80, 0x80, 0x80, 0x80, 0x08]), None, "2³¹");
        assert_eq!(read_one::<i32>(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x00]), None, "six bytes");
        assert_eq!(read_one::<i16>(&[0x80]), None, "no end");
        assert_eq!(read_one::<i16>(&[0, 0]), None, "one too many");
        assert_eq!(read_one::<i16>(&[]), None, "none");
    }

    #[test]
    fn asks_for_no_memory_that_bytes_do_not_justify() {
        let bytes = array(&[0; 10]);
        let error = read::<i32>(&mut Cursor::new(&bytes), "test", usize::MAX / 8).unwrap_err();
        assert!(matches!(error, NetworkError::Length { found: 10, .. }), "{error}");
        let lie = [MARKER, &[0xFF; 4], &[0; 10]].concat();
        let error = read::<i32>(&mut Cursor::new(&lie), "test", 10).unwrap_err();
        assert!(matches!(error, NetworkError::Length { found: 10, .. }), "{error}");
    }
}
