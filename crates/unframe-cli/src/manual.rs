//! `unframe manual`: generates manual pages, completions and the reference from the definitions of the arguments.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use clap::{Command, CommandFactory};

use crate::args::{Args, ManualArgs, ManualKind};
use crate::exit::Outcome;
use crate::output::{Output, make_folder};

/// Width of the reference. It is fixed, so that the reference does not depend on the terminal.
const WIDTH: usize = 100;

pub(crate) fn run(args: &ManualArgs) -> anyhow::Result<Outcome> {
    match &args.kind {
        ManualKind::Man { output } => manual_pages(output)?,
        ManualKind::Completions { shell, output } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "unframe", &mut script);
            write(output.path(), &script)?;
        }
        ManualKind::Markdown { output } => write(output.path(), reference().as_bytes())?,
    }
    Ok(Outcome::Clean)
}

fn write(path: Option<&Path>, bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    output.write_all(bytes)?;
    output.finish()
}

/// Writes `unframe.1`, `unframe-clean.1` and so on.
fn manual_pages(folder: &Path) -> anyhow::Result<()> {
    make_folder(folder)?;
    for command in with_subcommands(built()) {
        let page = clap_mangen::Man::new(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        write(Some(&folder.join(page.get_filename())), &text)?;
    }
    Ok(())
}

/// The help of the program and of all verbs.
fn reference() -> String {
    let mut text = "\
# Reference

Every verb of the program with all its options, as `unframe VERB --help` prints them. This page is made by
`unframe manual markdown -o docs/reference.md`, and a test fails when it is not current.
"
    .to_owned();
    for mut command in with_subcommands(built()) {
        let name = command.get_display_name().unwrap_or(command.get_name()).replace('-', " ");
        let help = command.render_long_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        let _ = write!(text, "\n## {name}\n\n```text\n{}\n```\n", help.join("\n").trim_end());
    }
    text
}

/// The program's definition, complete with usage lines and the names of its verbs.
fn built() -> Command {
    // The long version describes this particular build, which does not belong in a manual.
    let command = Args::command().long_version(None);
    let mut command = command.disable_help_subcommand(true).term_width(WIDTH);
    command.build();
    command
}

/// A command and all its subcommands, in preorder.
fn with_subcommands(command: Command) -> Vec<Command> {
    let below: Vec<Command> = command.get_subcommands().cloned().collect();
    std::iter::once(command).chain(below.into_iter().flat_map(with_subcommands)).collect()
}
