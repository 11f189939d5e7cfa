//! `--threads`.

/// Maximum number of threads: each takes memory, and systems refuse tens of thousands of them.
pub(crate) const THREADS_MAX: usize = 1024;

/// Reads a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads <= THREADS_MAX => Ok(threads),
        _ => Err(format!("a number from 0 (all cores) to {THREADS_MAX} is needed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_so_many_threads_and_no_more() {
        assert_eq!(threads("0"), Ok(0));
        assert_eq!(threads("1024"), Ok(THREADS_MAX));
        for text in ["1025", "99999", "-1", "many"] {
            assert_eq!(
                threads(text),
                Err("a number from 0 (all cores) to 1024 is needed".to_owned()),
                "{text}"
            );
        }
    }
}
