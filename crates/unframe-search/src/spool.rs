//! Holds pages until their template blocks are known: in memory, and beyond a limit in an unnamed temporary file.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;
use unframe::blocks::{Block, CutPage, WordAt};

use crate::error::SearchError;
use crate::places::Places;
use crate::prepare::Prepared;
use crate::record::{Reader, number};

/// Pages in the order in which they were added.
pub(crate) struct Spool {
    file: SpooledTempFile,
    folder: PathBuf,
    bytes: Vec<u8>,
}

impl Spool {
    pub(crate) fn new(bytes_max: usize, folder: &Path) -> Spool {
        let file = tempfile::spooled_tempfile_in(bytes_max, folder);
        Spool { file, folder: folder.to_owned(), bytes: Vec::new() }
    }

    /// Adds a page.
    pub(crate) fn push(&mut self, page: &Prepared) -> Result<(), SearchError> {
        let mut body = std::mem::take(&mut self.bytes);
        body.clear();
        write_page(page, &mut body);
        let mut head = Vec::new();
        number(body.len() as u64, &mut head);
        let written = self.file.write_all(&head).and_then(|()| self.file.write_all(&body));
        self.bytes = body;
        written.map_err(SearchError::io(&self.folder))
    }

    /// Calls `each` with all pages. Data that only template detection needs, such as `places`, is not stored and is empty.
    pub(crate) fn for_each(
        mut self,
        mut each: impl FnMut(Prepared) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        let failed = SearchError::io(&self.folder);
        self.file.seek(SeekFrom::Start(0)).map_err(&failed)?;
        let mut file = BufReader::with_capacity(1 << 18, self.file);
        while !file.fill_buf().map_err(&failed)?.is_empty() {
            let len = read_number(&mut file).map_err(&failed)?;
            self.bytes.resize(len, 0);
            file.read_exact(&mut self.bytes).map_err(&failed)?;
            each(read_page(&self.bytes)?)?;
        }
        Ok(())
    }
}

fn read_number(file: &mut impl Read) -> std::io::Result<usize> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        number |= usize::from(byte[0] & 0x7f) << shift;
        shift += 7;
        if byte[0] < 0x80 || shift > 56 {
            return Ok(number);
        }
    }
}

fn write_page(page: &Prepared, out: &mut Vec<u8>) {
    let mut text = |text: &str| {
        number(text.len() as u64, out);
        out.extend(text.as_bytes());
    };
    text(&page.url);
    text(&page.site);
    text(&page.language);
    text(page.page.title.as_deref().unwrap_or_default());
    text(&page.page.text);
    out.push(u8::from(page.date.is_some()));
    out.extend(page.date.unwrap_or_default().to_le_bytes());
    number(page.page.words.len() as u64, out);
    let mut end = 0;
    for (word, hash) in page.page.words.iter().zip(&page.hashes) {
        number(u64::from(word.start - end), out);
        number(u64::from(word.end - word.start), out);
        out.extend((*hash as u32).to_le_bytes());
        end = word.end;
    }
    for block in &page.page.blocks {
        out.extend(block.style.to_le_bytes());
        out.push(u8::from(block.is_template));
        for place in [block.text_start, block.text_end, block.words_start, block.words_end] {
            number(place.into(), out);
        }
    }
}

fn read_page(bytes: &[u8]) -> Result<Prepared, SearchError> {
    let mut reader = Reader { rest: bytes };
    let mut text = || {
        let len = reader.number()?;
        reader.text(len).map(str::to_owned)
    };
    let (url, site, language) = (text()?, text()?, text()?);
    let title = Some(text()?).filter(|title| !title.is_empty());
    let mut page = CutPage { title, text: text()?, ..CutPage::default() };
    let has_date = reader.bytes(1)? == [1];
    let date = i64::from_le_bytes(reader.array()?);
    let words = reader.number()?;
    let mut hashes = Vec::with_capacity(words as usize);
    let mut end = 0;
    for _ in 0..words {
        let start = end + reader.number()? as u32;
        end = start + reader.number()? as u32;
        page.words.push(WordAt { start, end });
        hashes.push(u32::from_le_bytes(reader.array()?).into());
    }
    while !reader.rest.is_empty() {
        let style = u64::from_le_bytes(reader.array()?);
        let is_template = reader.bytes(1)? == [1];
        let mut place = || reader.number().map(|number| number as u32);
        page.blocks.push(Block {
            style,
            span: Default::default(),
            text_start: place()?,
            text_end: place()?,
            words_start: place()?,
            words_end: place()?,
            is_template,
        });
    }
    let date = has_date.then_some(date);
    Ok(Prepared { url, site, date, language, page, hashes, places: Places::default() })
}
