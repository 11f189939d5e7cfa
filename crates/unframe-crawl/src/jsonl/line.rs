//! The fields of a line, under any of their names.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::raw_page::{DATE_NAMES, HTML_NAMES, URL_NAMES, rank};

/// A line. If two fields have the same meaning, the better name wins; of equal names the last one wins, as usual in JSON.
#[derive(Default)]
pub(super) struct Line {
    pub(super) url: Ranked<Text>,
    pub(super) html: Ranked<Text>,
    pub(super) date: Ranked<Value>,
}

/// The bytes of a JSON string, which need not be UTF-8.
pub(super) struct Text(pub(super) Vec<u8>);

/// The value of a field under its best name so far. Null does not count as a value.
pub(super) struct Ranked<T> {
    pub(super) value: Option<T>,
    rank: usize,
}

impl<T> Default for Ranked<T> {
    fn default() -> Ranked<T> {
        Ranked { value: None, rank: usize::MAX }
    }
}

impl<T> Ranked<T> {
    fn offer<'de, A: MapAccess<'de>>(&mut self, rank: usize, map: &mut A) -> Result<(), A::Error>
    where
        T: Deserialize<'de>,
    {
        let value = map.next_value::<Option<T>>()?;
        if value.is_some() && rank <= self.rank {
            *self = Ranked { value, rank };
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Line, D::Error> {
        deserializer.deserialize_map(LineVisitor)
    }
}

struct LineVisitor;

impl<'de> Visitor<'de> for LineVisitor {
    type Value = Line;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with url and html")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Line, A::Error> {
        let mut line = Line::default();
        while let Some(Text(name)) = map.next_key()? {
            let name = String::from_utf8_lossy(&name);
            if let Some(rank) = rank(&URL_NAMES, &name) {
                line.url.offer(rank, &mut map)?;
            } else if let Some(rank) = rank(&HTML_NAMES, &name) {
                line.html.offer(rank, &mut map)?;
            } else if let Some(rank) = rank(&DATE_NAMES, &name) {
                line.date.offer(rank, &mut map)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(line)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_byte_buf(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(Text(bytes.to_vec()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Text, E> {
        Ok(Text(bytes))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.as_bytes().to_vec()))
    }
}
