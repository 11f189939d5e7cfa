//! Tests the output of MathJax against the TeX that it shows, and that any output is read.

use proptest::prelude::*;

use crate::parsed::{PageBytes, PageParser};
use crate::text::math::{Formula, Math, on_page};

fn only_formula(html: &str) -> Formula {
    let mut parser = PageParser::new();
    let page = parser.open(PageBytes::utf8(html.as_bytes()));
    match &on_page(&page)[..] {
        [(_, Math::Formula(formula))] => formula.clone(),
        other => panic!("{other:?} in {html}"),
    }
}

/// The output of MathJax 3.2.2 as HTML and as SVG, without sizes and the shapes of characters. Three lines are a formula: the TeX that was displayed,
/// the HTML, the SVG.
const OUTPUT: &str = include_str!("formulas.txt");

#[test]
fn formulas_are_read_from_what_is_displayed() {
    let expected = [
        r"x_{i}^{2}",
        r"\frac{a+b}{c}",
        r"\sqrt{x+1}",
        r"\sqrt[3]{x}",
        r"∑_{i=1}^{n}i^{2}",
        r"(\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix})",
        r"\hat{x}+\vec{v}+\overline{ab}",
        r"\mathbb{R}^{n}",
        r"\mathcal{L}(θ)",
        r"\lim_{n→∞}a_{n}",
        r"\underbrace{a+b}_{n}",
        r"\mathrm{d}x",
        r"({n \atop k})",
        r"\boldsymbol{β}",
    ];
    let lines: Vec<&str> = OUTPUT.lines().collect();
    assert_eq!(lines.len(), expected.len() * 3);
    for (formula, tex) in lines.chunks(3).zip(expected) {
        for output in &formula[1..] {
            let found = only_formula(&format!("<mjx-container display=true>{output}</mjx-container>"));
            assert_eq!(found.tex, tex, "{} as {output}", formula[0]);
            assert!(found.is_display);
        }
    }
}

proptest! {
    #[test]
    fn any_output_is_read(names in prop::collection::vec(0..12_usize, 1..30)) {
        const PARTS: [&str; 12] = [
            "<mjx-msqrt>", "<mjx-munderover>", "<mjx-box>", "<mjx-munder>", "<mjx-mfrac>", "<mjx-frac>", "<mjx-num>", "<mjx-script>",
            "<mjx-mi>", "<mjx-c class=mjx-c41>", "</mjx-mi>", "<g data-mml-node=msubsup transform=translate(1>",
        ];
        let html: String = names.iter().map(|name| PARTS[*name]).collect();
        let mut parser = PageParser::new();
        on_page(&parser.open(PageBytes::utf8(format!("<mjx-container>math{html}").as_bytes())));
    }
}

#[test]
fn output_without_a_formula_is_none() {
    let mut parser = PageParser::new();
    for html in
        ["<mjx-container><mjx-math></mjx-math></mjx-container>", "<mjx-container>math</mjx-container>"]
    {
        let page = parser.open(PageBytes::utf8(html.as_bytes()));
        assert_eq!(on_page(&page), [], "{html}");
    }
}
