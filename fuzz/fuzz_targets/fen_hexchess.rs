//! Arbitrary text as a FEN of hexchess.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    accrue_fuzz::fen::<games::hexchess::Hexchess>(data, accrue_fuzz::strictly);
});
