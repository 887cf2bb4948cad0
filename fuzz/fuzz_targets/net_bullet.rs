//! Arbitrary bytes as a network file: bullet.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = accrue_fuzz::net::bullet(data);
});
