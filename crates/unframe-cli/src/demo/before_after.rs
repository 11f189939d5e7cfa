//! One page before and after cleaning, side by side. Template text is only in the left column.

use std::iter;

use unframe_picture::page_text::Part;

/// Marks template lines, even without colour.
const MARK: &str = "- ";
const NO_MARK: &str = "  ";
const GAP: &str = "  │ ";
/// Separates short lines that share a row.
const SEPARATOR: &str = " · ";
/// Maximum number of rows for a line of the page.
const ROWS_OF_A_LINE_MAX: usize = 2;

/// Marks the end of a truncated text.
const CUT: &str = " …";

const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Both columns, with a total width of `width` characters.
pub(super) fn text(parts: &[Part], width: usize, has_colour: bool) -> String {
    let column = width.saturating_sub(MARK.len() + GAP.chars().count()) / 2;
    let heading =
        Row { mark: NO_MARK, left: "before".to_owned(), right: "after".to_owned(), style: Some(BOLD) };
    let rows = lines(parts, column).into_iter().flat_map(|line| rows(&line, column));
    iter::once(heading).chain(rows).map(|row| row.text(column, has_colour)).collect()
}

/// A line of the page.
struct Line {
    text: String,
    is_template: bool,
}

/// Splits the page into lines. Each block starts a line, and a block that is partly template becomes several. Short template lines, such
/// as the entries of a menu, share a line.
fn lines(parts: &[Part], column: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for part in parts {
        let (text, is_template) = match part {
            Part::Content(text) => (text.as_str(), false),
            Part::Template { text, .. } => (text.as_deref().unwrap_or_default(), true),
        };
        for text in text.lines().map(str::trim).filter(|text| !text.is_empty()) {
            match lines.last_mut() {
                Some(last)
                    if last.is_template
                        && is_template
                        && chars(&last.text) + chars(SEPARATOR) + chars(text) <= column =>
                {
                    last.text.push_str(SEPARATOR);
                    last.text.push_str(text);
                }
                _ => lines.push(Line { text: text.to_owned(), is_template }),
            }
        }
    }
    lines
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// A row of the two columns.
struct Row {
    mark: &'static str,
    left: String,
    right: String,
    style: Option<&'static str>,
}

impl Row {
    fn text(&self, column: usize, has_colour: bool) -> String {
        let styled = |text: &str, style: Option<&str>| match style.filter(|_| has_colour && !text.is_empty())
        {
            Some(style) => format!("{style}{text}{PLAIN}"),
            None => text.to_owned(),
        };
        let left = styled(&format!("{}{}", self.mark, self.left), self.style);
        let padding = " ".repeat(column.saturating_sub(chars(&self.left)));
        let gap = if self.right.is_empty() { GAP.trim_end() } else { GAP };
        format!("{left}{padding}{}{}\n", styled(gap, Some(DIM)), styled(&self.right, self.style))
    }
}

fn rows(line: &Line, column: usize) -> Vec<Row> {
    let is_template = line.is_template;
    let row = |text: String| Row {
        mark: if is_template { MARK } else { NO_MARK },
        right: if is_template { String::new() } else { text.clone() },
        left: text,
        style: is_template.then_some(DIM),
    };
    wrapped(&line.text, column).into_iter().map(row).collect()
}

/// Wraps a text into rows of at most `column` characters. Words that do not fit into the last row are dropped.
fn wrapped(text: &str, column: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    for word in text.split_whitespace() {
        // Pages may contain control characters, which affect the terminal, and words that are longer than a row.
        let word: String = word.chars().filter(|c| !c.is_control()).take(column).collect();
        let is_last = rows.len() == ROWS_OF_A_LINE_MAX;
        let Some(row) = rows.last_mut() else { break };
        let length = chars(row) + usize::from(!row.is_empty()) + chars(&word);
        if length <= column {
            if !row.is_empty() {
                row.push(' ');
            }
            row.push_str(&word);
        } else if is_last {
            cut(row, column);
            break;
        } else {
            rows.push(word);
        }
    }
    rows
}

/// Removes words until there is room for the ellipsis.
fn cut(row: &mut String, column: usize) {
    while chars(row) + chars(CUT) > column {
        row.truncate(row.rfind(' ').unwrap_or(0));
    }
    row.push_str(CUT);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<Part> {
        let template = |region, text: &str| Part::Template { region, text: Some(text.to_owned()) };
        vec![
            template(0, "Home\nNews\nA very long entry of the menu"),
            Part::Content(
                "\nThe ferry is late again today, and so is the baker of the upper street".to_owned(),
            ),
            template(1, "All rights reserved"),
        ]
    }

    #[test]
    fn the_template_is_on_the_left_only() {
        let expected = "  before                │ after
- Home · News           │
- A very long entry of  │
- the menu              │
  The ferry is late     │ The ferry is late
  again today, and …    │ again today, and …
- All rights reserved   │
";
        assert_eq!(text(&page(), 46, false), expected);
    }

    #[test]
    fn the_template_is_dimmed_in_colour() {
        let coloured = text(&page(), 46, true);
        assert!(coloured.contains("\n\x1b[2m- Home · News\x1b[0m "), "{coloured:?}");
        assert!(coloured.contains("\n  The ferry is late "), "{coloured:?}");
        let plain = coloured.replace(DIM, "").replace(BOLD, "").replace(PLAIN, "");
        assert_eq!(plain, text(&page(), 46, false));
    }

    #[test]
    fn no_row_is_too_long_and_nothing_reaches_the_terminal() {
        let hostile = format!("a\x1b[31m {} {}", "x".repeat(99), "word ".repeat(99));
        for width in [0, 10, 60, 80, 120] {
            let found = text(&[Part::Content(hostile.clone())], width, false);
            assert!(!found.contains('\x1b'), "{found:?}");
            let longest = found.lines().skip(1).map(chars).max();
            assert!(longest <= Some(width.max(MARK.len() + GAP.len() + 4)), "{width}: {found}");
        }
    }
}
