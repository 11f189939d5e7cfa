//! The width and colours of the terminal.

use std::io::IsTerminal;

/// Width of the text if standard output is no terminal.
const WIDTH_IN_A_PIPE: usize = 100;
/// Minimum and maximum width. Narrower terminals wrap the lines themselves. On wider ones, longer lines would be hard to read.
const WIDTHS: (usize, usize) = (60, 120);

/// Whether to colour standard output. It is coloured on a terminal, unless `NO_COLOR` is set.
pub(crate) fn has_colour() -> bool {
    let is_refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !is_refused
}

/// Width for standard output, in columns.
pub(crate) fn width() -> usize {
    let columns = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    columns.map_or(WIDTH_IN_A_PIPE, |columns| columns.clamp(WIDTHS.0, WIDTHS.1))
}
