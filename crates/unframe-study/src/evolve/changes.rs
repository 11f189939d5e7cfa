//! Changes from one version of a page to the next.

use jiff::Timestamp;

use super::{History, Version};

/// A change: two consecutive versions of a page with different texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The address of the later version.
    pub url: String,
    /// The site.
    pub site: String,
    /// The date of the earlier version.
    pub from: Timestamp,
    /// The date of the later version.
    pub to: Timestamp,
    /// What changed: `content`, `template` or `both`.
    pub changed: ChangedPart,
    /// How much of the content changed, from 0 to 1.
    pub content: f64,
    /// How much of the templates' text changed.
    pub template: f64,
    /// How much of the whole text changed.
    pub whole: f64,
}

/// The part of a page that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedPart {
    /// Only the content.
    Content,
    /// Only templates.
    Template,
    /// Content and templates.
    Both,
}

impl ChangedPart {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            ChangedPart::Content => "content",
            ChangedPart::Template => "template",
            ChangedPart::Both => "both",
        }
    }
}

/// All changes, by site, address and date.
pub fn of_history(history: &History) -> Vec<Change> {
    let pairs =
        history.addresses().flat_map(|(site, versions)| versions.windows(2).map(move |pair| (site, pair)));
    pairs.filter_map(|(site, pair)| change(site, &pair[0], &pair[1])).collect()
}

/// The part that changed from one version of a page to the next, if any.
pub(super) fn changed_part(before: &Version, after: &Version) -> Option<ChangedPart> {
    // A different labelling of the same text is not a change.
    if before.whole == after.whole {
        return None;
    }
    match (before.content.hash != after.content.hash, before.template.hash != after.template.hash) {
        (true, true) => Some(ChangedPart::Both),
        (true, false) => Some(ChangedPart::Content),
        (false, true) => Some(ChangedPart::Template),
        (false, false) => None,
    }
}

fn change(site: &str, before: &Version, after: &Version) -> Option<Change> {
    let changed = changed_part(before, after)?;
    let all = |version: &Version| {
        let mut words = [version.content.words.as_slice(), &version.template.words].concat();
        words.sort_unstable();
        words.dedup();
        words
    };
    Some(Change {
        url: after.url.clone(),
        site: site.to_owned(),
        from: before.date,
        to: after.date,
        changed,
        content: magnitude(&before.content.words, &after.content.words),
        template: magnitude(&before.template.words, &after.template.words),
        whole: magnitude(&all(before), &all(after)),
    })
}

/// The distance of two sorted sets of words: `1 − 2|A∩B| / (|A|+|B|)`. The distance of two empty sets is 0.
pub fn magnitude(a: &[u32], b: &[u32]) -> f64 {
    let (mut at, mut common) = (0, 0usize);
    for word in b {
        at += a[at..].partition_point(|known| known < word);
        common += usize::from(a.get(at) == Some(word));
    }
    match a.len() + b.len() {
        0 => 0.0,
        total => 1.0 - 2.0 * common as f64 / total as f64,
    }
}
