//! JSON-LD: metadata in scripts of the type `application/ld+json`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::limits::{JSON_LD_BYTES_MAX, METADATA_ITEMS_MAX};

/// Types of the main item that a page is about, best first.
#[rustfmt::skip]
const WORKS: [&str; 30] = [
    "NewsArticle", "BlogPosting", "Article", "TechArticle", "ScholarlyArticle", "MedicalScholarlyArticle", "Report",
    "AnalysisNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle", "ReviewNewsArticle", "BackgroundNewsArticle", "AdvertiserContentArticle",
    "SocialMediaPosting", "LiveBlogPosting", "DiscussionForumPosting", "Question", "Recipe", "HowTo", "Review", "CriticReview", "Guide",
    "LearningResource", "PodcastEpisode", "Book", "Dataset", "CreativeWork", "MedicalWebPage", "Product", "VideoObject",
];

/// Types that describe a page rather than a work on it.
const PAGES: [&str; 8] =
    ["WebPage", "ItemPage", "AboutPage", "ContactPage", "CollectionPage", "ProfilePage", "FAQPage", "QAPage"];

/// The items of all scripts of a page.
#[derive(Debug, Default)]
pub(super) struct JsonLd {
    items: Vec<Map<String, Value>>,
    /// The items that others refer to by `@id`.
    by_id: BTreeMap<String, usize>,
}

impl JsonLd {
    /// Parses scripts until [`JSON_LD_BYTES_MAX`] bytes are read. Scripts that are not JSON are skipped.
    pub(super) fn read<S: AsRef<str>>(scripts: impl Iterator<Item = S>) -> JsonLd {
        let mut read = JsonLd::default();
        let mut left = JSON_LD_BYTES_MAX;
        for script in scripts {
            let script = script.as_ref();
            let Some(rest) = left.checked_sub(script.len()) else { break };
            left = rest;
            if let Some(value) = parse(script) {
                read.add(value);
            }
        }
        read
    }

    /// Adds an item, and the nested items that may be what the page is about.
    fn add(&mut self, value: Value) {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop()
            && self.items.len() < METADATA_ITEMS_MAX
        {
            match value {
                Value::Array(values) => waiting.extend(values.into_iter().take(METADATA_ITEMS_MAX).rev()),
                Value::Object(mut item) => {
                    // The questions of an FAQ are not what the page is about.
                    let is_list = types(&item).any(|name| name == "FAQPage");
                    for key in ["mainEntity", "mainEntityOfPage", "@graph"] {
                        if !is_list
                            && item.get(key).is_some_and(|inner| inner.is_array() || inner.is_object())
                        {
                            waiting.extend(item.remove(key));
                        }
                    }
                    if let Some(Value::String(id)) = item.get("@id") {
                        self.by_id.entry(id.clone()).or_insert(self.items.len());
                    }
                    self.items.push(item);
                }
                _ => {}
            }
        }
    }

    /// The item that the page is about: the first item of the best type.
    pub(super) fn work(&self) -> Option<Item<'_>> {
        let rank = |item: &&Map<String, Value>| {
            types(item).filter_map(|found| WORKS.iter().position(|name| *name == found)).min()
        };
        let ranked = self.items.iter().filter_map(|item| rank(&item).map(|rank| (rank, item)));
        // All kinds of articles rank equally.
        let best = ranked.min_by_key(|(rank, _)| rank.saturating_sub(15));
        best.map(|(_, item)| Item { all: self, item })
    }

    /// The item that describes the page itself.
    pub(super) fn page(&self) -> Option<Item<'_>> {
        self.of_type(|name| PAGES.contains(&name))
    }

    /// The first item with a type that `is_wanted` accepts.
    pub(super) fn of_type(&self, is_wanted: impl Fn(&str) -> bool) -> Option<Item<'_>> {
        let found = self.items.iter().find(|item| types(item).any(&is_wanted))?;
        Some(Item { all: self, item: found })
    }
}

/// An item, with the other items that it may refer to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'j> {
    all: &'j JsonLd,
    item: &'j Map<String, Value>,
}

impl<'j> Item<'j> {
    /// Whether it has this type.
    pub(super) fn is(self, name: &str) -> bool {
        types(self.item).any(|found| found == name)
    }

    /// The first type, without the vocabulary's address.
    pub(super) fn type_name(self) -> Option<&'j str> {
        types(self.item).next()
    }

    /// The text of a property: a string, or the name or address of an item.
    pub(super) fn text(self, key: &str) -> Option<&'j str> {
        self.texts(key).into_iter().next()
    }

    /// The texts of a property, which may have several values.
    pub(super) fn texts(self, key: &str) -> Vec<&'j str> {
        self.values(key).filter_map(|value| self.text_of(value)).collect()
    }

    /// The texts of a property's values that are organizations, or of those that are not.
    pub(super) fn texts_of_kind(self, key: &str, is_organization: bool) -> Vec<&'j str> {
        let wanted = self.values(key).filter(|value| self.is_organization(value) == is_organization);
        wanted.filter_map(|value| self.text_of(value)).collect()
    }

    fn values(self, key: &str) -> impl Iterator<Item = &'j Value> {
        let values = match self.item.get(key) {
            Some(Value::Array(values)) => &values[..],
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        values.iter().take(METADATA_ITEMS_MAX)
    }

    /// Whether a value, or the item that it refers to, is an organization.
    fn is_organization(self, value: &Value) -> bool {
        let is_one = |item: &Map<String, Value>| types(item).any(|name| name.ends_with("Organization"));
        let referred = || value.get("@id")?.as_str().and_then(|id| self.item_of(id));
        value.as_object().is_some_and(is_one) || referred().is_some_and(is_one)
    }

    fn text_of(self, value: &'j Value) -> Option<&'j str> {
        match value {
            Value::String(text) => Some(self.referred(text).unwrap_or(text)),
            Value::Object(item) => {
                let own = ["name", "@value", "url"].into_iter().find_map(|key| text_in(item, key));
                own.or_else(|| self.referred(item.get("@id")?.as_str()?))
            }
            Value::Array(values) => values.first().and_then(|first| first.as_str()),
            _ => None,
        }
    }

    /// The name of the item with this `@id`.
    fn referred(self, id: &str) -> Option<&'j str> {
        text_in(self.item_of(id)?, "name")
    }

    fn item_of(self, id: &str) -> Option<&'j Map<String, Value>> {
        self.all.items.get(*self.all.by_id.get(id)?)
    }
}

fn text_in<'j>(item: &'j Map<String, Value>, key: &str) -> Option<&'j str> {
    match item.get(key)? {
        Value::String(text) => Some(text),
        Value::Array(values) => values.first()?.as_str(),
        _ => None,
    }
}

/// The types of an item, without the vocabulary's address.
fn types(item: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let values = match item.get("@type") {
        Some(Value::Array(values)) => &values[..],
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    values.iter().filter_map(Value::as_str).map(|name| name.rsplit(['/', '#', ':']).next().unwrap_or(name))
}

/// Parses JSON as found in pages: in comments, with line breaks in strings, with a trailing semicolon.
fn parse(script: &str) -> Option<Value> {
    let first = script.find(['{', '['])?;
    let last = script.rfind(['}', ']'])?;
    let json = script.get(first..=last)?;
    if let Ok(value) = serde_json::from_str(json) {
        return Some(value);
    }
    if json.starts_with("{&quot;") || json.starts_with("[{&quot;") {
        return serde_json::from_str(&json.replace("&quot;", "\"").replace("&amp;", "&")).ok();
    }
    let plain: String = json.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    serde_json::from_str(&plain).or_else(|_| serde_json::from_str(&without_last_commas(&plain))).ok()
}

/// Removes commas before a closing bracket.
fn without_last_commas(json: &str) -> String {
    let mut kept = String::with_capacity(json.len());
    for (at, c) in json.char_indices() {
        let closes = || json[at + 1..].trim_start().starts_with(['}', ']']);
        if c != ',' || !closes() {
            kept.push(c);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> JsonLd {
        JsonLd::read([script].into_iter())
    }

    #[test]
    fn works_are_found_in_graphs_and_authors_by_reference() {
        let found = read(
            r##"{"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "Teas"},
            {"@type": ["WebPage"], "datePublished": "2020-01-01"},
            {"@type": "http://schema.org/BlogPosting", "headline": "Hot tea", "author": [{"@id": "#ann"}, {"name": "Bo"}]},
            {"@type": "Person", "@id": "#ann", "name": "Ann"}]}"##,
        );
        let work = found.work().unwrap();
        assert_eq!((work.type_name(), work.text("headline")), (Some("BlogPosting"), Some("Hot tea")));
        assert_eq!(work.texts("author"), ["Ann", "Bo"]);
        assert_eq!(found.page().unwrap().text("datePublished"), Some("2020-01-01"));
    }

    #[test]
    fn broken_json_is_read_where_its_meaning_is_clear() {
        let found = read("<!-- {\"@type\": \"Article\",\n \"headline\": \"Hot\ntea\",}; -->");
        assert_eq!(found.work().unwrap().text("headline"), Some("Hot tea"));
        assert!(read("{\"@type\": ").work().is_none());
        assert!(read("null").work().is_none());
    }

    #[test]
    fn scripts_past_the_limit_are_not_read() {
        let article = r#"{"@type": "Article"}"#;
        for (more, is_read) in [(0, true), (1, false)] {
            let filler = " ".repeat(JSON_LD_BYTES_MAX - article.len() + more);
            let found = JsonLd::read([filler.as_str(), article].into_iter());
            assert_eq!(found.work().is_some(), is_read);
        }
    }

    #[test]
    fn items_past_the_limit_are_not_read() {
        for (others, is_read) in [(METADATA_ITEMS_MAX - 1, true), (METADATA_ITEMS_MAX, false)] {
            let script = format!("[{}{{\"@type\": \"Article\"}}]", "{},".repeat(others));
            assert_eq!(read(&script).work().is_some(), is_read);
        }
    }
}
