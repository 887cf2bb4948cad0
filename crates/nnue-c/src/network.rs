//! Networks: loading, description and release.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use nnue::Network;

use crate::pointers::{free, hand_over, list, shared};
use crate::status::{AccrueStatus, Failure, guard, query};

/// A network. It never changes: any number of threads may use one at once.
#[derive(Debug)]
pub struct AccrueNetwork {
    pub(crate) network: Arc<Network>,
    architecture: CString,
    feature_set: CString,
    kernel: CString,
}

impl AccrueNetwork {
    fn from_bytes(bytes: &[u8]) -> Result<Self, Failure> {
        let network = Network::from_bytes(bytes)
            .map_err(|error| Failure::new(AccrueStatus::Format, error.to_string()))?;
        let architecture = network.architecture();
        Ok(Self {
            architecture: c_string(architecture.to_string())?,
            feature_set: c_string(architecture.features.clone())?,
            kernel: c_string(network.kernel().name().to_owned())?,
            network: Arc::new(network),
        })
    }
}

fn c_string(text: String) -> Result<CString, Failure> {
    CString::new(text).map_err(|error| Failure::new(AccrueStatus::Format, error.to_string()))
}

/// Reads a network from the file at `path`, which is accrue's own, noru's or Stockfish's, and sets `*out` to
/// it.
///
/// `path` is as the system writes paths; on Windows it is in UTF-8. Free the network with
/// `accrue_network_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_load(
    path: *const c_char,
    out: *mut *mut AccrueNetwork,
) -> AccrueStatus {
    guard(|| {
        if path.is_null() {
            return Err(Failure::null("path"));
        }
        // SAFETY: C ends its texts with zero, and keeps this one during the call.
        let path = unsafe { CStr::from_ptr(path) };
        let load = || {
            let path = native_path(path)?;
            let bytes = std::fs::read(path).map_err(|error| {
                let message = format!("cannot read {}: {error}", path.display());
                Failure::new(AccrueStatus::Io, message)
            })?;
            AccrueNetwork::from_bytes(&bytes)
        };
        // SAFETY: `out` is checked; the rest is the caller's.
        unsafe { hand_over(out, load) }
    })
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there are paths that cannot be")]
fn native_path(path: &CStr) -> Result<&Path, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(std::ffi::OsStr::from_bytes(path.to_bytes())))
}

#[cfg(not(unix))]
fn native_path(path: &CStr) -> Result<&Path, Failure> {
    let path = path.to_str().map_err(|error| Failure::argument(format!("`path`: {error}")))?;
    Ok(Path::new(path))
}

/// Reads a network from `length` bytes and sets `*out` to it; see `accrue_network_load`. The bytes are not
/// needed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_from_memory(
    bytes: *const u8,
    length: usize,
    out: *mut *mut AccrueNetwork,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the rest is the caller's.
        unsafe {
            let bytes = list(bytes, length, "bytes")?;
            hand_over(out, || AccrueNetwork::from_bytes(bytes))
        }
    })
}

/// Frees a network. NULL is nothing.
///
/// Accumulators and evaluators of the network may live on; they keep what they need of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_free(network: *mut AccrueNetwork) {
    guard(|| {
        // SAFETY: the caller's.
        unsafe { free(network) };
        Ok(())
    });
}

/// Asks a network for a number; 0 for NULL.
unsafe fn number(network: *const AccrueNetwork, ask: impl FnOnce(&Network) -> usize) -> usize {
    // SAFETY: it is checked; the rest is the caller's.
    query(0, || Ok(ask(&unsafe { shared(network, "network") }?.network)))
}

/// Asks a network for a text; NULL for NULL.
unsafe fn text(
    network: *const AccrueNetwork,
    ask: impl FnOnce(&AccrueNetwork) -> &CStr,
) -> *const c_char {
    // SAFETY: it is checked; the rest is the caller's.
    query(ptr::null(), || Ok(ask(unsafe { shared(network, "network") }?).as_ptr()))
}

/// How many features the network has: every feature is below. 0 if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_features(network: *const AccrueNetwork) -> usize {
    // SAFETY: the caller's.
    unsafe { number(network, |network| network.architecture().inputs) }
}

/// How many perspectives of a position the network has: 2, or 1 if it reads White's alone. 0 if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_perspectives(network: *const AccrueNetwork) -> usize {
    // SAFETY: the caller's.
    unsafe { number(network, |network| network.architecture().perspectives.count()) }
}

/// How many sums an accumulator has. 0 if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_width(network: *const AccrueNetwork) -> usize {
    // SAFETY: the caller's.
    unsafe { number(network, |network| network.architecture().accumulator.width) }
}

/// How many policy rows are for the cell that a move leaves: rows 0 and up. 0 without a policy, or if
/// `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_policy_from(network: *const AccrueNetwork) -> usize {
    // SAFETY: the caller's.
    unsafe {
        number(network, |network| network.architecture().policy().map_or(0, |head| head.from))
    }
}

/// How many policy rows are for the cell that a move enters: those that follow
/// `accrue_network_policy_from`. 0 without a policy, or if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_policy_to(network: *const AccrueNetwork) -> usize {
    // SAFETY: the caller's.
    unsafe { number(network, |network| network.architecture().policy().map_or(0, |head| head.to)) }
}

/// The network in one line of UTF-8, for example `chess.piece-square (768→256)×2→1 screlu`.
///
/// The text is the network's, and goes with it. NULL if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_architecture(
    network: *const AccrueNetwork,
) -> *const c_char {
    // SAFETY: the caller's.
    unsafe { text(network, |network| &network.architecture) }
}

/// The name of the feature set, for example `chess.piece-square`: what to compare before computing features.
///
/// The text is the network's, and goes with it. NULL if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_feature_set(
    network: *const AccrueNetwork,
) -> *const c_char {
    // SAFETY: the caller's.
    unsafe { text(network, |network| &network.feature_set) }
}

/// The instructions that the network is evaluated with on this processor, for example `avx2`.
///
/// The text is the network's, and goes with it. NULL if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_kernel(network: *const AccrueNetwork) -> *const c_char {
    // SAFETY: the caller's.
    unsafe { text(network, |network| &network.kernel) }
}
