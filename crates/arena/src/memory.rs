//! Memory check: refuses transposition tables for which there is no memory.
//!
//! Systems promise more memory than they have, and kill the process that uses it. An allocation
//! only fails where the system refuses it, so large tables are checked beforehand.

/// There is no memory for transposition tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory for transposition tables of {mib} MiB: expected less than {available}")]
pub struct TableMemoryError {
    /// The size of the tables in MiB.
    pub mib: usize,
    /// The memory that is available, in MiB.
    pub available: usize,
}

/// Refuses tables of `mib` MiB in all, of which `held` are in use already, if there is no memory
/// for them. Passes where the system does not report its memory.
pub fn check_table_memory(mib: usize, held: usize) -> Result<(), TableMemoryError> {
    match available_mib() {
        Some(available) if mib > available.saturating_add(held) => {
            Err(TableMemoryError { mib, available })
        }
        _ => Ok(()),
    }
}

/// The available memory, where the system reports it.
fn available_mib() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_sizes_are_refused_where_the_system_reports_its_memory() {
        assert!(check_table_memory(1, 0).is_ok());
        let refused = available_mib().is_some();
        assert_eq!(check_table_memory(usize::MAX, 0).is_err(), refused);
        assert_eq!(check_table_memory(1 << 30, 16).is_err(), refused);
    }
}
