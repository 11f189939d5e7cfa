//! Data tables.

use crate::limits::SPANNED_CELLS_MAX;

/// A table under construction.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Row>,
    row: Row,
    /// The index of the current row, including empty rows.
    number: usize,
    /// For each column, the index of the first row that no cell from above spans.
    free_from: Vec<usize>,
    /// The number of empty cells that represent parts of spanning cells.
    spanned: usize,
}

#[derive(Default)]
struct Row {
    cells: Vec<String>,
    has_data: bool,
}

impl Table {
    /// Adds a cell to the current row.
    pub(super) fn cell(&mut self, text: String, columns: usize, rows: usize, is_header: bool) {
        self.fill_taken();
        self.row.has_data |= !is_header;
        let at = self.row.cells.len();
        self.row.cells.push(text);
        let columns = columns.min(1 + SPANNED_CELLS_MAX.saturating_sub(self.spanned));
        self.spanned += columns - 1;
        self.row.cells.resize(at + columns, String::new());
        if rows > 1 {
            self.free_from.resize(self.free_from.len().max(at + columns), 0);
            self.free_from[at..at + columns].fill(self.number + rows);
        }
    }

    /// Skips the columns that cells from above span.
    fn fill_taken(&mut self) {
        while self.free_from.get(self.row.cells.len()).is_some_and(|row| *row > self.number)
            && self.spanned < SPANNED_CELLS_MAX
        {
            self.row.cells.push(String::new());
            self.spanned += 1;
        }
    }

    pub(super) fn end_row(&mut self) {
        self.number += 1;
        let row = std::mem::take(&mut self.row);
        if row.cells.iter().any(|cell| !cell.is_empty()) {
            self.rows.push(row);
        }
    }

    /// The table as text, unless it is empty. Markdown tables need a header, which may be empty.
    pub(super) fn finish(self) -> Option<String> {
        let columns = self.rows.iter().map(|row| row.cells.len()).max()?;
        let mut rows = self.rows.into_iter().peekable();
        let mut header = rows.next_if(|row| !row.has_data).unwrap_or_default();
        header.cells.resize(columns, String::new());
        let rule = Row { cells: vec!["---".to_owned(); columns], has_data: false };
        let lines: Vec<String> = [header, rule].into_iter().chain(rows).map(Row::into_line).collect();
        Some(lines.join("\n"))
    }
}

impl Row {
    fn into_line(self) -> String {
        format!("| {} |", self.cells.join(" | "))
    }
}
