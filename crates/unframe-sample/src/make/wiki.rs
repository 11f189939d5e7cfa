//! An encyclopedia: table of contents, info box, notes, categories, a long footer.

use crate::Kind;
use crate::page::{Context, LIST_PAGES, Writer, escaped};
use crate::random::Random;

pub(crate) fn write(page: &Context<'_>, out: &mut Writer) {
    let random = &mut page.random(page.index, "text");
    let title = match page.kind(page.index) {
        Kind::Home => format!("Main page of the {} Encyclopedia", page.brand()),
        _ => page.title(page.index),
    };
    top(page, &title, out);
    match page.kind(page.index) {
        Kind::Wiki => entry(page, &title, random, out),
        _ => category(page, &title, out),
    }
    bottom(page, out);
}

fn top(page: &Context<'_>, title: &str, out: &mut Writer) {
    out.add(&format!(
        "<!DOCTYPE html>\n<html class=\"client-nojs\" lang=\"en\" dir=\"ltr\">\n<head><meta charset=\"UTF-8\"/>\n\
         <title>{} - {} Encyclopedia</title>\n<script>var config={{\"pageId\":{},\"skin\":\"plain{}\"}};</script></head>\n<body>\n",
        escaped(title),
        page.brand(),
        page.index,
        page.design,
    ));
    // The newest design has the menu above the text. The older ones have it below, as old wiki skins do in their source.
    if page.design == 2 {
        menu(page, out);
    }
    out.add(&format!("<div id=\"{}\" role=\"main\">\n", page.class("content")));
}

fn menu(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!("<div id=\"{}\"><h3>Navigation</h3><ul>\n", page.class("panel")));
    for (address, name) in page.menu() {
        let marker = if *address == page.section(page.index).0 { " class=\"selected\"" } else { "" };
        out.add(&format!("<li{marker}><a href=\"/wiki/{address}\">{name}</a></li>\n"));
    }
    out.add(
        "</ul><h3>Tools</h3><ul><li><a href=\"/wiki/Special:Links\">What links here</a></li>\
         <li><a href=\"/wiki/Special:Changes\">Recent changes</a></li><li><a href=\"/w/cite\">Cite this page</a></li></ul></div>\n",
    );
}

fn entry(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    let language = page.language();
    out.block("<h1 id=\"firstHeading\">", title, "</h1>");
    out.add(&format!(
        "<div id=\"siteSub\">From the {} Encyclopedia, which anyone may correct</div>\n",
        page.brand()
    ));
    out.add("<table class=\"infobox\">\n");
    for label in ["Found", "Weight", "Keeper"] {
        let value = format!("{} {}", random.between(3, 900), language.object(random));
        out.block(&format!("<tr><th>{label}</th><td>"), &value, "</td></tr>");
    }
    out.add("</table>\n");
    let lead = language.paragraph(3, random);
    out.rich("<p>", &lead, "</p>", random);
    let headings: Vec<_> = (0..random.between(2, 4)).map(|_| language.object(random)).collect();
    out.add("<div id=\"toc\"><h2>Contents</h2><ul>");
    for (number, heading) in headings.iter().enumerate() {
        out.add(&format!("<li><a href=\"#h{number}\">{} {heading}</a></li>", number + 1));
    }
    out.add("</ul></div>\n");
    for (number, heading) in headings.iter().enumerate() {
        let edit = format!(
            "</span><span class=\"edit\">[<a href=\"/w/edit?section={number}\">edit</a>]</span></h2>"
        );
        out.block(&format!("<h2><span id=\"h{number}\">"), heading, &edit);
        let sentences = random.between(2, 5);
        let text = language.paragraph(sentences, random);
        out.rich("<p>", &text, "</p>", random);
    }
    out.add(&format!(
        "<div id=\"catlinks\">Categories: <a href=\"/wiki/Category:{0}\">{0}</a></div>\n",
        page.section(page.index).1
    ));
}

fn category(page: &Context<'_>, title: &str, out: &mut Writer) {
    out.block("<h1 id=\"firstHeading\">", title, "</h1>");
    out.add("<ul>\n");
    for number in 0..15 {
        let index = 1 + page.index.wrapping_mul(29).wrapping_add(number * 6) % 1_000_000;
        out.link("<li>", &page.path(index), &page.title(index), "</li>");
    }
    out.add(&format!(
        "</ul>\n<p>(page {} of {LIST_PAGES}; <a href=\"?page=1\">first</a>)</p>\n",
        page.list_page()
    ));
}

fn bottom(page: &Context<'_>, out: &mut Writer) {
    out.add("</div>\n");
    if page.design < 2 {
        menu(page, out);
    }
    out.add(&format!(
        "<ul id=\"footer\"><li>This page was last changed on {}.</li>\
         <li>Text may be copied by anyone who says where it is from; additional terms may apply.</li>\
         <li><a href=\"/wiki/About\">About the {} Encyclopedia</a></li><li>{}</li></ul>\n</body>\n</html>\n",
        page.published(page.index),
        page.brand(),
        page.year(),
    ));
}
