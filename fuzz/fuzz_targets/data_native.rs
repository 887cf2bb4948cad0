//! Arbitrary bytes as a data file, and as the records of a block.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    accrue_fuzz::data::native(data);
});
