//! All limits of reading and writing crawls.

use std::time::Duration;

use unframe::limits::PAGE_BYTES_MAX;

/// Longest block of a record that is held in memory: a page of [`PAGE_BYTES_MAX`] with its HTTP headers. Longer records are skipped.
pub const RECORD_BYTES_MAX: usize = PAGE_BYTES_MAX + (1 << 20);

/// Longest header of a WARC record.
pub const RECORD_HEADER_BYTES_MAX: usize = 256 << 10;

/// A gzip member or zstd frame is abandoned when it has grown to more than this many bytes and to more than [`BOMB_RATIO_MAX`] times its
/// compressed size.
pub const BOMB_BYTES_MIN: u64 = 256 << 20;

/// See [`BOMB_BYTES_MIN`]. Real crawls compress 5 to 20 times.
pub const BOMB_RATIO_MAX: u64 = 500;

/// Maximum number of compressed bytes that are rescanned for members inside broken ones: the larger of this and [`REWOUND_TIMES_MAX`] times
/// the bytes of the file so far. Crafted damage could lead a decoder over the same megabytes from each of a million places.
pub const REWOUND_BYTES_MAX: u64 = 32 << 20;

/// See [`REWOUND_BYTES_MAX`]. Real damage needs one or two times.
pub const REWOUND_TIMES_MAX: u64 = 16;

/// Largest zstd dictionary of a WARC file.
pub const DICTIONARY_BYTES_MAX: usize = 32 << 20;

/// Maximum number of damaged places at one position of the contents that are reported one by one; further ones are only counted. A file of
/// nothing but damage has no contents that they could be returned with.
pub const DAMAGED_PLACES_MAX: usize = 4096;

/// Pages remembered to recognise exact repeats, at about 32 bytes each. Pages past the limit are compared with these, but not with each
/// other, which is reported once.
pub const UNIQUE_PAGES_MAX: usize = 16 << 20;

/// Maximum number of segmented records that wait for further segments at the same time.
pub const SEGMENTED_RECORDS_MAX: usize = 64;

/// Largest zip archive or Parquet file that is taken from standard input, through a temporary file.
pub const SPOOL_BYTES_MAX: u64 = 64 << 30;

/// Longest line of a CDX or CDXJ index. The rest of a longer line is ignored.
pub const CDX_LINE_BYTES_MAX: u64 = 1 << 20;

/// Longest line of a WAT file that is used as an index. A line has all links of a page.
pub const WAT_LINE_BYTES_MAX: u64 = 16 << 20;

/// Blocks of an index in several parts, at about 100 bytes each.
pub const CDX_BLOCKS_MAX: usize = if cfg!(test) { 3000 } else { 1 << 22 };

/// Records that indexes can select, at 16 bytes each.
pub const CDX_RECORDS_MAX: usize = 1 << 25;

/// Number of consecutive failed requests after which a file is given up.
pub const REMOTE_ATTEMPTS_MAX: u32 = 6;

/// The pause after the first failed request; each further pause is twice as long.
pub const REMOTE_FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause, even if a server requests a longer one.
pub const REMOTE_PAUSE_MAX: Duration = Duration::from_secs(60);

/// How long a server may be silent, before the first byte and between bytes.
pub const REMOTE_SILENCE_MAX: Duration = Duration::from_secs(60);

/// Maximum bytes of one file that is read from a server.
pub const REMOTE_BYTES_MAX: u64 = 1 << 40;

/// Maximum number of files in a folder of a bucket.
pub const REMOTE_FILES_MAX: usize = if cfg!(test) { 5 } else { 1 << 20 };

/// Number of requests for records of an index that are sent ahead.
pub const REMOTE_RECORDS_AHEAD: usize = 8;

/// Bytes of pages that several threads may read ahead of the sink, unless [`ReadOptions::read_ahead`](crate::ReadOptions::read_ahead) sets
/// another limit.
pub const IN_FLIGHT_BYTES_MAX: usize = 256 << 20;

/// Bytes of text in a row group of a written Parquet file, which is held in memory until it is full.
pub const ROW_GROUP_BYTES_MAX: usize = 64 << 20;

/// Rows in a row group of a written Parquet file.
pub const ROW_GROUP_ROWS_MAX: usize = 1 << 17;

/// Bytes of values in a record batch of a written Arrow stream, which is held in memory until it is full.
pub const ARROW_BATCH_BYTES_MAX: usize = 8 << 20;

/// Rows in a record batch of a written Arrow stream.
pub const ARROW_BATCH_ROWS_MAX: usize = 1 << 14;

/// Partition files that are written at the same time, and the maximum number of parts that sites can be hashed to.
pub const OPEN_PARTITIONS_MAX: usize = 256;

/// Bytes of pages that all open partition files hold in memory together.
pub const PARTITIONED_BYTES_MAX: usize = 512 << 20;

/// Maximum number of partition files. If pages of very many sites come in any order, each page could get a file of its own.
pub const PARTITION_FILES_MAX: usize = 1 << 17;
