//! Any bytes parse; spans lie in the page and in their parents; text maps back.
#![no_main]

use encoding_rs::{Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use libfuzzer_sys::fuzz_target;
use unframe::html::{NodeKind, Parser, Span};

fuzz_target!(|input: &[u8]| {
    // The first byte chooses the charset.
    let Some((choice, page)) = input.split_first() else { return };
    const ENCODINGS: [&Encoding; 6] = [UTF_8, WINDOWS_1252, GBK, SHIFT_JIS, UTF_16LE, ISO_2022_JP];
    let encoding = ENCODINGS[usize::from(*choice) % ENCODINGS.len()];
    let mut parser = Parser::new();
    let document = parser.parse(page, encoding);
    let whole = Span::new(0, page.len());
    for node in document.descendants() {
        assert!(whole.contains(node.span()));
        for child in node.children() {
            assert!(child.is_moved() || node.span().contains(child.span()));
        }
        if node.kind() == NodeKind::Text {
            let mut mapped = String::new();
            node.for_each_char(|c, span| {
                assert!(node.span().contains(span));
                mapped.push(c);
            });
            if encoding == UTF_8 || encoding == WINDOWS_1252 {
                assert_eq!(mapped, node.text());
            }
        }
    }
});
