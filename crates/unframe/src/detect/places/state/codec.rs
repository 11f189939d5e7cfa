//! A state as bytes, for the store. Equal states have equal bytes.

use std::collections::HashMap;

use super::super::record::{KEY_BYTES, key_bytes, key_of};
use super::super::table::PlaceStats;
use super::{KnownPage, SeenFact, SeenPlace, SiteState};
use crate::model::bytes::{Damaged, Reader, Writer};

impl SiteState {
    /// The bytes of a state.
    pub(in super::super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(u64::from(self.clock));
        writer.number(u64::from(self.compared));
        self.kinds.iter().for_each(|sum| writer.signed(i64::from(*sum)));
        let numbers = self.write_known(&mut writer);
        let facts = sorted(&self.facts);
        writer.number(facts.len() as u64);
        for (key, fact) in facts {
            writer.fixed(&key_bytes(key));
            writer.number(u64::from(fact.pages));
            writer.number(u64::from(self.clock - fact.last));
            writer.number(numbers.get(&fact.by).copied().unwrap_or(0));
        }
        let places = sorted(&self.places);
        writer.number(places.len() as u64);
        for (place, seen) in places {
            writer.fixed(&place.to_le_bytes());
            seen.stats.numbers().iter().for_each(|number| writer.number(u64::from(*number)));
            writer.number(u64::from(self.clock - seen.last));
        }
        writer.out
    }

    /// Writes the known pages, and returns the numbers by which facts refer to them.
    fn write_known(&self, writer: &mut Writer) -> HashMap<u32, u64> {
        let known = sorted(&self.known);
        writer.number(known.len() as u64);
        for (url, page) in &known {
            writer.fixed(&url.to_le_bytes());
            writer.fixed(&page.content.to_le_bytes());
            writer.number(u64::from(self.clock - page.last));
            writer.number(u64::from(page.prose));
            writer.fixed(&key_bytes(page.title));
        }
        known.iter().zip(1..).map(|((url, _), number)| (*url, number)).collect()
    }

    /// The inverse of [`SiteState::encode`]; `None` if the bytes are damaged.
    pub(in super::super) fn decode(bytes: &[u8]) -> Option<SiteState> {
        let mut reader = Reader { rest: bytes };
        read(&mut reader).ok().filter(|_| reader.rest.is_empty())
    }
}

fn sorted<K: Copy + Ord, V: Copy, S>(map: &HashMap<K, V, S>) -> Vec<(K, V)> {
    let mut entries: Vec<(K, V)> = map.iter().map(|(key, value)| (*key, *value)).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}

fn read(reader: &mut Reader<'_>) -> Result<SiteState, Damaged> {
    let mut state = SiteState { clock: small(reader)?, compared: small(reader)?, ..SiteState::default() };
    for sum in &mut state.kinds {
        *sum = reader.signed()? as i32;
    }
    let clock = state.clock;
    let last = |reader: &mut Reader<'_>| clock.checked_sub(small(reader)?).ok_or(Damaged);
    let mut urls = vec![0];
    for _ in 0..reader.len(4 + 4 + 2 + KEY_BYTES)? {
        let url = u32::from_le_bytes(reader.fixed()?);
        let content = u32::from_le_bytes(reader.fixed()?);
        let (last, prose) = (last(reader)?, small(reader)?);
        state.known.insert(url, KnownPage { content, last, prose, title: key_of(reader.fixed()?) });
        urls.push(url);
    }
    for _ in 0..reader.len(KEY_BYTES + 3)? {
        let key = key_of(reader.fixed()?);
        let (pages, last) = (small(reader)?, last(reader)?);
        let by = *urls.get(reader.number()? as usize).ok_or(Damaged)?;
        state.facts.insert(key, SeenFact { pages, last, by });
    }
    for _ in 0..reader.len(8 + PlaceStats::NUMBERS + 1)? {
        let place = u64::from_le_bytes(reader.fixed()?);
        let mut numbers = [0; PlaceStats::NUMBERS];
        for number in &mut numbers {
            *number = small(reader)?;
        }
        let stats = PlaceStats::of_numbers(numbers);
        state.places.insert(place, SeenPlace { stats, last: last(reader)? });
    }
    Ok(state)
}

fn small(reader: &mut Reader<'_>) -> Result<u32, Damaged> {
    u32::try_from(reader.number()?).map_err(|_| Damaged)
}
