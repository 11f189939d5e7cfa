//! Catches panics of libraries that assume intact files.
//!
//! A program may end in a panic hook, which runs before a panic can be caught. Such a hook must check [`is_caught`].

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function, and returns `None` if it panics. Values that it was changing must not be used after that.
pub fn catch<T>(call: impl FnOnce() -> T) -> Option<T> {
    let before = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CAUGHT.set(before);
    result.ok()
}

/// Whether a panic on this thread is caught by [`catch`] now.
pub fn is_caught() -> bool {
    IS_CAUGHT.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_inside_only() {
        assert!(!is_caught());
        assert_eq!(catch(|| catch(is_caught)), Some(Some(true)));
        assert_eq!(catch(|| (catch(|| panic!("on purpose")), is_caught())), Some((None::<()>, true)));
        assert!(!is_caught());
        let other_thread = || std::thread::spawn(is_caught).join().expect("it does not panic");
        assert_eq!(catch(other_thread), Some(false));
    }
}
