//! Exit codes and the final error message.

use std::io;
use std::process::ExitCode;

/// The outcome of a run without a fatal error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// There were no problems.
    Clean,
    /// Some records were bad and were skipped.
    SomeBad,
    /// All records were bad.
    NothingDone,
}

/// Prints the error, if there is one, and returns the exit code: 0, 1 or 2.
pub(crate) fn code(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::SomeBad) => ExitCode::from(1),
        Ok(Outcome::NothingDone) => ExitCode::from(2),
        // The reader has closed the pipe (`unframe pages … | head`), which is not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            message!("unframe: {}", message(&error));
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The error and its causes, without repetition: the messages of many errors contain their cause.
fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.ends_with(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_reported_once() {
        let cause = io::Error::other("disk full");
        assert_eq!(
            message(&anyhow::Error::from(cause).context("cannot write a")),
            "cannot write a: disk full"
        );
        let cause = io::Error::other("disk full");
        assert_eq!(message(&anyhow::Error::from(cause).context("a: disk full")), "a: disk full");
    }

    #[test]
    fn broken_pipes_are_seen_at_any_depth() {
        let pipe = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_broken_pipe(&anyhow::Error::from(pipe).context("a").context("b")));
        assert!(!is_broken_pipe(&anyhow::Error::from(io::Error::other("x"))));
    }
}
