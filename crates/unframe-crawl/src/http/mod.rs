//! HTTP responses as crawlers store them: a head, then a body with transfer and content codings.
//!
//! Archives contain what servers sent, sometimes changed by crawlers, so head and body may disagree. Two rules follow. First, any bytes are
//! a response: errors become a [`Problem`](unframe::Problem), and everything readable is kept. Second, if the head declares a coding that
//! the body clearly lacks, the body is used unchanged, without a problem: many crawlers store decoded bodies with the original head.
//!
//! Problem codes: `missing-head`, `truncated-head`, `truncated-body`, `bad-chunk`, `bad-coding`, `unsupported-coding`, `body-too-large`.

mod chunked;
mod coding;
mod content_type;
mod head;
mod inflate;
#[cfg(test)]
mod tests;

pub(crate) use content_type::essence;
pub(crate) use head::ResponseHead;
