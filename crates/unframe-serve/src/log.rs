//! The log of requests and events on standard error. If standard error is slow, lines are dropped; requests never wait for the log.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::limits::LOG_QUEUE;
use crate::options::LogFormat;

/// The log.
#[derive(Debug)]
pub(crate) struct Log {
    lines: Option<SyncSender<String>>,
    format: LogFormat,
    lost: AtomicU64,
}

impl Log {
    pub(crate) fn start(format: LogFormat) -> Log {
        let lost = AtomicU64::new(0);
        if format == LogFormat::None {
            return Log { lines: None, format, lost };
        }
        let (sender, lines) = sync_channel::<String>(LOG_QUEUE);
        let thread = thread::Builder::new().name("log".to_owned()).spawn(move || {
            for line in lines {
                // There is nowhere left to report that the log cannot be written.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        });
        Log { lines: thread.is_ok().then_some(sender), format, lost }
    }

    /// Writes an event.
    pub(crate) fn event(&self, event: &str, more: &Value) {
        let Some(lines) = &self.lines else { return };
        let time = Timestamp::now();
        let line = match self.format {
            LogFormat::Json => {
                let mut line = json!({"time": time.to_string(), "event": event});
                if let (Some(line), Some(more)) = (line.as_object_mut(), more.as_object()) {
                    line.extend(more.clone());
                }
                line.to_string()
            }
            _ => {
                let words = more.as_object().into_iter().flatten();
                let words: Vec<String> = words.map(|(name, value)| format!("{name}={value}")).collect();
                format!("{time:.3} {event} {}", words.join(" "))
            }
        };
        if lines.try_send(line).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The number of dropped lines.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
