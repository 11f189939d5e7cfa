//! Writes formulas, which are elements or in the text.

use super::{Walk, begins_in};
use crate::html::Node;
use crate::text::math::{self, Formula, Math};

impl<'d> Walk<'d, '_> {
    /// Writes the element if it is a formula. Returns whether it is a formula or a duplicate of one.
    pub(super) fn math(&mut self, node: Node<'d>) -> bool {
        let Some(math) = self.has_math.then(|| math::of(node)).flatten() else { return false };
        let Math::Formula(formula) = math else { return true };
        match &mut self.code {
            Some(code) if begins_in(self.regions, node) => code.separate(' '),
            None if begins_in(self.regions, node) => self.line.space(),
            Some(code) => code.write(&formula.tex),
            None => self.formula(&formula),
        }
        true
    }

    /// Writes a text that may contain formulas.
    pub(super) fn write_tex(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, formula, after)) = math::in_text(rest) {
            self.line.write(before);
            self.formula(&formula);
            rest = after;
        }
        self.line.write(rest);
    }

    fn formula(&mut self, formula: &Formula) {
        let tex = &formula.tex;
        if !formula.is_display {
            return self.line.formula(&format!("\\({tex}\\)"));
        }
        // A displayed formula is a block where that is possible.
        self.end_block();
        self.line.formula(&format!("\\[{tex}\\]"));
        self.end_block();
    }
}
