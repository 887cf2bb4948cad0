//! Arbitrary bytes as a network file: stockfish.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = accrue_fuzz::net::stockfish(data);
});
