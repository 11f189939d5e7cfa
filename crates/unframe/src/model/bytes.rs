//! Encodes the numbers and texts of a model file.

/// The error for missing or wrong bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Damaged;

/// Writes numbers and texts.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) out: Vec<u8>,
}

impl Writer {
    /// Writes a number with seven bits per byte, lowest first; the highest bit marks that more follow.
    pub(crate) fn number(&mut self, number: u64) {
        let mut rest = number;
        while rest >= 0x80 {
            self.out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.out.push(rest as u8);
    }

    /// Writes a number that may be negative, with its sign in the lowest bit.
    pub(crate) fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes bytes after their length.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.fixed(bytes);
    }

    pub(crate) fn fixed(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }
}

/// Reads numbers and texts. Missing data is an error, never a panic.
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.fixed::<1>()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    pub(crate) fn signed(&mut self) -> Result<i64, Damaged> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Reads the number of the following items, of at least `item_len` bytes each. More items than fit into the rest are an error.
    pub(crate) fn len(&mut self, item_len: usize) -> Result<usize, Damaged> {
        let len = self.number()?;
        let room = self.rest.len() / item_len.max(1);
        usize::try_from(len).ok().filter(|len| *len <= room).ok_or(Damaged)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Damaged> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Damaged)
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Damaged> {
        let len = self.len(1)?;
        let (bytes, rest) = self.rest.split_at(len);
        self.rest = rest;
        Ok(bytes)
    }

    pub(crate) fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>().ok_or(Damaged)?;
        self.rest = rest;
        Ok(*bytes)
    }
}
