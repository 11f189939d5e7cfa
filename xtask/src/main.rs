//! One command for all checks: `cargo xtask test`.
fn main() {}
