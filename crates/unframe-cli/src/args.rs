//! The arguments of the command line. This module only parses: each verb has a file of its own.

mod blocks;
mod clean;
mod demo;
mod draw;
mod eval;
mod evolve;
mod explain;
mod fingerprint;
mod follow;
mod label;
#[cfg(not(all(feature = "search", feature = "serve")))]
mod not_built;
mod learn;
mod manual;
mod memory;
mod method;
mod output;
mod pages;
mod papers;
mod parse;
mod reading;
#[cfg(feature = "search")]
mod search;
mod templates;
mod threads;
mod version;
mod volume;
#[cfg(feature = "serve")]
mod serve;

use clap::{Parser, Subcommand};

pub(crate) use blocks::EvalBlocksArgs;
pub(crate) use clean::CleanArgs;
pub(crate) use demo::DemoArgs;
pub(crate) use draw::DrawArgs;
pub(crate) use eval::{EvalArgs, EvalCommand};
pub(crate) use evolve::EvolveArgs;
pub(crate) use explain::{Color, ExplainArgs};
pub(crate) use fingerprint::{ClassifyArgs, ClusterArgs, EvalFingerprintsArgs, FingerprintArgs, Split};
pub(crate) use follow::FollowArgs;
pub(crate) use label::LabelArgs;
pub(crate) use learn::LearnArgs;
pub(crate) use manual::{ManualArgs, ManualKind};
pub(crate) use memory::Memory;
pub(crate) use method::{MethodArgs, ModelArgs};
#[cfg(not(all(feature = "search", feature = "serve")))]
pub(crate) use not_built::NotBuiltArgs;
pub(crate) use output::{OutputArgs, ReportFormat};
pub(crate) use pages::PagesArgs;
pub(crate) use papers::EvalPapersArgs;
pub(crate) use parse::ParseArgs;
pub(crate) use reading::ReadingArgs;
#[cfg(feature = "search")]
pub(crate) use search::{EvalSearchArgs, IndexArgs, SearchArgs};
#[cfg(feature = "serve")]
pub(crate) use serve::{ServeArgs, ServeLog};
pub(crate) use templates::{TemplatesArgs, TemplatesFormat};
pub(crate) use threads::threads;
pub(crate) use volume::VolumeArgs;

/// Finds the templates of web sites by comparing the pages of each site, and extracts the content of their pages.
#[derive(Debug, Parser)]
#[command(name = "unframe", version, long_version = version::long())]
#[command(help_expected = true, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 some records were bad and skipped (listed on standard error); \
2 wrong usage, or nothing could be done.";

/// The verb.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Pages(PagesArgs),
    Parse(ParseArgs),
    Clean(CleanArgs),
    Learn(LearnArgs),
    Label(LabelArgs),
    Explain(ExplainArgs),
    Templates(TemplatesArgs),
    Follow(FollowArgs),
    Volume(VolumeArgs),
    Draw(DrawArgs),
    Evolve(EvolveArgs),
    Fingerprint(FingerprintArgs),
    Classify(ClassifyArgs),
    Cluster(ClusterArgs),
    #[cfg(feature = "search")]
    Index(IndexArgs),
    #[cfg(not(feature = "search"))]
    Index(NotBuiltArgs),
    #[cfg(feature = "search")]
    Search(SearchArgs),
    #[cfg(not(feature = "search"))]
    Search(NotBuiltArgs),
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    #[cfg(not(feature = "serve"))]
    Serve(NotBuiltArgs),
    Eval(EvalArgs),
    Demo(DemoArgs),
    Manual(ManualArgs),
}

impl Verb {
    /// How a crawl is read, by verbs that read one.
    pub(crate) fn reading_mut(&mut self) -> Option<&mut ReadingArgs> {
        Some(match self {
            Verb::Pages(args) => &mut args.reading,
            Verb::Parse(args) => &mut args.reading,
            Verb::Clean(args) => &mut args.reading,
            Verb::Learn(args) => &mut args.reading,
            Verb::Label(args) => &mut args.reading,
            Verb::Explain(args) => &mut args.reading,
            Verb::Templates(args) => &mut args.reading,
            Verb::Volume(args) => &mut args.reading,
            Verb::Draw(args) => &mut args.reading,
            Verb::Evolve(args) => &mut args.reading,
            Verb::Fingerprint(args) => &mut args.reading,
            Verb::Classify(args) => &mut args.reading,
            Verb::Cluster(args) => &mut args.reading,
            #[cfg(feature = "search")]
            Verb::Index(args) => &mut args.reading,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn flags_are_consistent_and_all_have_help() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_verb_has_an_example() {
        for verb in Args::command().get_subcommands() {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{} has no example", verb.get_name());
        }
    }
}
