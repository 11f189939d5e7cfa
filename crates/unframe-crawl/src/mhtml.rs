//! MHTML: a page with its images and styles in one file, as saved by browsers. The format is that of multipart mail.

use std::borrow::Cow;

use mailparse::{MailHeaderMap, ParsedMail, parse_mail};
use unframe::Problem;

use crate::parse_date;
use crate::raw_page::RawPage;

/// Whether a file begins like MHTML: mail headers, one of which is `multipart/related`.
pub(crate) fn is_mhtml(start: &[u8]) -> bool {
    let mut lines =
        start.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end).take_while(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let name = first.split(|b| *b == b':').next().unwrap_or_default();
    let is_header = name.len() < first.len() && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    let is_related = |line: &[u8]| {
        let line = line.to_ascii_lowercase();
        line.strip_prefix(b"content-type:")
            .is_some_and(|value| value.trim_ascii().starts_with(b"multipart/related"))
    };
    is_header && (is_related(first) || lines.any(is_related))
}

/// The page of a file: the part that the file declares as its start, or its first HTML part. `url` is the address if the file has none.
pub(crate) fn page(file: &[u8], url: String) -> Result<RawPage, Problem> {
    let bad = |why: String| Problem::new("bad-mhtml", why);
    let mail = parse_mail(file).map_err(|error| bad(error.to_string()))?;
    let root = root(&mail).ok_or_else(|| bad("no part of the file is HTML".to_owned()))?;
    let payload = root.get_body_raw().map_err(|error| bad(format!("its page cannot be decoded: {error}")))?;
    let declared = root.headers.get_first_value("Content-Location");
    let address = mail
        .headers
        .get_first_value("Snapshot-Content-Location")
        .or(declared)
        .filter(|address| is_web(address));
    let date = mail.headers.get_first_value("Date").and_then(|date| parse_date(&date));
    Ok(RawPage {
        url: address.unwrap_or(url),
        date,
        payload,
        content_type: root.headers.get_first_value("Content-Type").map(Cow::Owned),
        offset: 0,
        problems: Vec::new(),
    })
}

fn is_web(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

fn root<'m>(mail: &'m ParsedMail<'m>) -> Option<&'m ParsedMail<'m>> {
    let is_html = |part: &&ParsedMail<'_>| {
        part.subparts.is_empty()
            && matches!(part.ctype.mimetype.as_str(), "text/html" | "application/xhtml+xml")
    };
    let start = mail.ctype.params.get("start");
    let is_start = |part: &&ParsedMail<'_>| {
        start.is_some() && part.headers.get_first_value("Content-ID").as_ref() == start
    };
    mail.parts().filter(is_html).find(is_start).or_else(|| mail.parts().find(is_html))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(head: &str, body: &str) -> Vec<u8> {
        format!(
            "From: <Saved by Blink>\r\n{head}Subject: Tea\r\nDate: Mon, 8 Jan 2024 10:00:00 -0000\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----cut\"\r\n\r\n\
             ------cut\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\nPGh0bWw+\r\n\
             ------cut\r\n{body}\r\n------cut--\r\n"
        )
        .into_bytes()
    }

    const QUOTED: &str = "Content-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\
         Content-Location: http://tea.example/b\r\n\r\n<p>Caf=E9 =\r\nau lait";

    #[test]
    fn the_first_page_is_read() {
        let page = page(&file("", QUOTED), "file:///a.mhtml".to_owned()).unwrap();
        assert_eq!(page.payload, b"<p>Caf\xe9 au lait");
        assert_eq!(page.url, "http://tea.example/b");
        assert_eq!(page.content_type.as_deref(), Some("text/html; charset=iso-8859-1"));
        assert_eq!(page.date.unwrap().to_string(), "2024-01-08T10:00:00Z");
    }

    #[test]
    fn addresses_of_pages() {
        let snapshot = file("Snapshot-Content-Location: https://tea.example/a\r\n", QUOTED);
        assert_eq!(page(&snapshot, String::new()).unwrap().url, "https://tea.example/a");
        let local = QUOTED.replace("http://", "file:///");
        assert_eq!(page(&file("", &local), "file:///a.mhtml".to_owned()).unwrap().url, "file:///a.mhtml");
    }

    #[test]
    fn the_start_is_read_if_the_file_names_it() {
        let mut two = QUOTED.to_owned();
        two += "\r\n------cut\r\nContent-Type: text/html\r\nContent-ID: <b>\r\n\r\n<p>B";
        let named = String::from_utf8(file("", &two)).unwrap().replace("type=\"text/html\"", "start=\"<b>\"");
        assert_eq!(page(named.as_bytes(), String::new()).unwrap().payload, b"<p>B");
    }

    #[test]
    fn files_without_a_page() {
        let css = QUOTED.replace("text/html", "text/css");
        assert_eq!(page(&file("", &css), String::new()).unwrap_err().code, "bad-mhtml");
    }

    #[test]
    fn files_are_known_by_their_headers() {
        assert!(is_mhtml(&file("", "")));
        assert!(is_mhtml(b"MIME-Version: 1.0\nContent-type: Multipart/Related; boundary=x\n\n--x"));
        for other in [
            "",
            "From: a\n\nContent-Type: multipart/related",
            "<html>\nContent-Type: multipart/related",
            "WARC/1.0\r\nContent-Type: multipart/related",
        ] {
            assert!(!is_mhtml(other.as_bytes()), "{other}");
        }
    }

    proptest! {
        #[test]
        fn any_part_is_read_or_refused(head in "[ -~\r\n]{0,60}", body: Vec<u8>) {
            let mut bytes = file(&head, "");
            bytes.extend(body);
            let _ = (is_mhtml(&bytes), page(&bytes, String::new()));
        }
    }
}
