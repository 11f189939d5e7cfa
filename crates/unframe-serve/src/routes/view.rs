//! A page as it looks and as it is written, with its template regions shaded.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::Method;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use encoding_rs::Encoding;
use serde::Deserialize;
use serde_json::{Value, json};
use unframe::html::{Node, NodeKind, Parser, Span};
use unframe::{Region, TemplateHash};

use super::App;
use super::pages::Labelled;
use crate::api::{Asked, Json, Named, Route, number};
use crate::error::{Answer, ApiError};

/// Bytes of a source that are answered at once.
const SOURCE_BYTES_MAX: usize = 1 << 20;
/// What a shown page may do: use the styles that stand in it. No script, no network, no form, no other window.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";
/// Elements that are not shown at all: they load something, run something, or lead elsewhere by themselves.
const LEFT_OUT: [&str; 13] = [
    "script", "noscript", "base", "meta", "link", "iframe", "frame", "frameset", "object", "embed", "applet",
    "portal", "template",
];
/// Elements whose text cannot be wrapped into others.
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
        Route::new(Method::GET, "/api/v1/pages/{page}/view", "viewPage", "The page as it looks, its template regions shaded, for a frame: scripts do not run and nothing is loaded.", view)
            .answers_as(200, "The page.", &["text/html"], json!({"type": "string"})),
        Route::new(Method::GET, "/api/v1/pages/{page}/source", "getPageSource", "The source of a page as text, cut where regions begin and end.", source)
            .query("from", "The first byte.", number(0, u32::MAX.into()))
            .query("bytes", "How many bytes, about.", number(1, SOURCE_BYTES_MAX as u64))
            .answers(200, "Parts of the source.", "Source"),
    ]
}

async fn view(service: App, Named(id): Named<u64>) -> Answer<Response> {
    let service = service.0;
    let at = Arc::clone(&service);
    let html = service
        .pool
        .run(move || {
            let mut parser = Parser::new();
            let found = Labelled::read(&at, id, &mut parser)?;
            Ok(shaded(&found.page.payload, found.page.charset.encoding, &found.regions, &mut parser))
        })
        .await?;
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers, html).into_response())
}

/// A page with marks around its regions, in UTF-8, without what loads or runs anything.
fn shaded(payload: &[u8], encoding: &'static Encoding, regions: &[Region], parser: &mut Parser) -> String {
    let mut changes: Vec<(Span, String)> = Vec::new();
    let document = parser.parse(payload, encoding);
    let region_of = |span: Span| {
        let at = regions.partition_point(|region| region.span.end <= span.start);
        regions.get(at).filter(|region| region.span.start <= span.start && span.end <= region.span.end)
    };
    let is_wide = [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE].contains(&encoding);
    let width = if is_wide { 2 } else { 1 };
    let mut left_out = 0;
    for node in document.descendants() {
        let span = node.span();
        if node.is_moved() || (span.start < left_out && span.end > 0) || span.is_empty() {
            continue;
        }
        match node.kind() {
            NodeKind::Element => {
                let name = node.name();
                let Some(tag) = node.start_tag().filter(|tag| tag.len() > name.len()) else { continue };
                if LEFT_OUT.contains(&&*name) {
                    left_out = span.end;
                    changes.push((span, String::new()));
                    continue;
                }
                if let Some(region) = region_of(span)
                    && !is_marked_around(node, region)
                {
                    // Behind the name of the tag, so that it is an attribute whatever else stands there.
                    let at = tag.start + (1 + name.len() as u32) * width;
                    changes.push((Span { start: at, end: at }, attribute(region.template)));
                }
            }
            NodeKind::Text => {
                let Some(parent) = node.parent() else { continue };
                if UNWRAPPED.contains(&&*parent.name())
                    || (parent.start_tag().is_none() && parent.name() != "body")
                {
                    continue;
                }
                if let Some(region) = region_of(span)
                    && !is_marked_around(node, region)
                    && !node.text().trim().is_empty()
                {
                    changes.push((
                        Span { start: span.start, end: span.start },
                        format!("<unframe-region{}>", attribute(region.template)),
                    ));
                    changes.push((Span { start: span.end, end: span.end }, "</unframe-region>".to_owned()));
                }
            }
            _ => {}
        }
    }
    changes.sort_by_key(|(span, _)| span.start);
    assembled(payload, encoding, &changes)
}

/// Whether the element around a node is in the region as well. Elements that the parser added have no tag to be marked.
fn is_marked_around(node: Node<'_>, region: &Region) -> bool {
    node.ancestors().find(|one| one.start_tag().is_some()).is_some_and(|element| {
        let span = element.span();
        region.span.start <= span.start && span.end <= region.span.end
    })
}

fn attribute(template: TemplateHash) -> String {
    format!(" data-unframe-template={template} title=\"template {template}\" ")
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
    // At the end, where it wins over the page's own; whatever is open there, a style is a style or text that is not shown.
    html.push_str("\n<style>");
    html.push_str(STYLE);
    html.push_str("</style>");
    html.trim_start_matches('\u{feff}').to_owned()
}

#[derive(Deserialize)]
struct SourceAsked {
    from: Option<u32>,
    bytes: Option<usize>,
}

async fn source(
    service: App,
    Named(id): Named<u64>,
    Asked(asked): Asked<SourceAsked>,
) -> Answer<Json<Value>> {
    let service = service.0;
    let bytes = asked.bytes.unwrap_or(SOURCE_BYTES_MAX / 4);
    if !(1..=SOURCE_BYTES_MAX).contains(&bytes) {
        return Err(ApiError::parameter(format!("`bytes` is a number from 1 to {SOURCE_BYTES_MAX}")));
    }
    let at = Arc::clone(&service);
    service
        .pool
        .run(move || {
            let found = Labelled::read(&at, id, &mut Parser::new())?;
            let from = asked.from.unwrap_or(0) as usize;
            Ok(Json(parts(&found, from, from.saturating_add(bytes))))
        })
        .await
}

/// The parts of a source from one byte to another, cut at regions.
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
                "kind": region.kind.name(),
            }),
        });
    });
    json!({"page": {"bytes": payload.len()}, "from": from, "to": to, "parts": parts})
}

/// A place near `to` where no character is cut: behind a line, if there is one in the last part.
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
    use super::*;

    fn region(page: &str, part: &str) -> Region {
        let start = page.find(part).unwrap() as u32;
        Region::new(Span { start, end: start + part.len() as u32 }, TemplateHash(0xabc), 9)
    }

    #[track_caller]
    fn check(page: &str, part: &str, expected: &str) {
        let html = shaded(page.as_bytes(), encoding_rs::UTF_8, &[region(page, part)], &mut Parser::new());
        let (html, style) = html.split_once("\n<style>").unwrap();
        assert!(style.contains("[data-unframe-template]"));
        assert_eq!(html.replace(&attribute(TemplateHash(0xabc)), "!"), expected);
    }

    #[test]
    fn regions_are_marked() {
        check(
            "<div class=a><p>x</p></div><p>y",
            "<div class=a><p>x</p></div>",
            "<div! class=a><p>x</p></div><p>y",
        );
        check("<p>one <b>two</b></p>", "one ", "<p><unframe-region!>one </unframe-region><b>two</b></p>");
        // Only the outermost element of a region is marked, and all that stand side by side.
        check("<ul><li>a<li>b</ul>", "<li>a<li>b", "<ul><li!>a<li!>b</ul>");
        check("<table><tr><td>x</table>", "<tr><td>x", "<table><tr!><td>x</table>");
    }

    #[test]
    fn what_loads_or_runs_is_left_out() {
        let page = "<meta http-equiv=refresh content=0><base href=//evil><script>x</script><p>a</p><iframe src=//evil></iframe>";
        check(page, "<p>a</p>", "<p!>a</p>");
    }

    #[test]
    fn other_charsets_become_utf8() {
        let (bytes, encoding, _) = encoding_rs::WINDOWS_1251.encode("<p>привет</p>");
        let html = shaded(&bytes, encoding, &[], &mut Parser::new());
        assert!(html.starts_with("<p>привет</p>"), "{html}");
        let utf16: Vec<u8> = "<p>чай</p>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let html = shaded(&utf16, encoding_rs::UTF_16LE, &[], &mut Parser::new());
        assert!(html.starts_with("<p>чай</p>"), "{html}");
    }
}
