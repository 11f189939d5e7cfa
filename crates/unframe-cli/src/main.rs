//! The program `unframe`: parses the arguments, runs a verb, and returns the exit code.

// The printing macros of the standard library panic when the reader closes the pipe. `Output` and `message!` do not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

/// Writes a line to standard error. Ignores errors, such as a closed pipe.
macro_rules! message {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod args;
mod classify;
mod clean;
mod cluster;
mod demo;
mod draw;
mod eval;
mod evolve;
mod exit;
mod explain;
mod fingerprint;
mod follow;
#[cfg(feature = "search")]
mod index;
mod inputs;
mod label;
mod fatal;
mod learn;
mod learning;
#[cfg(any(test, not(all(feature = "search", feature = "serve"))))]
mod not_built;
mod manual;
mod output;
mod pages;
mod parse;
mod problems;
mod progress;
mod reading;
#[cfg(feature = "search")]
mod search;
#[cfg(feature = "serve")]
mod serve;
mod sites;
mod spill;
mod table;
mod templates;
mod terminal;
mod volume;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Args, Verb};

fn main() -> ExitCode {
    let typed = Args::command().get_matches();
    let mut args = Args::from_arg_matches(&typed).unwrap_or_else(|error| error.exit());
    // The service handles interrupts and panics itself and leaves no unfinished files.
    let prepared = match args.verb {
        Verb::Serve(_) => Ok(()),
        _ => {
            fatal::exit_on_panic();
            output::clean_up_when_interrupted()
        }
    };
    let listed = prepared.and_then(|()| args.verb.reading_mut().map_or(Ok(Vec::new()), inputs::add_listed));
    let checked = listed.and_then(|listed| inputs::check_no_overwrite(&typed, listed));
    let result = checked.and_then(|()| match args.verb {
        Verb::Pages(pages) => pages::run(&pages),
        Verb::Parse(parse) => parse::run(&parse),
        Verb::Clean(clean) => clean::run(&clean),
        Verb::Learn(learn) => learn::run(&learn),
        Verb::Label(label) => label::run(&label),
        Verb::Explain(explain) => explain::run(&explain),
        Verb::Templates(templates) => templates::run(&templates),
        Verb::Follow(follow) => follow::run(&follow),
        Verb::Volume(volume) => volume::run(&volume),
        Verb::Draw(draw) => draw::run(&draw),
        Verb::Evolve(evolve) => evolve::run(&evolve),
        Verb::Fingerprint(fingerprint) => fingerprint::run(&fingerprint),
        Verb::Classify(classify) => classify::run(&classify),
        Verb::Cluster(cluster) => cluster::run(&cluster),
        #[cfg(feature = "search")]
        Verb::Index(index) => index::run(&index),
        #[cfg(not(feature = "search"))]
        Verb::Index(_) => not_built::run("index", "search"),
        #[cfg(feature = "search")]
        Verb::Search(search) => search::run(&search),
        #[cfg(not(feature = "search"))]
        Verb::Search(_) => not_built::run("search", "search"),
        #[cfg(feature = "serve")]
        Verb::Serve(serve) => serve::run(&serve),
        #[cfg(not(feature = "serve"))]
        Verb::Serve(_) => not_built::run("serve", "serve"),
        Verb::Eval(eval) => eval::run(&eval),
        Verb::Demo(demo) => demo::run(&demo),
        Verb::Manual(manual) => manual::run(&manual),
    });
    output::end_if_interrupted();
    exit::code(result)
}
