//! C API of accumulators: creation, refresh, update and release.

use std::sync::Arc;

use nnue::{Accumulator, Network};

use crate::network::AccrueNetwork;
use crate::pointers::{exclusive, free, hand_over, list, shared};
use crate::status::{AccrueStatus, Failure, guard};

/// The sums of the first layer of a network for one perspective of a position.
///
/// One thread may change it, or several may read it, at a time.
#[derive(Debug)]
pub struct AccrueAccumulator {
    pub(crate) network: Arc<Network>,
    pub(crate) sums: Accumulator,
}

/// Makes an accumulator for `network` without active features, and sets `*out` to it.
///
/// Free it with `accrue_accumulator_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_accumulator_new(
    network: *const AccrueNetwork,
    out: *mut *mut AccrueAccumulator,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let network = &shared(network, "network")?.network;
            let sums = || Accumulator::new(network);
            hand_over(out, || Ok(AccrueAccumulator { network: Arc::clone(network), sums: sums() }))
        }
    })
}

/// Frees an accumulator. Does nothing for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_accumulator_free(accumulator: *mut AccrueAccumulator) {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe { free(accumulator) };
        Ok(())
    });
}

/// Copies `from` to `to`. Both must be of the same network.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_accumulator_copy(
    from: *const AccrueAccumulator,
    to: *mut AccrueAccumulator,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe { update(from, "from", to, "to", &[], &[]) }
    })
}

/// Refreshes `accumulator`: sets it to the sum of `count` active features. `features` may be NULL
/// if there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_accumulator_refresh(
    accumulator: *mut AccrueAccumulator,
    features: *const u32,
    count: usize,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let AccrueAccumulator { network, sums } = exclusive(accumulator, "accumulator")?;
            let features = list(features, count, "features")?;
            check(network, features, "features")?;
            network.refresh(sums, features);
            Ok(())
        }
    })
}

/// Sets `child` to `parent` with some features added and others removed, as after a move. Both must
/// be of the same network. A list may be NULL if it is empty.
///
/// `child` may be `parent`, which is slightly slower.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_accumulator_update(
    parent: *const AccrueAccumulator,
    child: *mut AccrueAccumulator,
    added: *const u32,
    added_count: usize,
    removed: *const u32,
    removed_count: usize,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let added = list(added, added_count, "added")?;
            let removed = list(removed, removed_count, "removed")?;
            update(parent, "parent", child, "child", added, removed)
        }
    })
}

/// # Safety
///
/// The pointers are null, or valid accumulators that no other thread changes.
#[inline]
unsafe fn update(
    parent: *const AccrueAccumulator,
    parent_name: &str,
    child: *mut AccrueAccumulator,
    child_name: &str,
    added: &[u32],
    removed: &[u32],
) -> Result<(), Failure> {
    if parent == child.cast_const() {
        // SAFETY: the pointer is checked; this is the only reference to it.
        let AccrueAccumulator { network, sums } = unsafe { exclusive(child, child_name) }?;
        check(network, added, "added")?;
        check(network, removed, "removed")?;
        let parent = sums.clone();
        network.update(&parent, sums, added, removed);
        return Ok(());
    }
    // SAFETY: the pointers are checked, and not the same.
    let (parent, child) = unsafe { (shared(parent, parent_name)?, exclusive(child, child_name)?) };
    if !Arc::ptr_eq(&parent.network, &child.network) {
        let message = format!("`{parent_name}` and `{child_name}` are of different networks");
        return Err(Failure::argument(message));
    }
    check(&child.network, added, "added")?;
    check(&child.network, removed, "removed")?;
    child.network.update(&parent.sums, &mut child.sums, added, removed);
    Ok(())
}

/// Checks that the network has all features.
#[inline]
fn check(network: &Network, features: &[u32], name: &str) -> Result<(), Failure> {
    let size = network.architecture().inputs;
    match features.iter().position(|&feature| feature as usize >= size) {
        None => Ok(()),
        Some(place) => Err(Failure::argument(format!(
            "`{name}[{place}]` is {}; expected a feature below {size}",
            features[place]
        ))),
    }
}
