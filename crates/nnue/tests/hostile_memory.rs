//! However much a file claims to hold, a reader takes no more memory than the bytes that are there warrant.
//!
//! This is a program of its own with a single test, because it counts what its allocator hands out.

#[path = "file_support/bytes.rs"]
mod bytes;
#[path = "file_support/networks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod networks;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bytes::{Parts, small_file};
use nnue::{Activation, Network, NetworkFile, read_bullet, read_json};

struct Counting;

/// What was handed out since the count was last set to zero, returned or not.
static HANDED_OUT: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HANDED_OUT.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises of this very function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of this very function.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes that `read` was handed in all.
fn taken<T>(read: impl FnOnce() -> T) -> usize {
    HANDED_OUT.store(0, Relaxed);
    drop(read());
    HANDED_OUT.load(Relaxed)
}

#[test]
fn claims_do_not_take_memory() {
    const LITTLE: usize = 1 << 16;
    let parts = Parts::of(&small_file());
    let huge = [
        ("(3→2)", "(131072→4096)"),
        ("→2→value", "→1024→value"),
        ("from-to:2/3", "from-to:4096/4096"),
        ("buckets=pieces:2", "buckets=pieces:64"),
        ("feature.weights i16 2048 12", "feature.weights i16 2048 1152921504606846976"),
        ("feature.weights i16 2048 12", "feature.weights i16 1152921504606846976 12"),
    ];
    for (old, new) in huge {
        let file = parts.with(old, new).bytes();
        let count = taken(|| assert!(NetworkFile::read(&file).is_err()));
        assert!(count < LITTLE, "{new}: {count} bytes");
    }
    let mut lengths = parts.bytes();
    for (place, value) in [(12, u64::MAX), (16, 1 << 60)] {
        lengths[place..place + 8].copy_from_slice(&value.to_le_bytes());
        bytes::seal(&mut lengths);
        assert!(taken(|| NetworkFile::read(&lengths).unwrap_err()) < LITTLE);
    }

    // 29 bytes of noru that speak of 512 GiB, and Stockfish headers that speak of 4 GiB.
    let noru =
        [&b"URON"[..], &[2, 0, 0, 0], &[0xFF; 8], &[16, 0, 0, 0], &[0xFF; 64], &[1]].concat();
    let stockfish = [&0x7AF3_2F20_u32.to_le_bytes()[..], &[0xFF; 8], &[0; 64]].concat();
    let right = [0x7AF3_2F20u32, 0x1C10_2EF2, 0, 0x7F23_44B8].map(u32::to_le_bytes).concat();
    let compressed = [&right[..], b"COMPRESSED_LEB128", &[0xFF; 4], &[0; 64]].concat();
    for file in [noru, stockfish, compressed] {
        assert!(taken(|| Network::from_bytes(&file).unwrap_err()) < LITTLE);
    }
    let largest = "(131072→4096)×2→1 screlu buckets=pieces:64".parse().unwrap();
    assert!(taken(|| read_bullet(&[0; 192], &largest).unwrap_err()) < LITTLE);
    let deep = [b"{\"a\":".as_slice(), &vec![b'['; 100_000]].concat();
    assert!(taken(|| read_json(&deep, "a", Activation::Screlu).unwrap_err()) < LITTLE);

    // What is there takes memory in proportion: read once, without copies of copies.
    let architecture: nnue::Architecture = "(768→256)×2→1 screlu".parse().unwrap();
    let file = networks::file(&architecture, true, &mut networks::Random::new(1)).write();
    let count = taken(|| NetworkFile::read(&file).unwrap());
    assert!(count < file.len() + LITTLE, "{count} for {}", file.len());
}
