//! Converts MathML without an annotation to TeX.

use crate::html::{Node, NodeKind};

/// The TeX of a MathML element. The parser limits the depth of the tree, so the recursion is bounded.
pub(super) fn tex(node: Node<'_>) -> String {
    let inner: Vec<Node<'_>> = node.children().filter(|child| child.kind() == NodeKind::Element).collect();
    let part = |at: usize| inner.get(at).map(|node| tex(*node)).unwrap_or_default();
    match &*node.name() {
        "mi" | "mn" | "mo" | "ms" => symbol(node.text().trim()),
        "mtext" => format!("\\text{{{}}}", node.text().trim()),
        "annotation" | "annotation-xml" => String::new(),
        "msup" | "mover" => format!("{}^{{{}}}", base(part(0)), part(1)),
        "msub" | "munder" => format!("{}_{{{}}}", base(part(0)), part(1)),
        "msubsup" | "munderover" => format!("{}_{{{}}}^{{{}}}", base(part(0)), part(1), part(2)),
        "mfrac" => format!("\\frac{{{}}}{{{}}}", part(0), part(1)),
        "msqrt" => format!("\\sqrt{{{}}}", all(&inner)),
        "mroot" => format!("\\sqrt[{}]{{{}}}", part(1), part(0)),
        "mfenced" => format!("({})", inner.iter().map(|node| tex(*node)).collect::<Vec<_>>().join(",")),
        "mtable" => format!("\\begin{{matrix}} {} \\end{{matrix}}", joined(&inner, " \\\\ ")),
        "mtr" | "mlabeledtr" => joined(&inner, " & "),
        _ => all(&inner),
    }
}

fn all(nodes: &[Node<'_>]) -> String {
    nodes.iter().fold(String::new(), |mut all, node| {
        let next = tex(*node);
        // A command must be separated from a letter that follows.
        let is_command = all
            .rsplit('\\')
            .next()
            .is_some_and(|last| all.contains('\\') && last.chars().all(char::is_alphabetic));
        if is_command && next.starts_with(char::is_alphabetic) {
            all.push(' ');
        }
        all + &next
    })
}

fn joined(nodes: &[Node<'_>], separator: &str) -> String {
    nodes.iter().map(|node| tex(*node)).collect::<Vec<_>>().join(separator)
}

/// The base of a power or an index, in braces if it has more than one character.
fn base(tex: String) -> String {
    if tex.chars().count() > 1 && !tex.starts_with('\\') { format!("{{{tex}}}") } else { tex }
}

/// Escapes characters with a meaning in TeX, and drops invisible operators.
fn symbol(text: &str) -> String {
    match text {
        "%" | "&" | "#" | "_" | "$" | "{" | "}" => format!("\\{text}"),
        "\u{2061}" | "\u{2062}" | "\u{2063}" | "\u{2064}" => String::new(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::parsed::{PageBytes, PageParser};

    #[track_caller]
    fn check(page: &str, expected: &str) {
        let mut parser = PageParser::new();
        let page = parser.open(PageBytes::utf8(page.as_bytes()));
        let math = page.document().descendants().find(|node| node.name() == "math").unwrap();
        assert_eq!(super::tex(math), expected);
    }

    #[test]
    fn mathml_is_rewritten() {
        check("<math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>", "E=mc^{2}");
        check(
            "<math><mfrac><mn>1</mn><msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt></mfrac></math>",
            "\\frac{1}{\\sqrt{x+1}}",
        );
        check("<math><msub><mrow><mi>a</mi><mi>b</mi></mrow><mi>i</mi></msub></math>", "{ab}_{i}");
        check(
            "<math><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mn>5</mn><mo>%</mo></math>",
            "∑_{i}^{n}5\\%",
        );
        check(
            "<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></math>",
            "\\begin{matrix} 1 & 2 \\end{matrix}",
        );
    }
}
