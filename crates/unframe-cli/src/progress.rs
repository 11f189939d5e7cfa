//! The progress bar: on standard error, if that is a terminal.

use std::cell::Cell;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use unframe_crawl::Progress;

/// What was done before this reading, where it is one of several of the same job.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Before {
    /// Bytes of the inputs that were read.
    pub(crate) bytes: u64,
    /// Bytes of all inputs; 0 if this is the only reading.
    pub(crate) bytes_total: u64,
}

/// A bar that shows how far the reader of a crawl is.
pub(crate) struct Bar {
    before: Before,
    counters: Arc<Progress>,
    bar: ProgressBar,
    /// Whether the bar has its style yet: that depends on the size of the input, which the reader finds out first.
    has_style: Cell<bool>,
}

impl Bar {
    /// A bar for the run with these counters; an invisible one in a pipe or if `quiet`.
    pub(crate) fn new(counters: Arc<Progress>, before: Before, quiet: bool) -> Bar {
        if quiet || !std::io::stderr().is_terminal() {
            return Bar { before, counters, bar: ProgressBar::hidden(), has_style: Cell::new(true) };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar.set_position(before.bytes);
        bar.reset_eta();
        Bar { before, counters, bar, has_style: Cell::new(false) }
    }

    /// Shows what the counters say now.
    pub(crate) fn update(&self) {
        if self.bar.is_hidden() {
            return;
        }
        let total = match self.before.bytes_total {
            0 => self.counters.bytes_total(),
            total => total,
        };
        if !self.has_style.replace(true) {
            self.bar.set_style(style(total > 0));
        }
        if total > 0 {
            self.bar.set_length(total);
        }
        self.bar.set_position(self.before.bytes + self.counters.bytes_read());
        let pages = self.counters.pages();
        let per_second = pages as f64 / self.bar.elapsed().as_secs_f64().max(0.1);
        self.bar.set_message(format!("page {pages}, {per_second:.0}/s"));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Time left is shown only if the size of the input is known.
fn style(size_is_known: bool) -> ProgressStyle {
    let template = if size_is_known {
        "{wide_bar} {msg}  {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left"
    } else {
        "{spinner} {msg}  {bytes}  {bytes_per_sec}  {elapsed}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
