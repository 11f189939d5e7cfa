//! Catches panics of libraries that assume intact files.
//!
//! A panic hook may end the program before a panic can be caught, so such a hook must check [`is_caught`].

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function, and returns `None` if it panics. Values that the function was changing must not be used afterwards.
pub fn catch<T>(call: impl FnOnce() -> T) -> Option<T> {
    let before = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CAUGHT.set(before);
    result.ok()
}

/// Whether [`catch`] would catch a panic on this thread.
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
