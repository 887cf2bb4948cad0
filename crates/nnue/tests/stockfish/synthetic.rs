//! A network file of Stockfish's form with weights that mean nothing.

/// `SplitMix64`.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// −`most` to `most`.
    fn around_zero(&mut self, most: i32) -> i32 {
        self.below(2 * most as usize + 1) as i32 - most
    }
}

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
        bytes.extend((random.around_zero(100) as i16 + 30).to_le_bytes());
    }
    for _ in 0..22528 * 1024 / 8 {
        // Eight from one random number: there are 23 million.
        for byte in random.next().to_le_bytes() {
            bytes.extend(i16::from(byte.cast_signed() / 4).to_le_bytes());
        }
    }
    for _ in 0..22528 * 8 {
        bytes.extend(random.around_zero(60_000).to_le_bytes());
    }
    for _ in 0..8 {
        bytes.extend(0x6333_6A4A_u32.to_le_bytes());
        for (outputs, inputs, weight, bias) in
            [(16, 1024, 127, 8000), (32, 32, 127, 8000), (1, 32, 127, 8000)]
        {
            for _ in 0..outputs {
                bytes.extend(random.around_zero(bias).to_le_bytes());
            }
            bytes.extend((0..outputs * inputs).map(|_| random.around_zero(weight) as u8));
        }
    }
    bytes
}
