//! HTTP responses as crawlers store them: a head, then a body in transfer and content codings.
//!
//! Archives hold what servers sent, sometimes changed by crawlers, so that head and body may disagree. Two rules follow.
//! Any bytes are a response: errors become a [`Problem`], and everything readable is kept. And if the
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

#[cfg(test)]
use unframe::Problem;

pub(crate) use content_type::essence;
pub(crate) use head::ResponseHead;

/// A decoded response.
#[cfg(test)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Response {
    /// The status code, if the head has one.
    pub(crate) status: Option<u16>,
    /// The value of `Content-Type`: the one that counts, where there are several.
    pub(crate) content_type: Option<String>,
    /// The payload: the body after transfer and content coding.
    pub(crate) body: Vec<u8>,
    /// What was wrong with it.
    pub(crate) problems: Vec<Problem>,
}

/// Decodes the block of a WARC `response` record or of an ARC record.
///
/// Callers that need few of the bodies parse the [`ResponseHead`] first and ask it for the body; this is for tests.
#[cfg(test)]
pub(crate) fn decode(block: &[u8]) -> Response {
    let head = ResponseHead::parse(block);
    let (body, problems) = head.body(block);
    let body = body.into_owned();
    Response { status: head.status, content_type: head.content_type.map(Into::into), body, problems }
}
