//! WAT files as indexes: the metadata of each record name the WARC file that it is from, and its position there.

use std::borrow::Cow;

use serde::Deserialize;

use super::line::{Entry, number};

/// What a record of a WAT file holds of interest here; the links of its page are skipped.
#[derive(Deserialize)]
struct Wat<'l> {
    #[serde(borrow, rename = "Container")]
    container: Container<'l>,
    #[serde(borrow, rename = "Envelope")]
    envelope: Envelope<'l>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Container<'l> {
    #[serde(borrow)]
    filename: Cow<'l, str>,
    #[serde(borrow)]
    offset: Cow<'l, str>,
    #[serde(borrow, rename = "Gzip-Metadata")]
    gzip: Option<Gzip<'l>>,
}

#[derive(Deserialize)]
struct Gzip<'l> {
    #[serde(borrow, rename = "Deflate-Length")]
    length: Cow<'l, str>,
}

#[derive(Deserialize)]
struct Envelope<'l> {
    #[serde(borrow, rename = "WARC-Header-Metadata")]
    header: Header<'l>,
    #[serde(borrow, rename = "WARC-Header-Length", default)]
    header_length: Cow<'l, str>,
    #[serde(borrow, rename = "Payload-Metadata", default)]
    payload: Payload<'l>,
}

#[derive(Deserialize)]
struct Header<'l> {
    #[serde(borrow, rename = "WARC-Type")]
    kind: Cow<'l, str>,
    #[serde(borrow, rename = "WARC-Target-URI", default)]
    url: Cow<'l, str>,
    #[serde(borrow, rename = "WARC-Date", default)]
    date: Cow<'l, str>,
    #[serde(borrow, rename = "Content-Length", default)]
    length: Cow<'l, str>,
    #[serde(borrow, rename = "WARC-Identified-Payload-Type", default)]
    mime: Cow<'l, str>,
}

#[derive(Deserialize, Default)]
struct Payload<'l> {
    #[serde(borrow, rename = "HTTP-Response-Metadata", default)]
    response: Response<'l>,
}

#[derive(Deserialize, Default)]
struct Response<'l> {
    #[serde(borrow, rename = "Response-Message", default)]
    message: Message<'l>,
    #[serde(borrow, rename = "Headers", default)]
    headers: Headers<'l>,
}

#[derive(Deserialize, Default)]
struct Headers<'l> {
    #[serde(borrow, rename = "Content-Type", alias = "content-type", default)]
    content_type: Cow<'l, str>,
}

#[derive(Deserialize, Default)]
struct Message<'l> {
    #[serde(borrow, rename = "Status", default)]
    status: Cow<'l, str>,
}

/// Whether a file that begins with this line consists of records, as WAT files do.
pub(super) fn is_first_line(line: &[u8]) -> bool {
    line.starts_with(b"WARC/")
}

/// The entry of a line of a WAT file; `None` for lines of a record's header, and for records without a page. In WAT files the metadata
/// of a record are one line.
pub(super) fn parse(line: &str) -> Option<Result<Entry<'_>, &'static str>> {
    if !line.starts_with('{') {
        return None;
    }
    let Ok(Wat { container, envelope }) = serde_json::from_str(line) else {
        return Some(Err(
            "the metadata of a WAT record lack the file, the position or the kind of its record",
        ));
    };
    let Envelope { header, header_length, payload: Payload { response } } = envelope;
    if !matches!(&*header.kind, "response" | "resource") {
        return None;
    }
    Some(location(&container, &header_length, &header.length).map(|(offset, length)| Entry {
        url: header.url,
        date: header.date.chars().filter(char::is_ascii_digit).collect::<String>().into(),
        status: response.message.status,
        mime: if header.mime.is_empty() { media_type(&response.headers.content_type) } else { header.mime },
        languages: Cow::Borrowed(""),
        file: container.filename,
        offset,
        length: Some(length),
    }))
}

/// The type of a `Content-Type` header, without its parameters.
fn media_type(content_type: &str) -> Cow<'static, str> {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().into()
}

/// The position and length of a record in its file: those of its member if the file is compressed. Otherwise the record is its header, its block
/// and two empty lines.
fn location(container: &Container<'_>, header: &str, block: &str) -> Result<(u64, u64), &'static str> {
    let offset = number(&container.offset)?;
    let length = match &container.gzip {
        Some(gzip) => number(&gzip.length)?,
        None => number(header)?.saturating_add(number(block)?).saturating_add(4),
    };
    Ok((offset, length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(kind: &str, container: &str) -> String {
        format!(
            "{{\"Container\":{{\"Filename\":\"a.warc.gz\",\"Offset\":\"7\"{container}}},\"Envelope\":{{\"Format\":\"WARC/1.0\",\"WARC-Header-Length\":\"300\",\
             \"Payload-Metadata\":{{\"HTTP-Response-Metadata\":{{\"Response-Message\":{{\"Status\":\"200\"}},\"HTML-Metadata\":{{\"Links\":[{{\"url\":\"/\"}}]}}}}}},\
             \"WARC-Header-Metadata\":{{\"WARC-Type\":\"{kind}\",\"WARC-Date\":\"2026-01-31T12:00:00Z\",\"Content-Length\":\"50\",\
             \"WARC-Identified-Payload-Type\":\"text/html\",\"WARC-Target-URI\":\"http://example.com/\"}}}}}}"
        )
    }

    #[test]
    fn metadata_name_the_place_of_a_record() {
        let expected = |length| Entry {
            url: "http://example.com/".into(),
            date: "20260131120000".into(),
            status: "200".into(),
            mime: "text/html".into(),
            languages: "".into(),
            file: "a.warc.gz".into(),
            offset: 7,
            length: Some(length),
        };
        let compressed =
            line("response", ",\"Compressed\":true,\"Gzip-Metadata\":{\"Deflate-Length\":\"9\"}");
        assert_eq!(parse(&compressed), Some(Ok(expected(9))));
        assert_eq!(parse(&line("resource", ",\"Compressed\":false")), Some(Ok(expected(354))));
        let declared =
            line("response", "").replace("\"WARC-Identified-Payload-Type\":\"text/html\",", "").replace(
                "\"HTML-Metadata\"",
                "\"Headers\":{\"Content-Type\":\"Text/HTML; charset=utf-8\"},\"HTML-Metadata\"",
            );
        assert_eq!(parse(&declared), Some(Ok(expected(354))));
    }

    #[test]
    fn only_metadata_of_pages_count() {
        assert_eq!(parse("WARC-Type: metadata\r\n"), None);
        assert_eq!(parse(&line("request", "")), None);
        assert!(matches!(parse("{\"Container\":{}}"), Some(Err(_))));
        assert!(matches!(parse(&line("response", "").replace("\"7\"", "\"far\"")), Some(Err(_))));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in ".*", cut in 0..400_usize) {
            let _ = parse(&line);
            let whole = super::tests::line("response", "");
            let _ = parse(&whole[..cut.min(whole.len())]);
        }
    }
}
