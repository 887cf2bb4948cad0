//! Kernel selection: chooses the instruction set once, at run time.

#![expect(unsafe_code, reason = "calls what the processor was asked for")]

use alloc::vec::Vec;
use core::{error, fmt, str::FromStr};

use super::{Scalar, Task, arch::Instructions};

/// An instruction set that the current processor supports.
///
/// Only feature detection creates values, so using one needs no check.
///
/// ```
/// use nnue::Kernel;
///
/// let available = Kernel::available();
/// assert_eq!(available.first(), Some(&Kernel::SCALAR));
/// assert_eq!(available.last(), Some(&Kernel::best()));
/// assert_eq!("scalar".parse(), Ok(Kernel::SCALAR));
/// assert!("abacus".parse::<Kernel>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Option<Instructions>);

impl Kernel {
    /// Plain integer arithmetic, which every processor supports.
    pub const SCALAR: Self = Self(None);

    /// The fastest kernel that this processor supports.
    pub fn best() -> Self {
        let mut fastest_first = Instructions::ALL.iter().rev();
        Self(fastest_first.find(|set| set.detected()).copied())
    }

    /// All kernels that this processor supports, [`SCALAR`](Self::SCALAR) first and the fastest
    /// last.
    pub fn available() -> Vec<Self> {
        let detected = Instructions::ALL.iter().filter(|set| set.detected());
        core::iter::once(Self::SCALAR).chain(detected.map(|&set| Self(Some(set)))).collect()
    }

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        self.0.map_or("scalar", Instructions::name)
    }

    /// Runs `task` with these instructions.
    #[inline(always)]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            None => task.run(Scalar),
            // SAFETY: a `Kernel` holds only detected instruction sets.
            Some(set) => unsafe { set.run(task) },
        }
    }
}

impl Default for Kernel {
    fn default() -> Self {
        Self::best()
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kernel {
    type Err = KernelUnavailable;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::available()
            .into_iter()
            .find(|kernel| kernel.name() == name)
            .ok_or(KernelUnavailable(()))
    }
}

/// No kernel of that name runs on this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelUnavailable(());

impl fmt::Display for KernelUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such kernel on this processor, which has")?;
        for kernel in Kernel::available() {
            write!(f, " {kernel}")?;
        }
        Ok(())
    }
}

impl error::Error for KernelUnavailable {}
