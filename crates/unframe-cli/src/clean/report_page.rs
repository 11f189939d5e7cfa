//! The report as one self-contained HTML file.

use std::fmt::{self, Write};

use unframe::learn::Evidence;
use unframe_picture::figures::{bytes_short, count, percent, plural};
use unframe_picture::markup::Escaped;
use unframe_picture::report_page::{self, ReportPage};

use super::report::{Example, Report, SiteNotes, Totals};

const STYLE: &str = include_str!("report.css");
const TITLE: &str = "What was removed";

/// The HTML file of the report.
pub(super) fn html(report: &Report) -> String {
    let mut body = String::new();
    // Writing to a string cannot fail.
    let _ = write_body(&mut body, report);
    report_page::write(&ReportPage { title: TITLE, style: STYLE, body: &body, data: None, script: None })
}

fn write_body(to: &mut String, report: &Report) -> fmt::Result {
    // Large sites come first, because their problems matter most.
    let mut sites: Vec<(&String, &SiteNotes)> = report.sites.iter().collect();
    sites.sort_by_key(|(_, site)| std::cmp::Reverse(site.total.pages));
    writeln!(to, "<h1>{TITLE}</h1>")?;
    let others = match report.other_pages {
        0 => String::new(),
        pages => format!(" and {} of other sites", plural(pages, "page")),
    };
    writeln!(
        to,
        "<p>{} of {}{others}. {} of the HTML was removed: templates, which are <i>repeated</i> on other pages of the site, <i>changing</i> \
         parts of those or <i>markup</i> that nobody reads, and <i>clutter</i>, which no other page repeats but which is no content either.</p>",
        plural(report.total.pages, "page"),
        plural(sites.len() as u64, "site"),
        removed(&report.total)
    )?;
    write_kinds(to, &report.total)?;
    write_shortest(to, report)?;
    write_sites(to, &sites)?;
    sites.iter().enumerate().try_for_each(|(number, (name, site))| write_site(to, number, name, site))
}

fn removed(total: &Totals) -> String {
    percent(total.removed_bytes as f64 / total.bytes.max(1) as f64)
}

fn write_kinds(to: &mut String, total: &Totals) -> fmt::Result {
    writeln!(to, "<h2>By kind of region</h2>\n<table>")?;
    writeln!(to, "<tr><th>kind<th>regions<th>on pages<th>HTML<th>of all HTML</tr>")?;
    let mut kinds: Vec<_> = total.kinds.iter().collect();
    kinds.sort_by_key(|(_, kind)| std::cmp::Reverse(kind.bytes));
    for (what, kind) in kinds {
        let share = percent(kind.bytes as f64 / total.bytes.max(1) as f64);
        let (regions, pages) = (count(kind.regions), count(kind.pages));
        writeln!(
            to,
            "<tr><td>{}<td>{regions}<td>{pages}<td>{}<td>{share}</tr>",
            what.name(),
            bytes_short(kind.bytes)
        )?;
    }
    writeln!(to, "</table>")
}

fn write_shortest(to: &mut String, report: &Report) -> fmt::Result {
    writeln!(
        to,
        "<h2>Pages with the least text left</h2>\n<p>If something went wrong, it shows here first.</p>\n<table>"
    )?;
    writeln!(to, "<tr><th>page<th>characters left</tr>")?;
    for (chars, url) in &report.shortest {
        writeln!(to, "<tr><td class=\"address\">{}<td>{}</tr>", Escaped(url), count(*chars))?;
    }
    writeln!(to, "</table>")
}

fn write_sites(to: &mut String, sites: &[(&String, &SiteNotes)]) -> fmt::Result {
    writeln!(to, "<h2>By site</h2>\n<table>\n<tr><th>site<th>pages<th>HTML removed<th>regions a page</tr>")?;
    for (number, (name, site)) in sites.iter().enumerate() {
        let regions: u64 = site.total.kinds.values().map(|kind| kind.regions).sum();
        writeln!(
            to,
            "<tr><td><a href=\"#site-{number}\">{}</a><td>{}<td>{}<td>{:.1}</tr>",
            Escaped(name),
            count(site.total.pages),
            removed(&site.total),
            regions as f64 / site.total.pages.max(1) as f64
        )?;
    }
    writeln!(to, "</table>")
}

fn write_site(to: &mut String, number: usize, name: &str, site: &SiteNotes) -> fmt::Result {
    let evidence = match site.evidence {
        Evidence::Site => "Its pages were compared with each other.",
        _ => "Its pages were scored one by one: there was nothing to compare them with.",
    };
    writeln!(to, "<section id=\"site-{number}\">\n<h2>{}</h2>", Escaped(name))?;
    let pages = plural(site.total.pages, "page");
    writeln!(to, "<p>{pages}, {} of the HTML removed. {evidence}</p>", removed(&site.total))?;
    write_examples(to, "Removed most often", &site.most_frequent(), site.total.pages)?;
    write_examples(to, "Removed as clutter, for example", &site.clutter.iter().collect::<Vec<_>>(), 0)?;
    if !site.kept.is_empty() {
        writeln!(to, "<h3>Kept, for example</h3>")?;
    }
    for (url, text) in &site.kept {
        writeln!(
            to,
            "<blockquote class=\"kept\"><small>{}</small>{}</blockquote>",
            Escaped(url),
            Escaped(text)
        )?;
    }
    writeln!(to, "</section>")
}

/// Writes examples of removed texts. If `pages` is not 0, their occurrences were counted on that many pages.
fn write_examples(to: &mut String, heading: &str, examples: &[&Example], pages: u64) -> fmt::Result {
    if examples.is_empty() {
        return Ok(());
    }
    writeln!(to, "<h3>{heading}</h3>")?;
    for example in examples {
        let (what, text) = (example.kind.name(), Escaped(&example.text));
        let times = match pages {
            0 => String::new(),
            _ => format!(", {} times on {}", count(example.times), plural(pages, "page")),
        };
        writeln!(to, "<blockquote class=\"removed\"><small>{what}{times}</small>{text}</blockquote>")?;
    }
    Ok(())
}
