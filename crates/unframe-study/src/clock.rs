//! Measures work by the processor time of its thread, so that other programs do not affect the result.

use std::fs;
use std::time::{Duration, Instant};

/// Measures the time of this thread from `start` on. On systems that do not report processor time (all but Linux), it measures wall-clock time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
    ran: Option<Duration>,
}

impl Clock {
    /// Starts the clock.
    pub(crate) fn start() -> Clock {
        Clock { start: Instant::now(), ran: ran() }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        match (self.ran, ran()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.start.elapsed(),
        }
    }

    /// The time since the start, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Whether the elapsed time exceeds the limit. Processor time never exceeds wall-clock time, so the file of the system is read only after
    /// the wall clock has passed the limit.
    pub(crate) fn is_over(&self, limit: Duration) -> bool {
        self.start.elapsed() > limit && self.elapsed() > limit
    }
}

/// The processor time of this thread. Linux writes three numbers: nanoseconds on the processor, nanoseconds of waiting, and the number of time
/// slices, which is 0 if the kernel does not collect these statistics.
fn ran() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let (Some(Ok(ran)), Some(Ok(_)), Some(Ok(1..))) = (numbers.next(), numbers.next(), numbers.next()) else {
        return None;
    };
    Some(Duration::from_nanos(ran))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_takes_no_time() {
        let clock = Clock::start();
        std::thread::sleep(Duration::from_millis(60));
        let is_known = cfg!(target_os = "linux") && ran().is_some();
        assert_eq!(clock.is_over(Duration::from_millis(50)), !is_known);
        let mut sum = 0u64;
        while clock.start.elapsed() < Duration::from_secs(60) && !clock.is_over(Duration::from_millis(70)) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(clock.seconds() > 0.07, "{clock:?}");
    }
}
