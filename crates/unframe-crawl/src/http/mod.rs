//! HTTP responses as crawlers store them: a head, then a body in transfer and content codings.
//!
//! Archives hold what servers sent, sometimes changed by crawlers, so that head and body may disagree. Two rules follow.
//! Any bytes are a response: errors become a [`Problem`](unframe::Problem), and everything readable is kept. And if the
//! head declares a coding that the body plainly does not have, the body is used unchanged, without a problem: many
//! crawlers store decoded bodies under the head they received.
//!
//! Codes of problems: `missing-head`, `truncated-head`, `truncated-body`, `bad-chunk`, `bad-coding`,
//! `unsupported-coding`, `body-too-large`.

mod chunked;
mod coding;
mod content_type;
mod head;
mod inflate;
#[cfg(test)]
mod tests;

pub(crate) use content_type::essence;
pub(crate) use head::ResponseHead;
