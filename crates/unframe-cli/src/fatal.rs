//! Ends the program when memory is exhausted or after a panic. Rust's runtime would end it with a signal or an unspecific exit code. This
//! module prints one message and exits with code 2, as for every other error.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::panic::{self, PanicHookInfo};

use unframe::caught;

use crate::output;

/// The system's allocator. If it fails, the program ends.
pub(crate) struct AbortingAllocator;

#[global_allocator]
static ALLOCATOR: AbortingAllocator = AbortingAllocator;

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait")]
// SAFETY: every call is passed on unchanged to the system's allocator, and every result that is not null is returned unchanged.
unsafe impl GlobalAlloc for AbortingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`, which is the same for both allocators.
        abort_if_null(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        abort_if_null(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; `old` was allocated by the system's allocator.
        abort_if_null(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

#[inline]
fn abort_if_null(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        abort_out_of_memory(bytes);
    }
    memory
}

/// Ends the program without allocating and without taking a lock. Unfinished files are not removed, as after `kill -9`.
#[cold]
fn abort_out_of_memory(bytes: usize) -> ! {
    let mut message = [0; 200];
    let mut rest = &mut message[..];
    let _ = writeln!(
        rest,
        "unframe: out of memory: {bytes} more bytes could not be allocated. Fewer threads (--threads) need less"
    );
    let left = rest.len();
    let message = &message[..message.len() - left];
    #[cfg(unix)]
    #[expect(
        unsafe_code,
        reason = "the standard library has no way to end a process that asks for no memory"
    )]
    // SAFETY: the pointer and the length are those of a valid slice, and `_exit` does not return.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(2)
    }
    #[cfg(not(unix))]
    {
        let _ = std::io::stderr().write_all(message);
        std::process::abort()
    }
}

/// From now on, a panic on any thread is reported in one line and ends the program, unless it is caught.
pub(crate) fn exit_on_panic() {
    panic::set_hook(Box::new(|panic| {
        if caught::is_caught() {
            return;
        }
        message!("unframe: {}", message(panic));
        output::leave(2)
    }));
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    if text.contains("failed to spawn thread") {
        return "the system has no resources left for another thread. Fewer threads (--threads) need less"
            .to_owned();
    }
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    format!("a bug in unframe: {text}{}. Please report it", place.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Output};

    use super::*;

    /// Not a test itself: the child process of a test, which panics where `UNFRAME_PANIC` says.
    #[test]
    fn child() {
        let Some(place) = std::env::var_os("UNFRAME_PANIC") else { return };
        exit_on_panic();
        let panics = || panic!("on purpose");
        if place == "inside" {
            assert_eq!(caught::catch(panics), None::<()>);
            let _ = writeln!(std::io::stdout(), "it went on");
        } else {
            let _ = std::thread::spawn(panics).join();
        }
    }

    fn panicked(place: &str) -> Output {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["fatal::tests::child", "--exact", "--nocapture"]);
        command.env("UNFRAME_PANIC", place).output().unwrap()
    }

    #[test]
    fn a_panic_ends_the_program_unless_it_is_caught() {
        let inside = panicked("inside");
        assert_eq!((String::from_utf8_lossy(&inside.stderr).as_ref(), inside.status.code()), ("", Some(0)));
        assert!(String::from_utf8_lossy(&inside.stdout).contains("it went on"));
        let outside = panicked("outside");
        let message = String::from_utf8_lossy(&outside.stderr).into_owned();
        assert!(message.starts_with("unframe: a bug in unframe: on purpose ("), "{message}");
        assert_eq!((message.lines().count(), outside.status.code()), (1, Some(2)), "{message}");
    }
}
