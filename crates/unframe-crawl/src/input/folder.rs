//! Walks folders in order, and derives the addresses of the pages in them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, MAIN_SEPARATOR_STR, Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use unframe::{Problem, SiteBy};
use walkdir::{DirEntry, WalkDir};

use super::sources::{Discovered, open};
use crate::batch::Batch;

/// Reserved domain suffixes, which cannot be registered.
const RESERVED: [&str; 3] = ["example", "test", "localhost"];

/// Characters that must be escaped in addresses.
const ESCAPED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// An entry of a folder.
pub(crate) enum Entry {
    File(PathBuf),
    /// An entry that is skipped, and why.
    Skipped(PathBuf, &'static str),
    /// An entry that cannot be read.
    Bad(PathBuf, Problem),
}

/// The files of a folder as inputs.
pub(super) fn walk(root: &Path) -> impl Iterator<Item = Discovered> + use<> {
    let root = root.to_owned();
    entries(&root).map(move |entry| match entry {
        Entry::File(path) => open(&path, page_url(&root, &path), true),
        Entry::Skipped(path, reason) => {
            let mut batch = Batch::new(path.to_string_lossy().into());
            batch.counts.skip(reason);
            Discovered::Nothing(batch)
        }
        Entry::Bad(path, problem) => {
            let mut batch = Batch::new(path.to_string_lossy().into());
            batch.problem(0, problem);
            Discovered::Nothing(batch)
        }
    })
}

/// The files of a folder and of the folders in it, in the order of their names. Symbolic links are followed inside the folder, except to
/// files that are read under their own names. Links that lead out of the folder or form cycles are reported. Hidden files and folders are
/// skipped, and so are WET files: the files with their pages are usually in the same folder.
pub(crate) fn entries(root: &Path) -> impl Iterator<Item = Entry> + use<> {
    let root = root.to_owned();
    let real_root = fs::canonicalize(&root).ok();
    let mut entries = WalkDir::new(&root).follow_links(true).sort_by_file_name().into_iter();
    std::iter::from_fn(move || {
        loop {
            let entry = match entries.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(fault(&root, &error)),
            };
            let is_folder = entry.file_type().is_dir();
            let unread = match () {
                () if is_hidden(&entry) => Some(skipped(&entry, "hidden")),
                () if is_of_texts(&entry) => Some(skipped(&entry, "wet")),
                () => skipped_link(&entry, real_root.as_deref()),
            };
            if unread.is_some() {
                if is_folder {
                    entries.skip_current_dir();
                }
                return unread;
            }
            if !is_folder {
                return Some(match entry.file_type().is_file() {
                    true => Entry::File(entry.into_path()),
                    // Opening a pipe would block until its other end is opened.
                    false => skipped(&entry, "not-a-crawl"),
                });
            }
        }
    })
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && is_hidden_name(entry.file_name())
}

fn is_hidden_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether a file is named like a WET file: `a.warc.wet.gz`.
fn is_of_texts(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() > 0 && entry.file_type().is_file() && name.split('.').skip(1).any(|part| part == "wet")
}

/// The entry for a link that is not followed; `None` if it is followed.
fn skipped_link(entry: &DirEntry, root: Option<&Path>) -> Option<Entry> {
    if entry.depth() == 0 || !entry.path_is_symlink() {
        return None;
    }
    let target = match fs::canonicalize(entry.path()) {
        Ok(target) => target,
        Err(error) => return Some(bad(entry.path(), "unreadable", error.to_string())),
    };
    match root.and_then(|root| target.strip_prefix(root).ok()) {
        // A hidden target is not read under its own name.
        Some(inside) if inside.iter().any(is_hidden_name) => None,
        Some(_) => Some(skipped(entry, "link")),
        // An untrusted folder must not decide which files of this machine are read.
        None => {
            let target = target.display();
            let message =
                format!("the link leads out of the folder, to {target}: to read that, name it as an input");
            Some(bad(entry.path(), "outside-link", message))
        }
    }
}

fn skipped(entry: &DirEntry, reason: &'static str) -> Entry {
    Entry::Skipped(entry.path().to_owned(), reason)
}

fn bad(path: &Path, code: &'static str, message: String) -> Entry {
    Entry::Bad(path.to_owned(), Problem::new(code, message))
}

fn fault(root: &Path, error: &walkdir::Error) -> Entry {
    let code = if error.loop_ancestor().is_some() { "link-loop" } else { "unreadable" };
    // The walker's own message would repeat the path.
    let message = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    bad(error.path().unwrap_or(root), code, message)
}

/// The address of a page in a folder.
///
/// Mirrors (`wget -r`, HTTrack) have a folder per host: if the folder itself, or the first folder in it, is named like a
/// host, the address is `http://host/path`. Other pages have the `file:` address of their path.
fn page_url(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let first = inside.components().next().map(|first| first.as_os_str().to_string_lossy());
    let has_folder = inside.components().count() > 1;
    if let Some(host) = first.filter(|first| has_folder && is_host(first)) {
        let rest: PathBuf = inside.components().skip(1).collect();
        return format!("http://{}/{}", host.replace('+', ":"), escape(&rest));
    }
    match root.file_name().map(|name| name.to_string_lossy()).filter(|name| is_host(name)) {
        Some(host) => format!("http://{}/{}", host.replace('+', ":"), escape(inside)),
        None => file_url(path),
    }
}

/// The `file:` address of a path, without `.` and `..`.
pub fn file_url(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    format!("file:///{}", escape(&plain).trim_start_matches('/'))
}

/// Escapes a path. Names need not be UTF-8, and different names must have different addresses.
fn escape(path: &Path) -> String {
    let names = path.iter().filter(|name| *name != OsStr::new(MAIN_SEPARATOR_STR));
    let names = names.map(|name| percent_encode(name.as_encoded_bytes(), ESCAPED).to_string());
    names.collect::<Vec<_>>().join("/")
}

/// Whether a folder's name is a host, such as `example.com` or `10.0.0.1`, possibly with a port.
fn is_host(name: &str) -> bool {
    let (host, port) = name.split_once([':', '+']).unwrap_or((name, "80"));
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
    };
    // Folders such as `v1.2`, `my.backup` or `out.html` are not hosts. Hosts end in a public suffix, or in a name that is reserved for
    // examples and tests (RFC 2606).
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_domain = RESERVED.contains(&last) || SiteBy::Host.key(&format!("{host}/")) != SiteBy::Host.key("");
    let is_number = host.parse::<std::net::Ipv4Addr>().is_ok();
    let is_port = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    host.contains('.') && host.split('.').all(is_label) && (is_domain || is_number) && is_port
}
