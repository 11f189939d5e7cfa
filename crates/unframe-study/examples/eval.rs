//! Scores methods on folders of gold data:
//! `eval [--method METHOD]… [--pages N] [--scored N] [--threads N] [--seed N] [--format table|csv|json] FOLDER…`.
//!
//! METHOD is `dom`, `text`, `all`, or a method with parameters: `text:density=40,window=20`.

use std::path::PathBuf;

use anyhow::Context;
use unframe_study::{Method, Options, evaluate};

fn main() -> anyhow::Result<()> {
    let (mut options, mut methods, mut folders) = (Options::default(), Vec::new(), Vec::new());
    let mut format = "table".to_owned();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--method" => methods.extend(Method::parse(&value()?)?),
            "--pages" => options.pages_max = value()?.parse()?,
            "--scored" => options.scored_max = value()?.parse()?,
            "--threads" => options.threads = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--format" => format = value()?,
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    if methods.is_empty() {
        methods = Method::parse("all")?;
    }
    for folder in folders {
        let report = evaluate(&folder, &methods, &options)?;
        match format.as_str() {
            "csv" => print!("{}", report.csv()),
            "json" => println!("{:#}", report.json()),
            _ => print!("{}", report.text()),
        }
        report.problems.iter().for_each(|problem| eprintln!("{problem}"));
    }
    Ok(())
}
