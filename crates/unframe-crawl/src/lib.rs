//! Reads pages out of crawls.
#![allow(dead_code, reason = "the readers of records, which call these modules, come next")]

mod http;
mod sniff;
