//! One command for all checks: `cargo xtask test`.

mod api;
mod audit;
mod bench;
mod browser;
mod compile;
mod dependencies;
mod differential;
mod documents;
#[cfg(unix)]
mod faults;
mod fit;
mod freeze;
mod fuzz;
mod licences;
mod package;
mod profiles;
mod project;
mod publish;
mod python;
mod real_data;
mod serve;
mod site;
mod sources;
mod step;

use std::process::ExitCode;

use step::Step;

const HELP: &str = "\
cargo xtask test                      all checks, stopping at the first that fails
cargo xtask test --only NAME          one of them, such as python, spark, browser or serve
cargo xtask test --only real-data     only tests that need real data ($UNFRAME_DATA or ../shared/data)
cargo xtask test --only integrations  only tests with Ray, NeMo Curator and ArchiveBox, which take minutes to install
cargo xtask fuzz [SECONDS [AT-A-TIME [TARGETS]]]  fuzz targets in fuzz/ for so long (60) each; from 300 s on, docs/fuzzing.md is updated
cargo xtask audit [FOLDER]             dependencies beside the security advisories of RustSec, or a copy of them in FOLDER
cargo xtask faults [KILLS [VERB]]      every verb killed, stopped, starved (100 kills each); writes docs/faults.md
cargo xtask fit [--single FOLDER]      fits the default method on gold data (and on single pages of many sites), and writes the weights into its source
cargo xtask freeze [--program FILE] [FILES]  hashes of all that the program writes, with every method: of the synthetic crawl, kept in the project, or of FILES
cargo xtask api                        lists the public items of unframe and unframe-html in their public-api.txt
cargo xtask docs [-o FOLDER]          the documents as a web site with search, into target/docs; checks its links
cargo xtask differential [FILES]       trees beside html5ever's, records beside warcio's and FastWARC's; writes docs/differential.md
cargo xtask package binary|deb|container|wheel  a static program, a Debian package, an image, a wheel; into target/package
cargo xtask bench [--rounds N] [--quick] [FILES]  everything beside all peers, and growth; installs them; report in target/bench
cargo xtask bench growth [--quick]    our verbs on 1,000 to 1,000,000 generated pages; into the same report
cargo xtask bench --table             puts the table of the last results into docs/measurements.md
cargo xtask bench parse|read [FILES]  measures against others; installs them into target/bench-peers
cargo xtask bench fingerprint [FILES] fingerprints beside reading alone, and a million generated pages
cargo xtask bench follow [FILES]      pages a second with durable state and without; pauses; many sites
cargo xtask bench search [FILES]      search indexes: what finding templates inside of the building costs
cargo xtask bench text [FILES]        windows of text: kept all, one in ten, one in forty
cargo xtask bench python|spark [FILES] the Python package and the jobs on Spark, beside the program";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if arguments.iter().any(|argument| ["-h", "--help"].contains(argument)) {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let result = match arguments[..] {
        ["test"] => step::run_all(&checks()),
        ["test", "--only", name] => {
            step::run_only(checks().into_iter().chain(only_when_named()).collect(), name)
        }
        ["fuzz"] => fuzz::run(60, 1, &[]),
        ["fuzz", seconds] => number(seconds).and_then(|seconds| fuzz::run(seconds, 1, &[])),
        ["fuzz", seconds, at_a_time, ref targets @ ..] => {
            number(seconds).and_then(|seconds| fuzz::run(seconds, number(at_a_time)? as usize, targets))
        }
        ["audit"] => audit::run(None),
        ["audit", folder] => audit::run(Some(folder)),
        #[cfg(unix)]
        ["faults", ref arguments @ ..] => faults::run(arguments),
        ["fit", ref options @ ..] => fit::run(options),
        ["freeze", ref arguments @ ..] => freeze::run(arguments),
        ["differential", ref files @ ..] => differential::run(files),
        ["api"] => api::write(),
        ["docs", ref options @ ..] => site::run(options),
        ["package", what] => package::run(what),
        ["bench", ref arguments @ ..] => bench::run(arguments),
        _ => Err(HELP.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number\n\n{HELP}"))
}

/// Steps that run only if they are named, because they need real data or take long.
fn only_when_named() -> [Step; 2] {
    [Step::optional("real-data", real_data::test), Step::optional("integrations", python::test_integrations)]
}

/// Downloads what optional checks need.
fn fetch() {
    // Errors are ignored, because the check that needs a missing download reports it.
    let _ = python::fetch();
    let _ = browser::fetch();
}

/// The steps of `cargo xtask test`, quick ones first.
fn checks() -> Vec<Step> {
    vec![
        Step::check("every source file says what it is for, and names no machine", sources::check),
        Step::check("every path named in the documents exists", documents::check),
        Step::check("the site of the documents has every document", site::check),
        Step::check("crates depend on each other in one direction only", dependencies::check),
        Step::check("what users install is optimised", profiles::check),
        Step::check("licences of all dependencies are allowed", licences::check),
        Step::check("crates are ready to be published", publish::check),
        Step::cargo("format", "fmt --all --check"),
        Step::ahead("packages for Python and the browser are fetched", fetch),
        Step::check("build, with lints", compile::build),
        Step::cargo("the core alone", "clippy -p unframe-cli --no-default-features -- -D warnings"),
        Step::check("tests", compile::test),
        Step::check("documentation and its examples", compile::document),
        Step::check("what the program writes is as frozen", freeze::check),
        Step::optional("public items are as listed", api::check),
        Step::optional("serve", serve::test),
        Step::optional("browser", browser::test),
        Step::optional("python", python::test),
        Step::optional("spark", python::test_spark),
    ]
}
