//! The program `unframe`: what was typed → the work of a verb → output and exit code.

mod args;
mod demo;
mod exit;
mod output;
mod pages;
mod problems;
mod progress;
mod reading;
mod table;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Verb};

fn main() -> ExitCode {
    let args = Args::parse();
    let result = output::clean_up_when_interrupted().and_then(|()| match args.verb {
        Verb::Pages(pages) => pages::run(&pages),
        Verb::Demo(demo) => demo::run(&demo),
    });
    exit::code(result)
}
