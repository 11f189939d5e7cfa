//! `--memory`: how much may be used, and how much the machine has.

use std::fs;
use std::str::FromStr;

use unframe_crawl::limits::IN_FLIGHT_BYTES_MAX;

/// The memory of the machine, where it cannot be determined.
const MACHINE_BYTES: u64 = 8 << 30;

/// What following takes beside the states of sites, by measurement.
const FOLLOW_BYTES: usize = 96 << 20;

/// An amount of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) bytes: usize,
}

impl Memory {
    /// Bytes that one of `methods` may keep of all sites. While they are written to disk, as many may be learned, and the
    /// rest is for what is read ahead.
    pub(crate) fn learned(self, methods: usize) -> usize {
        self.bytes / 3 / methods.max(1)
    }

    /// Bytes that one of `methods` may use for models that were read from disk.
    pub(crate) fn cached(self, methods: usize) -> usize {
        self.bytes / 3 / methods.max(1)
    }

    /// Bytes for the states of sites that are followed. The rest is for pages that are read ahead, their lines, and parsers.
    pub(crate) fn states(self) -> usize {
        self.bytes - (self.bytes / 2).min(FOLLOW_BYTES)
    }

    /// Bytes for building an index, beside what is read ahead and the models of sites, if there are any.
    #[cfg(feature = "search")]
    pub(crate) fn indexed(self, has_models: bool) -> usize {
        let models = if has_models { self.cached(1) } else { 0 };
        self.bytes - self.read_ahead() - models
    }

    /// Bytes of pages that are read ahead.
    pub(crate) fn read_ahead(self) -> usize {
        IN_FLIGHT_BYTES_MAX.min(self.bytes / 4)
    }
}

/// A quarter of the machine's memory.
impl Default for Memory {
    fn default() -> Memory {
        Memory { bytes: usize::try_from(machine_bytes() / 4).unwrap_or(usize::MAX) }
    }
}

/// A number with K, M, G or T; without one of them it counts megabytes.
impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        let (number, unit) = match text.char_indices().next_back() {
            Some((at, unit)) if !unit.is_ascii_digit() => (&text[..at], unit.to_ascii_uppercase()),
            _ => (text, 'M'),
        };
        let power = "KMGT".find(unit).map(|at| 1 + at as u32);
        let bytes = power.zip(number.parse::<usize>().ok()).and_then(|(power, number)| {
            1024usize.checked_pow(power).and_then(|unit| unit.checked_mul(number)).filter(|bytes| *bytes > 0)
        });
        let bytes = bytes.ok_or("write a number with K, M, G or T, such as 500M or 2G")?;
        Ok(Memory { bytes })
    }
}

/// The memory of the machine, or of the container if that has less.
fn machine_bytes() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_bytes(&text));
    let container =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(container).min().unwrap_or(MACHINE_BYTES)
}

/// `MemTotal:       24612280 kB`
fn total_bytes(meminfo: &str) -> Option<u64> {
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let bytes = |text: &str| text.parse::<Memory>().map(|memory| memory.bytes).ok();
        assert_eq!([bytes("64K"), bytes("500m")], [Some(64 << 10), Some(500 << 20)]);
        assert_eq!([bytes("2G"), bytes("1T")], [Some(2 << 30), Some(1 << 40)]);
        assert_eq!(bytes("256"), Some(256 << 20));
        for wrong in ["", "G", "0", "2 GB", "-1G", "1.5G", "2X", "2é", "99999999999999999T"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_parts_fit_into_the_whole() {
        let memory: Memory = "300M".parse().unwrap();
        assert!(2 * memory.learned(1) + memory.read_ahead() <= memory.bytes);
        assert!(memory.cached(2) * 2 + memory.read_ahead() <= memory.bytes);
        #[cfg(feature = "search")]
        assert!(memory.indexed(true) + memory.cached(1) + memory.read_ahead() <= memory.bytes);
    }

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(total_bytes("MemTotal:       24612280 kB\nMemFree: 1 kB\n"), Some(24_612_280 << 10));
        assert_eq!(total_bytes("MemFree: 1 kB\n"), None);
        assert!(Memory::default().bytes > 1 << 20);
    }
}
