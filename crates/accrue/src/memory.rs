//! How much memory can be had.
//!
//! Systems promise more than they have, and end the process that takes them at their word. The library only fails where
//! the system refuses, so what it is asked for is checked here.

use anyhow::bail;

/// Refuses tables of `mib` MiB in all, of which `held` are in use already, if there is no room for them.
pub(crate) fn check_tables(mib: usize, held: usize) -> anyhow::Result<()> {
    match available_mib() {
        Some(available) if mib > available.saturating_add(held) => {
            bail!("there is no memory for tables of {mib} MiB: ask for less than {available}")
        }
        _ => Ok(()),
    }
}

/// What can be had without taking it from others, where the system tells.
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
    fn absurd_sizes_are_refused_where_the_system_tells() {
        assert!(check_tables(1, 0).is_ok());
        let refused = available_mib().is_some();
        assert_eq!(check_tables(usize::MAX, 0).is_err(), refused);
        assert_eq!(check_tables(1 << 30, 16).is_err(), refused);
    }
}
