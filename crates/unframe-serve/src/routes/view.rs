//! A page rendered and as source, with its template regions shaded.

use std::borrow::Cow;

use axum::http::Method;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use encoding_rs::Encoding;
use serde::Deserialize;
use serde_json::{Value, json};
use unframe::html::{Document, Node, NodeKind, Span};
use unframe::{PageBytes, PageParser, ParsedPage, Region, RegionKind};

use super::App;
use super::pages::Labelled;
use crate::api::{Json, Params, PathParam, Route, number};
use crate::error::{Answer, ApiError};

/// Maximum number of bytes of page source in one response.
const SOURCE_BYTES_MAX: usize = 1 << 20;
/// The content security policy of a rendered page: inline styles only; no scripts, no network, no forms, no other windows.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";
/// Elements that are removed, because they load resources, run code or navigate by themselves.
const LEFT_OUT: [&str; 13] = [
    "script", "noscript", "base", "meta", "link", "iframe", "frame", "frameset", "object", "embed", "applet",
    "portal", "template",
];
/// Elements whose text must not be wrapped in another element.
const UNWRAPPED: [&str; 16] = [
    "html",
    "head",
    "title",
    "style",
    "textarea",
    "select",
    "option",
    "optgroup",
    "table",
    "tbody",
    "thead",
    "tfoot",
    "tr",
    "colgroup",
    "xmp",
    "plaintext",
];
const STYLE: &str = include_str!("../explorer/view.css");

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/api/v1/pages/{page}/view", "viewPage", "The page as a browser shows it, with its template regions shaded, for an iframe: no script runs and nothing is loaded.", view)
            .answers_as(200, "The page.", &["text/html"], json!({"type": "string"})),
        Route::new(Method::GET, "/api/v1/pages/{page}/source", "getPageSource", "The source of a page as text, cut where regions begin and end.", source)
            .query("from", "The first byte.", number(0, u32::MAX.into()))
            .query("bytes", "The approximate number of bytes.", number(1, SOURCE_BYTES_MAX as u64))
            .answers(200, "Parts of the source.", "Source"),
    ]
}

async fn view(service: App, PathParam(id): PathParam<u64>) -> Answer<Response> {
    let html = service
        .work(move |at| {
            let found = Labelled::read(at, id)?;
            Ok(shaded(&PageParser::new().open(&found.page), &found.regions))
        })
        .await?;
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers, html).into_response())
}

/// The page in UTF-8 with marked regions, without elements that load resources or run code.
fn shaded(page: &ParsedPage<'_>, regions: &[Region]) -> String {
    let document = page.document();
    let PageBytes { payload, encoding } = page.bytes();
    let left_out = left_out(document);
    let mut changes = marks(document, payload, encoding, regions, &left_out);
    changes.extend(left_out.into_iter().map(|span| (span, String::new())));
    // At the same position, insertions come before removals, because an inserted end tag closes a mark before the removed element.
    changes.sort_by_key(|(span, _)| (span.start, !span.is_empty()));
    assembled(payload, encoding, &changes)
}

/// The spans of the removed elements, sorted and merged. The order in the tree can differ from that in the page, for example for
/// elements after `</body>` or between the rows of a table.
fn left_out(document: &Document<'_>) -> Vec<Span> {
    let mut spans: Vec<Span> = document
        .descendants()
        .filter(|node| node.start_tag().is_some() && LEFT_OUT.contains(&&*node.name()))
        .map(Node::span)
        .collect();
    spans.sort_by_key(|span| span.start);
    spans.dedup_by(|next, last| {
        let is_inside = next.start < last.end;
        if is_inside {
            last.end = last.end.max(next.end);
        }
        is_inside
    });
    spans
}

/// The insertions that mark the regions of a page.
fn marks(
    document: &Document<'_>,
    payload: &[u8],
    encoding: &'static Encoding,
    regions: &[Region],
    left_out: &[Span],
) -> Vec<(Span, String)> {
    let mut marks = Vec::new();
    let region_of = |span: Span| {
        let at = regions.partition_point(|region| region.span.end <= span.start);
        regions.get(at).filter(|region| region.span.start <= span.start && span.end <= region.span.end)
    };
    let is_left_out = |span: Span| {
        let at = left_out.partition_point(|one| one.end <= span.start);
        left_out.get(at).is_some_and(|one| one.start <= span.start)
    };
    for node in document.descendants() {
        let span = node.span();
        if node.is_moved() || span.is_empty() || is_left_out(span) {
            continue;
        }
        let Some(region) = region_of(span).filter(|region| !is_marked_around(node, region)) else { continue };
        match node.kind() {
            NodeKind::Element => {
                let Some(tag) = node.start_tag() else { continue };
                // Right after the tag name, inserted text is parsed as an attribute, whatever follows.
                let at = name_end(payload, encoding, tag);
                marks.push((Span { start: at, end: at }, attribute(region)));
            }
            NodeKind::Text => {
                let Some(parent) = node.parent() else { continue };
                if UNWRAPPED.contains(&&*parent.name())
                    || (parent.start_tag().is_none() && parent.name() != "body")
                    || node.text().trim().is_empty()
                {
                    continue;
                }
                marks.push((
                    Span { start: span.start, end: span.start },
                    format!("<unframe-region{}>", attribute(region)),
                ));
                marks.push((Span { start: span.end, end: span.end }, "</unframe-region>".to_owned()));
            }
            _ => {}
        }
    }
    marks
}

/// The end of a tag's name in the page. The element's name does not give its length: the parser renames `<image>` to `img`, and the
/// number of bytes depends on the charset.
fn name_end(payload: &[u8], encoding: &'static Encoding, tag: Span) -> u32 {
    let is_wide = [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE].contains(&encoding);
    let width = if is_wide { 2 } else { 1 };
    let is_end = |unit: &[u8]| {
        let byte = match *unit {
            [byte] => byte,
            [byte, 0] if encoding == encoding_rs::UTF_16LE => byte,
            [0, byte] if encoding == encoding_rs::UTF_16BE => byte,
            _ => return false,
        };
        matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
    };
    let bytes = payload.get(tag.range()).unwrap_or_default();
    let name = bytes.chunks_exact(width).skip(1).take_while(|unit| !is_end(unit)).count();
    tag.start + ((1 + name) * width) as u32
}

/// Whether the nearest ancestor with a start tag is in the region as well. Elements that the parser has added have no tag to mark.
fn is_marked_around(node: Node<'_>, region: &Region) -> bool {
    node.ancestors().find(|one| one.start_tag().is_some()).is_some_and(|element| {
        let span = element.span();
        region.span.start <= span.start && span.end <= region.span.end
    })
}

fn attribute(region: &Region) -> String {
    let Region { template, kind, sort, .. } = *region;
    let what = if kind == RegionKind::Clutter { "clutter" } else { "template" };
    let sort = sort.name().map(|sort| format!("{sort}, ")).unwrap_or_default();
    format!(
        " data-unframe-template={template} data-unframe-kind={} title=\"{sort}{what} {template}\" ",
        kind.name()
    )
}

fn assembled(payload: &[u8], encoding: &'static Encoding, changes: &[(Span, String)]) -> String {
    let text = |from: usize, to: usize| -> Cow<'_, str> {
        let bytes = payload.get(from..to).unwrap_or_default();
        encoding.decode_without_bom_handling(bytes).0
    };
    let mut html = String::with_capacity(payload.len() + STYLE.len() + 64);
    let mut at = 0;
    for (span, insert) in changes {
        let (start, end) = (span.start as usize, span.end as usize);
        if start < at {
            continue;
        }
        html.push_str(&text(at, start));
        html.push_str(insert);
        at = end;
    }
    html.push_str(&text(at, payload.len()));
    // The style is appended so that it overrides the styles of the page. Inside an element that is still open, it is either a style
    // or text that is not rendered.
    html.push_str("\n<style>");
    html.push_str(STYLE);
    html.push_str("</style>");
    html.trim_start_matches('\u{feff}').to_owned()
}

#[derive(Deserialize)]
struct SourceParams {
    from: Option<u32>,
    bytes: Option<usize>,
}

async fn source(
    service: App,
    PathParam(id): PathParam<u64>,
    Params(params): Params<SourceParams>,
) -> Answer<Json<Value>> {
    let bytes = params.bytes.unwrap_or(SOURCE_BYTES_MAX / 4);
    if !(1..=SOURCE_BYTES_MAX).contains(&bytes) {
        return Err(ApiError::parameter(format!("`bytes` must be a number from 1 to {SOURCE_BYTES_MAX}")));
    }
    service
        .work(move |at| {
            let found = Labelled::read(at, id)?;
            let from = params.from.unwrap_or(0) as usize;
            Ok(Json(parts(&found, from, from.saturating_add(bytes))))
        })
        .await
}

/// The page source from byte `from` to about byte `to`, split at regions.
fn parts(found: &Labelled, from: usize, to: usize) -> Value {
    let (payload, encoding) = (&found.page.payload, found.page.charset.encoding);
    let from = from.min(payload.len());
    let to = if to >= payload.len() { payload.len() } else { boundary(payload, encoding, from, to) };
    let window = Span { start: from as u32, end: to as u32 };
    let mut parts = Vec::new();
    unframe::regions::RegionCursor::new(&found.regions).split(window, |span, region| {
        let text = encoding.decode_without_bom_handling(&payload[span.range()]).0;
        parts.push(match region {
            None => json!({"start": span.start, "text": text}),
            Some(region) => json!({
                "start": span.start, "text": text, "template": region.template.to_string(), "pages": region.pages,
                "kind": region.kind.name(), "sort": region.sort.name(),
            }),
        });
    });
    json!({"page": {"bytes": payload.len()}, "from": from, "to": to, "parts": parts})
}

/// A position near `to` that splits no character. Prefers the end of the last line before `to`.
fn boundary(payload: &[u8], encoding: &'static Encoding, from: usize, to: usize) -> usize {
    if !encoding.is_ascii_compatible() {
        return from + ((to - from) & !1).max(2).min(payload.len() - from);
    }
    let line = payload[from..to].iter().rposition(|byte| *byte == b'\n').map(|at| from + at + 1);
    line.filter(|at| *at > from).unwrap_or_else(|| {
        let mut at = to;
        while at > from + 1 && at < payload.len() && payload[at] & 0xC0 == 0x80 {
            at -= 1;
        }
        at
    })
}

#[cfg(test)]
mod tests {
    use unframe::TemplateHash;

    use super::*;

    fn region(page: &str, part: &str) -> Region {
        let start = page.find(part).unwrap() as u32;
        Region::new(Span { start, end: start + part.len() as u32 }, TemplateHash(0xabc), 9)
    }

    #[track_caller]
    fn check(page: &str, part: &str, expected: &str) {
        let html = shaded(&PageParser::new().open(PageBytes::utf8(page.as_bytes())), &[region(page, part)]);
        let (html, style) = html.split_once("\n<style>").unwrap();
        assert!(style.contains("[data-unframe-template]"));
        assert_eq!(html.replace(&attribute(&region(page, part)), "!"), expected);
    }

    #[test]
    fn regions_are_marked() {
        check(
            "<div class=a><p>x</p></div><p>y",
            "<div class=a><p>x</p></div>",
            "<div! class=a><p>x</p></div><p>y",
        );
        check("<p>one <b>two</b></p>", "one ", "<p><unframe-region!>one </unframe-region><b>two</b></p>");
        // Only the outermost elements of a region are marked, and all siblings among them.
        check("<ul><li>a<li>b</ul>", "<li>a<li>b", "<ul><li!>a<li!>b</ul>");
        check("<table><tr><td>x</table>", "<tr><td>x", "<table><tr!><td>x</table>");
    }

    #[test]
    fn what_loads_or_runs_is_left_out() {
        let page = "<meta http-equiv=refresh content=0><base href=//evil><script>x</script><p>a</p><iframe src=//evil></iframe>";
        check(page, "<p>a</p>", "<p!>a</p>");
    }

    #[test]
    fn what_the_parser_puts_elsewhere_is_left_out_too() {
        check(
            "<p>a</p></body><script>x</script></html><iframe></iframe>",
            "<p>a</p>",
            "<p!>a</p></body></html>",
        );
        check(
            "<table><tr><td><script>x</script>a</td></tr><iframe></iframe></table><p>b</p>",
            "<p>b</p>",
            "<table><tr><td>a</td></tr></table><p!>b</p>",
        );
        check("<p>a <script>x</script></p>", "a ", "<p><unframe-region!>a </unframe-region></p>");
        check(
            "<p>a</p><noscript><p>b</p></noscript><p>c</p>",
            "<noscript><p>b</p></noscript>",
            "<p>a</p><p>c</p>",
        );
    }

    #[test]
    fn marks_stand_behind_names_as_they_are_written() {
        check("<p>a<image src=x></p>", "<image src=x>", "<p>a<image! src=x></p>");
        check("<x-é>a</x-é>", "<x-é>a</x-é>", "<x-é!>a</x-é>");
        check("<BR/>a", "<BR/>", "<BR!/>a");
        let page = "<x-é>a</x-é>";
        let (bytes, encoding, _) = encoding_rs::WINDOWS_1252.encode(page);
        let whole = Region::new(Span { start: 0, end: bytes.len() as u32 }, TemplateHash(0xabc), 9);
        let html = shaded(&PageParser::new().open(PageBytes { payload: &bytes, encoding }), &[whole]);
        assert!(html.starts_with("<x-é data-unframe-template="), "{html}");
        let utf16: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let whole = Region::new(Span { start: 0, end: utf16.len() as u32 }, TemplateHash(0xabc), 9);
        let html = shaded(
            &PageParser::new().open(PageBytes { payload: &utf16, encoding: encoding_rs::UTF_16BE }),
            &[whole],
        );
        assert!(html.starts_with("<x-é data-unframe-template="), "{html}");
    }

    #[test]
    fn other_charsets_become_utf8() {
        let (bytes, encoding, _) = encoding_rs::WINDOWS_1251.encode("<p>привет</p>");
        let html = shaded(&PageParser::new().open(PageBytes { payload: &bytes, encoding }), &[]);
        assert!(html.starts_with("<p>привет</p>"), "{html}");
        let utf16: Vec<u8> = "<p>чай</p>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let html = shaded(
            &PageParser::new().open(PageBytes { payload: &utf16, encoding: encoding_rs::UTF_16LE }),
            &[],
        );
        assert!(html.starts_with("<p>чай</p>"), "{html}");
    }
}
