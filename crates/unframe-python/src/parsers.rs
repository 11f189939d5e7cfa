//! A pool of parsers. Parsers reuse their memory, because allocating it for each call is slow.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use unframe::PageParser;

/// The idle parsers.
static IDLE: Mutex<Vec<PageParser>> = Mutex::new(Vec::new());
/// Maximum number of idle parsers.
const IDLE_MAX: usize = 64;
/// Maximum memory of an idle parser in bytes. A parser that has grown beyond it, after a very long page, is dropped.
const BYTES_MAX: usize = 32 << 20;

/// A parser that returns to the pool when it is dropped.
pub(crate) struct PooledParser(PageParser);

impl PooledParser {
    pub(crate) fn take() -> PooledParser {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        PooledParser(idle.unwrap_or_default())
    }
}

impl Drop for PooledParser {
    fn drop(&mut self) {
        let parser = std::mem::take(&mut self.0);
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_MAX && parser.kept_bytes() < BYTES_MAX {
            idle.push(parser);
        }
    }
}

impl Deref for PooledParser {
    type Target = PageParser;

    fn deref(&self) -> &PageParser {
        &self.0
    }
}

impl DerefMut for PooledParser {
    fn deref_mut(&mut self) -> &mut PageParser {
        &mut self.0
    }
}
