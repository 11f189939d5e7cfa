//! Tests small pages against the values that they declare and display.

use proptest::prelude::*;

use super::*;
use crate::detect::places::PageKind;
use crate::html::Span;
use crate::limits::METADATA_TEXT_MAX;
use crate::parsed::{PageBytes, PageParser};
use crate::regions::{RegionKind, Sort, TemplateHash};

fn read_at(page: &str, url: &str) -> Metadata {
    Metadata::of(&PageParser::new().open(PageBytes::utf8(page.as_bytes())), url, &[])
}

fn read(page: &str) -> Metadata {
    read_at(page, "https://www.teas.example/hot/tea.html")
}

fn text(value: &Option<String>) -> Option<&str> {
    value.as_deref()
}

#[test]
fn everything_that_a_page_declares() {
    let found = read(
        "<html lang=en_GB><head><title>Hot tea - Teas</title><link rel=canonical href=../tea>\
         <meta property=og:site_name content='Teas'><meta property=og:type content=article>\
         <meta name=description content=' All about\n tea. '><meta name=author content='By Ann Lee'>\
         <meta property=article:published_time content='2024-05-03T10:00:00+02:00'>\
         <meta property=article:modified_time content='2024-06-01'><link rel=license href=/license>",
    );
    let expected = Metadata {
        title: Some("Hot tea".to_owned()),
        author: Some("Ann Lee".to_owned()),
        published: Some("2024-05-03T10:00:00+02:00".to_owned()),
        modified: Some("2024-06-01".to_owned()),
        description: Some("All about tea.".to_owned()),
        site_name: Some("Teas".to_owned()),
        language: Some("en-GB".to_owned()),
        canonical: Some("https://www.teas.example/tea".to_owned()),
        page_type: Some("article".to_owned()),
        license: Some("https://www.teas.example/license".to_owned()),
        declared_kind: None,
    };
    assert_eq!(found, expected);
}

#[test]
fn a_page_that_says_nothing_has_no_metadata() {
    assert_eq!(read("<p>Tea is hot.<p>By all means, drink it. In 2024 it was hot."), Metadata::default());
    assert_eq!(read_at("", "no address"), Metadata::default());
}

#[test]
fn json_ld_comes_first() {
    let found = read(
        "<script type='application/ld+json'>{\"@type\": \"NewsArticle\", \"headline\": \"Hot tea\", \"author\": [{\"name\": \"Ann Lee\"}, \
         {\"name\": \"Bo Dee\"}], \"datePublished\": \"2024-05-03\", \"dateModified\": \"2024-05-04\", \"publisher\": {\"name\": \"Teas\"}, \
         \"license\": \"https://creativecommons.org/licenses/by/4.0/\"}</script><meta name=author content=Other><h1>Hot tea</h1>",
    );
    assert_eq!((text(&found.author), text(&found.published)), (Some("Ann Lee; Bo Dee"), Some("2024-05-03")));
    assert_eq!((text(&found.modified), text(&found.page_type)), (Some("2024-05-04"), Some("NewsArticle")));
    assert_eq!((text(&found.title), text(&found.site_name)), (Some("Hot tea"), Some("Teas")));
    assert_eq!(text(&found.license), Some("https://creativecommons.org/licenses/by/4.0/"));
}

#[track_caller]
fn author(page: &str, expected: Option<&str>) {
    assert_eq!(text(&read(page).author), expected, "{page}");
}

#[test]
fn authors_and_dates_that_are_shown() {
    author("<h1>Hot tea</h1><p class=byline>By <a href=/a>Ann Lee</a>, tea editor</p>", Some("Ann Lee"));
    author("<h1>Hot tea</h1><p>Written by</p><p>Ann Lee</p>", Some("Ann Lee"));
    author("<h1>Hot tea</h1><a href=/author/ann>Ann Lee</a> May 3, 2024", Some("Ann Lee"));
    author("<div itemprop=author itemscope><span itemprop=name>Ann Lee</span></div>", Some("Ann Lee"));
    author("<h1>Hot tea</h1><div class=comments><span class=author>Ann Lee</span></div>", None);
    author(
        "<h1>Teas</h1><article><h2><a href=/x>Hot tea</a></h2><span class=author>Ann Lee</span></article>",
        None,
    );
    let date =
        |page: &str, expected: Option<&str>| assert_eq!(text(&read(page).published), expected, "{page}");
    date("<h1>Hot tea</h1><time datetime=2024-05-03>last week</time>", Some("2024-05-03"));
    date("<h1>Hot tea</h1><p class=post-date>May 3, 2024</p>", Some("2024-05-03"));
    date("<h1>Hot tea</h1><p>Posted on 3 May 2024 by Ann</p>", Some("2024-05-03"));
    date("<h1>Hot tea</h1><p class=date>Updated May 3, 2024</p>", None);
    date("<h1>Hot tea</h1><p>Last updated on <time datetime=2024-05-03>May 3</time></p>", None);
    date("<h1>Hot tea</h1><time itemprop=dateModified datetime=2024-05-03>May 3</time>", None);
    assert_eq!(
        text(&read("<h1>Hot tea</h1><p class=date>Updated May 3, 2024</p>").modified),
        Some("2024-05-03")
    );
}

#[test]
fn the_header_of_a_page_is_not_what_it_is() {
    let header = "<header itemscope itemtype=https://schema.org/WPHeader>Teas</header>";
    assert_eq!(read(header).page_type, None);
    let recipe = format!("{header}<main itemscope itemtype=https://schema.org/Recipe></main>");
    assert_eq!(text(&read(&recipe).page_type), Some("Recipe"));
}

#[test]
fn several_authors_on_one_line() {
    author("<h1>Hot tea</h1><a href=/author/x>Ann Lee and Bo Dee</a>", Some("Ann Lee; Bo Dee"));
    author(
        "<h1>Hot tea</h1><p>By John O'Neil and Maria de la Cruz</p>",
        Some("John O'Neil; Maria de la Cruz"),
    );
    author(
        "<h1>Hot tea</h1><p class=author>By Ann Lee, Bo Dee and Cy Fay</p>",
        Some("Ann Lee; Bo Dee; Cy Fay"),
    );
    author(
        "<h1>Hot tea</h1><p class=authors>Authors: Ann Lee and Bo Dee, editors of the tea page",
        Some("Ann Lee; Bo Dee"),
    );
}

#[test]
fn authors_in_other_languages() {
    author("<h1>Heißer Tee</h1><div>Stand: 03.04.2024 | Autor: Jürgen Müller</div>", Some("Jürgen Müller"));
    author("<h1>Чай</h1><div>3 марта 2024, 12:30. Автор: Иван Петров</div>", Some("Иван Петров"));
    author("<h1>热茶</h1><p>本报记者 李明 2024-03-03</p>", Some("李明"));
    author("<h1>热茶</h1><p>（记者 李明）发布时间：2024-03-03</p>", Some("李明"));
}

#[test]
fn words_of_interfaces_are_no_authors() {
    author(
        "<h1>Hot tea</h1><p class=author><a href=#p1>#1</a> <a href=#p1><span>Post</span></a> by <a class=username href=/u>Ann99</a> » 3 May 2024</p>",
        Some("Ann99"),
    );
    author("<h1>Hot tea <b id=AuthorArtistTitle_format>(Paperback)</b></h1>", None);
    author("<h1>Teas</h1><p>Sort <span>By Metascore</span></p>", None);
    author(
        "<h1>Pots</h1><p>Make one <a href=/x>pot</a> by passing <a href=/y>water</a> through it</p>",
        None,
    );
    author("<h1>Pots</h1><p>It makes <code>one</code> by default.</p>", None);
    author("<h1>Hot tea</h1><p>Posted by annlee</p>", Some("annlee"));
}

#[track_caller]
fn dates_of(page: &str, published: Option<&str>, modified: Option<&str>) {
    let found = read(page);
    assert_eq!((text(&found.published), text(&found.modified)), (published, modified), "{page}");
}

#[test]
fn dates_of_something_else_are_not_those_of_the_page() {
    let content = "<p>Tea is hot, and so is this text, which goes on for a while.</p>".repeat(5);
    let long = "Tea is hot. ".repeat(20);
    for rest in [
        "<p>It all began on 4 June 2018, when the old pot broke in the night.</p>".to_owned(),
        "<p>Related: <a href=/z>A story of 12 June 2018</a></p>".to_owned(),
        "<section><h3>Reader comments</h3><p><b>Bo Dee</b> · <span>June 3, 2023 at 8:12 am</span></p></section>".to_owned(),
        "<div id=kommentare><h3>2 Kommentare</h3><div>Bo D. <span>7. März 2024 um 11:30</span></div></div>".to_owned(),
        format!("<p>{long}<a href=/x>Milk</a> costs more, starting July 1, 2024"),
        format!("{}<h2>Events</h2><ul><li>Concert, 4 June 2025</li></ul>", content.repeat(10)),
    ] {
        dates_of(&format!("<h1>Hot tea</h1>{content}{rest}"), None, None);
    }
}

#[test]
fn changes_in_other_languages() {
    let (may, june) = (Some("2024-05-03"), Some("2024-06-04"));
    dates_of("<h1>Hot tea</h1><p>Published: May 3, 2024 · Last updated: June 4, 2024</p>", may, june);
    dates_of(
        "<h1>Tee</h1><p class=date>Veröffentlicht am 3.05.2024, aktualisiert am 4.06.2024</p>",
        may,
        june,
    );
    dates_of("<h1>Thé</h1><p>Mis à jour le <time datetime=2024-06-04>4 juin</time></p>", None, june);
    dates_of(
        "<h1>Hot tea</h1><p>Published <time datetime=2024-05-03></time>, updated <time datetime=2024-06-04></time></p>",
        may,
        june,
    );
    dates_of("<h1>热茶</h1><p>发布时间：2024-05-03 12:30:00 更新时间：2024-06-04</p>", may, june);
    dates_of("<h1>Tee</h1><div>Stand: 04.06.2024 | Autor: Jürgen Müller</div>", None, june);
}

#[test]
fn an_ambiguous_date_needs_evidence_of_its_order() {
    let date = |page: &str, url: &str| read_at(page, url).published;
    let page = |language: &str, more: &str| {
        format!("<html lang={language}><h1>Hot tea</h1><p class=date>05/06/2024</p><p>Tea is hot.</p>{more}")
    };
    let (com, uk) = ("https://tea.com/hot", "https://tea.co.uk/hot");
    assert_eq!(date(&page("en", ""), com), None);
    assert_eq!(text(&date(&page("en", ""), uk)), Some("2024-06-05"));
    assert_eq!(text(&date(&page("en-US", ""), uk)), Some("2024-05-06"));
    assert_eq!(text(&date(&page("de", ""), com)), Some("2024-06-05"));
    assert_eq!(text(&date(&page("en", "<p>25/06/2024</p>"), com)), Some("2024-06-05"));
}

#[test]
fn kinds_that_pages_declare() {
    let kind = |page: &str| read(page).declared_kind.map(|declared| declared.kind);
    let json = |name: &str| format!("<script type='application/ld+json'>{{\"@type\": \"{name}\"}}</script>");
    assert_eq!(kind(&json("Product")), Some(PageKind::Product));
    assert_eq!(kind(&json("NewsArticle")), Some(PageKind::Article));
    assert_eq!(kind(&json("DiscussionForumPosting")), Some(PageKind::Forum));
    assert_eq!(kind(&json("ItemList")), Some(PageKind::Listing));
    assert_eq!(
        kind("<div itemscope itemtype=https://schema.org/TechArticle></div>"),
        Some(PageKind::Documentation)
    );
    assert_eq!(kind("<meta name=generator content='Sphinx 7.1'><p>Tea.</p>"), Some(PageKind::Documentation));
    assert_eq!(kind("<body id=phpbb class=section-viewtopic><p>Tea.</p>"), Some(PageKind::Forum));
    assert_eq!(kind("<body class='single single-post'><p>Tea.</p>"), Some(PageKind::Article));
    assert_eq!(kind("<p>Tea.</p>"), None);
    let of_blog = |path: &str| {
        let page = "<link rel=EditURI href=/xmlrpc><p>Tea.</p>";
        read_at(page, &format!("https://tea.example/{path}")).declared_kind.map(|declared| declared.kind)
    };
    assert_eq!(of_blog("2024/05/hot-tea/"), Some(PageKind::Article));
    assert_eq!(of_blog("2024/05/"), Some(PageKind::Listing));
    assert_eq!(of_blog("tag/tea/index.html"), Some(PageKind::Listing));
    assert_eq!(of_blog("about/"), None);
}

#[test]
fn a_space_is_no_label_of_an_author() {
    author("<h1>Hot tea</h1><p>&nbsp;</p><p>Award-Winning Teapots</p>", None);
}

#[test]
fn an_organization_gives_way_to_a_person() {
    let page = |shown: &str| {
        format!(
            "<script type='application/ld+json'>{{\"@type\": \"Article\", \"author\": {{\"@type\": \"Organization\", \"name\": \"Tea House\"}}}}\
             </script><h1>Hot tea</h1>{shown}"
        )
    };
    author(&page(""), Some("Tea House"));
    author(&page("<p class=byline>By Ann Lee</p>"), Some("Ann Lee"));
}

#[test]
fn footers_of_articles_and_posts_with_the_title_are_about_the_page() {
    let footer = "<footer class=article-footer><span class=author>Ann Lee</span><time datetime=2024-05-03></time></footer>";
    let both = |page: &str| {
        let found = read(page);
        (found.author, found.published)
    };
    let found = (Some("Ann Lee".to_owned()), Some("2024-05-03".to_owned()));
    assert_eq!(
        both(&format!(
            "<article class=node--promoted><div><h1>Hot tea</h1></div><p>Tea.</p>{footer}</article>"
        )),
        found
    );
    assert_eq!(both(&format!("<div><h1>Hot tea</h1></div><p>Tea.</p>{footer}")), (None, None));
    let post = |title: &str| {
        format!(
            "<div><h2>Is the tea still hot?</h2></div><div><h3><a href=#p1>{title}</a></h3><p class=author>by <b>Ann Lee</b> » <time datetime=2024-05-03></time></p></div>"
        )
    };
    assert_eq!(
        both(&format!("<title>Is the tea still hot?</title>{}", post("Is the tea still hot?"))),
        found
    );
    assert_eq!(both(&format!("<title>Is the tea still hot?</title>{}", post("Is milk cold?"))), (None, None));
}

#[test]
fn the_only_line_that_says_who_wrote_the_page_and_when() {
    let content = "<p>Tea is hot, and so is this text, which goes on for a while.</p>".repeat(100);
    let page = |end: &str| read(&format!("<h1>Hot tea</h1>{content}{end}"));
    let found = page("<h3>Written by Ann Lee</h3><span>Posted on 3 May 2024</span>");
    assert_eq!((text(&found.author), text(&found.published)), (Some("Ann Lee"), Some("2024-05-03")));
    let found = page(
        "<p>Posted on 3 May 2024</p><p>Posted on 4 May 2024</p><p>Written by Ann Lee</p><p>Written by Bo Dee</p>",
    );
    assert_eq!((found.author, found.published), (None, None));
}

#[test]
fn authors_in_chinese_are_names() {
    author("<h1>热茶</h1><div>2024年4月1日 来源：新华社 作者：李明</div><p>　　今天的茶很热。", Some("李明"));
    author("<h1>热茶</h1><span>作者：</span><b>李明</b>", Some("李明"));
    author("<h1>热茶</h1><p>　　部门数量将大幅减少</p><p>责任编辑：李明", None);
    author("<h1>热茶</h1><p class=author>今天的茶很热，我们都喝。</p>", None);
    author("<meta name=author content=李明><h1>热茶</h1>", Some("李明"));
}

#[test]
fn the_first_page_of_a_site_keeps_its_name() {
    let page = "<title>My cups - all about tea</title><h1><a href=/>My cups</a></h1>";
    assert_eq!(text(&read_at(page, "https://x.example/").title), Some("My cups"));
}

#[test]
fn a_person_is_preferred_to_an_account_and_to_the_site() {
    let page = |author: &str| {
        let page = format!(
            "<meta property=og:site_name content=Teas><meta name=author content='{author}'><h1>Hot tea</h1><p class=author>Ann Lee</p>"
        );
        read(&page).author
    };
    for declared in ["Teas", "ann99", "admin"] {
        assert_eq!(text(&page(declared)), Some("Ann Lee"));
    }
    assert_eq!(text(&page("Bo Dee")), Some("Bo Dee"));
}

#[test]
fn what_is_sold_has_neither_author_nor_date() {
    let found = read(
        "<meta property=og:type content=product><h1>Teapot</h1><span class=author>Ann Lee</span><time datetime=2024-05-03></time>",
    );
    assert_eq!((found.author, found.published), (None, None));
    let found = read(
        "<div itemscope itemtype=http://schema.org/Product><h1>Teapot</h1><p class=date>3 May 2024</p></div>",
    );
    assert_eq!(found.published, None);
}

#[test]
fn the_first_page_of_a_site_lists_the_works_of_others() {
    let page = "<script type='application/ld+json'>{\"@type\": \"BlogPosting\", \"author\": {\"name\": \"Ann Lee\"}, \"datePublished\": \"2024-05-03\"}</script>";
    let found = read_at(page, "https://teas.example/");
    assert_eq!((found.author, found.published), (None, None));
    assert_eq!(text(&read(page).author), Some("Ann Lee"));
}

#[test]
fn addresses_have_dates() {
    let found = read_at("<h1>Hot tea</h1>", "https://teas.example/2024/05/03/hot-tea");
    assert_eq!(text(&found.published), Some("2024-05-03"));
}

#[test]
fn what_is_named_after_authority_shows_no_author() {
    let author = |inner: &str| read(&format!("<h1>Hot tea</h1>{inner}<p>Tea is hot.")).author;
    assert_eq!(author("<div class=authorization-item>Green Forms</div>"), None);
    assert_eq!(author("<div class=author-info>Ann Lee</div>").as_deref(), Some("Ann Lee"));
    assert_eq!(author("<a id=author-modal href=/topic>Cups & Pots</a>"), None);
    assert_eq!(author("<a class=byline href=/store>Visit the Cup Store</a>"), None);
}

#[test]
fn titles_lose_the_name_of_the_site() {
    let check = |page: &str, expected: &str| assert_eq!(text(&read(page).title), Some(expected), "{page}");
    check("<title>Hot tea | The Teas</title><h1>Hot tea</h1>", "Hot tea");
    check("<title>Teas: Hot tea</title>", "Hot tea");
    check("<title>Hot - and iced - tea | Teas.example</title>", "Hot - and iced - tea");
    check("<title>Tea - hot</title>", "Tea - hot");
    check("<title>Hot tea - how to</title><h1>Hot tea<a href=#hot>¶</a></h1>", "Hot tea");
    check("<title>Tea in C# - how to</title><h1>Tea in C#</h1>", "Tea in C#");
    check("<title>热茶好喝_新闻中心</title><h1>热茶好喝</h1>", "热茶好喝");
    check("<title>热茶好喝 -新闻频道-茶网</title><h1>热茶好喝</h1>", "热茶好喝");
    check("<title>Hot tea 1 - The cups</title><h2>Hot tea 1</h2><h2>The cups</h2>", "Hot tea 1");
    check(
        "<title>Hot tea - how to drink it</title><h2>Milk</h2><h2>Hot tea</h2>",
        "Hot tea - how to drink it",
    );
    check("<title>Hot tea: my cups</title><h1 class=site>My cups</h1><h2>Hot tea and milk</h2>", "Hot tea");
    check("<title>Hot tea - My cups</title><h1><a href=/>My cups</a></h1>", "Hot tea");
    check("<meta property=og:title content='Hot tea - Teas'><title>Hot tea - Teas</title>", "Hot tea");
}

#[test]
fn licences_of_pictures_are_not_those_of_the_page() {
    let link = |name: &str| format!("<a href=https://creativecommons.org/licenses/{name}/4.0/>x</a>");
    assert_eq!(text(&read(&link("by")).license), Some("https://creativecommons.org/licenses/by/4.0/"));
    assert_eq!(read(&(link("by") + &link("by-sa"))).license, None);
    assert_eq!(text(&read("<meta name=dc.rights content='Free to copy'>").license), Some("Free to copy"));
    assert_eq!(read("<link rel=copyright href=/imprint>").license, None);
    assert_eq!(read_at("<link rel=license href=/license>", "no address").license, None);
}

#[test]
fn long_values_are_cut() {
    for chars in [METADATA_TEXT_MAX, METADATA_TEXT_MAX + 1] {
        let found = read(&format!("<meta name=description content='{}'>", "ä".repeat(chars)));
        assert_eq!(found.description.unwrap().chars().count(), METADATA_TEXT_MAX);
    }
}

proptest! {
    #[test]
    fn any_page_can_be_read(parts in prop::collection::vec(
        prop::sample::select(vec![
            "<h1>", "<time datetime='", "2024-05-03", "'>", "<meta name=author content='", "By ", "Ann Lee", " - ", "|", "<p class=byline>",
            "<script type='application/ld+json'>", "{\"@type\": \"Article\", \"author\": ", "[", "{", "}", "]", "\"", "</script>", "<title>",
            "</title>", "ß", "年", "31/12/2024", "T10:00", "+02:00", "<a rel=author href=/author/x>", "&amp;", "<br>", "May 3, ",
        ]),
        0..40,
    )) {
        read(&parts.concat());
    }
}

#[test]
fn names_in_capitals_and_text_that_was_escaped_twice() {
    let found = read(
        "<H1>Hot tea</H1><P CLASS=byline>By Ann Lee</P><META NAME=description CONTENT='Tea &amp;amp; milk &amp;eacute;'>",
    );
    assert_eq!((text(&found.author), text(&found.description)), (Some("Ann Lee"), Some("Tea & milk é")));
}

/// The title and site name of a page that was compared with others, whose titles share these texts.
fn compared(title: &str, in_common: &[&str]) -> (Option<String>, Option<String>) {
    let html = format!("<title>{title}</title><p>Pour it over the leaves.");
    let regions: Vec<Region> = in_common
        .iter()
        .map(|part| {
            let start = html.find(part).expect("a part of the title");
            Region::new(Span::new(start, start + part.len()), TemplateHash(1), 9)
                .with_kind(RegionKind::Markup)
        })
        .collect();
    let found = Metadata::of(
        &PageParser::new().open(PageBytes::utf8(html.as_bytes())),
        "https://www.teatimes.example/hot",
        &regions,
    );
    (found.title, found.site_name)
}

#[test]
fn what_titles_have_in_common_is_the_name_of_the_site() {
    let pair = |title: &str, site: Option<&str>| (Some(title.to_owned()), site.map(str::to_owned));
    assert_eq!(compared("Hot milk | The Cup", &[" | The Cup"]), pair("Hot milk", Some("The Cup")));
    assert_eq!(compared("The Cup: Hot milk", &[]), pair("The Cup: Hot milk", None));
    assert_eq!(
        compared("Milk - Food - Tea Times", &[" - Food - Tea Times"]),
        pair("Milk", Some("Tea Times"))
    );
    // It is ambiguous which of the two is the name.
    assert_eq!(compared("Milk - Food - The Cup", &[" - Food - The Cup"]), pair("Milk", None));
    // A title that all pages share is not that of the content.
    let html = "<title>The Cup</title><h1>Hot milk</h1><p>Pour it over the leaves.";
    assert_eq!(
        text(&compared_at(html, "The Cup", RegionKind::Markup, Sort::Unknown).title),
        Some("Hot milk")
    );
    assert_eq!(compared("The Cup » Milk » Home", &["The Cup » ", " » Home"]).0, pair("Milk", None).0);
}

/// The metadata of a page that was compared with others, with this text in a region of this kind and sort.
fn compared_at(html: &str, text: &str, kind: RegionKind, sort: Sort) -> Metadata {
    let start = html.find(text).expect("a text of the page");
    let span = Span::new(start, start + text.len());
    let region = Region::new(span, TemplateHash(1), 9).with_kind(kind).with_sort(sort);
    let mut parser = PageParser::new();
    Metadata::of(&parser.open(PageBytes::utf8(html.as_bytes())), "https://tea.example/hot", &[region])
}

#[test]
fn what_other_pages_have_at_a_place_says_whether_it_is_the_byline() {
    let html = "<h1>Hot tea</h1><p>Today is 19 November 2026<p>3 May 2024<p>Tea is hot.";
    let today = compared_at(html, "Today is 19 November 2026", RegionKind::Repeated, Sort::Unknown);
    assert_eq!(text(&today.published), Some("2024-05-03"));
    let header = "<h1>Hot tea</h1><p>Version 2 <time datetime=2024-05-03>May 3</time><p>Tea is hot.";
    let repeated =
        compared_at(header, "Version 2 <time datetime=2024-05-03>May 3", RegionKind::Repeated, Sort::Header);
    assert_eq!(repeated.published, None);
    let comment = "<h1>Hot tea</h1><p>Tea is hot.<p>Bo Dee<p>3 May 2024";
    let commented = compared_at(comment, "Bo Dee<p>3 May 2024", RegionKind::Clutter, Sort::Comments);
    assert_eq!(commented.published, None);
    assert_eq!(text(&read(html).published), Some("2026-11-19"));

    let html = "<h1>Hot tea</h1><p>Tea is hot.<p>Written by Ann Lee<p>Written by Bob Ray";
    let by_place = |name: &str, sort| compared_at(html, name, RegionKind::Clutter, sort).author;
    assert_eq!(text(&read(html).author), Some("Ann Lee"));
    assert_eq!(text(&by_place("Written by Ann Lee", Sort::Related)), Some("Bob Ray"));
    assert_eq!(text(&by_place("Written by Bob Ray", Sort::Byline)), Some("Bob Ray"));

    // A blog of one author has the same byline on every page.
    let html = "<h1>Hot tea</h1><p class=author>Ann Lee</p><p>Tea is hot.";
    let repeated = compared_at(html, "Ann Lee", RegionKind::Repeated, Sort::Unknown);
    assert_eq!(text(&repeated.author), Some("Ann Lee"));
}
