//! CRC-32 of Ethernet, zip and PNG: reflected polynomial 0xEDB88320, initial value and final xor
//! all ones.

/// `TABLES[k][b]` is the effect of byte `b` on the remainder after `k` more bytes. Eight tables
/// process eight bytes per step (slicing-by-8), which keeps the check of a large network far below
/// its load time.
static TABLES: [[u32; 256]; 8] = tables();

const POLYNOMIAL: u32 = 0xEDB8_8320;

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let carry = remainder & 1;
            remainder >>= 1;
            if carry == 1 {
                remainder ^= POLYNOMIAL;
            }
            bit += 1;
        }
        tables[0][byte] = remainder;
        byte += 1;
    }
    let mut later = 1;
    while later < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[later - 1][byte];
            tables[later][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        later += 1;
    }
    tables
}

/// The checksum of `bytes`.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut remainder = u32::MAX;
    for &[a, b, c, d, e, f, g, h] in eights {
        let [a, b, c, d] = (remainder ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
        remainder = TABLES[7][usize::from(a)]
            ^ TABLES[6][usize::from(b)]
            ^ TABLES[5][usize::from(c)]
            ^ TABLES[4][usize::from(d)]
            ^ TABLES[3][usize::from(e)]
            ^ TABLES[2][usize::from(f)]
            ^ TABLES[1][usize::from(g)]
            ^ TABLES[0][usize::from(h)];
    }
    for &byte in rest {
        let low = remainder as u8 ^ byte;
        remainder = (remainder >> 8) ^ TABLES[0][usize::from(low)];
    }
    !remainder
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Bit by bit, straight from the polynomial.
    fn naive(bytes: &[u8]) -> u32 {
        let mut remainder = u32::MAX;
        for &byte in bytes {
            remainder ^= u32::from(byte);
            for _ in 0..8 {
                remainder = (remainder >> 1) ^ (POLYNOMIAL * (remainder & 1));
            }
        }
        !remainder
    }

    #[test]
    fn published_values() {
        // The check value of the CRC catalogues, and values from a zip tool.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"a"), 0xE8B7_BE43);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
        assert_eq!(crc32(&[0; 32]), 0x190A_55AD);
        assert_eq!(crc32(&[0xFF; 32]), 0xFF6C_AB0B);
    }

    #[test]
    fn every_length_equals_bit_by_bit() {
        let bytes: Vec<u8> = (0..300u32).map(|i| (i * i + 7 * i) as u8).collect();
        for start in 0..9 {
            for end in start..bytes.len() {
                assert_eq!(crc32(&bytes[start..end]), naive(&bytes[start..end]));
            }
        }
    }
}
