//! Learning curves: the score of a method by the number of pages that are compared.

use std::path::Path;

use serde_json::{Value, json};

use crate::eval::{EvalError, Options, evaluate};
use crate::method::Method;
use crate::report::Report;
use crate::table::Table;

/// The scores of methods on groups of several sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The group sizes, each with its report.
    pub points: Vec<(usize, Report)>,
}

/// Scores methods on the sites of a folder, divided into groups of pages that are learned separately.
///
/// # Errors
/// Those of [`evaluate`].
pub fn curve(
    folder: &Path,
    methods: &[Method],
    options: &Options,
    sizes: &[usize],
) -> Result<Curve, EvalError> {
    let point = |size: &usize| {
        let options = Options { group: *size, ..options.clone() };
        Ok((*size, evaluate(folder, methods, &options)?))
    };
    Ok(Curve { points: sizes.iter().map(point).collect::<Result<_, EvalError>>()? })
}

impl Curve {
    /// A row for each method and figure, a column for each number of pages.
    pub fn table(&self) -> Table {
        let sizes = self.points.iter().map(|(size, _)| format!("{size} pages"));
        let mut table = Table::new(2, ["method".to_owned(), "figure".to_owned()].into_iter().chain(sizes));
        let Some((_, first)) = self.points.first() else { return table };
        for (number, method) in first.methods.iter().enumerate() {
            for (at, (figure, _)) in method.mean().into_iter().enumerate() {
                let means = self.points.iter().map(|(_, report)| report.methods[number].mean()[at].1);
                let cells = [method.name.clone(), figure.to_owned()];
                table.row(cells.into_iter().chain(means.map(|mean| format!("{mean:.3}"))));
            }
        }
        table
    }

    /// The reports of all group sizes as JSON.
    pub fn json(&self) -> Value {
        let points = self.points.iter().map(|(size, report)| json!({"pages": size, "report": report.json()}));
        points.collect()
    }

    /// The problems of the input.
    pub fn problems(&self) -> Vec<String> {
        self.points.first().map(|(_, report)| report.problems.clone()).unwrap_or_default()
    }
}
