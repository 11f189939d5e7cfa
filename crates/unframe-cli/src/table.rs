//! Tables as text, with aligned columns.

/// A table that is being filled.
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings. Columns whose headings end in `>` are right-aligned.
    pub(crate) fn new(headings: &[&'static str]) -> Table {
        Table { headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. Cells at its end may be missing.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table as text, without empty columns.
    pub(crate) fn text(&self) -> String {
        let columns: Vec<Column> = (0..self.headings.len())
            .map(|number| self.column(number))
            .filter(|column| column.is_used)
            .collect();
        let mut text = String::new();
        for line in 0..=self.rows.len() {
            let cells: Vec<String> = columns.iter().map(|column| column.cell(line)).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    fn column(&self, number: usize) -> Column<'_> {
        let heading = self.headings[number];
        let cells = self.rows.iter().map(|row| row.get(number).map_or("", String::as_str));
        let cells: Vec<&str> = [heading.trim_end_matches('>')].into_iter().chain(cells).collect();
        Column {
            is_right: heading.ends_with('>'),
            is_used: cells.iter().skip(1).any(|cell| !cell.is_empty()),
            width: cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0),
            cells,
        }
    }
}

/// A formatted column, with its heading as the first cell.
struct Column<'t> {
    cells: Vec<&'t str>,
    width: usize,
    is_right: bool,
    is_used: bool,
}

impl Column<'_> {
    fn cell(&self, line: usize) -> String {
        let (cell, width) = (self.cells[line], self.width);
        if self.is_right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
    }
}

/// A size with a decimal unit, such as `1.5 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if size < 999.5 {
            let digits = if unit == "B" || size >= 99.95 { 0 } else { 1 };
            return format!("{size:.digits$} {unit}");
        }
        size /= 1000.0;
    }
    format!("{size:.1} TB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lined_up() {
        let mut table = Table::new(&["site", "pages>", "note"]);
        table.row(["a.example".to_owned(), "7".to_owned(), "x".to_owned()]);
        table.row(["b.example".to_owned(), "1234567".to_owned()]);
        assert_eq!(table.text(), "site         pages  note\na.example        7  x\nb.example  1234567\n");
    }

    #[test]
    fn columns_with_nothing_in_them_are_left_out() {
        let mut table = Table::new(&["a", "b>", "c"]);
        table.row(["x".to_owned(), String::new(), "y".to_owned()]);
        assert_eq!(table.text(), "a  c\nx  y\n");
    }

    #[test]
    fn sizes_have_three_digits_at_most() {
        let sizes = [0, 999, 1000, 1049, 99_949, 99_950, 999_499, 999_500, 1_500_000_000, u64::MAX];
        let texts = [
            "0 B",
            "999 B",
            "1.0 kB",
            "1.0 kB",
            "99.9 kB",
            "100 kB",
            "999 kB",
            "1.0 MB",
            "1.5 GB",
            "18446744.1 TB",
        ];
        assert_eq!(sizes.map(bytes), texts);
    }
}
