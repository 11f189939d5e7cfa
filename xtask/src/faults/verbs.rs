//! The verbs that write, with their outputs.

/// A verb under test. In the arguments, `CRAWL` stands for the crawl, and `OUT/` for the folder of results.
pub(super) struct Verb {
    pub(super) name: &'static str,
    pub(super) arguments: &'static str,
    /// Files and folders that the verb creates in `OUT/`.
    pub(super) makes: &'static [&'static str],
    /// How to check that its result is complete.
    pub(super) check: Check,
    /// The arguments with which the result goes to standard output; empty if that is impossible.
    pub(super) to_stdout: &'static str,
}

/// How to check that a result is complete.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Every file has the same bytes as in an undisturbed run.
    SameBytes,
    /// A search finds the same pages as after another run.
    Index,
    /// The state knows all acknowledged pages.
    Follow,
}

const fn verb(
    name: &'static str,
    arguments: &'static str,
    makes: &'static [&'static str],
    to_stdout: &'static str,
) -> Verb {
    Verb { name, arguments, makes, check: Check::SameBytes, to_stdout }
}

pub(super) fn all() -> Vec<Verb> {
    vec![
        verb("pages", "pages CRAWL -o OUT/pages.jsonl", &["pages.jsonl"], "pages CRAWL"),
        verb("clean", "clean CRAWL -o OUT/texts.jsonl", &["texts.jsonl"], "clean CRAWL"),
        verb("clean --format parquet", "clean CRAWL --format parquet -o OUT/t.parquet", &["t.parquet"], ""),
        verb(
            "clean --format warc",
            "clean CRAWL --format warc -o OUT/t.warc.gz",
            &["t.warc.gz"],
            "clean CRAWL --format warc",
        ),
        verb("clean --format html", "clean CRAWL --format html -o OUT/html", &["html"], ""),
        verb(
            "clean --partition-by",
            "clean CRAWL --format parquet --partition-by hash:4 --report OUT/r.html -o OUT/parts",
            &["parts", "r.html"],
            "",
        ),
        verb("learn", "learn CRAWL -o OUT/m.model", &["m.model"], ""),
        verb("label", "label CRAWL -o OUT/labels.jsonl", &["labels.jsonl"], "label CRAWL"),
        verb(
            "templates",
            "templates CRAWL --format json --curves OUT/curves -o OUT/t.json",
            &["t.json", "curves"],
            "templates CRAWL --format json",
        ),
        verb("volume", "volume CRAWL --format json -o OUT/v.json", &["v.json"], "volume CRAWL --format json"),
        verb("volume --links", "volume CRAWL --links OUT/links", &["links"], ""),
        verb("draw", "draw CRAWL --site-by all -o OUT/site.html", &["site.html"], "draw CRAWL --site-by all"),
        verb("draw --all", "draw CRAWL --all -o OUT/pictures", &["pictures"], ""),
        verb("evolve", "evolve CRAWL -o OUT/evolution", &["evolution"], ""),
        verb("fingerprint", "fingerprint CRAWL -o OUT/f.jsonl", &["f.jsonl"], "fingerprint CRAWL"),
        verb(
            "cluster --state",
            "cluster CRAWL --state OUT/c.fp -o OUT/c.jsonl",
            &["c.fp", "c.jsonl"],
            "cluster CRAWL",
        ),
        verb("cluster --into", "cluster CRAWL --into OUT/sorted -o OUT/c.jsonl", &["sorted", "c.jsonl"], ""),
        verb(
            "classify --state",
            "classify CRAWL --train TRAIN --state OUT/t.fp -o OUT/k.jsonl",
            &["t.fp", "k.jsonl"],
            "classify CRAWL --train TRAIN",
        ),
        Verb { check: Check::Index, ..verb("index", "index CRAWL -o OUT/site.index", &["site.index"], "") },
        Verb {
            check: Check::Follow,
            ..verb(
                "follow",
                "follow --state OUT/state -o OUT/followed.jsonl CRAWL",
                &["state", "followed.jsonl"],
                "follow --state OUT/state CRAWL",
            )
        },
    ]
}
