//! Tests of reading whole crawls, through the public interface.

/// Small crawls and what comes of them.
mod harness;

/// Every format and every compression, well formed.
mod formats;
/// Files and folders, their order and their addresses.
mod folders;
/// Damaged files: what survives and what is reported.
mod damage;
/// Which records become pages, and how they are counted.
mod records;
/// Any bytes, any sizes of reads, any number of threads.
mod properties;
/// Files of every kind, good and bad, and how many pages each has.
mod counts;
/// Real files of other projects, counted by others too.
mod real_data;
