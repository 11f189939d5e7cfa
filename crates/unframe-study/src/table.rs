//! Tables that are written as aligned text, as HTML, or as CSV.

use std::io::{self, Write};

use unframe_picture::markup::Escaped;

/// A table under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The number of columns, from the left, that hold names. All others hold numbers.
    name_columns: usize,
}

impl Table {
    /// A table without rows. The first `name_columns` columns are left-aligned, the others right-aligned.
    pub fn new(name_columns: usize, headings: impl IntoIterator<Item = impl Into<String>>) -> Table {
        Table { headings: headings.into_iter().map(Into::into).collect(), rows: Vec::new(), name_columns }
    }

    /// Adds a row. Missing cells at its end are filled with empty ones.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().collect();
        cells.resize(self.headings.len(), String::new());
        self.rows.push(cells);
    }

    /// Whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table for a terminal.
    pub fn text(&self) -> String {
        in_memory(|to| write_text(&self.headings, self.name_columns, || self.rows.iter().cloned(), to))
    }

    /// The table as HTML, with all cells escaped.
    pub fn html(&self) -> String {
        let row = |name: &str, cells: &[String]| -> String {
            let cells = cells.iter().map(|cell| format!("<{name}>{}", Escaped(cell))).collect::<String>();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = self.rows.iter().map(|cells| row("td", cells)).collect();
        format!("<table>\n{}{rows}</table>\n", row("th", &self.headings))
    }

    /// The table as CSV, with a header line.
    pub fn csv(&self) -> String {
        in_memory(|to| write_csv(&self.headings, self.rows.iter().cloned(), to))
    }
}

/// Writes a table for a terminal. `rows` is called twice, so that a long table need not be held in memory.
pub(crate) fn write_text<Rows: Iterator<Item = Vec<String>>>(
    headings: &[String],
    name_columns: usize,
    rows: impl Fn() -> Rows,
    to: &mut dyn Write,
) -> io::Result<()> {
    let lines = || std::iter::once(headings.to_vec()).chain(rows());
    let mut widths = vec![0; headings.len()];
    for cells in lines() {
        let lengths = cells.iter().map(|cell| cell.chars().count());
        widths.iter_mut().zip(lengths).for_each(|(width, length)| *width = length.max(*width));
    }
    for cells in lines() {
        let padded: Vec<String> = (cells.iter().zip(&widths).enumerate())
            .map(|(column, (cell, width))| match column < name_columns {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            })
            .collect();
        writeln!(to, "{}", padded.join("  ").trim_end())?;
    }
    Ok(())
}

/// Writes a table as CSV, with a header line. All rows must have as many cells as there are headings.
pub(crate) fn write_csv(
    headings: &[String],
    rows: impl Iterator<Item = Vec<String>>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(to);
    for cells in std::iter::once(headings.to_vec()).chain(rows) {
        writer.write_record(cells)?;
    }
    writer.flush()
}

/// What is written, as text. Writing to memory cannot fail.
fn in_memory(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut written = Vec::new();
    let _ = write(&mut written);
    String::from_utf8(written).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lined_up() {
        let mut table = Table::new(1, ["site", "F1", "pages/s"]);
        table.row(["a.example".to_owned(), "0.5".to_owned(), "7".to_owned()]);
        table.row(["Ärger, \"b\"".to_owned()]);
        assert_eq!(table.text(), "site         F1  pages/s\na.example   0.5        7\nÄrger, \"b\"\n");
        assert!(
            table.html().ends_with("<tr><td>Ärger, &quot;b&quot;<td><td></tr>\n</table>\n"),
            "{}",
            table.html()
        );
        assert_eq!(table.csv(), "site,F1,pages/s\na.example,0.5,7\n\"Ärger, \"\"b\"\"\",,\n");
    }
}
