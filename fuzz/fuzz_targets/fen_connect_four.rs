//! Arbitrary text as a FEN of connect_four.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    accrue_fuzz::fen::<games::connect_four::ConnectFour>(data, accrue_fuzz::strictly);
});
