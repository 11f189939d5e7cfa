//! How long work takes, as processor time of the thread that does it: other programs do not count.

use std::fs;
use std::time::{Duration, Instant};

/// Measures what this thread does from now on. Where the system does not tell processor time (it is Linux that does), it is the time that passes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
    ran: Option<Duration>,
}

impl Clock {
    /// Begins to measure.
    pub(crate) fn start() -> Clock {
        Clock { start: Instant::now(), ran: ran() }
    }

    /// The time since then.
    pub(crate) fn elapsed(&self) -> Duration {
        match (self.ran, ran()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.start.elapsed(),
        }
    }

    /// The time since then in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Whether more than this much time went by. A thread cannot run for longer than that, so the system is asked only then.
    pub(crate) fn is_over(&self, limit: Duration) -> bool {
        self.start.elapsed() > limit && self.elapsed() > limit
    }
}

/// How long this thread ran. Linux says for how many nanoseconds, for how many it waited, and how often it ran, which is 0 where nobody counts.
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
