//! Validates the footer of a file before it is read.
//!
//! The footer is a structure in Thrift's compact protocol. Readers skip unknown fields and trust the declared lengths of lists. Booleans
//! take no bytes, so a footer of fifty bytes can make a reader count to two billion, and a footer of some kilobytes can keep it busy for
//! hours.

use ::parquet::file::FOOTER_SIZE;
use ::parquet::file::reader::ChunkReader;

/// Maximum nesting depth. Real files have ten levels.
const DEPTH_MAX: u32 = 64;

/// Checks that the footer of a file is whole, and that its lists have no more elements than the footer has bytes. Whether there is a footer
/// at all is checked elsewhere.
pub(super) fn check(file: &impl ChunkReader) -> Result<(), String> {
    let footer = || {
        let end = file.len().checked_sub(FOOTER_SIZE as u64)?;
        let last = file.get_bytes(end, FOOTER_SIZE).ok()?;
        let len = u32::from_le_bytes(*last.first_chunk()?);
        file.get_bytes(end.checked_sub(len.into())?, len as usize).ok()
    };
    footer().map_or(Ok(()), |footer| is_sound(&footer)).map_err(|stop| match stop {
        Stop::Overstated => "lists in the footer are longer than the footer".to_owned(),
        Stop::Damaged => "the footer is damaged".to_owned(),
    })
}

fn is_sound(footer: &[u8]) -> Result<(), Stop> {
    Walk { rest: footer, elements_left: footer.len() as u64 }.structure(DEPTH_MAX)
}

#[derive(Debug, PartialEq, Eq)]
enum Stop {
    Overstated,
    Damaged,
}

struct Walk<'f> {
    rest: &'f [u8],
    /// The number of elements that lists may still have. Each element takes at least a byte, unless it is empty.
    elements_left: u64,
}

impl Walk<'_> {
    fn structure(&mut self, depth: u32) -> Result<(), Stop> {
        loop {
            let head = self.byte()?;
            if head & 0x0f == 0 {
                return Ok(());
            }
            // A field whose number is far from the previous one stores it explicitly.
            if head >> 4 == 0 {
                self.number()?;
            }
            self.value(head & 0x0f, depth)?;
        }
    }

    fn value(&mut self, kind: u8, depth: u32) -> Result<(), Stop> {
        let depth = depth.checked_sub(1).ok_or(Stop::Damaged)?;
        match kind {
            // A boolean's value is in its type.
            1 | 2 => Ok(()),
            3 => self.skip(1),
            4..=6 => self.number().map(drop),
            7 => self.skip(8),
            8 => {
                let len = self.number()?;
                self.skip(len)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                self.elements(count, &[head & 0x0f], depth)
            }
            11 => match self.number()? {
                0 => Ok(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[kinds >> 4, kinds & 0x0f], depth)
                }
            },
            12 => self.structure(depth),
            13 => self.skip(16),
            _ => Err(Stop::Damaged),
        }
    }

    fn elements(&mut self, count: u64, kinds: &[u8], depth: u32) -> Result<(), Stop> {
        self.elements_left = self.elements_left.checked_sub(count).ok_or(Stop::Overstated)?;
        for _ in 0..count {
            for kind in kinds {
                self.value(*kind, depth)?;
            }
        }
        Ok(())
    }

    /// Reads a number with seven bits per byte, the lowest first.
    fn number(&mut self) -> Result<u64, Stop> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Stop::Damaged)
    }

    fn byte(&mut self) -> Result<u8, Stop> {
        let (first, rest) = self.rest.split_first().ok_or(Stop::Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    fn skip(&mut self, len: u64) -> Result<(), Stop> {
        let rest = usize::try_from(len).ok().and_then(|len| self.rest.get(len..));
        self.rest = rest.ok_or(Stop::Damaged)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field of this kind with the next field number, and its value.
    fn field(kind: u8, value: &[u8]) -> Vec<u8> {
        [&[0x10 | kind], value, &[0]].concat()
    }

    #[test]
    fn lists_of_nothing_are_seen_through() {
        const TWO_BILLIONS: [u8; 5] = [0xff, 0xff, 0xff, 0xff, 7];
        let list = |kind: u8| [&[0xf0 | kind][..], &TWO_BILLIONS].concat();
        let map = [&TWO_BILLIONS[..], &[0x11]].concat();
        for (kind, value) in [(9, list(1)), (9, list(2)), (10, list(1)), (9, list(12)), (11, map)] {
            let alone = field(kind, &value);
            let inside = field(12, &alone);
            let behind_a_number = [&[0x15, 4], &alone[..]].concat();
            for footer in [alone, inside, behind_a_number] {
                assert_eq!(is_sound(&footer), Err(Stop::Overstated), "{footer:?}");
            }
        }
        // Many small lists together.
        let many = [vec![0x19, 0xf9, 100], vec![0xe1; 100]].concat();
        assert_eq!(is_sound(&many), Err(Stop::Overstated));
    }

    #[test]
    fn what_is_as_large_as_it_tells_passes() {
        for (kind, value) in
            [(9, &[0x25, 1, 2][..]), (11, &[1, 0x58, 7, 2, b'a', b'b']), (9, &[0]), (13, &[7; 16])]
        {
            assert_eq!(is_sound(&field(kind, value)), Ok(()), "{kind} {value:?}");
        }
    }

    #[test]
    fn damage_is_found() {
        let endless_number = field(6, &[0xff; 11]);
        let deep = [0x1c].repeat(100_000);
        for footer in [&[][..], &[0x15], &field(8, &[200, 1]), &field(14, &[]), &endless_number, &deep] {
            assert_eq!(is_sound(footer), Err(Stop::Damaged), "{:?}", &footer[..footer.len().min(20)]);
        }
    }
}
