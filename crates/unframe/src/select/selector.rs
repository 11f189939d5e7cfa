//! A selector, as CSS and as XPath.

use std::fmt::Write;

use super::elements::Element;

/// The estimated bytes of a short string in addition to its characters.
const ALLOCATION: usize = 16;

/// A selector: the last compound describes the selected elements, the others their ancestors.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector {
    /// The compounds, the outermost first. The first combinator has no effect.
    pub steps: Vec<(Combinator, Compound)>,
}

/// The relation of a compound to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Combinator {
    /// Any descendant.
    Descendant,
    /// A child.
    Child,
}

/// The conditions on an element.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Compound {
    /// The name of the element.
    pub name: Option<String>,
    /// Whether the name is in the namespace of SVG or MathML.
    pub is_foreign: bool,
    /// The id.
    pub id: Option<String>,
    /// Some of the classes.
    pub classes: Vec<String>,
    /// The position among the siblings of the same name, from 1.
    pub nth_of_type: Option<u32>,
}

impl Selector {
    /// Whether it uses a position among siblings, which changes when a sibling is added.
    pub(super) fn counts_siblings(&self) -> bool {
        self.steps.iter().any(|(_, compound)| compound.nth_of_type.is_some())
    }

    /// The selector in CSS.
    pub fn css(&self) -> String {
        let mut out = String::new();
        for (at, (combinator, compound)) in self.steps.iter().enumerate() {
            match combinator {
                _ if at == 0 => {}
                Combinator::Descendant => out.push(' '),
                Combinator::Child => out.push_str(" > "),
            }
            compound.write_css(&mut out);
        }
        out
    }

    /// The selector in XPath 1.0, for the whole document.
    pub fn xpath(&self) -> String {
        let mut out = String::new();
        for (at, (combinator, compound)) in self.steps.iter().enumerate() {
            let is_anywhere = at == 0 || *combinator == Combinator::Descendant;
            out.push_str(if is_anywhere { "//" } else { "/" });
            compound.write_xpath(&mut out);
        }
        out
    }
}

impl Selector {
    /// An estimate of the memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.steps.iter().map(|(_, compound)| compound.bytes()).sum()
    }
}

impl Compound {
    fn bytes(&self) -> usize {
        let names = self.name.iter().chain(&self.id).map(|name| name.len() + ALLOCATION);
        let classes = self.classes.iter().map(|class| size_of::<String>() + class.len() + ALLOCATION);
        size_of::<(Combinator, Compound)>() + names.chain(classes).sum::<usize>()
    }

    /// Whether an element meets the conditions.
    pub(super) fn fits(&self, element: &Element<'_>) -> bool {
        let has_name = |name: &String| *name == element.name && self.is_foreign == element.is_foreign;
        self.name.as_ref().is_none_or(has_name)
            && self.id.as_ref().is_none_or(|id| element.id.as_deref() == Some(id))
            && self.classes.iter().all(|class| element.classes.iter().any(|has| has == class))
            && self.nth_of_type.is_none_or(|nth| element.nth_of_type == nth)
    }

    fn write_css(&self, out: &mut String) {
        if let Some(name) = &self.name {
            push_identifier(out, name);
        }
        if let Some(id) = &self.id {
            out.push('#');
            push_identifier(out, id);
        }
        for class in &self.classes {
            out.push('.');
            push_identifier(out, class);
        }
        if let Some(nth) = self.nth_of_type {
            // Writing to a string cannot fail.
            let _ = write!(out, ":nth-of-type({nth})");
        }
    }

    fn write_xpath(&self, out: &mut String) {
        match &self.name {
            // SVG names have a namespace in browsers, but not in many libraries.
            Some(name) if self.is_foreign || !is_plain_name(name) => {
                let _ = write!(out, "*[local-name()={}]", literal(name));
            }
            Some(name) => out.push_str(name),
            None => out.push('*'),
        }
        // A position counts the elements that the preceding conditions leave, so it comes first.
        if let Some(nth) = self.nth_of_type {
            let _ = write!(out, "[{nth}]");
        }
        if let Some(id) = &self.id {
            let _ = write!(out, "[@id={}]", literal(id));
        }
        for class in &self.classes {
            let padded = literal(&format!(" {class} "));
            let _ = write!(out, "[contains(concat(' ',normalize-space(@class),' '),{padded})]");
        }
    }
}

/// Whether a name can be used in a path without quoting.
fn is_plain_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Writes a CSS identifier, escaping special characters like `CSS.escape`. The first of two leading dashes is escaped as well, because
/// cssselect (Scrapy, urlwatch) rejects names that begin with two.
fn push_identifier(out: &mut String, name: &str) {
    let starts_with_dash = name.starts_with('-');
    for (at, c) in name.chars().enumerate() {
        let begins = at == 0 || (at == 1 && starts_with_dash);
        match c {
            '\0' => out.push('\u{fffd}'),
            '0'..='9' if begins => {
                let _ = write!(out, "\\{:x} ", c as u32);
            }
            '\x01'..='\x1f' | '\x7f' => {
                let _ = write!(out, "\\{:x} ", c as u32);
            }
            '-' if name.len() == 1 || (at == 0 && name.starts_with("--")) => out.push_str("\\-"),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '\u{80}'.. => out.push(c),
            _ => out.extend(['\\', c]),
        }
    }
}

/// An XPath 1.0 string literal, which has no escapes.
fn literal(text: &str) -> String {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => format!("'{text}'"),
        (true, false) => format!("\"{text}\""),
        (true, true) => format!("concat('{}')", text.replace('\'', "',\"'\",'")),
    }
}
