//! WARC and WET: a `warcinfo` record, then a `conversion` record per page.
//!
//! WET is Common Crawl's name for such files of plain text. For old readers, they use WARC 1.0 and the type `text/plain` without a charset.
//!
//! A record must have a date. Pages without a date get the Unix epoch. The first record gets the date of the first page, because the time
//! of writing would make every file different.

use std::io;
use std::path::Path;

use jiff::Timestamp;

use super::target::Target;
use super::{CleanPage, PageWriter};
use crate::WarcWriter;

pub(super) struct Conversions {
    writer: WarcWriter<Target>,
    is_wet: bool,
    is_begun: bool,
}

impl Conversions {
    pub(super) fn new(target: Target, is_gzip: bool) -> Conversions {
        let writer = if is_gzip { WarcWriter::gzip(target) } else { WarcWriter::plain(target) };
        Conversions { writer, is_wet: false, is_begun: false }
    }

    pub(super) fn wet(target: Target, is_gzip: bool) -> Conversions {
        let conversions = Conversions::new(target, is_gzip);
        Conversions { writer: conversions.writer.version_1_0(), is_wet: true, ..conversions }
    }

    fn begin(&mut self, date: Timestamp) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let software = concat!("software: unframe ", env!("CARGO_PKG_VERSION"), "\r\n");
        let version = if self.is_wet { "1.0" } else { "1.1" };
        let fields = format!(
            "format: WARC File Format {version}\r\ndescription: content of pages without the templates of their sites\r\n"
        );
        self.writer.info(&format!("{software}{fields}"), date)
    }
}

impl PageWriter for Conversions {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        let date = page.date.unwrap_or(Timestamp::UNIX_EPOCH);
        self.begin(date)?;
        let (url, refers_to) = (&page.url, page.record_id.as_deref());
        match self.is_wet {
            true => self.writer.wet(url, date, &page.body.text(), refers_to),
            false => {
                let content_type = page.body.content_type();
                self.writer.conversion(url, date, &content_type, &page.body.bytes(), refers_to)
            }
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.begin(Timestamp::UNIX_EPOCH)?;
        self.writer.into_inner().finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        self.writer.get_ref().unfinished()
    }
}
