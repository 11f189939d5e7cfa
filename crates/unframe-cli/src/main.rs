//! The program `unframe`.
fn main() {}
