//! A network file of Stockfish's form with weights that mean nothing.

#[path = "../support/random.rs"]
mod random;

pub(super) use random::Random;

pub(super) const DESCRIPTION: &[u8] = b"made for tests";

/// Where the transformer's hash is.
pub(super) const TRANSFORMER: usize = 12 + DESCRIPTION.len();

/// The bytes of the file without compression: weights of the size that real ones have.
pub(super) fn file(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = Vec::with_capacity(48_000_000);
    for field in [0x7AF3_2F20, 0x1C10_2EF2, DESCRIPTION.len() as u32] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(DESCRIPTION);
    bytes.extend(0x7F23_44B8_u32.to_le_bytes());
    for _ in 0..1024 {
        bytes.extend((random.within(100) as i16 + 30).to_le_bytes());
    }
    for _ in 0..22528 * 1024 / 8 {
        // Eight from one random number: there are 23 million.
        for byte in random.next().to_le_bytes() {
            bytes.extend(i16::from(byte.cast_signed() / 4).to_le_bytes());
        }
    }
    for _ in 0..22528 * 8 {
        bytes.extend((random.within(60_000) as i32).to_le_bytes());
    }
    for _ in 0..8 {
        bytes.extend(0x6333_6A4A_u32.to_le_bytes());
        for (outputs, inputs, weight, bias) in
            [(16, 1024, 127, 8000), (32, 32, 127, 8000), (1, 32, 127, 8000)]
        {
            for _ in 0..outputs {
                bytes.extend((random.within(bias) as i32).to_le_bytes());
            }
            bytes.extend((0..outputs * inputs).map(|_| random.within(weight) as u8));
        }
    }
    bytes
}
