//! The stored blocks of a page, from which snippets and corrections are made.

use unframe::blocks::{WordAt, words};

use crate::error::SearchError;

/// A block of a stored page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredBlock {
    pub(crate) style: u64,
    pub(crate) is_template: bool,
    pub(crate) text: String,
}

impl StoredBlock {
    /// The positions of its words.
    pub(crate) fn words(&self) -> Vec<WordAt> {
        let mut places = Vec::new();
        words::split(&self.text, |word| {
            places.push(WordAt { start: word.start as u32, end: word.end as u32 });
        });
        places
    }

    /// The positions of its words, and their hashes. `memory` is a reusable buffer.
    pub(crate) fn words_and_hashes(&self, memory: &mut String) -> (Vec<WordAt>, Vec<u64>) {
        let places = self.words();
        let hashes = places.iter().map(|word| words::hash(word.of(&self.text), memory)).collect();
        (places, hashes)
    }
}

/// Writes the blocks of a page.
pub(crate) fn write<'b>(blocks: impl Iterator<Item = (u64, bool, &'b str)>, out: &mut Vec<u8>) {
    for (style, is_template, text) in blocks {
        out.push(u8::from(is_template));
        out.extend(style.to_le_bytes());
        number(text.len() as u64, out);
        out.extend(text.as_bytes());
    }
}

/// Reads the blocks of a page.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<StoredBlock>, SearchError> {
    let mut reader = Reader { rest: bytes };
    let mut blocks = Vec::new();
    while !reader.rest.is_empty() {
        let is_template = reader.bytes(1)? == [1];
        let style = u64::from_le_bytes(reader.array()?);
        let len = reader.number()?;
        let text = reader.text(len)?.to_owned();
        blocks.push(StoredBlock { style, is_template, text });
    }
    Ok(blocks)
}

/// Appends a number as a variable-length integer (LEB128).
pub(crate) fn number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads stored blocks and spooled pages.
pub(crate) struct Reader<'b> {
    pub(crate) rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(crate) fn bytes(&mut self, len: usize) -> Result<&'b [u8], SearchError> {
        // The error is created lazily, because creating it costs more than reading.
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else { return Err(SearchError::Damaged) };
        self.rest = rest;
        Ok(bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], SearchError> {
        self.bytes(N)?.try_into().map_err(|_| SearchError::Damaged)
    }

    pub(crate) fn text(&mut self, len: u64) -> Result<&'b str, SearchError> {
        let len = usize::try_from(len).map_err(|_| SearchError::Damaged)?;
        std::str::from_utf8(self.bytes(len)?).map_err(|_| SearchError::Damaged)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, SearchError> {
        if let [byte @ ..0x80, rest @ ..] = self.rest {
            self.rest = rest;
            return Ok((*byte).into());
        }
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(SearchError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        let long = "ü".repeat(100);
        write([(7, true, "Home"), (u64::MAX, false, long.as_str())].into_iter(), &mut bytes);
        let blocks = read(&bytes).unwrap();
        assert_eq!(blocks[0], StoredBlock { style: 7, is_template: true, text: "Home".to_owned() });
        assert_eq!((blocks[1].style, blocks[1].text.as_str()), (u64::MAX, long.as_str()));
        for cut in 1..bytes.len() {
            assert!(
                read(&bytes[..cut]).is_ok_and(|found| found.len() == 1)
                    || matches!(read(&bytes[..cut]), Err(SearchError::Damaged))
            );
        }
    }
}
