//! WARC: a `warcinfo` record, then a `conversion` record a page.
//!
//! A record must have a date. Pages without one get the start of Unix time, and the first record that of the first page, since
//! the time of writing would make every file different.

use std::io;
use std::path::Path;

use jiff::Timestamp;

use super::target::Target;
use super::{CleanPage, PageWriter};
use crate::WarcWriter;

pub(super) struct Conversions {
    writer: WarcWriter<Target>,
    is_begun: bool,
}

impl Conversions {
    pub(super) fn new(target: Target, is_gzip: bool) -> Conversions {
        let writer = if is_gzip { WarcWriter::gzip(target) } else { WarcWriter::plain(target) };
        Conversions { writer, is_begun: false }
    }

    fn begin(&mut self, date: Timestamp) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let software = concat!("software: unframe ", env!("CARGO_PKG_VERSION"), "\r\n");
        let fields = "format: WARC File Format 1.1\r\ndescription: content of pages without the templates of their sites\r\n";
        self.writer.info(&format!("{software}{fields}"), date)
    }
}

impl PageWriter for Conversions {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        let date = page.date.unwrap_or(Timestamp::UNIX_EPOCH);
        self.begin(date)?;
        let refers_to = page.record_id.as_deref();
        self.writer.conversion(&page.url, date, &page.body.content_type(), &page.body.bytes(), refers_to)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.begin(Timestamp::UNIX_EPOCH)?;
        self.writer.into_inner().finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        self.writer.get_ref().unfinished()
    }
}
