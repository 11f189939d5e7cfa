//! Extracts mathematics as TeX, without duplicates: pages often carry a formula as MathML, as TeX and as the output of a script, side by side.

mod mathjax;
mod mathml;

use crate::html::tag::{Namespace, Tag};
use crate::html::{Node, NodeKind, Parser, Span};
use crate::parsed::ParsedPage;

/// Classes of the output of MathJax 2.
const MATHJAX: [&str; 8] = [
    "MathJax",
    "MathJax_Preview",
    "MathJax_Display",
    "MathJax_SVG",
    "MathJax_SVG_Display",
    "MathJax_CHTML",
    "MathJax_PHTML",
    "mjx-chtml",
];

/// Maximum bytes of a formula in a text.
const TEX_BYTES_MAX: usize = 2_000;

/// The role of an element in mathematics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Math {
    /// The element is a formula.
    Formula(Formula),
    /// The element repeats a formula that another element has as TeX or MathML.
    Duplicate,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formula {
    /// The TeX, in one line and without dollar signs.
    pub(crate) tex: String,
    /// Whether it is AsciiMath rather than TeX.
    pub(crate) is_ascii: bool,
    /// Whether it is a display formula, in a line of its own.
    pub(crate) is_display: bool,
}

impl Formula {
    fn tex(tex: String, is_display: bool) -> Formula {
        Formula { tex, is_ascii: false, is_display }
    }

    /// The formula with dollar signs, as Markdown writes it; AsciiMath with backquotes, which are its own delimiters.
    pub(crate) fn marked(&self) -> String {
        match (self.is_ascii, self.is_display) {
            (true, _) => format!("`{}`", self.tex),
            (false, true) => format!("$${}$$", self.tex),
            (false, false) => format!("${}$", self.tex),
        }
    }
}

/// Whether a page may have formulas. A cheap check, so that pages without formulas cost nothing.
pub(crate) fn is_on(page: &ParsedPage<'_>) -> bool {
    let bytes = page.source().bytes();
    let has = |part: &str| memchr::memmem::find(bytes, part.as_bytes()).is_some();
    // All of the patterns imply this string.
    has("math") && ["<math", "math/tex", "math/asciimath", "math/mml", "katex", "mjx-"].into_iter().any(has)
}

/// Whether the text of a page may have formulas between `\(` and `\)` or `\[` and `\]`. Without a script that displays them, these are plain text.
pub(crate) fn has_tex(page: &ParsedPage<'_>) -> bool {
    let bytes = page.source().bytes();
    let has = |part: &str| memchr::memmem::find(bytes, part.as_bytes()).is_some();
    let has_sign = ["\\(", "\\["].into_iter().any(has);
    has_sign && ["<math", "MathJax", "mathjax", "KaTeX", "katex"].into_iter().any(has)
}

/// Whether a script of the page displays text between dollar signs as formulas, which Markdown then does too.
pub(crate) fn shows_dollars(page: &ParsedPage<'_>) -> bool {
    let bytes = page.source().bytes();
    // In the settings of MathJax and KaTeX, and on Stack Exchange, whose settings are in another file.
    const SIGNS: [&str; 7] =
        ["['$'", "[\"$\"", "[ '$'", "[ \"$\"", "left: '$'", "left: \"$\"", "class=\"math-container\""];
    let has = |part: &str| memchr::memmem::find(bytes, part.as_bytes()).is_some();
    ["MathJax", "mathjax", "KaTeX", "katex"].into_iter().any(has) && SIGNS.into_iter().any(has)
}

/// The first formula in a text, with the text before and after it.
pub(crate) fn in_text(text: &str) -> Option<(&str, Formula, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find('\\').map(|at| from + at) {
        let (before, rest) = text.split_at(at);
        let end = match rest.get(..2) {
            Some("\\(") => "\\)",
            Some("\\[") => "\\]",
            _ => "",
        };
        // An escaped character begins no formula.
        from = at + 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
        if !end.is_empty()
            && let Some(tex) = until(&rest[2..], end)
            && let Some(line) = one_line(tex).filter(|_| !tex.contains("\\("))
        {
            let after = &rest[2 + tex.len() + end.len()..];
            return Some((before, Formula::tex(line, end == "\\]"), after));
        }
    }
    None
}

/// The text before `end`, which is searched only in the next [`TEX_BYTES_MAX`] bytes.
fn until<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let near = text.as_bytes().get(..TEX_BYTES_MAX + end.len()).unwrap_or(text.as_bytes());
    memchr::memmem::find(near, end.as_bytes()).and_then(|at| text.get(..at))
}

/// The elements of a page that are formulas or duplicates of one, in document order and without overlaps.
pub(crate) fn on_page(page: &ParsedPage<'_>) -> Vec<(Span, Math)> {
    if !is_on(page) {
        return Vec::new();
    }
    let mut found: Vec<(Span, Math)> = Vec::new();
    let elements =
        page.document().descendants().filter(|node| node.kind() == NodeKind::Element && !node.is_moved());
    for node in elements {
        let span = node.span();
        let is_inside = found.last().is_some_and(|(last, _)| span.start < last.end);
        if !is_inside && let Some(math) = of(node) {
            found.push((span, math));
        }
    }
    found.retain(|(span, _)| span.start < span.end);
    found
}

/// The role of an element in mathematics; `None` if it has none.
pub(crate) fn of(node: Node<'_>) -> Option<Math> {
    match node.namespace() {
        Namespace::MathMl if node.name() == "math" => formula(node).map(Math::Formula),
        Namespace::Html if node.tag() == Some(Tag::SCRIPT) => script(node).map(Math::Formula),
        Namespace::Html if node.name() == "mjx-container" => container(node).map(Math::Formula),
        Namespace::Html => is_duplicate(node).then_some(Math::Duplicate),
        _ => None,
    }
}

/// Converts MathML to TeX: takes its annotation, or its alternative text, or rewrites it.
fn formula(node: Node<'_>) -> Option<Formula> {
    let annotation = node.descendants().find(|inner| {
        inner.name() == "annotation" && inner.attribute("encoding").is_some_and(|encoding| is_tex(&encoding))
    });
    let alternative = || node.attribute("alttext").map(|text| text.into_owned());
    let tex =
        annotation.map(|node| node.text().into_owned()).or_else(alternative).and_then(|tex| one_line(&tex));
    let tex = tex.or_else(|| one_line(&mathml::tex(node)))?;
    let is_block = node.attribute("display").is_some_and(|display| display.eq_ignore_ascii_case("block"));
    Some(Formula::tex(tex, is_block || is_displayed(node)))
}

fn is_tex(encoding: &str) -> bool {
    ["application/x-tex", "tex", "latex", "application/x-latex"]
        .iter()
        .any(|name| encoding.trim().eq_ignore_ascii_case(name))
}

/// Whether the elements around a formula display it in a line of its own.
fn is_displayed(node: Node<'_>) -> bool {
    node.ancestors().take(4).any(|around| {
        let is_container = around.attribute("display").is_some_and(|display| display == "true");
        is_container || has_class(around, &["katex-display", "mwe-math-mathml-display", "MathJax_Display"])
    })
}

/// Whether an element is what a script displays for a formula: the output of KaTeX and of MathJax 2 to 4.
pub(crate) fn is_rendered(node: Node<'_>) -> bool {
    node.name() == "mjx-container" || has_class(node, &["katex"]) || has_class(node, &MATHJAX)
}

/// The TeX that MathJax 4 notes at its output, or that of what MathJax 3 displays if it has added no MathML.
fn container(node: Node<'_>) -> Option<Formula> {
    let output = node.children().filter(|child| matches!(&*child.name(), "mjx-math" | "svg"));
    let tex = std::iter::once(node).chain(output).find_map(|node| node.attribute("data-latex"));
    let is_display = node.attribute("display").is_some_and(|display| display == "true");
    if let Some(tex) = tex {
        return Some(Formula::tex(one_line(&tex)?, is_display));
    }
    match node.children().any(|child| child.name() == "mjx-assistive-mml") {
        true => None,
        false => in_mathml(&mathjax::mathml(node), is_display),
    }
}

/// The languages of formulas in scripts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Tex,
    AsciiMath,
    MathMl,
}

/// The language of `<script type="math/tex">` and the like, which MathJax 2 replaces or puts behind its output.
fn language(node: Node<'_>) -> Option<Language> {
    let kind = node.attribute("type").filter(|_| node.tag() == Some(Tag::SCRIPT))?;
    let kind = kind.trim_start().to_ascii_lowercase();
    let languages = [
        ("math/tex", Language::Tex),
        ("math/asciimath", Language::AsciiMath),
        ("math/mml", Language::MathMl),
    ];
    languages.into_iter().find(|(name, _)| kind.starts_with(name)).map(|(_, language)| language)
}

fn script(node: Node<'_>) -> Option<Formula> {
    let language = language(node)?;
    let is_display = node.attribute("type").is_some_and(|kind| kind.contains("mode=display"));
    match language {
        Language::Tex => Some(Formula::tex(one_line(&node.text())?, is_display)),
        Language::AsciiMath => {
            let tex = one_line(&node.text())?.replace('`', "'");
            Some(Formula { tex, is_ascii: true, is_display })
        }
        Language::MathMl => in_mathml(&node.text(), is_display),
    }
}

/// The formula in the text of a script.
fn in_mathml(text: &str, is_display: bool) -> Option<Formula> {
    let mut parser = Parser::new();
    let document = parser.parse(text.as_bytes(), encoding_rs::UTF_8);
    let is_math = |node: &Node<'_>| node.namespace() == Namespace::MathMl && node.name() == "math";
    let found = formula(document.descendants().find(is_math)?)?;
    Some(Formula { is_display: found.is_display || is_display, ..found })
}

/// Whether an element displays a formula that a sibling has as TeX or MathML: the visible output of KaTeX and of MathJax 2 and 3, and
/// Wikipedia's images.
fn is_duplicate(node: Node<'_>) -> bool {
    if node.name() == "mjx-math" {
        return following(node).any(|next| next.name() == "mjx-assistive-mml");
    }
    if node.tag() == Some(Tag::IMG) {
        return has_class(node, &["mwe-math-fallback-image-inline", "mwe-math-fallback-image-display"])
            && node.previous_sibling().is_some();
    }
    (has_class(node, &["katex-html"])
        && node.previous_sibling().is_some_and(|before| has_class(before, &["katex-mathml"])))
        || (has_class(node, &MATHJAX) && following(node).take(4).any(|next| language(next).is_some()))
}

/// The following sibling elements.
fn following(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let siblings = std::iter::successors(node.next_sibling(), |node| node.next_sibling());
    siblings.filter(|node| node.kind() == NodeKind::Element)
}

fn has_class(node: Node<'_>, names: &[&str]) -> bool {
    node.attribute("class")
        .is_some_and(|class| class.split_ascii_whitespace().any(|word| names.contains(&word)))
}

/// TeX in one line, without the command that Wikipedia puts around every formula; `None` if nothing is left.
fn one_line(tex: &str) -> Option<String> {
    let line = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    let inner = line.strip_prefix("{\\displaystyle ").and_then(|rest| rest.strip_suffix('}'));
    let tex = inner.unwrap_or(&line).trim();
    (!tex.is_empty()).then(|| tex.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    fn found(page: &str) -> Vec<Math> {
        let mut parser = PageParser::new();
        let page = parser.open(PageBytes::utf8(page.as_bytes()));
        on_page(&page).into_iter().map(|(_, math)| math).collect()
    }

    fn formula(tex: &str, is_display: bool) -> Math {
        Math::Formula(Formula::tex(tex.to_owned(), is_display))
    }

    #[test]
    fn formulas_are_found_once() {
        let katex = "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>x</mi></mrow>\
            <annotation encoding='application/x-tex'>e^{x}</annotation></semantics></math></span>\
            <span class=katex-html aria-hidden=true><span>ex</span></span></span>";
        assert_eq!(found(katex), [formula("e^{x}", false), Math::Duplicate]);
        let mathjax = "<span class=MathJax_Preview></span><div class=MathJax_Display><span class=MathJax>x2</span></div>\
            <script type='math/tex; mode=display'>x^2</script>";
        assert_eq!(found(mathjax), [Math::Duplicate, Math::Duplicate, formula("x^2", true)]);
        let mathjax = "<mjx-container display=true><mjx-math>x</mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup>\
            </math></mjx-assistive-mml></mjx-container>";
        assert_eq!(found(mathjax), [Math::Duplicate, formula("x^{2}", true)]);
        let wikipedia = "<span><span><math alttext='{\\displaystyle a}'><mi>a</mi></math></span><img class=mwe-math-fallback-image-inline></span>";
        assert_eq!(found(wikipedia), [formula("a", false), Math::Duplicate]);
    }

    #[test]
    fn scripts_have_formulas_in_three_languages() {
        assert_eq!(found("<script type='math/mml'><math><mi>s</mi></math></script>"), [formula("s", false)]);
        let [Math::Formula(ascii)] = &found("<script type=math/asciimath>a/b</script>")[..] else { panic!() };
        assert_eq!(ascii.marked(), "`a/b`");
        let output = "<span class=MathJax>s</span><script type=math/mml><math><mi>s</mi></math></script>";
        assert_eq!(found(output), [Math::Duplicate, formula("s", false)]);
        assert_eq!(found("<script type=math/mml>none</script><script>math/tex</script><p>math"), []);
    }

    #[test]
    fn mathjax_4_notes_its_tex() {
        let svg = "<mjx-container jax=SVG data-latex='E = mc^2'><svg data-latex='E = mc^2'><g data-mml-node=math></g></svg>\
            </mjx-container>";
        assert_eq!(found(svg), [formula("E = mc^2", false)]);
        let html = "<mjx-container display=true><mjx-math data-latex='\\alpha'><mjx-mi data-latex='\\alpha'></mjx-mi></mjx-math>\
            </mjx-container>";
        assert_eq!(found(html), [formula("\\alpha", true)]);
    }

    #[test]
    fn formulas_in_a_text() {
        let check = |text: &str, expected: Option<(&str, &str, &str)>| {
            let found = in_text(text);
            let found = found.as_ref().map(|(before, formula, after)| (*before, formula.marked(), *after));
            let expected = expected.map(|(before, tex, after)| (before, tex.to_owned(), after));
            assert_eq!(found, expected, "{text}");
        };
        check("so \\(a+b\\) is", Some(("so ", "$a+b$", " is")));
        check("\\[ a\n+ b \\]", Some(("", "$$a + b$$", "")));
        check("\\\\(a\\) \\(b\\)", Some(("\\\\(a\\) ", "$b$", "")));
        check("\\(a", None);
        check("\\(a\\]", None);
        check("\\( \\) C:\\ß\\", None);
        check(&format!("\\({}\\)", "x".repeat(TEX_BYTES_MAX + 1)), None);
    }

    #[test]
    fn settings_of_scripts_show_dollar_signs() {
        let check = |page: &str| {
            let mut parser = PageParser::new();
            shows_dollars(&parser.open(PageBytes::utf8(page.as_bytes())))
        };
        assert!(check("<script>MathJax = {tex: {inlineMath: [['$', '$']]}}</script>"));
        assert!(check(
            "<script>renderMathInElement(x, {left: \"$\"})</script><script src=katex.js></script>"
        ));
        assert!(!check("<script src=MathJax.js></script><p>$5"));
        assert!(!check("<script>names = ['$', 'tea']</script>"));
    }

    #[test]
    fn what_is_shown_stays_where_nothing_else_has_the_formula() {
        assert_eq!(found("<span class=MathJax>math x</span><math></math>"), []);
        assert_eq!(found("<p>mathematics"), []);
    }
}
