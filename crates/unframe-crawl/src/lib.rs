//! Reads pages out of crawls.
