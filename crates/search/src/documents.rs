//! Documentation pages whose Rust `cargo test --doc -p search` compiles and runs.
//! `crates/accrue/tests/docs.rs` tests the rest of them, and that no page with Rust is missing
//! here.

#[doc = include_str!("../../../README.md")]
struct ReadMe;

#[doc = include_str!("../../../docs/01-concepts.md")]
struct Concepts;

#[doc = include_str!("../../../docs/06-network-files.md")]
struct NetworkFiles;
