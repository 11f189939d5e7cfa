//! Checks that every local link of a built site leads to an existing file and anchor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// The pages of a site, each with the names of its anchors.
type Places = BTreeMap<PathBuf, BTreeSet<String>>;

/// Lists the broken links.
pub(super) fn check(site: &Path) -> Result<Vec<String>, String> {
    let mut texts = BTreeMap::new();
    read_pages(site, &mut texts).map_err(|error| format!("{}: {error}", site.display()))?;
    let places: Places = texts
        .iter()
        .map(|(page, text)| (page.clone(), values(text, " id=\"").map(str::to_owned).collect()))
        .collect();
    let mut faults = Vec::new();
    for (page, text) in &texts {
        let links = values(text, " href=\"").chain(values(text, " src=\""));
        for link in links.filter(|link| is_local(link)) {
            if !leads_somewhere(page, link, &places) {
                let page = page.strip_prefix(site).unwrap_or(page);
                faults.push(format!("{}: `{link}` leads nowhere", page.display()));
            }
        }
    }
    faults.dedup();
    Ok(faults)
}

fn read_pages(folder: &Path, texts: &mut BTreeMap<PathBuf, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_pages(&path, texts)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let text = fs::read_to_string(&path)?;
            texts.insert(path, text);
        }
    }
    Ok(())
}

/// The values of an attribute. Quotes in text and examples are escaped, so that only real attributes match.
fn values<'t>(text: &'t str, attribute: &'static str) -> impl Iterator<Item = &'t str> {
    text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

fn is_local(link: &str) -> bool {
    !link.split(['/', '?', '#']).next().unwrap_or_default().contains(':') && !link.starts_with("//")
}

fn leads_somewhere(page: &Path, link: &str, places: &Places) -> bool {
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        file => normal(&page.parent().unwrap_or(page).join(file)),
    };
    match places.get(&target) {
        Some(names) => place.is_empty() || names.contains(place),
        None => target.is_file(),
    }
}

/// Resolves `.` and `..` in a path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_to_pages_and_places() {
        let page = |path: &str, places: &[&str]| {
            (PathBuf::from(path), places.iter().map(|place| (*place).to_owned()).collect())
        };
        let places = Places::from([page("/s/a.html", &["top"]), page("/s/b/c.html", &["end"])]);
        for link in ["../a.html", "../a.html#top", "#end", "./c.html#end", ""] {
            assert!(leads_somewhere(Path::new("/s/b/c.html"), link, &places), "{link}");
        }
        for link in ["a.html", "#top", "../a.html#end", "../a.md", "../b"] {
            assert!(!leads_somewhere(Path::new("/s/b/c.html"), link, &places), "{link}");
        }
    }

    #[test]
    fn only_local_links_count() {
        assert!(is_local("a.html#x:y") && is_local("#x") && is_local("../a"));
        assert!(
            !is_local("https://a.example") && !is_local("mailto:a@b.example") && !is_local("//a.example")
        );
    }
}
