//! Links: which of them stand in templates, and what that does to the ranking of pages.

mod of_page;

pub use of_page::{Link, of_page};
