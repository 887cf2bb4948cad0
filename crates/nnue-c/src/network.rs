//! C API of networks: loading, description and release.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use nnue::Network;

use crate::pointers::{free, hand_over, list, shared};
use crate::status::{AccrueStatus, Failure, guard, query};

/// A network. It is immutable: any number of threads may use it at once.
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

/// Reads a network from the file at `path`, in the format of accrue, noru or Stockfish, and sets
/// `*out` to it.
///
/// `path` is in the encoding of the system; on Windows it is UTF-8. Free the network with
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
        // SAFETY: a C string ends with zero, and the caller keeps it during the call.
        let path = unsafe { CStr::from_ptr(path) };
        let load = || {
            let path = native_path(path)?;
            let bytes = std::fs::read(path).map_err(|error| {
                let message = format!("cannot read {}: {error}", path.display());
                Failure::new(AccrueStatus::Io, message)
            })?;
            AccrueNetwork::from_bytes(&bytes)
        };
        // SAFETY: `out` is checked; the caller guarantees the rest.
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

/// Reads a network from `length` bytes and sets `*out` to it; see `accrue_network_load`. The bytes
/// are not needed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_from_memory(
    bytes: *const u8,
    length: usize,
    out: *mut *mut AccrueNetwork,
) -> AccrueStatus {
    guard(|| {
        // SAFETY: the pointers are checked; the caller guarantees the rest.
        unsafe {
            let bytes = list(bytes, length, "bytes")?;
            hand_over(out, || AccrueNetwork::from_bytes(bytes))
        }
    })
}

/// Frees a network. Does nothing for NULL.
///
/// Accumulators and evaluators of the network stay valid; they keep the parts of it that they need.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_free(network: *mut AccrueNetwork) {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe { free(network) };
        Ok(())
    });
}

/// Returns a number of a network; 0 for NULL.
unsafe fn number(network: *const AccrueNetwork, get: impl FnOnce(&Network) -> usize) -> usize {
    // SAFETY: the pointer is checked; the caller guarantees the rest.
    query(0, || Ok(get(&unsafe { shared(network, "network") }?.network)))
}

/// Returns a text of a network; NULL for NULL.
unsafe fn text(
    network: *const AccrueNetwork,
    get: impl FnOnce(&AccrueNetwork) -> &CStr,
) -> *const c_char {
    // SAFETY: the pointer is checked; the caller guarantees the rest.
    query(ptr::null(), || Ok(get(unsafe { shared(network, "network") }?).as_ptr()))
}

/// Returns the number of features of the network: every feature is below it. 0 if `network` is
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_features(network: *const AccrueNetwork) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe { number(network, |network| network.architecture().inputs) }
}

/// Returns the number of perspectives of the network: 2, or 1 if it reads only White's. 0 if
/// `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_perspectives(network: *const AccrueNetwork) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe { number(network, |network| network.architecture().perspectives.count()) }
}

/// Returns the number of sums of an accumulator. 0 if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_width(network: *const AccrueNetwork) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe { number(network, |network| network.architecture().accumulator.width) }
}

/// Returns the number of policy rows for the cell that a move leaves: rows 0 and up. 0 without a
/// policy, or if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_policy_from(network: *const AccrueNetwork) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe {
        number(network, |network| network.architecture().policy().map_or(0, |head| head.from))
    }
}

/// Returns the number of policy rows for the cell that a move enters: those that follow
/// `accrue_network_policy_from`. 0 without a policy, or if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_policy_to(network: *const AccrueNetwork) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe { number(network, |network| network.architecture().policy().map_or(0, |head| head.to)) }
}

/// Returns a description of the network in one line of UTF-8, for example
/// `chess.piece-square (768→256)×2→1 screlu`.
///
/// The network owns the text. NULL if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_architecture(
    network: *const AccrueNetwork,
) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    unsafe { text(network, |network| &network.architecture) }
}

/// Returns the name of the feature set, for example `chess.piece-square`. Compare it before
/// computing features.
///
/// The network owns the text. NULL if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_feature_set(
    network: *const AccrueNetwork,
) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    unsafe { text(network, |network| &network.feature_set) }
}

/// Returns the instruction set that evaluates the network on this processor, for example `avx2`.
///
/// The network owns the text. NULL if `network` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_network_kernel(network: *const AccrueNetwork) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    unsafe { text(network, |network| &network.kernel) }
}
