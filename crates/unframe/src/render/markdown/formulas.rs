//! Writes formulas, which are elements or in the text.

use super::{Walk, begins_in};
use crate::html::Node;
use crate::text::math::{self, Formula, Math};

impl<'d> Walk<'d, '_> {
    /// Writes the element if it is a formula. Returns whether it is a formula or a duplicate of one.
    pub(super) fn math(&mut self, node: Node<'d>) -> bool {
        let Some(math) = self.has_math.then(|| math::of(node)).flatten() else { return false };
        let Math::Formula(formula) = math else { return true };
        if begins_in(self.regions, node) {
            self.leave_out();
        } else if let Some(code) = &mut self.code {
            code.write(&formula.tex);
        } else {
            self.write_formula(&formula);
        }
        true
    }

    /// Writes a text that may contain formulas.
    pub(super) fn write_tex(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, formula, after)) = math::in_text(rest) {
            self.line.write(before);
            self.write_formula(&formula);
            rest = after;
        }
        self.line.write(rest);
    }

    fn write_formula(&mut self, formula: &Formula) {
        if formula.is_display && !self.line.is_single {
            self.end_block();
            self.blocks.write(&formula.marked());
        } else {
            self.line.formula(&formula.marked());
        }
    }
}
