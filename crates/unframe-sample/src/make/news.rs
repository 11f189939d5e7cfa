//! An English newspaper: modern HTML, cookie banner, breadcrumbs, a box of latest articles.

use crate::Kind;
use crate::page::{Context, LIST_PAGES, Writer, escaped};

pub(crate) fn write(page: &Context<'_>, out: &mut Writer) {
    let title =
        if page.kind(page.index) == Kind::Home { page.brand().to_owned() } else { page.title(page.index) };
    head(page, &title, out);
    header(page, out);
    // The first redesign moved the sidebar from the left of the text to its right.
    if page.design == 0 {
        sidebar(page, out);
    }
    out.add(&format!("<main class=\"{}\" id=\"content\">\n", page.class("main")));
    breadcrumbs(page, &title, out);
    match page.kind(page.index) {
        Kind::Home => teasers(page, 8, out),
        Kind::List => list(page, &title, out),
        _ => article(page, &title, out),
    }
    out.add("</main>\n");
    if page.design > 0 {
        sidebar(page, out);
    }
    footer(page, out);
}

fn head(page: &Context<'_>, title: &str, out: &mut Writer) {
    out.add(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title} | {brand}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"stylesheet\" href=\"/assets/site-{design}.css\">\n\
         <style>.{nav} li{{display:inline-block;margin:0 .5em}} .{nav} .current{{font-weight:bold}}</style>\n\
         <script>window.page={{\"id\":{id},\"section\":\"{section}\"}};\
         if (window.page.id < 1 && true) {{ document.write(\"<p>no id</p>\"); }}</script>\n</head>\n",
        title = escaped(title),
        brand = page.brand(),
        design = page.design,
        nav = page.class("nav"),
        id = page.index,
        section = page.section(page.index).0,
    ));
}

fn header(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!(
        "<body class=\"{body}\">\n<a class=\"skip\" href=\"#content\">Skip to content</a>\n\
         <header class=\"{class}\"><a class=\"logo\" href=\"/\">The {brand} Courier</a>\
         <p class=\"motto\">News from the quay since 1887</p>\n\
         <form action=\"/search\" role=\"search\"><input name=\"q\" placeholder=\"Search\"><button>Search</button></form>\n\
         <nav class=\"{nav}\"><ul>\n",
        body = page.class("page"),
        class = page.class("header"),
        brand = page.brand(),
        nav = page.class("nav"),
    ));
    let current = page.section(page.index).0;
    for (address, name) in page.menu() {
        let marker = if *address == current && page.index > 0 { " class=\"current\"" } else { "" };
        out.add(&format!("<li{marker}><a href=\"/{address}/\">{name}</a></li>\n"));
    }
    out.add("</ul></nav></header>\n");
}

fn breadcrumbs(page: &Context<'_>, title: &str, out: &mut Writer) {
    if page.index == 0 {
        return;
    }
    let (address, name) = page.section(page.index);
    out.add(&format!(
        "<p class=\"{}\"><a href=\"/\">Home</a> › <a href=\"/{address}/\">{name}</a> › <span>{}</span></p>\n",
        page.class("crumbs"),
        escaped(title)
    ));
}

fn article(page: &Context<'_>, title: &str, out: &mut Writer) {
    let random = &mut page.random(page.index, "text");
    let author = random.pick(page.language().names);
    out.add("<article>\n");
    out.block("<h1>", title, "</h1>");
    let byline = format!("By {author}, {}", page.published(page.index));
    out.block(&format!("<p class=\"{}\">", page.class("byline")), &byline, "</p>");
    for paragraph in 0..random.between(3, 7) {
        if paragraph == 2 {
            let heading = page.language().headline(random);
            out.block("<h2>", &heading, "</h2>");
        }
        let sentences = random.between(2, 5);
        let text = page.language().paragraph(sentences, random);
        out.rich("<p>", &text, "</p>", random);
    }
    out.add(&format!(
        "<ul class=\"{}\"><li><a href=\"/share?to=mail&amp;id={id}\">Send to a friend</a></li>\
         <li><a href=\"/print/{id}\">Print</a></li></ul>\n</article>\n",
        page.class("share"),
        id = page.index,
    ));
}

fn list(page: &Context<'_>, title: &str, out: &mut Writer) {
    out.block("<h1>", title, "</h1>");
    teasers(page, 6, out);
    out.add(&format!("<nav class=\"{}\">Page {} of {LIST_PAGES}", page.class("pages"), page.list_page()));
    for number in 1..=LIST_PAGES {
        if number == page.list_page() {
            out.add(&format!(" <span class=\"current\">{number}</span>"));
        } else {
            out.add(&format!(" <a href=\"?page={number}\">{number}</a>"));
        }
    }
    out.add("</nav>\n");
}

fn teasers(page: &Context<'_>, count: u64, out: &mut Writer) {
    let random = &mut page.random(page.index, "teasers");
    for number in 0..count {
        let index = 1 + page.index.wrapping_mul(17).wrapping_add(number * 5) % 1_000_000;
        out.add(&format!("<section class=\"{}\">\n", page.class("teaser")));
        out.link("<h3>", &page.path(index), &page.title(index), "</h3>");
        out.block("<p>", &page.language().sentence(random), "</p>");
        out.add("</section>\n");
    }
}

fn sidebar(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!("<aside class=\"{}\"><h4>Latest</h4>\n<ol>\n", page.class("latest")));
    for index in page.latest(5) {
        let title = page.title(index);
        out.add(&format!("<li><a href=\"{}\">{}</a></li>\n", page.path(index), escaped(&title)));
    }
    out.add(
        "</ol>\n<div class=\"ad\"><!-- slot 3 --><script>ads.push({slot: 3, size: [300, 250]});</script></div>\n\
         <p>Subscribe for 4 crowns a month and read without advertisements.</p></aside>\n",
    );
}

fn footer(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!(
        "<footer class=\"{class}\"><p>© {year} The {brand} Courier. All rights reserved.</p>\n\
         <ul><li><a href=\"/imprint\">Imprint</a></li><li><a href=\"/privacy\">Privacy</a></li>\
         <li><a href=\"/contact\">Contact</a></li></ul></footer>\n",
        class = page.class("footer"),
        year = page.year(),
        brand = page.brand(),
    ));
    if page.design > 0 {
        out.add(
            "<div id=\"cookie-banner\" role=\"dialog\"><p>We use cookies to remember which pages you have read. \
             You can refuse them at any time.</p><button>Accept all</button> <button>Refuse</button></div>\n",
        );
    }
    let milliseconds = page.random(page.index, "time").between(2, 90);
    out.add(&format!("<!-- made in {milliseconds} ms -->\n</body>\n</html>\n"));
}
