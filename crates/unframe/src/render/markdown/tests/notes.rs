//! Tests of footnotes.

use super::{check, check_regions};
use crate::parsed::{PageBytes, PageParser};
use crate::render::testing::marked;
use crate::text::content;

const KRAMDOWN: &str = "<p>tea<sup id=fnref:1><a href=#fn:1 class=footnote>1</a></sup>: hot</p>\
    <div class=footnotes><ol><li id=fn:1><p>Note one. <a href=#fnref:1 class=reversefootnote>&#8617;</a></p><p>More.</p></li></ol></div>";

#[test]
fn references_and_notes() {
    check(KRAMDOWN, "tea[^1]\\: hot\n\n[^1]: Note one.\n\n    More.");
    let pandoc = "tea<a href=#fn3 class=footnote-ref id=fnref3><sup>3</sup></a>\
        <section class=footnotes><ol start=3><li id=fn3><p>Note.<a href=#fnref3 role=doc-backlink>↩︎</a></ol></section>";
    check(pandoc, "tea[^3]\n\n[^3]: Note.");
    let github = "tea<sup><a href=#user-content-fn-4 id=user-content-fnref-4>4</a></sup>\
        <section class=footnotes><ol><li id=user-content-fn-4><p>Note. <a href=#user-content-fnref-4 class=data-footnote-backref>↩</a></ol></section>";
    check(github, "tea[^4]\n\n[^4]: Note.");
    let wikipedia = "tea<sup id=cite_ref-5 class=reference><a href=#cite_note-5><span>[</span>5<span>]</span></a></sup> hot\
        <ol class=references><li id=cite_note-5><span class=mw-cite-backlink><b><a href=#cite_ref-5>^</a></b></span> <span>By <i>Ann</i>.</span></ol>";
    check(wikipedia, "tea[^5] hot\n\n[^5]: By *Ann*.");
    let sphinx = "tea <a class=footnote-reference href=#id2 id=id1><span>[</span>1<span>]</span></a>\
        <aside class=footnote id=id2><span class=label><span>[</span><a role=doc-backlink href=#id1>1</a><span>]</span></span><p>Note.</p></aside>";
    check(sphinx, "tea [^1]\n\n[^1]: Note.");
}

#[test]
fn several_references_and_several_lists() {
    let page = "a<sup id=r1><a href=#fn1>1</a></sup> b<sup><a href=#fn1>1</a></sup> c<sup><a href=#fn-x>1</a></sup>\
        <ol class=footnotes><li id=fn1>Note.<li id=fn2>Never cited.</ol><ol class=footnotes><li id=fn-x>Other.</ol>";
    check(page, "a[^1] b[^1] c[^fn-x]\n\n[^1]: Note.\n\n1. Never cited.\n\n[^fn-x]: Other.");
}

#[test]
fn notes_that_are_not_both_kept_stay_as_they_are() {
    check_regions(
        "tea<sup><a href=#fn1>1</a></sup>⟦<ol class=footnotes><li id=fn1>Note.</ol>⟧",
        "tea[1](#fn1)",
    );
    check_regions("⟦tea<sup><a href=#fn1>1</a></sup>⟧<ol class=footnotes><li id=fn1>Note.</ol>", "1. Note.");
    check(
        "see <a href=#fn1>the note</a><ol class=footnotes><li id=fn1>Note.</ol>",
        "see [the note](#fn1)\n\n1. Note.",
    );
    check("see <a href=#part1>1</a><p id=part1>Part.", "see [1](#part1)\n\nPart.");
}

#[test]
fn signs_that_lead_back_are_left_out_of_text_and_chunks() {
    let text = |page: &str| {
        let (page, regions) = marked(page);
        let mut parser = PageParser::new();
        let page = parser.open(PageBytes::utf8(page.as_bytes()));
        let content = content::extract(&page, &regions);
        let chunks = crate::render::chunks(&page, &regions, 99);
        let lines: Vec<String> = chunks.into_iter().map(|chunk| chunk.text).collect();
        assert_eq!(lines.join("\n"), content.text);
        (content.text, content.volume.links.total)
    };
    assert_eq!(text(KRAMDOWN), ("tea^1: hot\nNote one.\nMore.".to_owned(), 2));
    let without_reference = KRAMDOWN.replacen("<p>", "⟦<p>", 1).replacen("</p>", "</p>⟧", 1);
    assert_eq!(text(&without_reference).0, "Note one. ↩\nMore.");
}
