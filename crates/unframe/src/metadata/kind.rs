//! The kind of page that a page declares: in JSON-LD, in microdata, in Open Graph, and by the program that made it.

use url::Url;

use super::collect::Found;
use super::json_ld::JsonLd;
use crate::detect::places::PageKind;

/// A kind that a page declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredKind {
    /// The kind.
    pub kind: PageKind,
    /// Whether pages that declare this are nearly always of this kind. Services and shops' lists
    /// declare products as well.
    pub is_certain: bool,
}

/// The types of schema.org that name a kind: (type, kind, whether it is certain).
const TYPES: [(&str, PageKind, bool); 17] = [
    ("DiscussionForumPosting", PageKind::Forum, true),
    ("QAPage", PageKind::Forum, true),
    ("NewsArticle", PageKind::Article, true),
    ("BlogPosting", PageKind::Article, true),
    ("ReportageNewsArticle", PageKind::Article, true),
    ("OpinionNewsArticle", PageKind::Article, true),
    ("AnalysisNewsArticle", PageKind::Article, true),
    ("LiveBlogPosting", PageKind::Article, true),
    ("TechArticle", PageKind::Documentation, false),
    ("APIReference", PageKind::Documentation, true),
    ("Article", PageKind::Article, false),
    ("Product", PageKind::Product, false),
    ("ProductGroup", PageKind::Product, false),
    ("CollectionPage", PageKind::Listing, true),
    ("SearchResultsPage", PageKind::Listing, true),
    ("ItemList", PageKind::Listing, false),
    ("OfferCatalog", PageKind::Listing, false),
];

/// The programs that make pages of one kind, by the first letters of their names.
const GENERATORS: [(&str, PageKind); 17] = [
    ("phpbb", PageKind::Forum),
    ("vbulletin", PageKind::Forum),
    ("discourse", PageKind::Forum),
    ("mybb", PageKind::Forum),
    ("xenforo", PageKind::Forum),
    ("fluxbb", PageKind::Forum),
    ("sphinx", PageKind::Documentation),
    ("docutils", PageKind::Documentation),
    ("doxygen", PageKind::Documentation),
    ("mkdocs", PageKind::Documentation),
    ("docusaurus", PageKind::Documentation),
    ("javadoc", PageKind::Documentation),
    ("rustdoc", PageKind::Documentation),
    ("gitbook", PageKind::Documentation),
    ("asciidoctor", PageKind::Documentation),
    ("docbook", PageKind::Documentation),
    ("vitepress", PageKind::Documentation),
];

/// The names that programs give to the bodies of their pages.
const BODIES: [(&str, PageKind); 6] = [
    ("phpbb", PageKind::Forum),
    ("single-product", PageKind::Product),
    ("single-post", PageKind::Article),
    ("archive", PageKind::Listing),
    ("category", PageKind::Listing),
    ("search-results", PageKind::Listing),
];

/// The names among these that are of lists, and that other programs use as well.
const LISTS: [&str; 3] = ["archive", "category", "search-results"];

/// The kind that a page declares; what is certain first.
pub(super) fn declared(found: &Found<'_>, json: &JsonLd, address: Option<&Url>) -> Option<DeclaredKind> {
    let all = || {
        let declared = of_types(found, json).into_iter().chain(of_generator(found)).chain(of_body(found));
        declared.chain(of_wordpress(found, address)).chain(of_open_graph(found))
    };
    all().find(|declared| declared.is_certain).or_else(|| all().next())
}

fn of_types(found: &Found<'_>, json: &JsonLd) -> Option<DeclaredKind> {
    let named = |name: &str| {
        let known = TYPES.iter().find(|(known, ..)| *known == name);
        known.map(|(_, kind, is_certain)| DeclaredKind { kind: *kind, is_certain: *is_certain })
    };
    let microdata =
        || found.item_type.as_deref().map(|name| name.trim_end_matches('/').rsplit(['/', '#']).next());
    let items = [json.work(), json.page()].into_iter().flatten();
    let declared = items.filter_map(|item| named(item.type_name()?)).next();
    declared
        .or_else(|| named(microdata()??))
        .or_else(|| json.of_type(|name| name == "ItemList").and(named("ItemList")))
}

fn of_generator(found: &Found<'_>) -> Option<DeclaredKind> {
    let names: Vec<String> = found.metas("generator").map(str::to_lowercase).collect();
    let known = GENERATORS.iter().find(|(known, _)| names.iter().any(|name| name.starts_with(known)));
    known.map(|(_, kind)| DeclaredKind { kind: *kind, is_certain: true })
}

/// WordPress and phpBB say in the body's classes what the page is.
fn of_body(found: &Found<'_>) -> Option<DeclaredKind> {
    let words = || found.body.split(' ');
    let known = BODIES.iter().find(|(known, _)| words().any(|word| word == *known));
    known.map(|(known, kind)| DeclaredKind { kind: *kind, is_certain: !LISTS.contains(known) })
}

/// WordPress puts articles into folders of their months, and lists into folders with fixed names.
fn of_wordpress(found: &Found<'_>, address: Option<&Url>) -> Option<DeclaredKind> {
    const LISTS: [&str; 4] = ["tag", "category", "author", "page"];
    let is_wordpress = found.metas("generator").any(|name| name.starts_with("WordPress"))
        || found.links.iter().any(|(rel, address)| rel == "edituri" || address.contains("wp-content/"));
    let folders = address?.path().split('/').filter(|part| !part.is_empty() && !part.starts_with("index."));
    let folders: Vec<&str> = folders.filter(|_| is_wordpress).collect();
    let is_number = |part: &&str, len| part.len() == len && part.bytes().all(|byte| byte.is_ascii_digit());
    let month = folders.windows(2).position(|two| is_number(&two[0], 4) && is_number(&two[1], 2));
    let is_list = folders.iter().rev().skip(1).any(|folder| LISTS.contains(folder));
    let kind = match month.map(|at| &folders[at + 2..]) {
        _ if is_list => PageKind::Listing,
        Some(rest) if rest.iter().any(|part| !is_number(part, 2)) => PageKind::Article,
        Some(_) => PageKind::Listing,
        None => return None,
    };
    Some(DeclaredKind { kind, is_certain: true })
}

/// `og:type=article` is no evidence: many sites declare it on all of their pages.
fn of_open_graph(found: &Found<'_>) -> Option<DeclaredKind> {
    let name = found.meta(&["og:type"])?.to_ascii_lowercase();
    let (kind, is_certain) = match name.as_str() {
        "product.group" => (PageKind::Listing, true),
        "product" | "og:product" | "product.item" => (PageKind::Product, true),
        _ => return None,
    };
    Some(DeclaredKind { kind, is_certain })
}
