//! Pictures of small synthetic sites. `UNFRAME_BLESS=1 cargo test -p unframe-picture` writes the expected files anew; look at them before you keep
//! them.

use std::io::Read;
use std::path::Path;

use unframe::html::Span;
use unframe::text::content::{Share, Volume};
use unframe::{PageBytes, PageParser, Region, RegionKind, TemplateHash};

use super::page_text::Part;
use super::palette::{ColorBy, DARK, LIGHT, Palette};
use super::*;
use crate::limits::{PICTURE_BARS_MAX, PICTURE_TITLES_MAX};

/// A page with the given regions (start, end, template), each of which has a text.
fn seen(url: &str, bytes: u32, regions: &[(u32, u32, u64)]) -> Seen {
    let covered: u32 = regions.iter().map(|(start, end, _)| end - start).sum();
    let share = Share { template: covered.into(), total: bytes.into() };
    let text = (0..regions.len() as u32)
        .map(|region| Part::Template { region, text: Some(format!("menu {region}")) });
    Seen {
        url: url.to_owned(),
        title: format!("Title of {url}"),
        bytes,
        regions: regions.iter().map(|(start, end, hash)| region(*start, *end, *hash)).collect(),
        volume: Volume { html: share, text: share, links: share },
        text: text.chain([Part::Content("words of its own".to_owned())]).collect(),
        links: vec![Link {
            to: "http://a.example/home".to_owned(),
            text: "Home".to_owned(),
            region: (!regions.is_empty()).then_some(0),
        }],
        link_counts: (0..regions.len()).map(|at| u32::from(at == 0)).collect(),
    }
}

fn region(start: u32, end: u32, hash: u64) -> Region {
    Region::new(Span { start, end }, TemplateHash(hash), 2)
}

fn site(name: &str, pages: impl IntoIterator<Item = Seen>) -> SiteView {
    let mut site = SiteView::new(name, "dom");
    pages.into_iter().for_each(|page| site.add(page));
    site.sort();
    site
}

/// Header and footer on all pages, a menu on some, and one page without templates.
fn small_site(pages: u32) -> SiteView {
    let page = |number: u32| {
        let bytes = 1_000 + 100 * number;
        let url = format!("http://a.example/{number}");
        match number {
            2 => seen(&url, bytes, &[]),
            _ if number.is_multiple_of(3) => {
                seen(&url, bytes, &[(0, 200, 1), (300, 700, 2), (bytes - 150, bytes, 3)])
            }
            _ => seen(&url, bytes, &[(0, 200, 1), (bytes - 150, bytes, 3)]),
        }
    };
    site("a.example", (0..pages).map(page))
}

#[track_caller]
fn golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/golden").join(name);
    if std::env::var_os("UNFRAME_BLESS").is_some() {
        std::fs::write(&path, actual).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(actual == expected, "{name} is not as expected:\n{actual}");
}

#[test]
fn a_small_site_as_svg() {
    let site = small_site(12);
    golden("small.svg", &svg::write(&scene::of_site(&site, Palette::Rainbow, ColorBy::Times, LIGHT)));
    golden("small-safe-dark.svg", &svg::write(&scene::of_site(&site, Palette::Safe, ColorBy::Times, DARK)));
}

#[test]
fn pages_rich_in_content_come_first() {
    let lines = |site: &SiteView| -> Vec<serde_json::Value> {
        page_list::write(site).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let lines_of_site = lines(&small_site(12));
    let number = |line: &serde_json::Value, name: &str| line[name].as_u64().unwrap();
    let groups: Vec<u64> = lines_of_site.iter().map(|line| number(line, "group")).collect();
    // Half of the pages without a menu have less than 1,350 characters of content, the page without templates has 1,200, those with a menu 550.
    assert_eq!(groups, [1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3]);
    for (line, next) in lines_of_site.iter().zip(&lines_of_site[1..]) {
        let of = |name| [number(line, name), number(next, name)];
        let [one, other] = of("group");
        let [before, after] = if one == other { of("content") } else { of("group_content") };
        assert!(before >= after, "{line} before {next}");
    }
    let medians = [0, 7, 8].map(|at| number(&lines_of_site[at], "group_content"));
    assert_eq!(medians, [1350, 1200, 550]);
    let lone = &lines_of_site[7];
    assert_eq!((lone["url"].as_str(), lone["outlier"].as_bool()), (Some("http://a.example/2"), Some(true)));
    assert_eq!((number(lone, "text"), number(lone, "content")), (1200, 1200));
    assert!(lines(&site("b.example", [])).is_empty());
}

#[test]
fn one_page_no_page_and_hostile_names() {
    let one = site("b.example", [seen("http://b.example/?a=<b>&c=\"'\u{0}", 10, &[])]);
    golden("one.svg", &svg::write(&scene::of_site(&one, Palette::Rainbow, ColorBy::Times, LIGHT)));
    let none = site("</title><script>alert(1)</script>", []);
    let svg = svg::write(&scene::of_site(&none, Palette::Rainbow, ColorBy::Times, LIGHT));
    assert!(!svg.contains("<script>") && svg.contains("no pages"), "{svg}");
}

#[test]
fn large_sites_are_thinned_and_say_so() {
    let scene = scene::of_site(&small_site(2_500), Palette::Rainbow, ColorBy::Times, LIGHT);
    assert_eq!(scene.bars.len(), PICTURE_BARS_MAX);
    let note = scene.labels.last().map(|label| label.text.clone()).unwrap_or_default();
    assert!(note.starts_with("1,000 of 2,500 pages are drawn, spread evenly by length;"), "{note}");
    // The shortest and the longest page are included, and the longest is as wide as the picture.
    assert!(scene.bars[0].title.starts_with("http://a.example/0\n"));
    assert_eq!(scene.bars[999].page.width, scene.width - 48.0);
}

#[test]
fn one_enormous_page_does_not_hide_the_others() {
    let with = |longest: u32| {
        let pages = (0..199).map(|n| (n, 1_000 + n)).chain([(199, longest)]);
        let pages = pages.map(|(n, bytes)| seen(&format!("http://a/{n}"), bytes, &[]));
        let mut site = site("a", pages);
        site.sort();
        scene::of_site(&site, Palette::Rainbow, ColorBy::Times, LIGHT)
    };
    let width = |scene: &scene::Scene, bar: usize| scene.bars[bar].page.width.round();
    let note = |scene: &scene::Scene| scene.labels.last().map(|label| label.text.clone()).unwrap_or_default();
    let enormous = with(1_000_000);
    assert_eq!([width(&enormous, 197), width(&enormous, 198), width(&enormous, 199)], [952.0, 952.0, 952.0]);
    assert_eq!(
        note(&enormous),
        "one bar a page, shortest first; the bars of 2 very long pages end at the right edge, the longest has \
         1,000,000 bytes"
    );
    let long = with(4_000);
    assert_eq!([width(&long, 198), width(&long, 199)], [285.0, 952.0]);
    assert_eq!(note(&long), "one bar a page, shortest first; the longest has 4,000 bytes");
}

#[test]
fn many_regions_have_no_titles_of_their_own() {
    let page = |regions: u32| {
        let regions: Vec<_> = (0..regions).map(|at| (at * 10, at * 10 + 5, 1)).collect();
        scene::of_site(
            &site("a", [seen("http://a/", 1_000_000, &regions)]),
            Palette::Rainbow,
            ColorBy::Times,
            LIGHT,
        )
    };
    let few = page(100);
    assert_eq!(
        few.bars[0].runs[0].title.as_deref(),
        Some("repeated 0000000000000001: 5 bytes, 100 times on 1 page")
    );
    // A hundred bytes are a tenth of a pixel, so adjacent regions are merged.
    let many = page(PICTURE_TITLES_MAX as u32 + 1);
    assert_eq!((many.bars[0].runs.len(), &many.bars[0].runs[0].title), (1, &None));
}

#[test]
fn regions_lie_where_they_are_and_are_coloured_by_power_of_ten() {
    let scene = scene::of_site(&small_site(12), Palette::Rainbow, ColorBy::Times, LIGHT);
    let colors = Palette::Rainbow.colors();
    let longest = &scene.bars[11];
    // 2,100 bytes are 952 pixels, so 200 bytes are 90.7 pixels, and the footer ends at the end of the page.
    let header = &longest.runs[0];
    assert!((header.x - 24.0).abs() < 0.01 && (header.width - 200.0 * 952.0 / 2100.0).abs() < 0.01);
    let footer = &longest.runs[longest.runs.len() - 1];
    assert!((footer.x + footer.width - 976.0).abs() < 0.01);
    // The header occurs 11 times, the menu 4 times.
    let menu = &scene.bars[3].runs[1];
    assert_eq!((header.color, menu.color), (colors[1], colors[0]));
}

#[cfg(feature = "png")]
#[test]
fn png_has_the_colours_of_the_scene() {
    let scene = scene::of_site(&small_site(12), Palette::Rainbow, ColorBy::Times, LIGHT);
    let png = png::write(&scene).expect("a picture");
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
    let (width, height) = (number(16) as usize, number(20) as usize);
    assert_eq!((width, height), (2000, (scene.height * 2.0) as usize));
    let mut pixels = Vec::new();
    let data = &png[41..41 + number(33) as usize];
    flate2::read::ZlibDecoder::new(data).read_to_end(&mut pixels).expect("compressed pixels");
    assert_eq!(pixels.len(), height * (width * 3 + 1));
    let pixel = |x: f32, y: f32| {
        let at = (y * 2.0) as usize * (width * 3 + 1) + 1 + (x * 2.0) as usize * 3;
        palette::Color(pixels[at], pixels[at + 1], pixels[at + 2])
    };
    let bar = &scene.bars[11];
    let middle = bar.page.y + bar.page.height / 2.0;
    assert_eq!(pixel(30.0, middle), bar.runs[0].color);
    assert_eq!(pixel(400.0, middle), LIGHT.content);
    assert_eq!(pixel(2.0, 2.0), LIGHT.background);
    // The title has left some dark pixels.
    assert!((0..200).any(|x| pixel(24.0 + x as f32 / 2.0, 32.0) == LIGHT.text));
}

#[test]
fn pages_are_grouped_by_their_templates() {
    let schemas = schema::of_site(&small_site(60));
    let sizes: Vec<(usize, bool)> =
        schemas.groups.iter().map(|group| (group.pages.len(), group.is_outlier)).collect();
    // The page without templates is the outlier. The other groups are the pages with a menu, and the 39 pages without one.
    assert_eq!(sizes, [(1, true), (39, false), (20, false)]);
    assert_eq!(schemas.groups[0].pages, [2]);
    assert_eq!(schemas.templates[0].pages.len(), 59);
    let keys = key_pages::of_site(&small_site(60));
    assert_eq!((keys.len(), keys[0].in_templates, keys[0].in_content), (1, 59, 1));
    assert_eq!((keys[0].url.as_str(), keys[0].text.as_str()), ("http://a.example/home", "Home"));
}

#[test]
fn pages_are_spread_evenly() {
    assert_eq!(SiteView::spread(5, 9), [0, 1, 2, 3, 4]);
    assert_eq!(SiteView::spread(9, 3), [0, 4, 8]);
    assert_eq!(SiteView::spread(9, 1), [8]);
    assert!(SiteView::spread(0, 3).is_empty() && SiteView::spread(3, 0).is_empty());
}

#[test]
fn texts_are_cut_at_regions() {
    let html = "<nav><a>Home</a> <a>About</a></nav><h1>Tea</h1><p>is hot<div>Imprint</div>";
    let mut parser = PageParser::new();
    let page = parser.open(PageBytes::utf8(html.as_bytes()));
    let regions = [region(0, 35, 1), region(56, 74, 2)];
    let template = |region, text: &str| Part::Template { region, text: Some(text.to_owned()) };
    let found = page_text::parts(page.source(), &regions);
    assert_eq!(
        found,
        [template(0, "Home About"), Part::Content("\nTea\nis hot\n".to_owned()), template(1, "Imprint")]
    );
}

#[test]
fn the_explorer_holds_no_markup_of_pages() {
    let hostile = "http://a.example/</script><script>alert(1)</script>";
    let html =
        explorer::write(site("<b>a", [seen(hostile, 50, &[(0, 10, 1)])]), Palette::Safe, ColorBy::Share)
            .expect("a file");
    assert!(!html.contains("alert(1)") && !html.contains("<b>a"));
    assert_eq!(html.matches("<script").count(), 2, "the data and our own script");
    for forbidden in
        ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "src=\"http", "@import"]
    {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn the_index_begins_with_the_most_templated() {
    let entry = |name: &str, covered| {
        let site = site(name, [seen("http://x/", 100, &[(0, covered, 1)])]);
        index::entry(&site, Palette::Rainbow, format!("{}.html", index::file_stem(name)))
    };
    let html = index::write(vec![entry("few", 10), entry("<i>many", 90), entry("half", 50)]);
    let places: Vec<_> = ["&lt;i&gt;many", "half", "few"].map(|name| html.find(name)).to_vec();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{html}");
    assert!(html.contains("href=\"./_i_many.html\"") && !html.contains("<i>"), "{html}");
}

#[test]
fn links_of_a_template_are_counted_as_in_its_list() {
    let (nav, note) = (
        "<nav><a href=#top>Top</a> <a href=/x>X</a></nav>",
        "<div><a href=/y>Seen</a> <a href=/z>once</a></div>",
    );
    let html = format!("{nav}<p>own words</p>{note}");
    let start = html.find("<div>").unwrap() as u32;
    let regions = vec![
        region(0, nav.len() as u32, 1),
        region(start, start + note.len() as u32, 1).with_kind(RegionKind::Clutter),
    ];
    let mut site = SiteView::new("a.example", "places");
    let mut parser = PageParser::new();
    for number in 0..2 {
        let page = parser.open(PageBytes::utf8(html.as_bytes()));
        site.add(look(&format!("http://a.example/{number}"), &page, regions.clone(), true));
    }
    let links: Vec<u32> = schema::of_site(&site).templates.iter().map(|one| one.links).collect();
    assert_eq!(links, [2]);
}
