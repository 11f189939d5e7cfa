//! Tests pages against the expected Markdown, and the Markdown against a Markdown parser.

mod code;
mod images;
mod notes;
mod properties;

use super::*;
use crate::parsed::{PageBytes, PageParser};
use crate::render::testing::marked;

#[track_caller]
fn check(page: &str, expected: &str) {
    assert_eq!(render(page, &[]), expected);
}

fn render(page: &str, regions: &[Region]) -> String {
    let page = PageBytes::utf8(page.as_bytes());
    markdown(&PageParser::new().open(page), regions, "", RenderOptions::default())
}

#[track_caller]
fn check_regions(page: &str, expected: &str) {
    let (page, regions) = marked(page);
    assert_eq!(render(&page, &regions), expected);
}

#[test]
fn headings_and_paragraphs() {
    check("<h1>A  b</h1><p>c\n d</p>e<div>f</div>g", "# A b\n\nc d\n\ne\n\nf\n\ng");
    check("<h2>a<br>b<p>c</h2>", "## a b c");
    check("<h6>C #</h6><h3></h3>", "###### C \\#");
    check("a<br>b<br> <br>c<hr>d<br>", "a\\\nb\n\nc\n\n***\n\nd");
    check("", "");
}

#[test]
fn rules_stand_between_blocks() {
    check("<hr>a<hr> <hr>b<hr>", "a\n\n***\n\nb");
    check("<hr>", "");
    check("a<hr><ul><li></ul><hr><ul><li>b<hr>c<hr><li><hr>d</ul>", "a\n\n***\n\n- b\n\n  ***\n\n  c\n- d");
    check("<ul><li>a</ul><hr><ul><li>b</ul>", "- a\n\n***\n\n- b");
    check("<blockquote>a<hr></blockquote>b", "> a\n\nb");
    check_regions("a<hr>⟦b⟧<hr>c", "a\n\n***\n\nc");
}

#[test]
fn emphasis_and_code() {
    check("<b>a</b> <i>b</i> <del>c</del> <code>d</code>", "**a** *b* ~~c~~ `d`");
    check("<b> a </b>b<i> c</i>", "**a** b *c*");
    check("x<b>y</b>z", "x**y**z");
    check("<b><i>a</i> b</b>", "***a* b**");
    check("<b>a <i>b</i></b>c", "**a *b***c");
    check("<b></b><i> </i>a", "a");
    check("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**");
    check("<b>a</b><strong>b</strong>", "**ab**");
    // Delimiters are omitted where Markdown would display them.
    check("<b>Name:</b>value", "Name:value");
    check("a<b>(b)</b>", "a(b)");
    check("<i>a</i><b>b</b>", "*a*b");
    check("<b><i>a</i> b(<i>*c</i>)d</b>", "***a* b(\\*c)d**");
    check("<b><i>a</i> b(<i>c</i>)d</b>", "***a* b(*c*)d**");
    check("<b>a<i>b</i></b>", "**ab**");
    check("<code>a</code><del><code>b</code></del><b>c</b>", "`a`b**c**");
    check("<code>a`b</code> <code>`</code>", "``a`b`` `` ` ``");
    check("<code>a <a href=b>c</a></code>", "`a` [`c`](b)");
}

#[test]
fn superscripts_and_quotations() {
    check("10<sup>6</sup>, H<sub>2</sub>O", "10<sup>6</sup>, H<sub>2</sub>O");
    check("<b>10<sup>6</sup></b> <i>a</i><sup>*</sup>", "**10<sup>6</sup>** *a*<sup>\\*</sup>");
    check("<sup>1</sup>/<sub>2</sub><sup> </sup>", "<sup>1</sup>/<sub>2</sub>");
    check("<h2>m<sup>2</sup></h2><code>10<sup>6</sup></code>", "## m<sup>2</sup>\n\n`10`<sup>`6`</sup>");
    check("<pre>10<sup>6</sup></pre>", "```\n10^6\n```");
    check("<q>a <b>b</b></q><q>c</q> <q></q>", "\"a **b**\"\"c\"");
}

#[test]
fn references_to_notes_are_links_or_in_brackets() {
    check("tea<sup><a href=#n1>1</a></sup>", "tea[1](#n1)");
    check("tea<a href=#n1><sup>1</sup></a>", "tea[1](#n1)");
    check("tea<sup>[1]</sup>", "tea[1]");
    check("tea<sup id=r1>1</sup>", "tea<sup>1</sup>");
}

#[test]
fn hidden_addresses_are_shown() {
    let code = "42232c2c023627236c273a232f322e27";
    let link = format!("<a href=/cdn-cgi/l/email-protection data-cfemail={code}>[email&#160;protected]</a>");
    check(&format!("<p>Ask {link}."), "Ask [ann@tea.example](mailto:ann@tea.example).");
    let inner = format!(
        "<a href=/cdn-cgi/l/email-protection><span data-cfemail={code}>[email&#160;protected]</span></a>"
    );
    check(&inner, "[ann@tea.example](mailto:ann@tea.example)");
}

#[test]
fn links_and_images() {
    check("<a href='/a b'>x <b>y</b></a>", "[x **y**](</a b>)");
    check("<a name=x>a</a> <a href=b></a>", "a");
    check("<a href=a><h3>b</h3><p>c</a>", "### [b](a)\n\n[c](a)");
    check("<a href=a>b</a><a href=a>c</a>", "[b](a) [c](a)");
    check("wow!<a href=a>[b]</a>", "wow\\![\\[b\\]](a)");
    // Bold that cannot end before a digit is omitted, so that the text before it and the link become adjacent.
    check("wow!<b><a href=a>b</a></b>1", "wow\\![b](a)1");
    check("a<img src=b.png alt='c [d]'>e", "a ![c \\[d\\]](b.png) e");
}

#[test]
fn addresses_are_absolute() {
    let check = |page: &str, expected: &str| {
        let page = PageBytes::utf8(page.as_bytes());
        let url = "https://teas.example/green/all.html";
        assert_eq!(markdown(&PageParser::new().open(page), &[], url, RenderOptions::default()), expected);
    };
    check("<a href=/ice>a</a> <a href=#n>b</a>", "[a](https://teas.example/ice) [b](#n)");
    check("<img src=b.png alt=c>", "![c](https://teas.example/green/b.png)");
    check("<base href=//x.example/><a href=ice>a</a>", "[a](https://x.example/ice)");
}

#[test]
fn links_as_text() {
    let options = RenderOptions { links: LinkMode::Text, ..RenderOptions::default() };
    check_options(
        "a <a href=b>b <b>c</b></a> <a href=d><img src=e alt=f></a><a href=g></a>",
        options,
        "a b **c** ![f](e)",
    );
}

#[test]
fn images_as_text_or_not_at_all() {
    let page = "a<img src=b.png alt='*c* d'>e <img src=f.png><a href=g><img src=h.png alt=i></a>";
    let mut options = RenderOptions { images: ImageMode::Alt, ..RenderOptions::default() };
    check_options(page, options, "a \\*c\\* d e [i](g)");
    options.images = ImageMode::Drop;
    check_options(page, options, "a e");
}

#[track_caller]
fn check_options(page: &str, options: RenderOptions, expected: &str) {
    let page = PageBytes::utf8(page.as_bytes());
    assert_eq!(markdown(&PageParser::new().open(page), &[], "", options), expected);
}

/// A link around many paragraphs is repeated in each. Its attributes are read once, and its address is written as long as there is room.
#[test]
fn links_around_many_blocks() {
    let page = format!("<a {} href={}>{}", "b ".repeat(50_000), "c".repeat(10_000), "<p>x".repeat(50_000));
    let text = render(&page, &[]);
    assert_eq!(text.matches("[x]").count(), 50_000);
    assert!(text.len() < page.len() + 18_000_000, "{}", text.len());
    assert!(text.ends_with("[x]()"));
}

#[test]
fn formulas() {
    let katex = "<span class=katex><span class=katex-mathml><math><semantics><mi>e</mi>\
        <annotation encoding='application/x-tex'>e^{x}</annotation></semantics></math></span>\
        <span class=katex-html>ex</span></span>";
    check(&format!("<p>so {katex} <b>is</b>"), "so $e^{x}$ **is**");
    check(&format!("<p>so <span class=katex-display>{katex}</span> is"), "so\n\n$$e^{x}$$\n\nis");
    check("a <script type='math/tex'>x_1*y_2</script> b", "a $x_1*y_2$ b");
    check("<h2>On <math><msup><mi>x</mi><mn>2</mn></msup></math></h2>", "## On $x^{2}$");
    check_regions("a ⟦<math><mi>x</mi></math>⟧ b", "a b");
    let mathjax = "<script src=MathJax.js></script>";
    check(&format!("{mathjax}so \\(a_1*b_2\\), \\[c\\] and"), "so $a_1*b_2$,\n\n$$c$$\n\nand");
    check(&format!("{mathjax}<h2>On \\[c\\]</h2><code>\\(a\\)</code>"), "## On $$c$$\n\n`\\(a\\)`");
    // Without a script, browsers would not display it as a formula.
    check("so \\(a+b\\)", "so \\\\(a+b\\\\)");
}

#[test]
fn dollar_signs_are_no_formulas() {
    check("<p>It costs $a or b$ here", "It costs \\$a or b\\$ here");
    check("<p>From $5 to <b>$10</b>", "From $5 to **$10**");
    check("<p>From <b>$a</b> to <a href='/$'>b$</a>", "From **\\$a** to [b\\$](/$)");
    check(
        "<p>$5 is <b>$6 or <math><mi>x</mi></math></b>, $7 <img alt=$ src=a>",
        "\\$5 is **\\$6 or $x$**, \\$7 ![\\$](a)",
    );
    check("<code>$a</code> or b$", "`$a` or b$");
    check("<pre>$a or b$</pre>", "```\n$a or b$\n```");
    check("<script>MathJax = {inlineMath: [['$', '$']]}</script><p>so $a$ is", "so $a$ is");
    check("<p>so <script type=math/asciimath>a/b</script>", "so `a/b`");
}

#[test]
fn lists() {
    check("<p>a<ul><li>b<li>c<p>d</ul>e", "a\n\n- b\n- c\n\n  d\n\ne");
    check("<ul><li>a<ol><li>b<li>c<ul><li>d</ul></ol><li>e</ul>", "- a\n  1. b\n  2. c\n     - d\n- e");
    check("<ol start=9><li>a<li>b<p>c</ol>", "9. a\n10. b\n\n    c");
    check("<ol start=x><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b");
    check("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n+ b");
    check("<ul><li><li>a<li> <li>b</ul>c", "- a\n- b\n\nc");
    check("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b");
    check("<ul><li><h2>a</h2>b</ul>", "- ## a\n\n  b");
    check("<li>a", "- a");
    check("<ol><li>a<li value=9>b<li>c</ol><ul><li value=9>d</ul>", "1. a\n9. b\n10. c\n\n- d");
    check("<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>", "**a**\n\n- b\n- c\n\n**d**\n\n- e");
    check("<dl><dt>a<dd>b</dl><dl><dt>c<dd>d</dl>", "**a**\n\n- b\n\n**c**\n\n- d");
}

#[test]
fn lists_directly_in_lists_belong_to_the_item_before() {
    check("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c");
    check("<ol><li>a</li><ol><li>b</li></ol><li>c</li></ol>", "1. a\n   1. b\n2. c");
    check("<ul><ul><li>a</li></ul><li>b</li></ul>", "- a\n+ b");
    check("<ul><li>a</li><ol start=3><li>b<p>c</ol></ul>d", "- a\n\n  3. b\n\n     c\n\nd");
    check("<ul><li>a</li><ul></ul><li>b</li></ul>", "- a\n- b");
}

#[test]
fn tasks_have_boxes() {
    check(
        "<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox disabled> b</ul>",
        "- [x] a\n- [ ] b",
    );
    check("<ul><li><p><label><input type=checkbox>(a)</label></ul>", "- [ ] (a)");
    // Checkboxes of a form, those outside of lists and those inside of a text are no tasks.
    check("<ul><li><input type=checkbox name=a> a<li>b <input type=checkbox disabled></ul>", "- a\n- b");
    check("<input type=checkbox disabled> a<ul><li>[x] b</ul>", "a\n\n- \\[x] b");
}

#[test]
fn code_with_line_numbers() {
    let lines = "<div class=line><span class=lineno>1</span>a {</div>\n<div class=line><span class=lineno>2</span>  b</div>\n";
    check(&format!("<div class=fragment>{lines}</div>c"), "```\na {\n  b\n```\n\nc");
    let table = "<table><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>";
    check(table, "```\na\nb\n```");
    check("<div class=fragment>a</div>", "a");
}

#[test]
fn links_that_run_a_script_are_text() {
    check("<a href='javascript:play(1)'>a</a> <a href=' JavaScript:b()'>b</a>", "a b");
    check("<a href=javascript.html>a</a>", "[a](javascript.html)");
    check("<a href='java&#10;script:a()'>a</a> <a href='data:text/html,b'>b</a>", "a b");
}

#[test]
fn links_of_headings_to_themselves_are_left_out() {
    check("<h2 id=a>a<a class=headerlink href=#a title='Link here'>¶</a></h2>b", "## a\n\nb");
    check("<h2 id=a><a class='anchor' href=#a><span>&para;</span></a> a</h2>", "## a");
    check("<p><a class=anchor href=#a>a</a> <a href=#a>#</a>", "[a](#a) [#](#a)");
}

#[test]
fn quotations_and_code_blocks() {
    check("<blockquote>a<p>b</blockquote><blockquote>c</blockquote>", "> a\n>\n> b\n\n> c");
    check("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b");
    check("<pre>\n a\n\n  <b>b</b>\n</pre>c", "```\n a\n\n  b\n```\n\nc");
    check("<pre><code class='x language-rust'>fn a() {}</code></pre>", "```rust\nfn a() {}\n```");
    check("<pre class='sourceCode rust'><code>a</code></pre>", "```rust\na\n```");
    check("<pre class='brush: js; toolbar: false'>a</pre>", "```js\na\n```");
    check("<pre><code data-lang=go>a</code></pre>", "```go\na\n```");
    let around = |class: &str| format!("<div class='{class}'><div class=highlight><pre>a</pre></div></div>");
    check(&around("highlight-python3 notranslate"), "```python3\na\n```");
    check(&around("highlight-none notranslate"), "```\na\n```");
    check(&around("highlight-wrapper"), "```\na\n```");
    check(&around("language-ruby highlighter-rouge"), "```ruby\na\n```");
    check("<pre>```</pre>", "````\n```\n````");
    check("<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```");
    check("<pre><div>a</div><div>b</div>c<br>d</pre>", "```\na\nb\nc\nd\n```");
    check("<pre>a<div> b</div><table><tr><td>c<td>d<tr><td>e</table></pre>", "```\na\n b\nc\td\ne\n```");
    check("<pre> </pre>", "");
}

#[test]
fn tables() {
    check(
        "<table><caption>T</caption><tr><th>a<th>b<tr><td>c|d<td><p>e</p><p>f</p></table>",
        "T\n\n| a | b |\n| --- | --- |\n| c\\|d | e f |",
    );
    check(
        "<table><tr><td>a<td>b<tr><td colspan=2>c<tr><td>d</table>",
        "|  |  |\n| --- | --- |\n| a | b |\n| c |  |\n| d |",
    );
    check(
        "<table><tr><th>a<th>b<tr><td rowspan=2>c<td>d<tr><td>e</table>",
        "| a | b |\n| --- | --- |\n| c | d |\n|  | e |",
    );
}

#[test]
fn lists_and_line_breaks_in_cells() {
    check(
        "<table><tr><th>a<th>b<tr><td>c<br>d<td>e<ul><li>f<li><b>g</b></ul>h</table>",
        "| a | b |\n| --- | --- |\n| c<br>d | e<br>f<br>**g**<br>h |",
    );
    check(
        "<table><tr><th>a<th>b<tr><td><ol><li><p>c<li>d</ol><td><code>e<br>f</code></table>",
        "| a | b |\n| --- | --- |\n| c<br>d | `e f` |",
    );
}

#[test]
fn code_in_cells() {
    check(
        "<table><tr><th>a<th>b<tr><td>c<td><pre>d | e\n  f</pre>g<tr><td><pre>h`</pre><td>i</table>",
        "| a | b |\n| --- | --- |\n| c | `d \\| e`<br>`f`<br>g |\n| `` h` `` | i |",
    );
    let named =
        "<table><tr><th colspan=2>a.py<tr><td class=linenos><pre>1</pre><td class=code><pre>b</pre></table>";
    check(named, "a.py\n\n```\nb\n```");
}

#[test]
fn tables_for_layout_are_blocks() {
    check("<table><tr><td>a<td>b</table>", "a\n\nb");
    check("<table><tr><td>a<tr><td>b</table>", "a\n\nb");
    check("<table><tr><td>a<td><ul><li>b</ul><tr><td>c<td>d</table>", "a\n\n- b\n\nc\n\nd");
    check(
        "<table><tr><td>x<td><table><tr><th>a<th>b<tr><td>c<td>d</table><tr><td>y<td>z</table>",
        "x\n\n| a | b |\n| --- | --- |\n| c | d |\n\ny\n\nz",
    );
}

#[test]
fn characters_are_escaped_where_needed() {
    check("<p>1. a<p>- b<p># c<p>&gt; d<p>+ e", "1\\. a\n\n\\- b\n\n\\# c\n\n\\> d\n\n\\+ e");
    check("a * b *c* snake_case _d_ &amp;amp; AT&amp;T", "a * b \\*c\\* snake_case \\_d\\_ \\&amp; AT&T");
    check("&lt;b> a &lt; b [1] [a](b) `c` ~d~", "\\<b> a < b [1] [a\\](b) \\`c\\` \\~d\\~");
    check("[a]<!-- -->(b) &lt;<!-- -->b &amp;am<!-- -->p;", "[a\\](b) \\<b \\&amp;");
    check("a<br>- b<br>===", "a\\\n\\- b\\\n\\===");
    check("<code>*a* &lt;b></code>", "`*a* <b>`");
}

#[test]
fn nothing_hidden_is_shown() {
    let head = "<title>t</title><style>s</style><script>c</script><meta name=a content=b>";
    check(
        &format!("{head}<p>a<script>b</script><template>c</template><!-- d --><svg><title>e</title></svg>f"),
        "af",
    );
    check("<iframe>a</iframe>b<button>c</button>d<select><option>e<option>f</select>", "b c d\n\ne\n\nf");
}

#[test]
fn regions_are_left_out() {
    check_regions("⟦<nav>a</nav>⟧<p>b ⟦c⟧d e⟦f</p><p>g⟧h", "b d e\n\nh");
    check_regions("<ol>⟦<li>a</li>⟧<li>b</ol>⟦<hr>⟧c⟦<img alt=d src=d>⟧e", "2. b\n\nc e");
    check_regions("<pre>a⟦b⟧\nc</pre>", "```\na\nc\n```");
    check_regions("<table><tr>⟦<th>a<th>b⟧<tr><td>c<td>d</table>", "|  |  |\n| --- | --- |\n| c | d |");
    check_regions("⟦<p>a⟧", "");
}

#[test]
fn deep_pages() {
    for tag in [
        "div",
        "b",
        "ul><li",
        "blockquote",
        "table><tr><td",
        "a href=x",
        "pre",
        "h1",
        "dl><dt",
        "code",
        "i><b",
        "pre><button",
        "span class=lineno>1<b",
        "aside class=footnotes id=n><a href=#n",
    ] {
        let page = format!("<{tag}>x ").repeat(100_000);
        let text = render(&page, &[]);
        assert!(text.matches('x').count() >= 100_000, "{tag}");
        assert!(text.len() < 200 * 100_000, "{tag} {}", text.len());
    }
}

#[test]
fn wide_tables() {
    let page = format!(
        "<table><tr>{}{}",
        "<td rowspan=1000 colspan=1000>x".repeat(10_000),
        "<tr><td>y".repeat(100_000)
    );
    let text = render(&page, &[]);
    assert!(text.len() < 2_000_000, "{}", text.len());
}
