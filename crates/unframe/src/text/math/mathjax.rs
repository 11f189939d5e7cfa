//! Rebuilds MathML from the output of MathJax 3, for pages that have nothing else of a formula.
//!
//! The HTML output has an element for each element of MathML (`mjx-mi` for `mi`), and one for each character, whose code is in its class
//! (`mjx-c1D465`). The SVG output has both in attributes (`data-mml-node`, `data-c`). Elements for the layout are in between, and scripts are in
//! the order in which they are displayed.

mod characters;

use self::characters::{Variant, joined, plain};
use crate::html::{Node, NodeKind};

/// The MathML of a formula, for an `mjx-container`.
pub(super) fn mathml(container: Node<'_>) -> String {
    let mut mathml = String::from("<math>");
    write(container, &mut mathml);
    mathml + "</math>"
}

/// Writes an element. The parser limits the depth of the tree, so the recursion is bounded.
fn write(node: Node<'_>, to: &mut String) {
    let name = name(node);
    match &*name {
        "mi" | "mn" | "mo" | "ms" | "mtext" => token(node, &name, to),
        "msub" | "msup" | "munder" | "mover" | "msubsup" | "munderover" => {
            element(&name, &scripted(node), to)
        }
        "mfrac" if !has_line(node) => {
            element("mfrac linethickness=0", &parts(node, ["num", "den"]), to);
        }
        "mfrac" => element("mfrac", &parts(node, ["num", "den"]), to),
        "mroot" => element("mroot", &parts(node, ["box", "root"]), to),
        "msqrt" => element("msqrt", parts(node, ["box", "box"]).get(..1).unwrap_or_default(), to),
        "mtable" | "mtr" | "mtd" => {
            to.extend(["<", &*name, ">"]);
            node.children().for_each(|child| write(child, to));
            to.extend(["</", &*name, ">"]);
        }
        // Numbers of equations, what only takes room, and the shapes of characters.
        "labels" | "mphantom" | "defs" => {}
        _ => node.children().for_each(|child| write(child, to)),
    }
}

/// The name of the MathML element that an element displays, or of an element for the layout.
fn name(node: Node<'_>) -> String {
    match node.attribute("data-mml-node") {
        Some(name) => name.into_owned(),
        None => node.name().trim_start_matches("mjx-").to_owned(),
    }
}

/// Writes an element with a row for each of its parts.
fn element(start: &str, parts: &[Node<'_>], to: &mut String) {
    to.extend(["<", start, ">"]);
    for part in parts {
        to.push_str("<mrow>");
        write(*part, to);
        to.push_str("</mrow>");
    }
    to.extend(["</", start.split(' ').next().unwrap_or_default(), ">"]);
}

fn elements(node: Node<'_>) -> Vec<Node<'_>> {
    node.children().filter(|child| child.kind() == NodeKind::Element).collect()
}

/// The element of this name in the layout of a node, without looking into other elements of the formula.
fn layout<'d>(node: Node<'d>, wanted: &str) -> Option<Node<'d>> {
    node.children().find_map(|child| match &*name(child) {
        found if found == wanted => Some(child),
        "row" | "frac" | "dbox" | "dtable" | "sqrt" | "box" => layout(child, wanted),
        // The operator and what is under it, in an element with something over it.
        "munder" if name(node) == "box" => layout(child, wanted),
        _ => None,
    })
}

/// Whether a fraction has a line; binomial coefficients have none.
fn has_line(fraction: Node<'_>) -> bool {
    match layout(fraction, "frac") {
        Some(frac) => frac.attribute("atop").is_none(),
        None => elements(fraction).iter().any(|child| child.name() == "rect"),
    }
}

/// The two parts of an element: in HTML those with these names, in SVG the first two children.
fn parts<'d>(node: Node<'d>, names: [&str; 2]) -> Vec<Node<'d>> {
    let named: Vec<Node<'d>> = names.iter().filter_map(|name| layout(node, name)).collect();
    if named.len() == 2 { named } else { elements(node).into_iter().take(2).collect() }
}

/// A base, what is below it and what is above it, in the order of MathML.
fn scripted(node: Node<'_>) -> Vec<Node<'_>> {
    if let Some(script) = layout(node, "script") {
        let scripts = elements(script).into_iter().filter(|part| name(*part) != "spacer");
        return elements(node).into_iter().take(1).chain(scripts.rev()).collect();
    }
    if let Some(base) = layout(node, "base") {
        let scripts = ["under", "over"].into_iter().filter_map(|name| layout(node, name));
        return std::iter::once(base).chain(scripts).collect();
    }
    let mut all = elements(node);
    if let [_, scripts @ ..] = &mut all[..] {
        scripts.sort_by(|one, other| height(*one).total_cmp(&height(*other)));
    }
    all
}

/// How high an element of SVG is placed: `y` in `translate(x,y)`.
fn height(node: Node<'_>) -> f64 {
    let transform = node.attribute("transform").unwrap_or_default();
    let place = transform.strip_prefix("translate(").and_then(|rest| rest.split_once(')')?.0.split_once(','));
    place.and_then(|(_, y)| y.trim().parse().ok()).unwrap_or(0.0)
}

/// Writes the characters of an identifier, a number, an operator or a text.
fn token(node: Node<'_>, name: &str, to: &mut String) {
    let mut text = String::new();
    let mut variant = Variant::None;
    let mut is_italic = false;
    for part in node.descendants() {
        match part.kind() {
            NodeKind::Text => text.push_str(&part.text()),
            NodeKind::Element => {
                let Some((code, font)) = character(part) else { continue };
                let is_stretched = self::name(part).starts_with("stretchy") || has_stretched_piece(node);
                let (c, found) =
                    if is_stretched { (joined(code), Variant::None) } else { plain(code, &font) };
                text.push(c);
                is_italic |= found == Variant::Italic;
                variant = found;
                if is_stretched {
                    break;
                }
            }
            _ => {}
        }
    }
    let is_upright =
        name == "mi" && !is_italic && text.len() == 1 && text.starts_with(|c: char| c.is_ascii_alphabetic());
    let variant = if is_upright && variant == Variant::None { "normal" } else { variant.name() };
    to.extend(["<", name]);
    if !variant.is_empty() {
        to.extend([" mathvariant=", variant]);
    }
    to.push('>');
    for c in text.chars() {
        match c {
            '<' => to.push_str("&lt;"),
            '>' => to.push_str("&gt;"),
            '&' => to.push_str("&amp;"),
            _ => to.push(c),
        }
    }
    to.extend(["</", name, ">"]);
}

/// Whether a token in SVG is put together of pieces, which are in elements of their own.
fn has_stretched_piece(token: Node<'_>) -> bool {
    elements(token).iter().any(|child| child.name() == "svg")
}

/// The code of a displayed character, and the font that it is from, such as `C`.
fn character(node: Node<'_>) -> Option<(char, String)> {
    let char_of = |code: &str| u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
    if let Some(code) = node.attribute("data-c") {
        let href = node.attribute("xlink:href").unwrap_or_default();
        let font = href.rsplit('-').nth(1).unwrap_or_default().to_owned();
        return char_of(&code).map(|c| (c, font));
    }
    let class = node.attribute("class")?;
    let code =
        class.split_ascii_whitespace().find_map(|class| class.strip_prefix("mjx-c").and_then(char_of))?;
    let font =
        class.split_ascii_whitespace().find_map(|class| class.strip_prefix("TEX-")).unwrap_or_default();
    Some((code, font.to_owned()))
}

#[cfg(test)]
mod tests;
