use super::{names_in, unframe};

#[test]
fn the_demo_writes_a_crawl_and_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["demo", "crawl", "--pages", "10"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names_in(&folder.path().join("crawl")), ["demo-1.jsonl", "demo-1.warc.gz"]);
    assert!(
        run.stderr.starts_with("7 invented sites with 10 pages each, written to crawl"),
        "{}",
        run.stderr
    );
    let beginnings = [
        "site                         pages    bytes  problems  charset              template: html  text  links",
        "far-harbour-news.example        10  45.9 kB         0  UTF-8  ",
        "far-heron-portal.example        10  34.8 kB         0  GBK  ",
    ];
    for (line, beginning) in run.stdout.lines().zip(beginnings) {
        assert!(line.starts_with(beginning), "{}", run.stdout);
    }
    assert!(run.stdout.contains("\nall 7 sites                     70 "), "{}", run.stdout);
}

#[test]
fn the_same_seed_makes_the_same_crawl() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = |name: &str, seed: &str| {
        let run = unframe(folder.path(), &["demo", name, "--pages", "3", "--seed", seed, "-q"]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
        std::fs::read(folder.path().join(name).join(format!("demo-{seed}.warc.gz"))).unwrap()
    };
    assert_eq!(crawl("a", "5"), crawl("b", "5"));
    assert_ne!(crawl("a", "5"), crawl("a", "6"));
}
