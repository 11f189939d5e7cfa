//! Tests bad input, files that cannot be written, and exit codes.

use std::fs;

use super::{folder_with, names_in, program, unframe};

/// Good lines with a bad one after each.
fn damaged(bad_lines: usize) -> String {
    let mut text = String::new();
    for number in 0..bad_lines {
        text.push_str(&format!("{{\"url\":\"http://a.example/{number}\",\"html\":\"<p>{number}\"}}\n"));
        text.push_str("{broken\n");
    }
    text
}

#[test]
fn good_records_around_bad_ones_survive() {
    let folder = folder_with("bad.jsonl", damaged(2));
    let run = unframe(folder.path(), &["pages", "bad.jsonl"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.lines().count(), 2);
    let lines: Vec<_> = run.stderr.lines().collect();
    assert_eq!(lines[0], "unframe: 2 problems in the input");
    assert!(lines[1].starts_with("  bad.jsonl at 43: "), "{}", run.stderr);
    assert!(lines[2].starts_with("  bad.jsonl at 94: "), "{}", run.stderr);
}

#[test]
fn ten_problems_are_shown_and_all_are_written_down() {
    let folder = folder_with("bad.jsonl", damaged(25));
    let run = unframe(folder.path(), &["pages", "bad.jsonl"]);
    assert_eq!(run.stderr.lines().count(), 12, "{}", run.stderr);
    assert!(run.stderr.ends_with("  … and 15 more; --problems FILE writes them all\n"), "{}", run.stderr);
    let run = unframe(folder.path(), &["pages", "bad.jsonl", "--problems", "problems.jsonl", "-q"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(1)));
    let problems = fs::read_to_string(folder.path().join("problems.jsonl")).unwrap();
    assert_eq!(problems.lines().count(), 25);
    assert!(problems.starts_with(r#"{"file":"bad.jsonl","offset":43,"url":null,"code":""#), "{problems}");
}

#[test]
fn messages_that_nobody_reads_change_nothing() {
    let folder = folder_with("bad.jsonl", damaged(2));
    for (arguments, code) in [
        (&["clean", "bad.jsonl", "-o", "out.jsonl"][..], Some(1)),
        (&["follow", "bad.jsonl", "--state", "st", "-o", "out.jsonl"], Some(1)),
        (&["clean", "missing.jsonl"], Some(2)),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = program(folder.path(), arguments).stderr(writer).status().unwrap();
        assert_eq!(status.code(), code, "{arguments:?}");
    }
    assert_eq!(names_in(folder.path()), ["bad.jsonl", "out.jsonl", "st"]);
}

#[test]
fn a_file_is_no_folder() {
    let folder = folder_with("good.jsonl", "{\"url\":\"http://a.example/\",\"html\":\"<p>a\"}\n");
    for arguments in [
        &["templates", "good.jsonl", "--curves", "good.jsonl"][..],
        &["follow", "good.jsonl", "--state", "good.jsonl"],
    ] {
        let run = unframe(folder.path(), arguments);
        assert!(run.stderr.ends_with("unframe: good.jsonl is a file: name a folder\n"), "{}", run.stderr);
        assert_eq!(run.code, Some(2), "{arguments:?}");
    }
}

#[test]
fn exit_code_2_if_nothing_could_be_done() {
    let folder = folder_with("bad.jsonl", "{\"url\":1}\n{broken\n");
    let run = unframe(folder.path(), &["pages", "bad.jsonl"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{}", run.stderr);
    let run = unframe(folder.path(), &["pages", "missing.warc"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("unframe: cannot read the crawl: missing.warc: "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

#[test]
fn output_files_appear_only_when_complete() {
    let folder = folder_with("good.jsonl", damaged(1));
    fs::write(folder.path().join("out.jsonl"), "old").unwrap();
    let run = unframe(folder.path(), &["pages", "missing.warc", "-o", "out.jsonl"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("out.jsonl")).unwrap(), "old");
    let run = unframe(folder.path(), &["pages", "good.jsonl", "-o", "out.jsonl"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    assert_eq!(fs::read_to_string(folder.path().join("out.jsonl")).unwrap().lines().count(), 1);
    assert_eq!(names_in(folder.path()), ["good.jsonl", "out.jsonl"]);
}

#[test]
fn output_that_cannot_be_written_is_named() {
    let folder = folder_with("good.jsonl", damaged(1));
    for output in [".", "no/such/folder/out.jsonl"] {
        let run = unframe(folder.path(), &["pages", "good.jsonl", "-o", output]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.starts_with(&format!("unframe: cannot write to {output}: ")), "{}", run.stderr);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    unframe(folder.path(), &["demo", "."]);
    let mut child = program(folder.path(), &["pages", "demo-1.warc.gz"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), ("", Some(0)));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::FileTypeExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn an_interrupted_run_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        for signal in ["INT", "TERM"] {
            let mut command = program(folder.path(), &["pages", "-", "-o", "out.jsonl"]);
            let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
            // Held open: at the end of its input the program would end by itself.
            let _stdin = child.stdin.take();
            let start = Instant::now();
            while names_in(folder.path()).is_empty() {
                assert!(start.elapsed() < Duration::from_secs(30), "the program does not begin to write");
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(names_in(folder.path())[0].ends_with(".part"));
            let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
            assert!(kill.success());
            assert_eq!(child.wait().unwrap().code(), Some(130));
            assert!(names_in(folder.path()).is_empty());
        }
    }

    #[test]
    fn interrupted_cleaning_leaves_nothing_under_the_final_name() {
        let crawl = damaged(3).replace("{broken\n", "");
        for format in ["jsonl", "text", "markdown", "html", "warc", "parquet"] {
            for signal in ["INT", "TERM", "KILL"] {
                let folder = folder_with("crawl.jsonl", &crawl);
                unframe(folder.path(), &["learn", "crawl.jsonl", "-o", "site.model", "-q"]);
                let arguments = ["clean", "-", "--model", "site.model", "--format", format, "-o", "out"];
                let mut child = program(folder.path(), &arguments).stdin(Stdio::piped()).spawn().unwrap();
                let mut stdin = child.stdin.take().unwrap();
                std::io::Write::write_all(&mut stdin, crawl.as_bytes()).unwrap();
                let start = Instant::now();
                while names_in(folder.path()).len() < 3 {
                    assert!(start.elapsed() < Duration::from_secs(30), "the program does not begin to write");
                    std::thread::sleep(Duration::from_millis(5));
                }
                let kill =
                    Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
                assert!(kill.success());
                child.wait().unwrap();
                let mut names = names_in(folder.path());
                // Nothing can be tidied up after KILL, but what is left has another name.
                names.retain(|name| signal != "KILL" || !name.ends_with(".part"));
                assert_eq!(names, ["crawl.jsonl", "site.model"], "{format} {signal}");
            }
        }
    }

    #[test]
    fn pipes_are_read_twice() {
        let folder = folder_with("good.jsonl", damaged(3));
        let expected = unframe(folder.path(), &["clean", "good.jsonl"]);
        assert_eq!(expected.stdout.lines().count(), 3);
        let fifo = folder.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let text = damaged(3);
        let writer = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::write(fifo, text).unwrap()
        });
        let run = unframe(folder.path(), &["clean", "fifo"]);
        writer.join().unwrap();
        assert_eq!((run.stdout, run.code), (expected.stdout, expected.code));
        // Problems name what the user named.
        assert_eq!(run.stderr, expected.stderr.replace("good.jsonl", "fifo"));
    }

    #[test]
    fn devices_are_written_to_and_links_stay_links() {
        let folder = folder_with("good.jsonl", damaged(1));
        let run = unframe(folder.path(), &["pages", "good.jsonl", "-o", "/dev/null"]);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        fs::write(folder.path().join("real.jsonl"), "old").unwrap();
        std::os::unix::fs::symlink("real.jsonl", folder.path().join("link.jsonl")).unwrap();
        unframe(folder.path(), &["pages", "good.jsonl", "-o", "link.jsonl"]);
        assert!(fs::symlink_metadata(folder.path().join("link.jsonl")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.path().join("real.jsonl")).unwrap().lines().count(), 1);
    }
}

#[test]
fn what_is_read_is_not_written_over() {
    let folder = folder_with("good.jsonl", damaged(2));
    assert_eq!(unframe(folder.path(), &["learn", "good.jsonl", "-o", "m.model"]).code, Some(1));
    let model = fs::read(folder.path().join("m.model")).unwrap();
    for arguments in [
        &["clean", "good.jsonl", "-o", "good.jsonl"][..],
        &["pages", "good.jsonl", "-o", "./good.jsonl"],
        &["clean", "good.jsonl", "--problems", "good.jsonl"],
        &["clean", "good.jsonl", "--model", "m.model", "-o", "m.model"],
        &["clean", "good.jsonl", "-o", "new.jsonl", "--problems", "new.jsonl"],
        &["follow", "--state", "st", "good.jsonl", "-o", "good.jsonl"],
        &["follow", "--state", "st", "good.jsonl", "--reindex-log", "good.jsonl"],
        &["follow", "--state", "st", "good.jsonl", "-o", "new.jsonl", "--reindex-log", "new.jsonl"],
        &["follow", "--state", "st", "--export", "new.model", "--problems", "new.model"],
        &["follow", "--state", "st", "good.jsonl", "--begin-with", "m.model", "-o", "m.model"],
        &["classify", "--train", "good.jsonl", "good.jsonl", "-o", "good.jsonl"],
    ] {
        let run = unframe(folder.path(), arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("would be overwritten") || run.stderr.contains("is given twice"));
    }
    assert_eq!(fs::read_to_string(folder.path().join("good.jsonl")).unwrap(), damaged(2));
    assert_eq!(fs::read(folder.path().join("m.model")).unwrap(), model);
    // Models may be folded into one of them.
    let run = unframe(folder.path(), &["learn", "--merge", "m.model", "-o", "m.model"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn options_count_with_a_model_or_are_refused() {
    let page = |n: usize| {
        format!(
            "{{\"url\":\"http://a.example/{n}\",\"html\":\"<ul><li>Home<li>Tea {n}</ul><p>words of {n}\"}}\n"
        )
    };
    let folder = folder_with("good.jsonl", (0..6).map(page).collect::<String>());
    assert_eq!(unframe(folder.path(), &["learn", "good.jsonl", "-o", "m.model"]).code, Some(0));
    for option in [&["--certainty", "0"][..], &["--certainty", "1"], &["--precision"], &["--recall"], &[]] {
        let direct = unframe(folder.path(), &[&["clean", "good.jsonl"], option].concat());
        let by_model =
            unframe(folder.path(), &[&["clean", "good.jsonl", "--model", "m.model"], option].concat());
        assert_eq!(by_model.stdout, direct.stdout, "{option:?}");
    }
    let run = unframe(folder.path(), &["clean", "good.jsonl", "--model", "m.model", "--method", "dom"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let run = unframe(folder.path(), &["learn", "--merge", "m.model", "--sample", "9", "-o", "n.model"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    unframe(folder.path(), &["learn", "good.jsonl", "--method", "dom", "-o", "dom.model"]);
    let run = unframe(folder.path(), &["clean", "good.jsonl", "--model", "dom.model", "--recall"]);
    assert!(run.stderr.contains("was learned with another method"), "{}", run.stderr);
    // A site that the model does not know is not one of a single page.
    let run = unframe(folder.path(), &["clean", "good.jsonl", "--site-by", "all", "--model", "m.model"]);
    assert!(run.stderr.contains("the model does not contain these sites"), "{}", run.stderr);
}

/// A member of a WARC file with a page of its own.
fn member(number: usize) -> Vec<u8> {
    use std::io::Write;
    let html = format!("<p>Words of page {number}");
    let record = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/{number}\r\nContent-Type: text/html\r\n\
         Content-Length: {}\r\n\r\n{html}\r\n\r\n",
        html.len()
    );
    let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    member.write_all(record.as_bytes()).unwrap();
    member.finish().unwrap()
}

#[test]
fn a_file_that_inflates_out_of_proportion_is_cleaned_around_it() {
    use std::io::Write;
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let megabytes = (unframe_crawl::limits::BOMB_BYTES_MIN >> 20) + 8;
    write!(bomb, "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n", megabytes << 20).unwrap();
    for _ in 0..megabytes {
        bomb.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 1 << 20, "a bomb is small");
    let folder = folder_with("bomb.warc.gz", [member(1), bomb, member(2)].concat());
    let run = unframe(folder.path(), &["clean", "bomb.warc.gz"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let texts: Vec<_> = run.stdout.lines().map(|line| line.contains("Words of page")).collect();
    assert_eq!(texts, [true, true], "{}", run.stdout);
    assert!(run.stderr.contains("a gzip member inflates out of proportion"), "{}", run.stderr);
}

#[test]
fn fingerprints_have_a_greatest_length() {
    let folder = folder_with("a.html", "<p>a");
    assert_eq!(unframe(folder.path(), &["fingerprint", "a.html", "--length", "63"]).code, Some(0));
    let run = unframe(folder.path(), &["fingerprint", "a.html", "--length", "64"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("`64` is not a number from 1 to 63"), "{}", run.stderr);
}

#[test]
fn what_was_written_before_stays_if_nothing_can_be_read() {
    let folder = folder_with("broken.warc.gz", &member(1)[..20]);
    for verb in ["clean", "label", "learn", "pages", "templates"] {
        std::fs::write(folder.path().join("out"), "from an earlier run").unwrap();
        let run =
            unframe(folder.path(), &[verb, "broken.warc.gz", "--problems", "problems.jsonl", "-o", "out"]);
        assert_eq!(run.code, Some(2), "{verb}: {}", run.stderr);
        assert!(
            run.stderr.contains("no page could be read, so nothing was written"),
            "{verb}: {}",
            run.stderr
        );
        let out = std::fs::read_to_string(folder.path().join("out")).unwrap();
        assert_eq!(out, "from an earlier run", "{verb}");
        let problems = std::fs::read_to_string(folder.path().join("problems.jsonl")).unwrap();
        assert!(problems.contains("truncated-gzip"), "{verb}: {problems}");
    }
}

#[test]
#[cfg(unix)]
fn without_memory_there_is_a_message_and_the_exit_code_of_an_error() {
    // A page whose tree has as many nodes as a tree may have.
    let folder = folder_with("large.html", "<p>x".repeat(5_000_000));
    let mut command = std::process::Command::new("sh");
    let script = "ulimit -v 250000; exec \"$0\" clean large.html --threads 1 -o out.jsonl";
    command.current_dir(folder.path()).args(["-c", script, env!("CARGO_BIN_EXE_unframe")]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let run = super::run(command, b"");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.starts_with("unframe: out of memory: "), "{}", run.stderr);
    assert!(!folder.path().join("out.jsonl").exists());
}
