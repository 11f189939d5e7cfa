//! Texts without markup, as in WET files: each line becomes a paragraph of a page.

/// The page of a text in UTF-8. It declares no title, because texts do not say which line is one.
pub(crate) fn page(text: &[u8]) -> Vec<u8> {
    let mut html = Vec::with_capacity(text.len() + text.len() / 8);
    for line in text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        html.extend(b"<p>");
        for byte in line {
            match byte {
                b'&' => html.extend(b"&amp;"),
                b'<' => html.extend(b"&lt;"),
                b'>' => html.extend(b"&gt;"),
                _ => html.push(*byte),
            }
        }
        html.extend(b"</p>\n");
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_paragraphs() {
        let text = "Tea & Milk\r\n\n  1 < 2 <b>\nÜber";
        let html = "<p>Tea &amp; Milk</p>\n<p>1 &lt; 2 &lt;b&gt;</p>\n<p>Über</p>\n";
        assert_eq!(String::from_utf8(page(text.as_bytes())).unwrap(), html);
        assert!(page(b" \n").is_empty());
    }
}
