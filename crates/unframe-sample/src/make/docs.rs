//! The manual of a fictional program: a tree of chapters at the side, links to the previous and next page, code.

use crate::Kind;
use crate::page::{Context, Writer, escaped};

pub(crate) fn write(page: &Context<'_>, out: &mut Writer) {
    let home = page.kind(page.index) == Kind::Home;
    let title = if home { format!("{} manual", page.brand()) } else { page.title(page.index) };
    out.add(&format!(
        "<!doctype html>\n<html lang=en class=no-js>\n<head>\n<meta charset=utf-8>\n<title>{} &mdash; {} 3.{}</title>\n\
         <script>document.documentElement.className = 'js';</script>\n<link rel=next href=\"{}\">\n</head>\n<body>\n\
         <div class={}><a href=\"/\">{} 3.{}</a> <input type=search placeholder=\"Search the manual\"></div>\n",
        escaped(&title),
        page.brand(),
        page.design,
        page.path(page.index + 1),
        page.class("bar"),
        page.brand(),
        page.design,
    ));
    chapters(page, out);
    out.add(&format!("<main class={}>\n", page.class("text")));
    body(page, &title, out);
    out.add("</main>\n");
    foot(page, out);
}

fn chapters(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!("<nav class={}><ul>\n", page.class("tree")));
    let (current, _) = page.section(page.index);
    for (address, name) in page.menu() {
        let open = *address == current;
        out.add(&format!(
            "<li class=\"{}\"><a href=\"/docs/{address}/\">{name}</a>",
            if open { "open" } else { "shut" }
        ));
        if open {
            // The open chapter lists the adjacent pages, with the current page marked.
            let first = page.index / 6 * 6 + 1;
            out.add("\n<ul>");
            for index in first..first + 6 {
                let here = if index == page.index { " aria-current=page" } else { "" };
                out.add(&format!(
                    "<li><a{here} href=\"{}\">{}</a></li>",
                    page.path(index),
                    escaped(&page.title(index))
                ));
            }
            out.add("</ul>\n");
        }
        out.add("</li>\n");
    }
    out.add("</ul></nav>\n");
}

fn body(page: &Context<'_>, title: &str, out: &mut Writer) {
    let random = &mut page.random(page.index, "text");
    let language = page.language();
    out.block("<h1>", title, "<a class=anchor href=\"#top\"></a></h1>");
    for section in 1..=random.between(2, 4) {
        let heading = language.object(random);
        out.block(&format!("<h2 id=s{section}>"), &heading, "</h2>");
        let text = language.paragraph(3, random);
        out.rich("<p>", &text, "</p>", random);
        let code = format!("measure --depth {} < harbour.log", random.between(1, 400));
        out.block("<pre><code class=\"language-sh\">", &code, "</code></pre>");
        out.add("<ul>\n");
        for _ in 0..random.between(2, 4) {
            let item = language.sentence(random);
            out.rich("<li>", &item, "</li>", random);
        }
        out.add("</ul>\n");
    }
    if page.design > 0 {
        out.add("<div class=admonition><p>Note</p><p>This page describes the current release. Older manuals are in the archive.</p></div>\n");
    }
}

fn foot(page: &Context<'_>, out: &mut Writer) {
    if page.index > 0 {
        let previous = page.index - 1;
        out.add(&format!(
            "<a rel=prev href=\"{}\">Previous: {}</a>\n",
            page.path(previous),
            escaped(&page.title(previous))
        ));
    }
    out.add(&format!(
        "<a rel=next href=\"{}\">Next: {}</a>\n<p class=edit><a href=\"/edit/{}\">Edit this page</a></p>\n\
         <footer>Made with a quill. Licensed for reading aloud. {}</footer>\n</body>\n</html>\n",
        page.path(page.index + 1),
        escaped(&page.title(page.index + 1)),
        page.index,
        page.year(),
    ));
}
