//! The `accrue` binary.
fn main() {}
