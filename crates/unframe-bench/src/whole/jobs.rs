//! The jobs, and the programs that are compared in each.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::crawl::CrawlFile;
use super::results::Side;

/// The script that runs the Python peers.
pub(crate) const PEERS: &str = include_str!("../../peers/run.py");

/// The name of the file in the scratch folder to which extracted content is written.
pub(crate) const TEXTS: &str = "texts.jsonl";

/// The executables to run.
pub(crate) struct Programs {
    pub(crate) unframe: PathBuf,
    pub(crate) python: PathBuf,
    /// The executable of this benchmark.
    pub(crate) ourselves: PathBuf,
}

/// The input files, and an empty folder to which each run may write.
pub(crate) struct Paths<'a> {
    pub(crate) all: &'a CrawlFile,
    pub(crate) sample: &'a CrawlFile,
    pub(crate) scratch: &'a Path,
}

/// One job and its programs.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) entries: Vec<Entry>,
}

/// One program with its arguments in a job.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) command: Vec<OsString>,
    /// The command as reports show it.
    pub(crate) shown: String,
    pub(crate) crawl: CrawlFile,
    /// Whether it writes [`TEXTS`], which can be scored.
    pub(crate) has_texts: bool,
    /// Whether it reports the number of pages, and the time of its work without the start of Python.
    pub(crate) reports_time: bool,
}

/// All jobs. Each also runs the baseline that only decompresses.
pub(crate) fn plans(programs: &Programs, paths: &Paths<'_>) -> Vec<Plan> {
    let make = PlanBuilder { programs, paths };
    let plan = |name, about, mut entries: Vec<Entry>| {
        entries.insert(0, make.own("decompressing alone", Side::Limit, "decompress"));
        Plan { name, about, entries }
    };
    vec![
        plan("Reading", "The records of a .warc.gz, the pages among them found.", make.reading()),
        plan("Parsing", "A tree of every page, reading included.", make.parsing()),
        plan("Cleaning", "The content of every page as lines of JSON, reading included.", make.cleaning()),
        plan("Fingerprinting", "A short value of the structure of every page.", make.fingerprinting()),
        plan("Clustering", "Pages of one template put together.", make.clustering()),
        plan(
            "Following",
            "Templates page by page, every page durable before its line is written; one thread reads, another writes.",
            make.following(),
        ),
        plan("Indexing", "A search index without templates.", make.indexing()),
    ]
}

struct PlanBuilder<'a> {
    programs: &'a Programs,
    paths: &'a Paths<'a>,
}

impl PlanBuilder<'_> {
    fn reading(&self) -> Vec<Entry> {
        vec![
            self.ours("unframe pages", "pages --jsonl --threads 1", "pages.jsonl"),
            self.peer("FastWARC, iterating over records", "fastwarc-records", self.paths.all),
            self.peer("FastWARC, HTTP and bodies read", "fastwarc", self.paths.all),
            self.peer("warcio, HTTP and bodies read", "warcio", self.paths.all),
        ]
    }

    fn parsing(&self) -> Vec<Entry> {
        vec![
            self.own("unframe, tree with byte spans", Side::Ours, "trees"),
            self.own("html5ever, reference tree, read by us", Side::Peer, "html5ever"),
            self.peer("selectolax (lexbor), read by FastWARC", "selectolax", self.paths.all),
        ]
    }

    fn cleaning(&self) -> Vec<Entry> {
        let cleaned = |name: &str, options: &str| {
            let entry = self.ours(name, &format!("clean {options}"), TEXTS);
            Entry { has_texts: true, ..entry }
        };
        let methods = ["places", "dom", "text", "text --fast", "segments", "blocks", "shingle", "sst"];
        let mut entries: Vec<Entry> = methods
            .iter()
            .map(|method| cleaned(&format!("`{method}`"), &format!("--threads 1 --method {method}")))
            .collect();
        entries.push(cleaned("`places`, all cores", "--threads 0"));
        entries.push(self.ours("`places`, as Markdown", "clean --threads 1 --format markdown", "texts.md"));
        entries.push(cleaned("`places`, with metadata", "--threads 1 --metadata"));
        let (all, sample) = (self.paths.all, self.paths.sample);
        let peers = [
            ("resiliparse, main content", "resiliparse-main-content", all),
            ("resiliparse, plain text", "resiliparse-plain-text", all),
            ("trafilatura", "trafilatura", sample),
            ("justext, English", "justext", sample),
            ("readability-lxml", "readability-lxml", sample),
        ];
        for (name, peer, crawl) in peers {
            entries.push(Entry { has_texts: true, ..self.peer(name, peer, crawl) });
        }
        entries
    }

    fn fingerprinting(&self) -> Vec<Entry> {
        let method = |name: &str| {
            let arguments = format!("fingerprint --threads 1 --method {name}");
            self.ours(&format!("`{name}`"), &arguments, "fingerprints.jsonl")
        };
        ["fingerprint", "fingerprint+", "mdh5", "md5"].map(method).into()
    }

    fn clustering(&self) -> Vec<Entry> {
        let method = |name: &str| {
            let arguments = format!("cluster --threads 1 --method {name}");
            self.ours(&format!("`{name}`"), &arguments, "clusters.jsonl")
        };
        ["fingerprint", "fingerprint+", "mdh5", "md5"].map(method).into()
    }

    fn following(&self) -> Vec<Entry> {
        let state = self.paths.scratch.join("state");
        let follow = |name: &str, arguments: &str| {
            let mut entry = self.ours(name, arguments, TEXTS);
            entry.command.extend(["--state".into(), state.clone().into()]);
            entry.shown += " --state state";
            entry
        };
        let cleaned = |method: &str| {
            let entry = follow(&format!("`{method}`, content"), &format!("follow --clean --method {method}"));
            Entry { has_texts: true, ..entry }
        };
        vec![follow("`places`, regions", "follow"), cleaned("places"), cleaned("segments")]
    }

    fn indexing(&self) -> Vec<Entry> {
        let index = |name: &str, method: &str| {
            let arguments = format!("index --drop-templates --threads 1 --method {method}");
            self.ours(name, &arguments, "index")
        };
        vec![
            index("`blocks`, while the index is built", "blocks"),
            index("`places`, before it is built", "places"),
            index("no template removed", "none"),
        ]
    }

    /// A run of unframe with a verb and its options, separated by spaces.
    fn ours(&self, name: &str, arguments: &str, output: &str) -> Entry {
        let crawl = self.paths.all.clone();
        let mut command = vec![self.programs.unframe.clone().into()];
        command.extend(arguments.split(' ').map(OsString::from));
        command.extend([crawl.path.clone().into(), "-q".into(), "-o".into()]);
        command.push(self.paths.scratch.join(output).into());
        let shown = format!("unframe {arguments} {} -q -o {output}", name_of(&crawl.path));
        Entry {
            name: name.to_owned(),
            side: Side::Ours,
            command,
            shown,
            crawl,
            has_texts: false,
            reports_time: false,
        }
    }

    /// A run of a baseline of this benchmark.
    fn own(&self, name: &str, side: Side, work: &str) -> Entry {
        let crawl = self.paths.all.clone();
        let command = vec![
            self.programs.ourselves.clone().into(),
            "baseline".into(),
            work.into(),
            crawl.path.clone().into(),
        ];
        let shown = format!("unframe-bench baseline {work} {}", name_of(&crawl.path));
        Entry { name: name.to_owned(), side, command, shown, crawl, has_texts: false, reports_time: false }
    }

    fn peer(&self, name: &str, peer: &str, crawl: &CrawlFile) -> Entry {
        let texts = self.paths.scratch.join(TEXTS);
        let command = vec![
            self.programs.python.clone().into(),
            "-c".into(),
            PEERS.into(),
            peer.into(),
            crawl.path.clone().into(),
            texts.into(),
        ];
        let shown = format!("python run.py {peer} {} {TEXTS}", name_of(&crawl.path));
        Entry {
            name: name.to_owned(),
            side: Side::Peer,
            command,
            shown,
            crawl: crawl.clone(),
            has_texts: false,
            reports_time: true,
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_is_one_that_the_script_knows() {
        let programs = Programs { unframe: "u".into(), python: "p".into(), ourselves: "o".into() };
        let file = CrawlFile { path: "all.warc.gz".into(), pages: 1, bytes: 1, compressed_bytes: 1 };
        let paths = Paths { all: &file, sample: &file, scratch: Path::new("scratch") };
        let plans = plans(&programs, &paths);
        let peers: Vec<&Entry> =
            plans.iter().flat_map(|plan| &plan.entries).filter(|entry| entry.reports_time).collect();
        assert_eq!(peers.len(), 9);
        for entry in peers {
            let name = format!("\"{}\": ", entry.command[3].display());
            assert!(PEERS.contains(&name), "{name}");
        }
        assert!(plans.iter().all(|plan| plan.entries[0].side == Side::Limit));
    }
}
