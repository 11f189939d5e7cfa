//! Selectors in the formats of other programs: content blockers, change monitors, crawlers.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use unframe::select::Selector;
use unframe_picture::figures::plural;

/// The rules of all sites.
pub(super) struct Rules {
    pub(super) sites: Vec<SiteRules>,
    /// The method that found the templates.
    pub(super) method: &'static str,
    /// Whether the rules apply to all sites.
    pub(super) is_for_all: bool,
}

/// The rules of a site.
pub(super) struct SiteRules {
    name: String,
    /// The address of one of its pages.
    url: String,
    /// Distinct CSS selectors, sorted.
    css: Vec<String>,
    /// The same selectors as XPath expressions.
    xpath: Vec<String>,
}

impl SiteRules {
    pub(super) fn new(name: &str, url: &str, selectors: &[Selector]) -> SiteRules {
        let both: BTreeSet<(String, String)> =
            selectors.iter().map(|selector| (selector.css(), selector.xpath())).collect();
        let (css, xpath) = both.into_iter().unzip();
        SiteRules { name: name.to_owned(), url: url.to_owned(), css, xpath }
    }
}

impl Rules {
    /// Sites with at least one rule.
    fn with_rules(&self) -> impl Iterator<Item = &SiteRules> {
        self.sites.iter().filter(|site| !site.css.is_empty())
    }

    /// Cosmetic filters as uBlock Origin and AdGuard read them, one line for each site and selector.
    pub(super) fn cosmetic_filters(&self) -> String {
        let sites = plural(self.sites.len() as u64, "site");
        let mut lines = vec![
            format!("! Templates of {sites}, found by unframe with `{}`", self.method),
            "! SITE##SELECTOR: hide what SELECTOR selects on the pages of SITE".to_owned(),
        ];
        for site in self.with_rules() {
            let host = if self.is_for_all { "" } else { &site.name };
            lines.extend(site.css.iter().map(|selector| cosmetic_filter(host, selector)));
        }
        lines.join("\n") + "\n"
    }

    /// Watches of changedetection.io, one per line, in the format of its API (`POST /api/v1/watch`).
    pub(super) fn changedetection(&self) -> serde_json::Result<String> {
        let mut lines = String::new();
        for site in self.with_rules() {
            let watch = json!({ "url": site.url, "title": site.name, "subtractive_selectors": site.css });
            lines += &(serde_json::to_string(&watch)? + "\n");
        }
        Ok(lines)
    }

    /// Jobs of urlwatch in YAML, in which every JSON string is a valid string. The filter `html2text` of urlwatch is not used, because it
    /// shows scripts and styles as text.
    pub(super) fn urlwatch(&self) -> serde_json::Result<String> {
        let mut jobs = Vec::new();
        for site in self.with_rules() {
            let exclude = format!("script, style, {}", site.css.join(", "));
            let [name, url, exclude] = [&site.name, &site.url, &exclude].map(serde_json::to_string);
            jobs.push(format!(
                "name: {}\nurl: {}\nfilter:\n  - css:\n      selector: \"body\"\n      exclude: {}\n  - html2text\n",
                name?, url?, exclude?
            ));
        }
        Ok(jobs.join("---\n"))
    }

    /// A JSON object with the selectors of each site in both languages, for spiders of Scrapy and others.
    pub(super) fn scrapy(&self) -> Value {
        let site = |site: &SiteRules| (site.name.clone(), json!({ "css": site.css, "xpath": site.xpath }));
        Value::Object(self.with_rules().map(site).collect::<Map<_, _>>())
    }

    /// Parts of the configuration of a DocSearch crawler, one for each site.
    pub(super) fn docsearch(&self) -> Value {
        let config = |site: &SiteRules| json!({ "index_name": site.name, "start_urls": [site.url], "selectors_exclude": site.css });
        self.with_rules().map(config).collect()
    }
}

/// A cosmetic filter. Filters match hosts without ports. A folder becomes AdGuard's `$path` modifier.
fn cosmetic_filter(site: &str, selector: &str) -> String {
    let (host, folder) = site.split_once('/').map_or((site, None), |(host, folder)| (host, Some(folder)));
    let host =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(host, _)| host);
    match folder {
        Some(folder) => format!("[$path=/{folder}]{host}##{selector}"),
        None => format!("{host}##{selector}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosmetic_filters_name_hosts() {
        assert_eq!(cosmetic_filter("a.example", "#menu"), "a.example###menu");
        assert_eq!(cosmetic_filter("a.example:8080", ".x"), "a.example##.x");
        assert_eq!(cosmetic_filter("a.example/blog", ".x"), "[$path=/blog]a.example##.x");
        assert_eq!(cosmetic_filter("", ".x"), "##.x");
    }

    fn rules() -> Rules {
        let site = |name: &str, css: &[&str]| SiteRules {
            name: name.to_owned(),
            url: "http://a.example/1?a=\"b\"".to_owned(),
            css: css.iter().map(|one| (*one).to_owned()).collect(),
            xpath: css.iter().map(|one| format!("//x[@id='{one}']")).collect(),
        };
        let sites = vec![site("a.example", &["#menu", "footer.small"]), site("empty.example", &[])];
        Rules { sites, method: "places", is_for_all: false }
    }

    #[test]
    fn every_dialect_has_the_selectors_and_no_site_without() {
        let all = rules();
        assert_eq!(
            all.cosmetic_filters().lines().skip(2).collect::<Vec<_>>(),
            ["a.example###menu", "a.example##footer.small"]
        );
        assert_eq!(
            all.changedetection().unwrap(),
            "{\"subtractive_selectors\":[\"#menu\",\"footer.small\"],\"title\":\"a.example\",\"url\":\"http://a.example/1?a=\\\"b\\\"\"}\n"
        );
        assert_eq!(
            all.urlwatch().unwrap(),
            "name: \"a.example\"\nurl: \"http://a.example/1?a=\\\"b\\\"\"\nfilter:\n  - css:\n      selector: \"body\"\n      \
             exclude: \"script, style, #menu, footer.small\"\n  - html2text\n"
        );
        assert_eq!(all.scrapy()["a.example"]["css"], json!(["#menu", "footer.small"]));
        assert_eq!(all.scrapy()["a.example"]["xpath"][0], "//x[@id='#menu']");
        assert_eq!(all.docsearch()[0]["selectors_exclude"], json!(["#menu", "footer.small"]));
        assert_eq!(all.docsearch().as_array().map(Vec::len), Some(1));
    }
}
