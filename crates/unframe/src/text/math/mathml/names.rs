//! Names that TeX has for functions, accents and fonts of MathML.

/// Functions with a command of their own, sorted.
#[rustfmt::skip]
const FUNCTIONS: [&str; 32] = [
    "Pr", "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd", "hom", "inf",
    "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "sec", "sin", "sinh", "sup", "tan", "tanh",
];

/// The name of the command for a function: `lim sup` is `limsup`.
pub(super) fn function(text: &str) -> Option<&'static str> {
    let name: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{2009}').take(10).collect();
    FUNCTIONS.binary_search(&name.as_str()).ok().map(|at| FUNCTIONS[at])
}

/// Whether TeX is a sign whose limits are under and over it.
pub(super) fn sum_like(tex: &str) -> bool {
    let mut chars = tex.chars();
    matches!(
        (chars.next(), chars.next()),
        (Some('∏' | '∐' | '∑' | '∫'..='∳' | '⋀'..='⋃' | '⨀'..='⨖' | '⫿'), None)
    )
}

/// The command for a sign over or under a base.
pub(super) fn accent(sign: &str, is_over: bool, is_long: bool) -> Option<&'static str> {
    let (short, long) = match (sign, is_over) {
        // `symbol` escapes some of them.
        ("\\hat{}" | "ˆ" | "\u{302}", true) => ("\\hat", "\\widehat"),
        ("\\sim" | "˜" | "\u{303}" | "∼", true) => ("\\tilde", "\\widetilde"),
        ("→" | "⃗" | "⟶", true) => ("\\vec", "\\overrightarrow"),
        ("←" | "⃖" | "⟵", true) => ("\\overleftarrow", "\\overleftarrow"),
        ("↔" | "⃡", true) => ("\\overleftrightarrow", "\\overleftrightarrow"),
        ("¯" | "ˉ" | "‾" | "\u{304}" | "\u{305}" | "\\_" | "―" | "−" | "-" | "_", true) => {
            ("\\bar", "\\overline")
        }
        ("˙" | "." | "\u{307}" | "·" | "⋅", true) => ("\\dot", "\\dot"),
        ("¨" | ".." | "\u{308}", true) => ("\\ddot", "\\ddot"),
        ("⃛" | "...", true) => ("\\dddot", "\\dddot"),
        ("´" | "\u{301}", true) => ("\\acute", "\\acute"),
        ("`" | "\u{300}", true) => ("\\grave", "\\grave"),
        ("˘" | "\u{306}", true) => ("\\breve", "\\breve"),
        ("ˇ" | "\u{30c}", true) => ("\\check", "\\check"),
        ("˚" | "\u{30a}", true) => ("\\mathring", "\\mathring"),
        ("⏞" | "︷", true) => ("\\overbrace", "\\overbrace"),
        ("⏟" | "︸", false) => ("\\underbrace", "\\underbrace"),
        ("¯" | "‾" | "\u{332}" | "\\_" | "―" | "_" | "ˍ" | "̱", false) => {
            ("\\underline", "\\underline")
        }
        _ => return None,
    };
    Some(if is_long { long } else { short })
}

/// The command for a `mathvariant`.
pub(super) fn variant(name: &str, tex: &str) -> Option<&'static str> {
    Some(match name.trim() {
        "bold" => "\\mathbf",
        "bold-italic" => "\\boldsymbol",
        "double-struck" => "\\mathbb",
        "script" | "bold-script" => "\\mathcal",
        "fraktur" | "bold-fraktur" => "\\mathfrak",
        "sans-serif" | "bold-sans-serif" => "\\mathsf",
        "monospace" => "\\mathtt",
        // Operators and Greek letters are upright anyway or have no upright font.
        "normal" if tex.chars().all(|c| c.is_ascii_alphabetic()) => "\\mathrm",
        _ => return None,
    })
}
