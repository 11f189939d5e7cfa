//! Tables for people: columns lined up, numbers to the right.

use std::fmt::Write;

/// A table in the making.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings. Columns whose heading ends in `>` are lined up at the right.
    pub(crate) fn new(headings: &[&str]) -> Table {
        Table { rows: vec![headings.iter().map(ToString::to_string).collect()] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table as text.
    pub(crate) fn text(&self) -> String {
        let Some(headings) = self.rows.first() else { return String::new() };
        let right: Vec<bool> = headings.iter().map(|heading| heading.ends_with('>')).collect();
        let shown = |cell: &str| cell.trim_end_matches('>').to_owned();
        let cell_at =
            |row: &Vec<String>, column: usize| row.get(column).map_or_else(String::new, |cell| shown(cell));
        let widths: Vec<usize> = (0..headings.len())
            .map(|column| self.rows.iter().map(|row| cell_at(row, column).chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, width) in widths.iter().enumerate() {
                let cell = cell_at(row, column);
                let gap = if column == 0 { "" } else { "  " };
                let padding = " ".repeat(width - cell.chars().count());
                let (before, after) = if right[column] { (&padding[..], "") } else { ("", &padding[..]) };
                let _ = write!(line, "{gap}{before}{cell}{after}");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A size for people: `1.5 MB`, in powers of 1000.
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
