//! Counts the pages of crawls: `count [--threads N] [--repeats] [--list] [--each] INPUT…`.
//!
//! `--repeats` keeps exact repeats, `--list` prints each page and problem, `--each` counts each input separately.

use std::ops::ControlFlow;
use std::path::PathBuf;

use unframe_crawl::{Event, ReadOptions, Summary, read};

fn main() -> Result<(), unframe_crawl::ReadError> {
    let mut options = ReadOptions { threads: 1, ..ReadOptions::default() };
    let (mut inputs, mut list, mut each) = (Vec::new(), false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--threads" => options.threads = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            "--repeats" => options.unique = false,
            "--any-status" => options.any_status = true,
            "--list" => list = true,
            "--each" => each = true,
            input => inputs.push(PathBuf::from(input)),
        }
    }
    if each {
        for input in inputs {
            let summary = count(std::slice::from_ref(&input), &options, list)?;
            println!("{}\t{}\t{}\t{:?}", input.display(), summary.pages, summary.problems, summary.skipped);
        }
    } else {
        println!("{:?}", count(&inputs, &options, list)?);
    }
    Ok(())
}

fn count(inputs: &[PathBuf], options: &ReadOptions, list: bool) -> Result<Summary, unframe_crawl::ReadError> {
    read(
        inputs,
        options,
        || |page| page,
        |event| {
            match event {
                Event::Page(page) if list => {
                    let problems: Vec<String> = page.problems.iter().map(ToString::to_string).collect();
                    println!(
                        "{}\t{}\t{}\t{}",
                        page.origin,
                        page.url,
                        page.payload.len(),
                        problems.join("; ")
                    );
                }
                Event::Problem { origin, problem } if list => println!("{origin}\tproblem\t{problem}"),
                _ => {}
            }
            ControlFlow::Continue(())
        },
    )
}
