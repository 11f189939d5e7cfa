//! Arguments of a verb that this build does not have.

use std::ffi::OsString;

/// Not in this build: it needs a cargo feature that was left out
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the program with all its parts
  cargo build --release

`unframe VERB` names the feature that VERB needs; cargo build --no-default-features --features NAME adds just that one.")]
pub(crate) struct NotBuiltArgs {
    /// Anything: it is ignored
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}
