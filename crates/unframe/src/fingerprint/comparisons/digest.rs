//! `md5` and `mdh5`: the MD5 of the sequence of tags, of the whole page or of its head.
//!
//! # What it does
//! The lower-case names of start and end tags, each followed by a space, are hashed. Pages have the same template if their hashes are
//! equal. The head ends at the first `</head>` or `<body>`; the rest of the page is not read.
//!
//! # Cost
//! Linear in the bytes that are read; nothing is allocated. 16 bytes per page.
//!
//! # Paper
//! Hachenberg, Gottron: *Locality Sensitive Hashing for Scalable Structural Classification and Clustering of Web Documents* (2013), section 4.2.

use md5::{Digest, Md5};

use crate::html::Source;
use crate::html::tag::Tag;

/// The hash of the tags of the whole page.
pub(crate) fn md5(source: &Source<'_>) -> [u8; 16] {
    hash(source, |_, _| false)
}

/// The hash of the tags of the head.
pub(crate) fn mdh5(source: &Source<'_>) -> [u8; 16] {
    hash(source, |tag, is_end| match is_end {
        true => tag == Tag::HEAD,
        false => tag == Tag::BODY,
    })
}

fn hash(source: &Source<'_>, is_end_of_head: impl Fn(Tag, bool) -> bool) -> [u8; 16] {
    let mut hasher = Md5::new();
    let mut tokens = source.tokens();
    while let Some(tag) = tokens.next_name(|_, _| ()) {
        if [Tag::HEAD, Tag::BODY]
            .into_iter()
            .any(|name| tag.name.is(name) && is_end_of_head(name, tag.is_end))
        {
            break;
        }
        let mut lower = [0; 32];
        for part in tag.span.slice(source.bytes()).chunks(lower.len()) {
            let lower = &mut lower[..part.len()];
            lower.copy_from_slice(part);
            lower.make_ascii_lowercase();
            hasher.update(lower);
        }
        hasher.update(b" ");
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;
    use crate::html::source::SourceMemory;

    #[track_caller]
    fn check(hash: fn(&Source<'_>) -> [u8; 16], page: &str, hashed: &str) {
        let expected: [u8; 16] = Md5::digest(hashed).into();
        assert_eq!(hash(&SourceMemory::default().open(page.as_bytes(), UTF_8)), expected, "{page}");
    }

    #[test]
    fn names_of_tags_are_hashed() {
        check(md5, "<HTML><p a=b>x</p><br/></html>", "html p p br html ");
        check(md5, "text", "");
        check(mdh5, "<html><head><title>x</title></head><body><p>", "html head title title ");
        check(mdh5, "<title>x</title><body><p>", "title title ");
        check(mdh5, "<p><b>", "p b ");
    }

    #[test]
    fn md5_is_md5() {
        let digest: [u8; 16] = Md5::digest(b"abc").into();
        assert_eq!(digest[..4], [0x90, 0x01, 0x50, 0x98]);
    }
}
