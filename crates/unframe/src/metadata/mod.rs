//! The metadata of a page: title, author, dates, description, language, licence and so on.
//!
//! Sources, best first: JSON-LD, `<meta>` (Open Graph, Dublin Core and others), microdata, elements that are named after what they hold,
//! bylines and dates near the heading, dates in the address. Nothing is guessed: fields that the page does not state are `None`.

mod collect;
mod dateline;
mod dates;
mod han;
mod json_ld;
mod kind;
mod license;
mod line;
mod names;
mod position;
#[cfg(test)]
mod tests;
mod title;
mod visible;

use url::Url;

use crate::parsed::ParsedPage;
use crate::regions::Region;
use collect::{Found, one_line};
use dates::Order;
use json_ld::{Item, JsonLd};
pub use kind::DeclaredKind;
use visible::Visible;

/// The metadata that a page states about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Metadata {
    /// The title of the content, without the name of the site.
    pub title: Option<String>,
    /// The author; several authors are separated by `; `.
    pub author: Option<String>,
    /// The publication date: `YYYY-MM-DD`, or RFC 3339 if the page states time and zone.
    pub published: Option<String>,
    /// The date of the last change, in the same form.
    pub modified: Option<String>,
    /// A short description.
    pub description: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The declared language, such as `en-US`.
    pub language: Option<String>,
    /// The canonical address that the page declares, absolute.
    pub canonical: Option<String>,
    /// The type of the page in the terms of Open Graph or schema.org, such as `article` or `Product`.
    pub page_type: Option<String>,
    /// The licence: an address, or the page's statement of its rights.
    pub license: Option<String>,
    /// The kind of page that the page declares, which may differ from what it looks like.
    pub declared_kind: Option<DeclaredKind>,
}

impl Metadata {
    /// Reads the metadata of a page that was fetched from `url`. The part of the title that other pages of the site share is taken for the
    /// name of the site; it is one of the regions if the page was compared with others.
    ///
    /// ```
    /// use unframe::metadata::Metadata;
    /// use unframe::{PageBytes, PageParser};
    ///
    /// let payload = b"<html lang=en><title>Hot tea | Teas</title><meta name=author content='Ann Lee'>\
    ///     <h1>Hot tea</h1><time datetime=2024-05-03>May 3</time>";
    /// let mut parser = PageParser::new();
    /// let found = Metadata::of(&parser.open(PageBytes::utf8(payload)), "https://example.com/tea", &[]);
    /// assert_eq!(found.title.as_deref(), Some("Hot tea"));
    /// assert_eq!(found.author.as_deref(), Some("Ann Lee"));
    /// assert_eq!(found.published.as_deref(), Some("2024-05-03"));
    /// assert_eq!(found.modified, None);
    /// ```
    pub fn of(page: &ParsedPage<'_>, url: &str, regions: &[Region]) -> Metadata {
        let found = Found::of(page.document());
        let in_titles = title::in_common(&found, regions);
        let json = JsonLd::read(found.scripts.iter().map(|script| script.text()));
        let address = Url::parse(url).ok();
        let reader = Reader {
            found: &found,
            json: &json,
            address: address.as_ref(),
            regions,
            in_titles: &in_titles,
            order: Order::Unknown,
        };
        let order = reader.find_order();
        Reader { order, ..reader }.metadata()
    }
}

/// The sources of metadata of a page.
struct Reader<'f, 'd> {
    found: &'f Found<'d>,
    json: &'f JsonLd,
    address: Option<&'f Url>,
    /// The regions of the page: content that other pages of the site share.
    regions: &'f [Region],
    /// The parts of the title that other pages of the site share.
    in_titles: &'f [String],
    /// The order of day and month.
    order: Order,
}

impl Reader<'_, '_> {
    fn metadata(&self) -> Metadata {
        let language = self.language();
        let visible = Visible::new(self.found, self.order, self.regions);
        Metadata {
            title: title::of(self.found, self.json, &self.site_names(), self.is_home()),
            author: self.author(&visible),
            published: self.published(&visible),
            modified: self.modified(&visible),
            description: self.description(),
            site_name: self.site_name(),
            canonical: self.canonical(),
            page_type: self.page_type(),
            license: license::of(self.found, self.json, |address| self.absolute(address)),
            declared_kind: kind::declared(self.found, self.json, self.address),
            language,
        }
    }

    /// The order of day and month: that of the declared country, else of the host, else of the other dates on the page.
    fn find_order(&self) -> Order {
        let host = self.address.and_then(Url::host_str).unwrap_or_default();
        let locale = || self.found.meta(&["og:locale", "content-language"]);
        Order::of_language(self.language().as_deref())
            .or_else(|| Order::of_host(host))
            .or_else(|| self.found.order.unwrap_or(Order::Unknown))
            .or_else(|| Order::of_language(locale()))
    }

    /// The author: preferably a person, then an account, then the site itself.
    fn author(&self, visible: &Visible<'_, '_>) -> Option<String> {
        if self.is_product() {
            return None;
        }
        let json = || self.json_author(false);
        let near = || visible.byline().or_else(|| visible.by_line());
        let shown = || if self.is_home() { None } else { near().or_else(|| visible.labelled_author()) };
        let sources: [&dyn Fn() -> Option<String>; 4] =
            [&json, &|| self.author_meta(), &|| visible.author_item(), &shown];
        let sites: Vec<String> = self.site_names().iter().map(|name| title::plain(name)).collect();
        let (mut account, mut site) = (None, None);
        for name in sources.iter().filter_map(|source| source()) {
            if sites.contains(&title::plain(&name)) {
                site = site.or(Some(name));
            } else if names::is_account(&name) {
                account = account.or(Some(name));
            } else {
                return Some(name);
            }
        }
        account.or_else(|| self.json_author(true)).or(site)
    }

    /// The author in JSON-LD: organizations or persons. Many sites declare themselves as the author, but show the person who wrote the page.
    fn json_author(&self, is_organization: bool) -> Option<String> {
        let page = self.json.page().filter(|_| self.is_article());
        let mut items = [self.work(), page].into_iter().flatten();
        items.find_map(|item| {
            let authors = item.texts_of_kind("author", is_organization);
            names::joined(authors.into_iter().filter_map(names::declared))
        })
    }

    /// The work that the page is about. On a home page, the listed works are other pages.
    fn work(&self) -> Option<Item<'_>> {
        self.json.work().filter(|_| !self.is_home())
    }

    fn author_meta(&self) -> Option<String> {
        const NAMES: [&str; 10] = [
            "author",
            "article:author",
            "dc.creator",
            "dcterms.creator",
            "parsely-author",
            "sailthru.author",
            "byl",
            "og:author",
            "article:author_name",
            "twitter:creator:name",
        ];
        let cited = names::joined(self.found.metas("citation_author").map(names::cited));
        let named = || {
            NAMES.iter().find_map(|name| names::joined(self.found.metas(name).filter_map(names::declared)))
        };
        cited.or_else(named).or_else(|| self.labelled("written by").and_then(names::declared))
    }

    /// Whether the page declares that it sells a product. The people and dates that it states then concern the product.
    fn is_product(&self) -> bool {
        // Reviews are parts of product pages.
        let is_product = |item: Item<'_>| item.is("Product") || item.is("ProductGroup");
        let is_review = |item: Item<'_>| item.is("Review") || item.is("VideoObject");
        let is_reviewed = || self.json.of_type(|name| name == "Product" || name == "ProductGroup").is_some();
        let is_work =
            self.json.work().is_some_and(|item| is_product(item) || (is_review(item) && is_reviewed()));
        let is_item = || self.found.item_type.as_deref().is_some_and(|name| name.ends_with("/Product"));
        is_work || is_item() || self.found.meta(&["og:type"]).is_some_and(|name| name.contains("product"))
    }

    /// Whether the page is the home page of a site, whose authors and dates are those of other pages.
    fn is_home(&self) -> bool {
        self.address.is_some_and(|address| address.path() == "/" && address.query().is_none())
    }

    /// Whether the page declares that it is an article.
    fn is_article(&self) -> bool {
        self.found.meta(&["og:type"]).is_some_and(|name| name.eq_ignore_ascii_case("article"))
    }

    /// The value that Twitter's tags have under a label.
    fn labelled(&self, label: &str) -> Option<&str> {
        let is_label =
            |name: &str| self.found.meta(&[name]).is_some_and(|found| found.eq_ignore_ascii_case(label));
        let pairs = [("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")];
        pairs.iter().find(|(name, _)| is_label(name)).and_then(|(_, data)| self.found.meta(&[data]))
    }

    fn published(&self, visible: &Visible<'_, '_>) -> Option<String> {
        const NAMES: [&str; 22] = [
            "article:published_time",
            "og:published_time",
            "datepublished",
            "citation_publication_date",
            "citation_online_date",
            "dc.date.issued",
            "dcterms.issued",
            "dcterms.created",
            "dc.date.created",
            "dc.date",
            "dcterms.date",
            "parsely-pub-date",
            "sailthru.date",
            "pubdate",
            "publishdate",
            "publish-date",
            "publish_date",
            "publication_date",
            "published_time",
            "article.published",
            "date",
            "cxenseparse:recs:publishtime",
        ];
        if self.is_product() {
            return None;
        }
        // Sites date every page in its JSON-LD item, even pages that show readers no date.
        let json = self
            .work()
            .and_then(|item| self.item_date(item, &["datePublished", "uploadDate", "dateCreated"]));
        let found = json
            .or_else(|| self.meta_date(&NAMES))
            .or_else(|| self.meta_named("publish"))
            .or_else(|| visible.published_item())
            .or_else(|| visible.marked_date().filter(|_| !self.is_home()));
        let in_path = self.address.and_then(|address| dates::in_path(address.path()));
        match (found, in_path) {
            (Some(found), Some(in_path)) => Some(dates::local(found, in_path)),
            (found, in_path) => {
                let shown = || visible.date_near_heading().or_else(|| visible.labelled_date());
                found.or(in_path).or_else(|| shown().filter(|_| !self.is_home()))
            }
        }
    }

    /// The date in a `meta` whose name contains `part`; such names are specific to sites.
    fn meta_named(&self, part: &str) -> Option<String> {
        let named = self
            .found
            .metas
            .iter()
            .filter(|(name, _)| name.contains(part) && (name.contains("date") || name.contains("time")));
        named.filter_map(|(_, value)| dates::find(value, self.order)).next()
    }

    fn modified(&self, visible: &Visible<'_, '_>) -> Option<String> {
        const NAMES: [&str; 8] = [
            "article:modified_time",
            "og:updated_time",
            "datemodified",
            "dcterms.modified",
            "dc.date.modified",
            "last-modified",
            "lastmod",
            "article.updated",
        ];
        let items = [self.json.work(), self.json.page()].into_iter().flatten();
        let json = items.filter_map(|item| self.item_date(item, &["dateModified"])).next();
        json.or_else(|| self.meta_date(&NAMES))
            .or_else(|| visible.modified_item())
            .or_else(|| visible.marked_change())
    }

    fn meta_date(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.found.metas(name).find_map(|value| dates::find(value, self.order)))
    }

    fn item_date(&self, item: Item<'_>, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| dates::find(item.text(key)?, self.order))
    }

    fn description(&self) -> Option<String> {
        let meta = self.found.meta(&[
            "description",
            "og:description",
            "twitter:description",
            "dc.description",
            "dcterms.description",
        ]);
        let json = || self.json.work()?.text("description").map(one_line);
        meta.map(str::to_owned).or_else(json).filter(|text| !text.is_empty())
    }

    fn site_name(&self) -> Option<String> {
        let meta = self.found.meta(&["og:site_name", "application-name"]).map(str::to_owned);
        let site = || self.json.of_type(|name| name == "WebSite")?.text("name").map(one_line);
        let publisher = || self.json.work()?.text("publisher").map(one_line);
        let declared = meta.or_else(site).or_else(publisher);
        declared.filter(|name| !name.is_empty() && !name.contains("://")).or_else(|| self.name_in_titles())
    }

    /// The part that all titles share, if it is a single name, or has a part that the host is named after.
    fn name_in_titles(&self) -> Option<String> {
        let is_of_host = |name: &&str| {
            let (name, label) = (title::plain(name), title::plain(&self.domain_label()));
            !label.is_empty() && (name.contains(&label) || name.len() > 2 && label.contains(&name))
        };
        let mut all: Vec<&str> = self.in_titles.iter().flat_map(|text| title::cut(text)).collect();
        match all.len() {
            1 => all.pop(),
            _ => all.into_iter().find(is_of_host),
        }
        .map(str::to_owned)
    }

    /// The label before the public suffix of the host: `example` in `www.example.org`.
    fn domain_label(&self) -> String {
        let host = self.address.and_then(Url::host_str).unwrap_or_default();
        let domain = unframe_suffix::domain(host).unwrap_or(host);
        domain.split('.').next().unwrap_or(domain).to_owned()
    }

    /// The names that titles may use for the site: its name, its host, and its host without the public suffix.
    fn site_names(&self) -> Vec<String> {
        let host = self.address.and_then(Url::host_str).unwrap_or_default();
        let host = host.strip_prefix("www.").unwrap_or(host);
        let domain = unframe_suffix::domain(host).unwrap_or(host);
        let label = self.domain_label();
        let publisher = self.json.work().and_then(|work| work.text("publisher"));
        let others = [host, domain, &label].into_iter().chain(publisher).filter(|name| !name.is_empty());
        let names = self.site_name().into_iter().chain(others.map(str::to_owned));
        names.chain(self.in_titles.iter().cloned()).collect()
    }

    fn language(&self) -> Option<String> {
        let declared = self.found.language.as_deref();
        let declared = declared
            .or_else(|| self.found.meta(&["content-language", "og:locale", "dc.language", "language"]));
        let declared = declared.or_else(|| self.json.work()?.text("inLanguage"))?;
        let tag = declared.split([',', ';']).next()?.trim().replace('_', "-");
        let is_tag = (2..=35).contains(&tag.len())
            && tag.split('-').all(|part| {
                (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
            });
        is_tag.then_some(tag)
    }

    fn canonical(&self) -> Option<String> {
        let links = self.found.link("canonical").into_iter().chain(self.found.meta(&["og:url"]));
        links.filter_map(|address| self.absolute(address)).next()
    }

    fn page_type(&self) -> Option<String> {
        let work = self.json.work().and_then(Item::type_name).map(str::to_owned);
        let open_graph = || self.found.meta(&["og:type"]).map(one_line);
        let page = || self.json.page().and_then(Item::type_name).map(str::to_owned);
        let microdata = || {
            let name = self.found.item_type.as_deref()?;
            Some(name.trim_end_matches('/').rsplit(['/', '#']).next().unwrap_or(name).to_owned())
        };
        work.or_else(open_graph).or_else(page).or_else(microdata).filter(|name| !name.is_empty())
    }

    /// Resolves an address of the page; `None` if the result is not an address on the web.
    fn absolute(&self, address: &str) -> Option<String> {
        let base = self.found.base.as_deref().and_then(|base| match self.address {
            Some(address) => address.join(base).ok(),
            None => Url::parse(base).ok(),
        });
        let found = match base.as_ref().or(self.address) {
            Some(base) => base.join(address).ok(),
            None => Url::parse(address).ok(),
        };
        found.filter(|url| matches!(url.scheme(), "http" | "https")).map(String::from)
    }
}
