//! Reads pages out of crawls.
#![allow(dead_code, reason = "the readers of records, which call these modules, come next")]

mod date;
mod http;
mod jsonl;
mod parquet;
mod raw_page;
mod sniff;
