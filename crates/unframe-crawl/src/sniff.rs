//! Distinguishes HTML from everything else.
//!
//! A specific declared type decides. If it is missing or generic, the first bytes decide, by the patterns of the MIME Sniffing standard.
//! Three choices go beyond the standard, because the only question here is whether there is a page to parse:
//! - bodies declared as `text/plain` or an XML type are sniffed, because servers send pages with these types;
//! - a body declared as HTML is a page unless it begins like a binary format or is a feed. JSON under `text/html`
//!   stays a page, as in browsers: only a parser can distinguish it from a page that begins with a bracket;
//! - a tag's name may be followed by any white space, and comments and processing instructions may come before it.

use memchr::memmem;

use crate::http::essence;

/// The number of bytes that are sniffed. The standard uses 1445, too few for the licences that some pages begin with.
const SNIFF_BYTES: usize = 8 << 10;

/// Whether a body is HTML or XHTML, judged by its declared type and its first bytes.
pub(crate) fn is_html(content_type: Option<&str>, body: &[u8]) -> bool {
    match Declared::by(essence(content_type.unwrap_or_default())) {
        Declared::Html => !is_binary_format(body) && !is_feed(&beginning(body)),
        Declared::Unknown => is_html_document(&beginning(body), false),
        Declared::Xml => is_html_document(&beginning(body), true),
        Declared::Other => false,
    }
}

/// Whether bytes that are declared as a page are something else: they begin like a binary format, or contain control characters that the
/// MIME Sniffing standard lists as binary, and do not begin like a page.
pub fn looks_binary(body: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 0..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    let start = &body[..body.len().min(SNIFF_BYTES)];
    is_binary_format(body) || start.iter().any(is_control) && !is_html(None, body)
}

/// Whether a file's extension is that of another format, whatever its contents.
pub(crate) fn has_other_extension(path: &str) -> bool {
    const NAMES: [&str; 7] = ["css", "js", "json", "markdown", "md", "mjs", "svg"];
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(_, end)| NAMES.iter().any(|other| other.eq_ignore_ascii_case(end)))
}

/// What a media type implies.
enum Declared {
    Html,
    Xml,
    Unknown,
    Other,
}

impl Declared {
    fn by(essence: &str) -> Declared {
        const HTML: [&str; 4] =
            ["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml", "text/xhtml"];
        const XML: [&str; 2] = ["application/xml", "text/xml"];
        const UNKNOWN: [&str; 11] = [
            "text/plain",
            "application/octet-stream",
            "binary/octet-stream",
            "application/x-httpd-php",
            "application/html",
            "unknown/unknown",
            "application/unknown",
            "application/x-unknown-content-type",
            "content/unknown",
            "text/unknown",
            "*/*",
        ];
        let is_one_of = |names: &[&str]| names.iter().any(|name| essence.eq_ignore_ascii_case(name));
        match essence.split_once('/') {
            _ if is_one_of(&HTML) => Declared::Html,
            _ if is_one_of(&XML) => Declared::Xml,
            _ if is_one_of(&UNKNOWN) => Declared::Unknown,
            None | Some(("" | "*", _) | (_, "" | "*")) => Declared::Unknown,
            Some(_) => Declared::Other,
        }
    }
}

/// The first bytes after a byte order mark and white space; UTF-16 is converted to ASCII, with 0xFF for other characters.
fn beginning(body: &[u8]) -> Vec<u8> {
    let body = &body[..body.len().min(SNIFF_BYTES)];
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        bytes.as_chunks().0.iter().map(|pair| u8::try_from(unit(*pair)).unwrap_or(0xff)).collect()
    };
    let bytes: Vec<u8> = match body {
        [0xef, 0xbb, 0xbf, rest @ ..] => rest.to_vec(),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0, b'<', 0, ..] => utf16(body, u16::from_be_bytes),
        [b'<', 0, _, 0, ..] => utf16(body, u16::from_le_bytes),
        _ => body.to_vec(),
    };
    bytes.trim_ascii_start().to_vec()
}

/// Whether the bytes begin an HTML document. An XML document is HTML only by its doctype or its root element.
fn is_html_document(bytes: &[u8], declared_xml: bool) -> bool {
    let prolog = Prolog::skip(bytes);
    if let Some(name) = after_name(prolog.rest, b"<!doctype") {
        return after_name(name.trim_ascii_start(), b"html").is_some();
    }
    if declared_xml || prolog.has_xml_declaration {
        return after_name(prolog.rest, b"<html").is_some();
    }
    let begins_with = |tags: &[&[u8]]| tags.iter().any(|tag| after_name(prolog.rest, tag).is_some());
    // According to the standard, a comment is enough.
    prolog.has_comment && !begins_with(&OTHER_ROOTS) || begins_with(&HTML_TAGS)
}

/// Root elements of documents that are not pages.
const OTHER_ROOTS: [&[u8]; 4] = [b"<svg", b"<math", b"<rss", b"<feed"];

/// The tags of the standard, and three more that pages without `html` and `head` begin with.
#[rustfmt::skip]
const HTML_TAGS: [&[u8]; 18] = [
    b"<html", b"<head", b"<script", b"<iframe", b"<h1", b"<div", b"<font", b"<table", b"<a", b"<style", b"<title",
    b"<b", b"<body", b"<br", b"<p", b"<meta", b"<link", b"<frameset",
];

/// RSS and Atom, which the standard recognises under `text/html` too.
fn is_feed(bytes: &[u8]) -> bool {
    let rest = Prolog::skip(bytes).rest;
    let is_rdf = || {
        after_name(rest, b"<rdf:rdf").is_some() && memmem::find(rest, b"http://purl.org/rss/1.0/").is_some()
    };
    after_name(rest, b"<rss").is_some() || after_name(rest, b"<feed").is_some() || is_rdf()
}

/// The bytes after `name` at the beginning of `bytes`, if the name ends there.
fn after_name<'a>(bytes: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = bytes.split_at_checked(name.len())?;
    let ends = rest.first().is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'));
    (ends && start.eq_ignore_ascii_case(name)).then_some(rest)
}

/// The parts that may precede the doctype or the first tag.
struct Prolog<'a> {
    has_comment: bool,
    has_xml_declaration: bool,
    rest: &'a [u8],
}

impl Prolog<'_> {
    fn skip(bytes: &[u8]) -> Prolog<'_> {
        let mut prolog =
            Prolog { has_comment: false, has_xml_declaration: false, rest: bytes.trim_ascii_start() };
        loop {
            let end: &[u8] = if prolog.rest.starts_with(b"<!--") {
                prolog.has_comment = true;
                b"-->"
            } else if prolog.rest.starts_with(b"<?") {
                prolog.has_xml_declaration |= after_name(prolog.rest, b"<?xml").is_some();
                b"?>"
            } else {
                return prolog;
            };
            let Some(at) = memmem::find(prolog.rest, end) else {
                prolog.rest = &[];
                return prolog;
            };
            prolog.rest = prolog.rest[at + end.len()..].trim_ascii_start();
        }
    }
}

/// Whether the bytes begin like a format that no browser treats as a page. Signatures that text could begin with (`BM`, `MZ`) are left out.
pub(crate) fn is_binary_format(body: &[u8]) -> bool {
    const SIGNATURES: [&[u8]; 26] = [
        b"%PDF-",
        b"%!PS-Adobe-",
        b"\x89PNG\r\n\x1a\n",
        b"GIF87a",
        b"GIF89a",
        b"\xff\xd8\xff",
        b"II*\0",
        b"MM\0*",
        b"\0\0\x01\0",
        b"PK\x03\x04",
        b"\x1f\x8b\x08",
        b"BZh9",
        b"\xfd7zXZ\0",
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
        b"\x28\xb5\x2f\xfd",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"\x7fELF",
        b"\xca\xfe\xba\xbe",
        b"\0asm",
        b"wOFF",
        b"wOF2",
        b"OggS\0",
        b"ID3\x03",
        b"\x1a\x45\xdf\xa3",
        b"SQLite format 3\0",
    ];
    let is_riff =
        matches!(body.first_chunk::<12>(), Some([b'R', b'I', b'F', b'F', _, _, _, _, b'W' | b'A', ..]));
    let is_mp4 = body.get(4..8) == Some(b"ftyp");
    is_riff || is_mp4 || SIGNATURES.iter().any(|signature| body.starts_with(signature))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TYPES: [&str; 8] = [
        "",
        "text/plain",
        "application/octet-stream",
        "unknown/unknown",
        "*/*",
        "nonsense",
        "text/",
        "text/plain;",
    ];

    fn check(content_type: &str, body: &[u8], expected: bool) {
        let text = String::from_utf8_lossy(body);
        assert_eq!(is_html(Some(content_type), body), expected, "{content_type:?} {text:?}");
    }

    #[test]
    fn a_specific_type_decides() {
        for html in
            ["text/html", "TEXT/HTML;charset=utf-8", "application/xhtml+xml", "\"text/html\"", "x, text/html"]
        {
            check(html, b"just words", true);
            check(html, b"", true);
            check(html, b"{\"json\": true}", true);
        }
        for other in
            ["image/png", "application/json", "text/css", "application/rss+xml", "text/html, image/png"]
        {
            check(other, b"<!doctype html>", false);
        }
    }

    #[test]
    fn html_that_is_plainly_something_else_is_not_html() {
        for body in [
            b"%PDF-1.4".as_slice(),
            b"\x89PNG\r\n\x1a\n",
            b"GIF89a",
            b"\xff\xd8\xff\xe0",
            b"PK\x03\x04",
            b"RIFF\0\0\0\0WEBPVP8 ",
            b"<?xml version='1.0'?><!-- feed --><rss version='2.0'>",
            b"<feed xmlns='http://www.w3.org/2005/Atom'>",
            b"<rdf:RDF xmlns='http://purl.org/rss/1.0/'>",
        ] {
            check("text/html", body, false);
        }
        check("text/html", b"<rsss>", true);
    }

    #[test]
    fn a_vague_type_leaves_it_to_the_first_bytes() {
        for content_type in TYPES {
            for body in [
                b"<!DOCTYPE html>".as_slice(),
                b"\xef\xbb\xbf \r\n\t<!doctype HTML PUBLIC \"\">",
                b"<html\nlang=en>",
                b"<HTML>",
                b"<br/>",
                b"<a href=x>",
                b"<!-- a comment",
                b"<!-- a --><!-- b --> <unknown>",
                b"<?php ?><title>x</title>",
                b"<?xml version=\"1.0\"?>\n<!DOCTYPE html>",
                b"<?xml version=\"1.0\"?><!-- x --><html xmlns=\"\">",
                b"\xff\xfe<\0h\0t\0m\0l\0>\0",
                b"\xfe\xff\0 \0<\0p\0>",
                b"<\0b\0r\0>\0",
                b"\0<\0b\0r\0>",
            ] {
                check(content_type, body, true);
            }
            for body in [
                b"".as_slice(),
                b"<",
                b"words <html>",
                b"<htmlx>",
                b"<address>",
                b"<!doctype htmlx>",
                b"<!doctype svg>",
                b"<svg>",
                b"<?xml version=\"1.0\"?><div>",
                b"<?xml version=\"1.0\"?><!-- x --><rss>",
                b"{\"a\": 1}",
                b"%PDF-1.4",
            ] {
                check(content_type, body, false);
            }
        }
        assert!(is_html(None, b"<html>"));
        assert!(!is_html(None, b"words"));
    }

    #[test]
    fn bytes_of_other_formats_look_binary() {
        assert!(looks_binary(b"\x89PNG\r\n\x1a\n"));
        assert!(looks_binary(b"\x07\xf3\x91 bytes"));
        assert!(!looks_binary(b"<p>a fragment"));
        assert!(!looks_binary(b"words\x1b and more\r\n"));
        assert!(!looks_binary(b"<!doctype html>\0"));
        assert!(!looks_binary(b""));
    }

    #[test]
    fn xml_is_html_by_its_root() {
        check("application/xml", b"<html xmlns='http://www.w3.org/1999/xhtml'>", true);
        check("text/xml; charset=utf-8", b"<?xml version='1.0'?><!DOCTYPE html SYSTEM ''>", true);
        check("text/xml", b"<!-- sitemap --><urlset>", false);
        check("text/xml", b"<div>", false);
    }

    proptest! {
        #[test]
        fn any_bytes_have_an_answer(content_type in proptest::option::of(".{0,20}"), body: Vec<u8>) {
            is_html(content_type.as_deref(), &body);
        }

        #[test]
        fn any_prolog_has_an_answer(parts in prop::collection::vec(
            prop::sample::select(vec!["<!--", "-->", "<?xml ", "?>", "<!doctype ", "html", "<", ">", " ", "é"]), 0..20,
        )) {
            is_html(None, parts.concat().as_bytes());
        }
    }
}
