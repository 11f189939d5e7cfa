//! Tests of code blocks as highlighters mark them up.

use super::check;

/// Pages with line numbers, each with the code that a reader would copy.
const NUMBERED: [&str; 7] = [
    // Hugo, in the line and as a table.
    "<pre><code><span class=line><span class=ln>1</span><span class=cl>a\n</span></span><span class=line><span class=ln>2</span><span class=cl>b</span></span></code></pre>",
    "<table class=lntable><tr><td class=lntd><pre><code><span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre><td class=lntd><pre><code>a\nb</code></pre></table>",
    // Expressive Code.
    "<pre><code><div class=ec-line><div class=gutter><div class=ln>1</div></div><div class=code>a</div></div><div class=ec-line><div class=gutter><div class=ln>2</div></div><div class=code>b</div></div></code></pre>",
    // VitePress, with the name of the language.
    "<div class=x><button class=copy></button><span class=lang>ts</span><pre><code>a\nb</code></pre><div class=line-numbers-wrapper><span class=line-number>1</span><br><span class=line-number>2</span></div></div>",
    // Rouge.
    "<pre><code><table class=rouge-table><tbody><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre>a\nb\n</pre></td></tr></tbody></table></code></pre>",
    // Prism.
    "<pre class=line-numbers><code>a\nb<span class=line-numbers-rows><span></span><span></span></span></code></pre>",
    // Sphinx.
    "<pre><span class=linenos>1</span>a\n<span class=linenos>2</span>b</pre>",
];

#[test]
fn line_numbers_are_left_out() {
    for page in NUMBERED {
        check(page, "```\na\nb\n```");
    }
    // Numbers that are the code, and code in an element with the class of line numbers.
    check(
        "<pre class=line-numbers>1\n2</pre><p>c <span class=ln>3</span><pre><i class=ln>4 d</i></pre>",
        "```\n1\n2\n```\n\nc 3\n\n```\n4 d\n```",
    );
}

#[test]
fn line_numbers_are_left_out_of_text_and_chunks() {
    use crate::parsed::{PageBytes, PageParser};
    for page in NUMBERED {
        let mut parser = PageParser::new();
        let page = parser.open(PageBytes::utf8(page.as_bytes()));
        assert_eq!(crate::text::content::extract(&page, &[]).text.trim_end(), "a\nb");
        let chunks = crate::render::chunks(&page, &[], 99);
        assert_eq!(chunks.iter().map(|chunk| chunk.text.as_str()).collect::<Vec<_>>(), ["a\nb"]);
    }
}

#[test]
fn languages() {
    let check_language = |page: &str, language: &str| check(page, &format!("```{language}\na\n```"));
    check_language("<pre lang=ruby><code>a</code></pre>", "ruby");
    check_language("<pre lang=en><code>a</code></pre>", "");
    check_language("<pre><code class=python>a</code></pre>", "python");
    check_language("<pre><code class=note>a</code></pre>", "");
    check_language("<pre><code class='hljs python'>a</code></pre>", "python");
    check_language("<pre><code class='python hljs'>a</code></pre>", "python");
    check_language("<pre class='lang:php decode:true'>a</pre>", "php");
    check_language("<pre data-syntaxhighlighter-params='brush: java; gutter: false'>a</pre>", "java");
    check_language("<pre class='rust rust-example-rendered'><code>a</code></pre>", "rust");
    check_language("<div class='highlight highlight-text-html-basic'><pre>a</pre></div>", "html");
    check_language("<div class='highlight highlight-text-xml'><pre>a</pre></div>", "xml");
    check_language("<figure class='highlight js'><pre>a</pre></figure>", "js");
    let table = "<div class='language-py highlight'><table><tr><td class=linenos><div><pre>1</pre></div><td class=code><div><pre><code>a</code></pre></div></table></div>";
    check_language(table, "py");
}

#[test]
fn a_table_with_a_row_for_each_line_is_one_block() {
    let row = |number: usize, line: &str| {
        format!(
            "<tr><td class=blob-num data-line-number={number}></td>\n<td class='blob-code js-file-line'>{line}</td></tr>\n"
        )
    };
    let rows = row(1, "<b>package</b> a") + &row(2, "") + &row(3, "  b | c");
    check(&format!("<table data-tagsearch-lang=Go>{rows}</table>d"), "```go\npackage a\n  b | c\n```\n\nd");
}

#[test]
fn buttons_of_code_are_left_out() {
    let prism = "<div class=code-toolbar><pre>a</pre><div class=toolbar><div class=toolbar-item><span>CSS</span></div><div class=toolbar-item><button><span>Copy</span></button></div></div></div>";
    check(prism, "```\na\n```");
    let docusaurus = "<div><div><pre>a</pre><div class=x><button>Copy</button></div></div></div>";
    check(docusaurus, "```\na\n```");
    check("<pre>a<button>Copied!</button></pre><button>Copy to clipboard</button>b", "```\na\n```\n\nb");
    check("<p>x</p><button>Wrap lines</button><pre>a</pre>", "x\n\n```\na\n```");
    // Other buttons, and buttons that are not beside code.
    check("<pre>a</pre><button>Buy</button>", "```\na\n```\n\nBuy");
    check("<p>a</p><button>Copy</button><p>b</p><pre>c</pre>", "a\n\nCopy\n\nb\n\n```\nc\n```");
}

#[test]
fn links_to_edit_a_section_are_left_out() {
    check("<h2>a<span class=mw-editsection>[<a href=b>edit</a>]</span></h2>c", "## a\n\nc");
}

#[test]
fn tooltips_are_left_out() {
    let lines = "<div class=line><span class=lineno>1</span>a</div>\n<div class=line>b</div>\n";
    let tooltip =
        "<div class=ttc id=b><div class=ttname><a href=c>c</a></div><div class=ttdeci>d</div></div>";
    check(&format!("<div class=fragment>{lines}{tooltip}</div>e"), "```\na\nb\n```\n\ne");
}
