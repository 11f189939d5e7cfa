//! All limits of reading and writing crawls.

use std::time::Duration;

use unframe::limits::PAGE_BYTES_MAX;

/// Longest block of a record that is held in memory: a page of [`PAGE_BYTES_MAX`] and its HTTP headers. Longer records are
/// skipped.
pub const RECORD_BYTES_MAX: usize = PAGE_BYTES_MAX + (1 << 20);

/// Longest header of a WARC record.
pub const RECORD_HEADER_BYTES_MAX: usize = 256 << 10;

/// A gzip member or zstd frame is given up when it has grown to more than this many bytes and to more than
/// [`BOMB_RATIO_MAX`] times its compressed size.
pub const BOMB_BYTES_MIN: u64 = 256 << 20;

/// See [`BOMB_BYTES_MIN`]. Real crawls compress 5 to 20 times.
pub const BOMB_RATIO_MAX: u64 = 500;

/// Maximum number of compressed bytes that are rescanned for members inside of broken ones: this many, or
/// [`REWOUND_TIMES_MAX`] times those of the file up to there. Crafted damage can lead a decoder over the same
/// megabytes from each of a million places.
pub const REWOUND_BYTES_MAX: u64 = 32 << 20;

/// See [`REWOUND_BYTES_MAX`]. Real damage takes one or two of them.
pub const REWOUND_TIMES_MAX: u64 = 16;

/// Largest zstd dictionary of a WARC file.
pub const DICTIONARY_BYTES_MAX: usize = 32 << 20;

/// Maximum number of damaged places at one position of the contents that are reported
/// one by one; further ones are counted. Files of nothing but damage have no contents that could be returned with it.
pub const DAMAGED_PLACES_MAX: usize = 4096;

/// Pages remembered to recognise exact repeats, at about 32 bytes each. Later ones are compared with
/// these, but not with each other, which is reported once.
pub const UNIQUE_PAGES_MAX: usize = 16 << 20;

/// Records in segments that are waited for at the same time, and the bytes they hold together.
pub const SEGMENTED_RECORDS_MAX: usize = 64;

/// Largest zip archive or Parquet file that is taken from standard input, through a temporary file.
pub const SPOOL_BYTES_MAX: u64 = 64 << 30;

/// Longest line of an index, CDX or CDXJ. The rest of a longer one is left out.
pub const CDX_LINE_BYTES_MAX: u64 = 1 << 20;

/// Blocks of an index in parts, at about 100 bytes each.
pub const CDX_BLOCKS_MAX: usize = if cfg!(test) { 3000 } else { 1 << 22 };

/// Records that can be chosen by indexes, at 16 bytes each.
pub const CDX_RECORDS_MAX: usize = 1 << 25;

/// Number of failed requests in a row after which a file is given up.
pub const REMOTE_ATTEMPTS_MAX: u32 = 6;

/// How long to wait after the first failed request; each further pause is twice as long.
pub const REMOTE_FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause, also if a server requests a longer one.
pub const REMOTE_PAUSE_MAX: Duration = Duration::from_secs(60);

/// How long a server may send nothing, before its first byte and between bytes.
pub const REMOTE_SILENCE_MAX: Duration = Duration::from_secs(60);

/// Bytes of one file that is read from a server.
pub const REMOTE_BYTES_MAX: u64 = 1 << 40;

/// Maximum number of files in a folder of a bucket.
pub const REMOTE_FILES_MAX: usize = if cfg!(test) { 5 } else { 1 << 20 };

/// Number of requests for records of an index that are made ahead.
pub const REMOTE_RECORDS_AHEAD: usize = 8;

/// Bytes of pages that are read ahead of the one that takes them, when there are several threads, unless
/// [`ReadOptions::read_ahead`](crate::ReadOptions::read_ahead) says less or more.
pub const IN_FLIGHT_BYTES_MAX: usize = 256 << 20;

/// Bytes of text in a row group of the Parquet files that are written; it is held in memory until it is full.
pub const ROW_GROUP_BYTES_MAX: usize = 64 << 20;

/// Rows in a row group of the Parquet files that are written.
pub const ROW_GROUP_ROWS_MAX: usize = 1 << 17;

/// Bytes of the values in a record batch of the Arrow streams that are written; it is held in memory until it is full.
pub const ARROW_BATCH_BYTES_MAX: usize = 8 << 20;

/// Rows in a record batch of the Arrow streams that are written.
pub const ARROW_BATCH_ROWS_MAX: usize = 1 << 14;

/// Files of partitions that are written at the same time, and parts that sites can be hashed to.
pub const OPEN_PARTITIONS_MAX: usize = 256;

/// Bytes of pages that all open files of partitions hold in memory together.
pub const PARTITIONED_BYTES_MAX: usize = 512 << 20;

/// Files of partitions: with pages of very many sites in any order, each would get a file of its own.
pub const PARTITION_FILES_MAX: usize = 1 << 17;
