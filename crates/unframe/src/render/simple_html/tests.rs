//! Tests pages against the expected simple HTML, and the result against our parser.

mod properties;

use super::*;
use crate::parsed::{PageBytes, PageParser};
use crate::render::testing::marked;

#[track_caller]
fn check(page: &str, expected: &str) {
    assert_eq!(render(page, &[]), expected);
}

fn render(page: &str, regions: &[Region]) -> String {
    render_with(page, regions, "", RenderOptions::default())
}

fn render_with(page: &str, regions: &[Region], url: &str, options: RenderOptions) -> String {
    let page = PageBytes::utf8(page.as_bytes());
    simple_html(&PageParser::new().open(page), regions, url, options)
}

#[track_caller]
fn check_regions(page: &str, expected: &str) {
    let (page, regions) = marked(page);
    assert_eq!(render(&page, &regions), expected);
}

#[test]
fn headings_and_paragraphs() {
    check(
        "<h1 class=a>A  b</h1><p style=c>c\n d</p>e<div>f</div>g",
        "<h1>A b</h1>\n<p>c d</p>\n<p>e</p>\n<p>f</p>\n<p>g</p>",
    );
    check("<h2>a<br>b<p>c</h2>", "<h2>a<br>b c</h2>");
    check("<h3></h3>a<br>b<br> <br>c<br>", "<p>a<br>b</p>\n<p>c</p>");
    check("", "");
}

#[test]
fn rules_stand_between_blocks() {
    check("<hr>a<hr> <hr>b<hr>", "<p>a</p>\n<hr>\n<p>b</p>");
    check("a<hr><ul><li></ul><hr><ul><li>b<hr></ul>", "<p>a</p>\n<hr>\n<ul>\n<li>b</li>\n</ul>");
    check("<blockquote>a<hr></blockquote>b", "<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>");
}

#[test]
fn marks() {
    check(
        "<b>a</b> <i>b</i> <s>c</s> <tt>d</tt> <kbd>e</kbd><samp>f</samp>",
        "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code> <kbd>e</kbd><samp>f</samp></p>",
    );
    check("x<b> a </b>b<i></i>", "<p>x <strong>a</strong> b</p>");
    check("<b><i>a</i> <b>b</b></b>", "<p><strong><em>a</em> b</strong></p>");
    check("<b><p>a</p><p>b</p></b>", "<p><strong>a</strong></p>\n<p><strong>b</strong></p>");
    check(
        "10<sup>6</sup>, H<sub>2</sub>O <q>a <b>b</b></q>",
        "<p>10<sup>6</sup>, H<sub>2</sub>O \"a <strong>b</strong>\"</p>",
    );
    check("<font color=red>a</font><u>b</u><my-tag>c</my-tag>", "<p>abc</p>");
}

#[test]
fn links() {
    check(
        "<a href=b onclick=c() target=d title=' e \"f\"'>a <b>b</b></a><a href=c></a>",
        "<p><a href=\"b\" title=\"e &quot;f&quot;\">a <strong>b</strong></a></p>",
    );
    check("<a href=a><h3>b</h3><p>c</a>", "<h3><a href=\"a\">b</a></h3>\n<p><a href=\"a\">c</a></p>");
    for address in [
        "javascript:a()",
        " JavaScript:a()",
        "java&#9;script:a()",
        "&#1;javascript:a()",
        "vbscript:a",
        "data:text/html,a",
    ] {
        check(&format!("<a href='{address}'>a</a>"), "<p>a</p>");
    }
    check("<a name=x>a</a> <a href=''>b</a>", "<p>a <a href=\"\">b</a></p>");
}

#[test]
fn links_to_places_on_the_page_work() {
    check(
        "<p id=p>tea<sup id=r1 class=ref><a href=#n1>[1]</a></sup><ol id=o><li id=n1><a href=#r1>^</a> Note</ol>",
        "<p>tea<sup><a href=\"#n1\"><span id=\"r1\"></span>[1]</a></sup></p>\n\
         <ol>\n<li id=\"n1\"><a href=\"#r1\">^</a> Note</li>\n</ol>",
    );
    check(
        "<a href=#a>1</a> <a href=#b>2</a> <a href=#caf%C3%A9>3</a><h2 id=a>A</h2><p id=b></p><a name=café></a><div>B",
        "<p><a href=\"#a\">1</a> <a href=\"#b\">2</a> <a href=\"#caf%C3%A9\">3</a></p>\n\
         <h2 id=\"a\">A</h2>\n<p><span id=\"b\"></span><span id=\"café\"></span>B</p>",
    );
    // An identifier that the page repeats is written once.
    check("<a href=#a>1</a><p id=a>b<p id=a>c", "<p><a href=\"#a\">1</a></p>\n<p id=\"a\">b</p>\n<p>c</p>");
    check_regions(
        "<p><a href=#a>1</a> ⟦<a href=#b>2</a>⟧<p id=a>a<p id=b>b",
        "<p><a href=\"#a\">1</a></p>\n<p id=\"a\">a</p>\n<p>b</p>",
    );
}

#[test]
fn images() {
    check(
        "a<img src=b.png alt='c\n\"d\"' width=40 height=50px class=e srcset=f>g",
        "<p>a <img src=\"b.png\" alt=\"c &quot;d&quot;\" width=\"40\"> g</p>",
    );
    check(
        "<figure><img src=data:, data-src=a.jpg><figcaption>A</figcaption></figure>",
        "<figure><img src=\"a.jpg\" alt=\"\">\n<figcaption>A</figcaption>\n</figure>",
    );
    check("<img src=javascript:a() alt=a>b<img src=c.gif width=1 height=1 alt=d>", "<p>b</p>");
}

#[test]
fn options_for_links_and_images() {
    let page = "a <a href=#b>b</a> <a href=c><img src=d.png alt=e></a><img src=f.png><p id=b>g";
    let mut options = RenderOptions { links: LinkMode::Text, ..RenderOptions::default() };
    assert_eq!(
        render_with(page, &[], "", options),
        "<p>a b <img src=\"d.png\" alt=\"e\"> <img src=\"f.png\" alt=\"\"></p>\n<p>g</p>"
    );
    options.images = ImageMode::Alt;
    assert_eq!(render_with(page, &[], "", options), "<p>a b e</p>\n<p>g</p>");
    options.images = ImageMode::Drop;
    assert_eq!(render_with(page, &[], "", options), "<p>a b</p>\n<p>g</p>");
}

#[test]
fn addresses_are_absolute() {
    let page = "<base href=/a/><a href=b?c&d>e</a><img src=f.png alt=g><a href=#h>i</a>";
    assert_eq!(
        render_with(page, &[], "https://x.example/y/", RenderOptions::default()),
        "<p><a href=\"https://x.example/a/b?c&amp;d\">e</a> <img src=\"https://x.example/a/f.png\" alt=\"g\"> \
         <a href=\"#h\">i</a></p>"
    );
}

#[test]
fn lists() {
    check(
        "<ul class=a><li>a<ol><li>b<li><p>c</p></ol>d<li></ul>",
        "<ul>\n<li>a\n<ol>\n<li>b</li>\n<li>\n<p>c</p></li>\n</ol>\n<p>d</p></li>\n</ul>",
    );
    check(
        "<ol start=3><li>a<li value=9>b<li>c</ol>",
        "<ol start=\"3\">\n<li>a</li>\n<li value=\"9\">b</li>\n<li>c</li>\n</ol>",
    );
    check("<ol reversed><li>a<li>b</ol>", "<ol reversed start=\"2\">\n<li>a</li>\n<li>b</li>\n</ol>");
    check("<ol start=x type=a><li>a</ol>", "<ol>\n<li>a</li>\n</ol>");
    check_regions("<ol>⟦<li>a</li>⟧<li>b<li>c</ol>", "<ol>\n<li value=\"2\">b</li>\n<li>c</li>\n</ol>");
    // Lists and text that are directly in a list belong to the item before them.
    check(
        "<ul><li>a</li><ul><li>b</ul>c<li>d</ul>",
        "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n<p>c</p></li>\n<li>d</li>\n</ul>",
    );
    check("<ul>a<li>b</ul><li>c", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>c</p>");
    check("<ul><li>a</li><ul></ul></ul><ul></ul>", "<ul>\n<li>a</li>\n</ul>");
    check(
        "<dl><dt>a<dd>b<dd><p>c</dd>d</dl>",
        "<dl>\n<dt>a</dt>\n<dd>b</dd>\n<dd>\n<p>c</p>\n<p>d</p></dd>\n</dl>",
    );
}

#[test]
fn code() {
    check(
        "<pre class='brush: js'>\n a &lt; <b>b</b>\n\n  c\n</pre>",
        "<pre><code class=\"language-js\"> a &lt; b\n\n  c</code></pre>",
    );
    check("<pre>10<sup>6</sup></pre><pre> </pre>", "<pre><code>10^6</code></pre>");
    check(
        "<table><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>",
        "<pre><code>a\nb</code></pre>",
    );
}

#[test]
fn tables() {
    check(
        "<table border=1><caption>T</caption><thead><tr><th scope=col>a<th>b<tbody><tr><td>c<br>d<td><p>e</p><p>f</p></table>",
        "<table>\n<caption>T</caption>\n<thead>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n<tbody>\n\
         <tr><td>c<br>d</td><td>\n<p>e</p>\n<p>f</p></td></tr>\n</tbody>\n</table>",
    );
    check(
        "<table><tr><td colspan=2 rowspan=1>a<tr><td rowspan=2>b<td><tr><td><tr><td><td><tr><td>c<td>d</table>",
        "<table>\n<tbody>\n<tr><td colspan=\"2\">a</td></tr>\n<tr><td rowspan=\"2\">b</td><td></td></tr>\n\
         <tr><td></td></tr>\n<tr><td>c</td><td>d</td></tr>\n</tbody>\n</table>",
    );
    check("<table><tr><td>a<td>b</table>", "<p>a</p>\n<p>b</p>");
    check_regions("⟦<table><tr><td>a<td>b<tr><td>c<td>d</table>⟧e", "<p>e</p>");
    let spans = "<td colspan=1000 rowspan=1000>x";
    let text = render(&format!("<table><tr>{spans}<tr>{spans}<tr><td>a<td colspan=99999>b</table>"), &[]);
    assert!(!text.contains("rowspan") && text.contains("<td colspan=\"1000\">b</td>"), "{text}");
}

#[test]
fn formulas() {
    let katex = "<span class=katex><span class=katex-mathml><math><semantics><mi>e</mi>\
        <annotation encoding='application/x-tex'>a&lt;b</annotation></semantics></math></span>\
        <span class=katex-html>ex</span></span>";
    check(&format!("<p>so {katex} <b>is</b>"), "<p>so \\(a&lt;b\\) <strong>is</strong></p>");
    check("<p>a<math display=block><mi>x</mi></math>b", "<p>a</p>\n<p>\\[x\\]</p>\n<p>b</p>");
    check("<script src=MathJax.js></script>so \\(a\\)", "<p>so \\(a\\)</p>");
    // A formula between the rows of a table needs a cell.
    check(
        "<table><tr><td>a<td>b<tr><script type=math/tex>x</script><td>c</table>",
        "<table>\n<tbody>\n<tr><td>a</td><td>b</td></tr>\n<tr><td>\\(x\\)</td><td>c</td></tr>\n</tbody>\n</table>",
    );
}

#[test]
fn languages_and_directions() {
    check(
        "<html lang=ar dir=RTL><body><p lang=en>a <span lang=fr>b</span> <i lang=de dir=x>c</i><div lang='<'>d",
        "<div lang=\"ar\" dir=\"rtl\">\n<p lang=\"en\">a <span lang=\"fr\">b</span> <em lang=\"de\">c</em></p>\n<p>d</p>\n</div>",
    );
}

#[test]
fn nothing_hidden_is_shown() {
    let head = "<title>t</title><style>s</style><script>c</script><meta name=a content=b><link rel=stylesheet href=a>";
    check(
        &format!(
            "{head}<p>a<script>b</script><template>c</template><!-- d --><svg onload=a><title>e</title></svg>f"
        ),
        "<p>af</p>",
    );
    check("<iframe src=x>a</iframe>b<button>c</button>d<object data=x></object>", "<p>b c d</p>");
    check("a &lt;script>b &amp;amp; &#60;/p>", "<p>a &lt;script&gt;b &amp;amp; &lt;/p&gt;</p>");
}

#[test]
fn regions_are_left_out() {
    check_regions("⟦<nav>a</nav>⟧<p>b ⟦c⟧d e⟦f</p><p>g⟧h", "<p>b d e</p>\n<p>h</p>");
    check_regions("<pre>a⟦b⟧\nc</pre>⟦<hr>⟧", "<pre><code>a\nc</code></pre>");
    check_regions("<blockquote>⟦<p>a</p>⟧</blockquote><div lang=en>⟦b⟧</div>", "");
}

#[test]
fn deep_pages() {
    for tag in [
        "div",
        "b",
        "ul><li",
        "ul",
        "blockquote",
        "table><tr><td",
        "table><tr><td>a<td>b<tr><td",
        "a href=x",
        "pre",
        "h1",
        "dl><dt",
        "code",
        "i><b",
        "figure",
        "div lang=en",
        "span dir=ltr",
        "q",
    ] {
        let page = format!("<{tag}>x ").repeat(50_000);
        let text = render(&page, &[]);
        assert!(text.matches('x').count() >= 50_000, "{tag}");
        assert!(text.len() < 200 * 50_000, "{tag} {}", text.len());
    }
}

#[test]
fn links_around_many_blocks() {
    let page = format!("<a {} href={}>{}", "b ".repeat(50_000), "c".repeat(10_000), "<p>x".repeat(50_000));
    let text = render(&page, &[]);
    assert_eq!(text.matches('x').count(), 50_000);
    assert!(text.len() < page.len() + 18_000_000, "{}", text.len());
    assert!(text.ends_with("\n<p>x</p>"));
    let marks = "<kbd><samp><sup><sub><span lang=en-abcdefghijklmnopqrstuvwxyz>";
    let text = render(&format!("{marks}{}", "<p>x".repeat(200_000)), &[]);
    assert_eq!(text.matches("x<").count(), 200_000);
    assert!(text.len() < 22_000_000, "{}", text.len());
}
