//! Checks the TeX of MathML.

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

/// Checks the TeX of the children of `math`.
#[track_caller]
fn check_inner(inner: &str, expected: &str) {
    check(&format!("<math>{inner}</math>"), expected);
}

#[test]
fn signs_over_and_under_a_base_are_accents_or_limits() {
    let over = |base: &str, sign: &str| format!("<mover>{base}<mo>{sign}</mo></mover>");
    check_inner(&over("<mi>x</mi>", "^"), "\\hat{x}");
    check_inner(&over("<mi>x</mi>", "~"), "\\tilde{x}");
    check_inner(&over("<mi>y</mi>", "→"), "\\vec{y}");
    check_inner(&over("<mi>y</mi>", "¯"), "\\bar{y}");
    check_inner(&over("<mi>y</mi>", "˙"), "\\dot{y}");
    check_inner(&over("<mrow><mi>a</mi><mi>b</mi></mrow>", "¯"), "\\overline{ab}");
    check_inner(&over("<mo>=</mo>", "!"), "\\overset{!}{=}");
    check_inner("<munder><mi>x</mi><mo>_</mo></munder>", "\\underline{x}");
    let brace = "<munder><mrow><mi>a</mi><mi>b</mi></mrow><mo>⏟</mo></munder>";
    check_inner(&format!("<munder>{brace}<mi>n</mi></munder>"), "\\underbrace{ab}_{n}");
    check_inner("<msup><mover><mi>x</mi><mo>^</mo></mover><mn>2</mn></msup>", "\\hat{x}^{2}");
    check_inner(
        "<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder><mi>x</mi>",
        "\\lim_{n→∞}x",
    );
    check_inner("<munder><mi>argmin</mi><mi>x</mi></munder>", "\\operatorname*{argmin}_{x}");
    check_inner("<mi>sin</mi><mo>\u{2061}</mo><mi>α</mi>", "\\sin α");
    check_inner("<msub><mrow><mi>sin</mi><mi>x</mi></mrow><mn>1</mn></msub>", "{\\sin x}_{1}");
}

#[test]
fn fonts_have_commands() {
    check_inner("<mi mathvariant=bold>v</mi>", "\\mathbf{v}");
    check_inner("<mi mathvariant=double-struck>R</mi>", "\\mathbb{R}");
    check_inner("<mi mathvariant=script>F</mi>", "\\mathcal{F}");
    check_inner("<mi mathvariant=fraktur>g</mi>", "\\mathfrak{g}");
    check_inner("<mi mathvariant=normal>d</mi><mi mathvariant=normal>Γ</mi>", "\\mathrm{d}Γ");
    check_inner("<msub><mi mathvariant=bold>v</mi><mn>1</mn></msub>", "\\mathbf{v}_{1}");
}

#[test]
fn other_elements() {
    check_inner(
        "<mmultiscripts><mi>X</mi><mn>1</mn><mn>2</mn><mprescripts/><mn>3</mn><mn>4</mn></mmultiscripts>",
        "{}_{3}^{4}X_{1}^{2}",
    );
    check_inner("<mmultiscripts><mi>X</mi><mn>1</mn><none/><mn>2</mn></mmultiscripts>", "X_{1}{}_{2}");
    check_inner("<mmultiscripts></mmultiscripts><mover></mover>", "");
    check_inner("<mphantom><mi>h</mi></mphantom>", "\\phantom{h}");
    check_inner("<menclose notation=radical><mi>z</mi></menclose>", "\\sqrt{z}");
    check_inner("<menclose notation=updiagonalstrike><mi>z</mi></menclose>", "z");
    check_inner("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)");
    check_inner(
        "<mfenced open='{' close='' separators=';|'><mi>a</mi><mi>b</mi><mi>c</mi></mfenced>",
        "\\{a;b|c",
    );
    check_inner("<mtext>50 % of $5</mtext><mo>^</mo>", "\\text{50 \\% of \\$5}\\hat{}");
}
