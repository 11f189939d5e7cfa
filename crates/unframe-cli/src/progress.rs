//! The progress bar: on standard error, if that is a terminal.

use std::cell::Cell;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use unframe_crawl::Progress;

/// The amount of data that earlier passes of the same run have read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EarlierPasses {
    /// Bytes read so far.
    pub(crate) bytes: u64,
    /// Bytes that all passes read together; 0 if this is the only pass.
    pub(crate) bytes_total: u64,
}

/// A bar that shows the progress of the reader.
pub(crate) struct Bar {
    earlier: EarlierPasses,
    counters: Arc<Progress>,
    bar: ProgressBar,
    /// Whether the style of the bar is set. It depends on the size of the input, which is known only after the reader has determined it.
    has_style: Cell<bool>,
}

impl Bar {
    /// A bar for a pass with these counters; invisible if `quiet` or if standard error is not a terminal.
    pub(crate) fn new(counters: Arc<Progress>, earlier: EarlierPasses, quiet: bool) -> Bar {
        if quiet || !std::io::stderr().is_terminal() {
            return Bar { earlier, counters, bar: ProgressBar::hidden(), has_style: Cell::new(true) };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar.set_position(earlier.bytes);
        bar.reset_eta();
        Bar { earlier, counters, bar, has_style: Cell::new(false) }
    }

    /// Updates the bar from the counters.
    pub(crate) fn update(&self) {
        if self.bar.is_hidden() {
            return;
        }
        let total = match self.earlier.bytes_total {
            0 => self.counters.bytes_total(),
            total => total,
        };
        if !self.has_style.replace(true) {
            self.bar.set_style(style(total > 0));
        }
        if total > 0 {
            self.bar.set_length(total);
        }
        self.bar.set_position(self.earlier.bytes + self.counters.bytes_read());
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

/// The style of the bar. It shows the remaining time only if the size of the input is known.
fn style(size_is_known: bool) -> ProgressStyle {
    let template = if size_is_known {
        "{wide_bar} {msg}  {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left"
    } else {
        "{spinner} {msg}  {bytes}  {bytes_per_sec}  {elapsed}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
