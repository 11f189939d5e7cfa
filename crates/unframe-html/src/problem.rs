//! Problems of pages. A page with problems is parsed nevertheless.

/// A kind of problem in the HTML of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParseProblem {
    /// The page ends inside a tag, which is dropped. The page was probably truncated.
    EndsInTag,
    /// The page ends inside a comment.
    EndsInComment,
    /// The page ends inside a script, a style or another element without markup.
    EndsInRawText,
    /// Elements are nested deeper than [`DEPTH_MAX`](crate::limits::DEPTH_MAX). The deeper ones are flattened.
    TooDeep,
    /// A tag has more attributes than [`ATTRIBUTES_MAX`](crate::limits::ATTRIBUTES_MAX), or the page has more than
    /// [`PAGE_ATTRIBUTES_MAX`](crate::limits::PAGE_ATTRIBUTES_MAX). The others are dropped.
    TooManyAttributes,
    /// More formatting elements stay open than [`FORMATTING_MAX`](crate::limits::FORMATTING_MAX), or repeating them would make the tree
    /// much larger than the page. They are no longer repeated.
    TooMuchFormatting,
    /// The page is longer than [`PAGE_BYTES_MAX`](crate::limits::PAGE_BYTES_MAX). The rest is not parsed.
    TooLong,
    /// The tree has more nodes than [`NODES_MAX`](crate::limits::NODES_MAX). The rest of the page is one text, tags included.
    TooManyNodes,
}

const KINDS: [ParseProblem; 8] = [
    ParseProblem::EndsInTag,
    ParseProblem::EndsInComment,
    ParseProblem::EndsInRawText,
    ParseProblem::TooDeep,
    ParseProblem::TooManyAttributes,
    ParseProblem::TooMuchFormatting,
    ParseProblem::TooLong,
    ParseProblem::TooManyNodes,
];

impl ParseProblem {
    /// A stable name, for programs.
    pub fn code(self) -> &'static str {
        match self {
            ParseProblem::EndsInTag => "ends-in-tag",
            ParseProblem::EndsInComment => "ends-in-comment",
            ParseProblem::EndsInRawText => "ends-in-raw-text",
            ParseProblem::TooDeep => "too-deep",
            ParseProblem::TooManyAttributes => "too-many-attributes",
            ParseProblem::TooMuchFormatting => "too-much-formatting",
            ParseProblem::TooLong => "too-long",
            ParseProblem::TooManyNodes => "too-many-nodes",
        }
    }
}

/// The problems of one page: for each kind, the first position and the count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ParseProblems {
    seen: [(u32, u32); KINDS.len()],
}

impl ParseProblems {
    #[cold]
    pub(crate) fn add(&mut self, problem: ParseProblem, position: usize) {
        let seen = &mut self.seen[problem as usize];
        if seen.1 == 0 {
            seen.0 = position as u32;
        }
        seen.1 = seen.1.saturating_add(1);
    }

    pub(crate) fn map_positions(&mut self, map: impl Fn(u32) -> u32) {
        self.seen.iter_mut().for_each(|seen| seen.0 = map(seen.0));
    }

    /// Each kind of problem that occurs, with its first position and its count.
    pub fn iter(&self) -> impl Iterator<Item = (ParseProblem, u32, u32)> + '_ {
        KINDS.iter().zip(self.seen).filter(|(_, seen)| seen.1 > 0).map(|(kind, seen)| (*kind, seen.0, seen.1))
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}
