//! Inflates a whole gzip member at once. This is the only module with unsafe code.
//!
//! libdeflate's C interface is used directly because its safe wrapper does not return the number of input bytes that a member took, which
//! is needed to find the next member. Writing into the spare capacity of a vector avoids clearing memory that is overwritten anyway.

use std::ptr::NonNull;

use libdeflate_sys as sys;

/// A libdeflate decompressor.
pub(crate) struct MemberInflater {
    raw: NonNull<sys::libdeflate_decompressor>,
}

impl MemberInflater {
    pub(crate) fn new() -> MemberInflater {
        // SAFETY: The function takes no arguments and touches no state of this program.
        #[expect(unsafe_code, reason = "a C function without arguments")]
        let raw = unsafe { sys::libdeflate_alloc_decompressor() };
        // Out of memory: abort the program, as any failed allocation in Rust does.
        MemberInflater { raw: NonNull::new(raw).expect("out of memory") }
    }

    /// Inflates the member at the beginning of `input` and appends at most `size_max` bytes to `output`.
    ///
    /// Returns the number of bytes of `input` that the member took. `None` if it is truncated, broken (including its checksum) or larger;
    /// `output` is unchanged then.
    pub(crate) fn inflate(&mut self, input: &[u8], output: &mut Vec<u8>, size_max: usize) -> Option<usize> {
        output.reserve(size_max);
        let spare = output.spare_capacity_mut();
        let available = spare.len().min(size_max);
        let (mut taken, mut written) = (0, 0);
        // SAFETY: The decompressor is live, because only `drop` frees it, and not shared, because `self` is borrowed exclusively.
        // libdeflate reads at most `input.len()` bytes of `input` and writes at most `available` bytes, which lie in the spare capacity of
        // `output`. The two do not overlap, because one is borrowed shared and one exclusively. Both counters are valid for writes during
        // the call.
        #[expect(unsafe_code, reason = "the safe wrapper does not return the number of bytes taken")]
        let result = unsafe {
            sys::libdeflate_gzip_decompress_ex(
                self.raw.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                spare.as_mut_ptr().cast(),
                available,
                &mut taken,
                &mut written,
            )
        };
        if result != sys::libdeflate_result_LIBDEFLATE_SUCCESS || written > available || taken > input.len() {
            return None;
        }
        // SAFETY: On success libdeflate has initialised exactly `written` bytes from the start of the spare capacity,
        // and `written <= available <= capacity - len`.
        #[expect(unsafe_code, reason = "the bytes were written by the call above")]
        unsafe {
            output.set_len(output.len() + written);
        }
        Some(taken)
    }
}

impl Drop for MemberInflater {
    fn drop(&mut self) {
        // SAFETY: The pointer came from `libdeflate_alloc_decompressor` and is freed once, here.
        #[expect(unsafe_code, reason = "frees what `new` has allocated")]
        unsafe {
            sys::libdeflate_free_decompressor(self.raw.as_ptr());
        }
    }
}

// SAFETY: A libdeflate decompressor is a plain block of memory without ties to a thread; all access is through `&mut`.
#[expect(unsafe_code, reason = "a decoder moves to the thread that uses it")]
unsafe impl Send for MemberInflater {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gzip;

    #[test]
    fn tells_where_the_next_member_begins() {
        let input = [gzip(b"first"), gzip(b"second")].concat();
        let (mut inflater, mut output) = (MemberInflater::new(), b"kept ".to_vec());
        let taken = inflater.inflate(&input, &mut output, 5).unwrap();
        assert_eq!(taken, gzip(b"first").len());
        assert_eq!(output, b"kept first");
        inflater.inflate(&input[taken..], &mut output, 100).unwrap();
        assert_eq!(output, b"kept firstsecond");
    }

    #[test]
    fn leaves_the_output_alone_when_it_fails() {
        let member = gzip(b"some text");
        let (mut inflater, mut output) = (MemberInflater::new(), b"kept".to_vec());
        assert_eq!(inflater.inflate(&member, &mut output, 8), None);
        assert_eq!(inflater.inflate(&member[..member.len() - 1], &mut output, 100), None);
        let mut bad_checksum = member.clone();
        bad_checksum[member.len() - 8] ^= 1;
        assert_eq!(inflater.inflate(&bad_checksum, &mut output, 100), None);
        assert_eq!(inflater.inflate(b"", &mut output, 100), None);
        assert_eq!(output, b"kept");
    }
}
