//! Arbitrary text as a FEN of chess.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    accrue_fuzz::fen::<games::chess::Chess>(data, accrue_fuzz::both_forms_of_castling);
});
