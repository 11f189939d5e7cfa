//! Converts MathML without an annotation to TeX.

mod names;
#[cfg(test)]
mod tests;

use self::names::{accent, function, sum_like, variant};
use crate::html::{Node, NodeKind};

/// The TeX of a MathML element. The parser limits the depth of the tree, so the recursion is bounded.
pub(super) fn tex(node: Node<'_>) -> String {
    let inner: Vec<Node<'_>> = node.children().filter(|child| child.kind() == NodeKind::Element).collect();
    let part = |at: usize| inner.get(at).map(|node| tex(*node)).unwrap_or_default();
    match &*node.name() {
        "mi" | "mn" | "mo" | "ms" => token(node),
        "mtext" => format!("\\text{{{}}}", escaped(node.text().trim())),
        "annotation" | "annotation-xml" | "none" | "mprescripts" => String::new(),
        "msup" => format!("{}^{{{}}}", base(part(0)), part(1)),
        "msub" => format!("{}_{{{}}}", base(part(0)), part(1)),
        "msubsup" => format!("{}_{{{}}}^{{{}}}", base(part(0)), part(1), part(2)),
        "munder" => marked(&inner, Some(part(1)), None),
        "mover" => marked(&inner, None, Some(part(1))),
        "munderover" => marked(&inner, Some(part(1)), Some(part(2))),
        "mmultiscripts" => with_scripts(&inner),
        // A binomial coefficient, for example.
        "mfrac"
            if node.attribute("linethickness").is_some_and(|thickness| {
                thickness
                    .trim()
                    .trim_start_matches(['0', '.'])
                    .trim_end_matches(char::is_alphabetic)
                    .is_empty()
            }) =>
        {
            format!("{{{} \\atop {}}}", part(0), part(1))
        }
        "mfrac" => format!("\\frac{{{}}}{{{}}}", part(0), part(1)),
        "msqrt" => format!("\\sqrt{{{}}}", all(&inner)),
        "mroot" => format!("\\sqrt[{}]{{{}}}", part(1), part(0)),
        "mfenced" => fenced(node, &inner),
        "menclose" => enclosed(node, &all(&inner)),
        "mphantom" => format!("\\phantom{{{}}}", all(&inner)),
        "mtable" => format!("\\begin{{matrix}} {} \\end{{matrix}}", joined(&inner, " \\\\ ")),
        "mtr" | "mlabeledtr" => joined(&inner, " & "),
        "mstyle" => in_variant(node, all(&inner)),
        _ => all(&inner),
    }
}

/// The TeX of an identifier, a number, an operator or a string.
fn token(node: Node<'_>) -> String {
    let text = node.text();
    match (text.trim(), function(text.trim())) {
        (_, Some(name)) => format!("\\{name}"),
        (text, None) => in_variant(node, symbol(text)),
    }
}

/// TeX in the font that an element asks for.
fn in_variant(node: Node<'_>, tex: String) -> String {
    let command = node.attribute("mathvariant").and_then(|name| variant(&name, &tex));
    match command {
        Some(command) if !tex.is_empty() => format!("{command}{{{tex}}}"),
        _ => tex,
    }
}

/// A base with something under and over it: accents, the limits of an operator, or other signs.
fn marked(inner: &[Node<'_>], under: Option<String>, over: Option<String>) -> String {
    let Some(first) = inner.first() else { return String::new() };
    let base = tex(*first);
    let is_accent = |sign: &Option<String>, is_over| {
        sign.as_deref().is_some_and(|sign| accent(sign, is_over, false).is_some())
    };
    if !is_accent(&under, false)
        && !is_accent(&over, true)
        && let Some(operator) = operator(alone(*first), &base)
    {
        let script =
            |sign: char, tex: Option<String>| tex.map(|tex| format!("{sign}{{{tex}}}")).unwrap_or_default();
        return format!("{operator}{}{}", script('_', under), script('^', over));
    }
    let base = over.into_iter().fold(base, |base, sign| with_sign(&base, &sign, true));
    under.into_iter().fold(base, |base, sign| with_sign(&base, &sign, false))
}

/// The element in a row that has nothing else.
fn alone(mut node: Node<'_>) -> Node<'_> {
    while node.name() == "mrow" {
        let mut inner = node.children().filter(|child| child.kind() == NodeKind::Element);
        match (inner.next(), inner.next()) {
            (Some(only), None) => node = only,
            _ => break,
        }
    }
    node
}

/// The TeX of a base whose index and power are under and over it: a sum, a function, or something with a brace.
fn operator(node: Node<'_>, base: &str) -> Option<String> {
    let text = node.text();
    let is_token = matches!(&*node.name(), "mi" | "mo");
    let has_brace = ["\\overbrace{", "\\underbrace{"].iter().any(|brace| base.starts_with(brace));
    if sum_like(base) || (has_brace && is_unit(base)) || (is_token && function(text.trim()).is_some()) {
        return Some(base.to_owned());
    }
    // A name of several letters, such as `argmin`, has no command.
    let is_name = text.trim().len() > 1 && text.trim().chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
    (is_token && is_name).then(|| format!("\\operatorname*{{{}}}", text.trim()))
}

/// A base with a sign over or under it.
fn with_sign(base: &str, sign: &str, is_over: bool) -> String {
    let other = if is_over { "\\overset" } else { "\\underset" };
    match accent(sign, is_over, is_long(base)) {
        Some(command) => format!("{command}{{{base}}}"),
        None => format!("{other}{{{sign}}}{{{base}}}"),
    }
}

/// Whether an accent over TeX must be wide.
fn is_long(tex: &str) -> bool {
    tex.chars().count() > 1 && !is_unit(tex)
}

/// A base with indices and powers on both sides: pairs behind it, then, after `mprescripts`, pairs before it.
fn with_scripts(inner: &[Node<'_>]) -> String {
    let Some((first, scripts)) = inner.split_first() else { return String::new() };
    let split = scripts.iter().position(|node| node.name() == "mprescripts").unwrap_or(scripts.len());
    let (behind, before) = scripts.split_at(split);
    let pairs = |nodes: &[Node<'_>]| {
        let pair = |pair: &[Node<'_>]| {
            let script = |sign: char, at: usize| {
                let tex = pair.get(at).map(|node| tex(*node)).filter(|tex| !tex.is_empty());
                tex.map(|tex| format!("{sign}{{{tex}}}")).unwrap_or_default()
            };
            script('_', 0) + &script('^', 1)
        };
        // TeX accepts one index and one power behind a base, which may be empty.
        nodes.chunks(2).map(pair).filter(|pair| !pair.is_empty()).collect::<Vec<_>>().join("{}")
    };
    let before = pairs(before.get(1..).unwrap_or(&[]));
    let prefix = if before.is_empty() { String::new() } else { format!("{{}}{before}") };
    format!("{prefix}{}{}", base(tex(*first)), pairs(behind))
}

/// Expressions in brackets, separated by commas unless the element says otherwise.
fn fenced(node: Node<'_>, inner: &[Node<'_>]) -> String {
    let sign = |name: &str, usual: &str| {
        node.attribute(name).map_or_else(|| usual.to_owned(), |sign| symbol(sign.trim()))
    };
    let separators = node.attribute("separators").unwrap_or(",".into());
    let separators: Vec<char> = separators.chars().filter(|c| !c.is_whitespace()).collect();
    let mut tex = sign("open", "(");
    for (at, node) in inner.iter().enumerate() {
        let separator = separators.get(at.wrapping_sub(1)).or(separators.last()).filter(|_| at > 0);
        if let Some(separator) = separator {
            tex += &symbol(separator.encode_utf8(&mut [0; 4]));
        }
        append(&mut tex, &self::tex(*node));
    }
    tex + &sign("close", ")")
}

/// TeX with the line that encloses it, if TeX has a command for that line.
fn enclosed(node: Node<'_>, tex: &str) -> String {
    let notation = node.attribute("notation");
    let command = match notation.as_deref().map_or("", str::trim) {
        "radical" => "\\sqrt",
        "box" | "roundedbox" => "\\boxed",
        "top" => "\\overline",
        "bottom" => "\\underline",
        _ => return tex.to_owned(),
    };
    format!("{command}{{{tex}}}")
}

fn all(nodes: &[Node<'_>]) -> String {
    nodes.iter().fold(String::new(), |mut all, node| {
        append(&mut all, &tex(*node));
        all
    })
}

/// Appends TeX. A command must be separated from a letter that follows.
fn append(all: &mut String, next: &str) {
    let is_command = all
        .rsplit_once('\\')
        .is_some_and(|(_, last)| !last.is_empty() && last.chars().all(char::is_alphabetic));
    if is_command && next.starts_with(char::is_alphabetic) {
        all.push(' ');
    }
    all.push_str(next);
}

fn joined(nodes: &[Node<'_>], separator: &str) -> String {
    nodes.iter().map(|node| tex(*node)).collect::<Vec<_>>().join(separator)
}

/// The base of a power or an index, in braces if it has several parts.
fn base(tex: String) -> String {
    if tex.chars().count() > 1 && !is_unit(&tex) { format!("{{{tex}}}") } else { tex }
}

/// Whether TeX is one command with its arguments, such as `\alpha` or `\frac{1}{2}`.
fn is_unit(tex: &str) -> bool {
    let Some(rest) = tex.strip_prefix('\\') else { return false };
    let name = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    if name == 0 {
        return rest.chars().count() == 1;
    }
    let mut depth = 0usize;
    let mut is_escaped = false;
    for c in rest[name..].chars() {
        match c {
            _ if std::mem::take(&mut is_escaped) => {}
            '\\' if depth > 0 => is_escaped = true,
            '{' | '[' => depth += 1,
            '}' | ']' if depth > 0 => depth -= 1,
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    depth == 0
}

/// Escapes characters with a meaning in TeX, and drops invisible operators.
fn symbol(text: &str) -> String {
    match text {
        "%" | "&" | "#" | "_" | "$" | "{" | "}" => format!("\\{text}"),
        "\\" => "\\backslash".to_owned(),
        "^" => "\\hat{}".to_owned(),
        "~" => "\\sim".to_owned(),
        "\u{2061}" | "\u{2062}" | "\u{2063}" | "\u{2064}" => String::new(),
        _ => text.to_owned(),
    }
}

/// Text in which characters with a meaning in TeX are escaped.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '%' | '&' | '#' | '_' | '$' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            _ => out.push(c),
        }
        out
    })
}
