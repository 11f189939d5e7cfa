//! An English forum in tag soup: `p`, `li`, `td` never closed, attributes without quotes, tags crossed.

use crate::Kind;
use crate::page::{Context, LIST_PAGES, Writer, escaped};
use crate::random::Random;

pub(crate) fn write(page: &Context<'_>, out: &mut Writer) {
    let random = &mut page.random(page.index, "text");
    let title = match page.kind(page.index) {
        Kind::Home => format!("{} boards", page.brand()),
        _ => page.title(page.index),
    };
    top(page, &title, out);
    match page.kind(page.index) {
        Kind::Thread => thread(page, &title, random, out),
        _ => boards(page, &title, random, out),
    }
    bottom(page, out);
}

fn top(page: &Context<'_>, title: &str, out: &mut Writer) {
    out.add(&format!(
        "<html>\n<head><title>{} - view topic</title>\n<link rel=stylesheet href=/style{}.css>\n\
         <body bgcolor=#e5e5e5 onload=init()>\n<a name=top></a>\n<table width=100% class={}><tr><td>\
         <a href=/><img src=/logo.png border=0 alt=\"{} boards\"></a><td align=right>\n<ul class={}>",
        escaped(title),
        page.design,
        page.class("head"),
        page.brand(),
        page.class("menu"),
    ));
    for (address, name) in page.menu() {
        let marker = if *address == page.section(page.index).0 { " class=here" } else { "" };
        out.add(&format!("<li{marker}><a href=/{address}/>{name}</a>"));
    }
    out.add(
        "\n</ul></table>\n<p class=small>You are not logged in. <a href=/login.php>Log in</a> or <a href=/register.php>\
         register an account\n<p class=small>It is forbidden to post before reading <b><i>the rules</b></i>.</a>\n<hr>\n",
    );
}

fn thread(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    out.add(&format!(
        "<p class={}><a href=/>Boards</a> &raquo; {}\n",
        page.class("crumbs"),
        page.section(page.index).1
    ));
    out.block("<h1>", title, "</h1>");
    out.add(&format!("<table width=100% class={}>\n", page.class("posts")));
    for number in 1..=random.between(2, 6) {
        let name = random.pick(page.language().names);
        out.block("<tr><td width=150 valign=top><b>", name, "</b><br>Posts: many");
        out.block(&format!("<td id=p{number}><small>"), &page.published(page.index + number), "</small>");
        for _ in 0..random.between(1, 3) {
            let sentences = random.between(1, 4);
            let text = page.language().paragraph(sentences, random);
            out.block("<p>", &text, "");
        }
        out.add("<p class=tools><a href=#top>Top</a> <a href=/quote.php>Quote</a> <a href=/report.php>Report this post</a>\n");
    }
    out.add("</table>\n");
    pages(page, out);
}

fn boards(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    out.block("<h1>", title, "</h1>");
    out.add("<table border=1><tr><th>Topic<th>Replies<th>Author\n");
    for number in 0..12 {
        let index = 1 + page.index.wrapping_mul(23).wrapping_add(number * 4) % 1_000_000;
        out.link("<tr><td>", &page.path(index), &page.title(index), "");
        out.block("<td align=center>", &random.below(400).to_string(), "");
        out.block("<td>", random.pick(page.language().names), "");
    }
    out.add("</table>\n");
    pages(page, out);
}

fn pages(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!("<p align=right>Page {} of {LIST_PAGES} <select name=jump>", page.list_page()));
    for (_, name) in page.menu() {
        out.add(&format!("<option>{name}"));
    }
    out.add("</select>\n");
}

fn bottom(page: &Context<'_>, out: &mut Writer) {
    let online = page.random(page.index, "online").between(3, 60);
    out.add(&format!(
        "<hr>\n<p class=small>Users browsing this board: {online} guests\n<p class=small>All times are UTC. Boards &copy; 2001-{} {}\n\
         <script>if (1 < 2) document.write('<img src=/cron.php?'+{}+'>')</script>\n",
        page.year(),
        page.brand(),
        page.index
    ));
}
