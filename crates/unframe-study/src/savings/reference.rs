//! Pages with templates by reference.
//!
//! A stored page is a sequence of: the number of literal bytes, these bytes, and the number of the template that follows them. Numbers are LEB128:
//! seven bits in each byte, the lowest first. The last literal bytes are followed by no template.

use unframe::Region;
use xxhash_rust::xxh3::xxh3_64;

use super::SiteStore;

impl SiteStore {
    /// Encodes the page: templates of the store are replaced by their numbers.
    pub(super) fn refer(&self, payload: &[u8], regions: &[Region]) -> Vec<u8> {
        let mut out = Vec::with_capacity(payload.len() / 2);
        let mut at = 0;
        for region in regions {
            let bytes = region.span.slice(payload);
            let (start, end) = (region.span.start as usize, region.span.end as usize);
            let Some(number) = self.numbers.get(&xxh3_64(bytes)) else { continue };
            // A hash collision is possible, so the bytes are compared too.
            if self.templates.get(*number as usize).is_none_or(|template| template != bytes) || start < at {
                continue;
            }
            push_number(&mut out, start - at);
            out.extend_from_slice(&payload[at..start]);
            push_number(&mut out, *number as usize);
            at = end;
        }
        push_number(&mut out, payload.len() - at);
        out.extend_from_slice(&payload[at..]);
        out
    }

    /// Restores the page; `None` if the stored bytes are invalid.
    pub(super) fn restore(&self, mut stored: &[u8]) -> Option<Vec<u8>> {
        let mut page = Vec::new();
        loop {
            let own = take_number(&mut stored)?;
            page.extend_from_slice(stored.get(..own)?);
            stored = &stored[own..];
            if stored.is_empty() {
                return Some(page);
            }
            page.extend_from_slice(self.templates.get(take_number(&mut stored)?)?);
        }
    }
}

fn push_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_number(stored: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = stored.split_first()?;
        *stored = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
