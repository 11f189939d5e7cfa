//! A line of an index.

use std::borrow::Cow;

use serde_json::Value;

/// The fields of a record in an index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Entry<'l> {
    pub(super) url: Cow<'l, str>,
    /// Fourteen digits or fewer.
    pub(super) date: Cow<'l, str>,
    pub(super) status: Cow<'l, str>,
    pub(super) mime: Cow<'l, str>,
    /// The languages, separated by commas.
    pub(super) languages: Cow<'l, str>,
    pub(super) file: Cow<'l, str>,
    pub(super) offset: u64,
    /// The length of the record; `None` if the index has none, as those of nine columns.
    pub(super) length: Option<u64>,
}

/// The columns of a CDX file, as letters of the format's header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CdxColumns(Option<Vec<u8>>);

/// The columns of files without a header.
const ELEVEN: &[u8] = b"NbamskrMSVg";
/// The columns of older ones, without the length of records.
const NINE: &[u8] = b"NbamskrVg";

impl CdxColumns {
    /// The columns in a header (` CDX N b a m s k r M S V g`); `None` if the line is not a header.
    pub(super) fn of_header(line: &str) -> Option<CdxColumns> {
        let letters = line.trim().strip_prefix("CDX ")?.split_whitespace();
        Some(CdxColumns(Some(letters.filter_map(|letter| letter.bytes().next()).collect())))
    }

    /// The columns of a line with so many values.
    fn of_values(&self, count: usize) -> Option<&[u8]> {
        let columns = match &self.0 {
            Some(named) => named,
            None if count == NINE.len() => NINE,
            None => ELEVEN,
        };
        (columns.len() == count).then_some(columns)
    }
}

/// Parses a line: CDXJ (`KEY DATE {JSON}`), an object with the same fields, or CDX.
pub(super) fn parse<'l>(line: &'l str, columns: &CdxColumns) -> Result<Entry<'l>, &'static str> {
    let mut words = line.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some(_), Some(date), Some(json)) if json.starts_with('{') => from_json(json, date),
        _ if line.starts_with('{') => from_json(line, ""),
        _ => from_columns(line, columns),
    }
}

fn from_json<'l>(json: &'l str, date: &'l str) -> Result<Entry<'l>, &'static str> {
    let value: Value = serde_json::from_str(json).map_err(|_| "the line is not JSON")?;
    // Most writers quote numbers.
    let text = |name: &str| match value.get(name) {
        Some(Value::String(text)) => Cow::Owned(text.clone()),
        Some(Value::Number(number)) => Cow::Owned(number.to_string()),
        _ => Cow::Borrowed(""),
    };
    let or = |first: Cow<'l, str>, second: Cow<'l, str>| if first.is_empty() { second } else { first };
    Ok(Entry {
        url: text("url"),
        date: or(Cow::Borrowed(date), text("timestamp")),
        status: text("status"),
        mime: or(text("mime-detected"), text("mime")),
        languages: text("languages"),
        file: text("filename"),
        offset: number(&text("offset"))?,
        length: Some(number(&text("length"))?),
    })
}

fn from_columns<'l>(line: &'l str, columns: &CdxColumns) -> Result<Entry<'l>, &'static str> {
    let values: Vec<&str> = line.split_whitespace().collect();
    let columns = columns.of_values(values.len()).ok_or(
        "the line does not have as many columns as the header, or nine or eleven if there is no header",
    )?;
    let place = |letter: u8| columns.iter().position(|column| *column == letter);
    let value = |letter: u8| place(letter).map_or("", |place| values[place]);
    Ok(Entry {
        url: value(b'a').into(),
        date: value(b'b').into(),
        status: value(b's').into(),
        mime: value(b'm').into(),
        languages: Cow::Borrowed(""),
        file: value(b'g').into(),
        offset: number(value(b'V'))?,
        length: place(b'S').map(|place| number(values[place])).transpose()?,
    })
}

pub(super) fn number(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "the line lacks the offset or the length of the record")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in ".*", key in "[a-z,)/]{0,9} [0-9]{0,14} \\{.*") {
            let _ = (parse(&line, &CdxColumns::default()), parse(&key, &CdxColumns::default()));
            let columns = CdxColumns::of_header(&format!("CDX {line}")).unwrap_or_default();
            let _ = parse(&key, &columns);
        }
    }

    fn entry() -> Entry<'static> {
        Entry {
            url: "http://example.com/".into(),
            date: "20260131120000".into(),
            status: "200".into(),
            mime: "text/html".into(),
            languages: "".into(),
            file: "a.warc.gz".into(),
            offset: 7,
            length: Some(9),
        }
    }

    #[test]
    fn lines_of_all_kinds() {
        let columns = CdxColumns::default();
        let line = "com,example)/ 20260131120000 http://example.com/ text/html 200 X - - 9 7 a.warc.gz";
        assert_eq!(parse(line, &columns), Ok(entry()));
        let header = CdxColumns::of_header(" CDX b a m s V g S").unwrap();
        assert_eq!(
            parse("20260131120000 http://example.com/ text/html 200 7 a.warc.gz 9", &header),
            Ok(entry())
        );
        let line = "com,example)/ 20260131120000 http://example.com/ text/html 200 X - 7 a.warc.gz";
        assert_eq!(parse(line, &columns), Ok(Entry { length: None, ..entry() }));
        let json = r#"{"url":"http://example.com/","mime":"text/html","status":"200","length":"9","offset":7,"filename":"a.warc.gz"}"#;
        assert_eq!(parse(&format!("com,example)/ 20260131120000 {json}"), &columns), Ok(entry()));
        assert_eq!(parse(&format!("com,example)/{{a}} 20260131120000 {json}"), &columns), Ok(entry()));
        let line = json.replace("{", r#"{"timestamp":"20260131120000","#);
        assert_eq!(parse(&line, &columns), Ok(entry()));
    }

    #[test]
    fn lines_that_cannot_be_used() {
        let columns = CdxColumns::default();
        assert!(parse("", &columns).is_err());
        assert!(parse("com,example)/ 20260131120000 {", &columns).is_err());
        assert!(parse("com,example)/ 20260131120000 {\"url\":\"http://example.com/\"}", &columns).is_err());
        let ten = "com,example)/ 20260131120000 http://example.com/ text/html 200 X - - 7 a.arc";
        assert!(parse(ten, &columns).is_err());
    }
}
