//! A German shop in ISO-8859-1. Half of its umlauts are entities, as in old content management systems.

use crate::Kind;
use crate::page::{Context, LIST_PAGES, Writer, escaped};
use crate::random::Random;

pub(crate) fn write(page: &Context<'_>, out: &mut Writer) {
    let random = &mut page.random(page.index, "text");
    let title = match page.kind(page.index) {
        Kind::Home => format!("Willkommen bei {}", page.brand()),
        _ => page.title(page.index),
    };
    head(page, &title, out);
    match page.kind(page.index) {
        Kind::Product => product(page, &title, random, out),
        _ => offers(page, &title, random, out),
    }
    foot(page, out);
}

/// Replaces umlauts by entities, as the old part of the system does.
fn entities(text: &str) -> String {
    let pairs = [('ä', "&auml;"), ('ö', "&ouml;"), ('ü', "&uuml;"), ('ß', "&szlig;"), ('Ä', "&Auml;")];
    pairs.iter().fold(escaped(text).into_owned(), |text, (letter, entity)| text.replace(*letter, entity))
}

fn head(page: &Context<'_>, title: &str, out: &mut Writer) {
    out.add(&format!(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \
         \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"de\" lang=\"de\">\n<head>\n\
         <meta http-equiv=\"Content-Type\" content=\"text/html; charset=iso-8859-1\" />\n\
         <title>{title} - Haus {brand}</title>\n<style type=\"text/css\">/*<![CDATA[*/ #{basket} {{ float: right }} /*]]>*/</style>\n\
         </head>\n<body>\n<div id=\"{header}\"><a href=\"/\"><img src=\"/img/logo.gif\" alt=\"Haus {brand}\" /></a>\n\
         <div id=\"{basket}\">Warenkorb: 0 Artikel, 0,00 Kronen <a href=\"/kasse\">Zur Kasse</a></div></div>\n<div id=\"{menu}\">\n",
        title = entities(title),
        brand = page.brand(),
        header = page.class("kopf"),
        basket = page.class("korb"),
        menu = page.class("menue"),
    ));
    let current = page.section(page.index).0;
    for (address, name) in page.menu() {
        let marker = if *address == current { "aktiv" } else { "eintrag" };
        out.add(&format!("<a class=\"{marker}\" href=\"/{address}/\">{}</a><br />\n", entities(name)));
    }
    out.add("</div>\n");
    if page.design == 2 {
        out.add("<p class=\"hinweis\">Versandkostenfrei &uuml;ber 50 Kronen &ndash; nur f&uuml;r kurze Zeit!</p>\n");
    }
    out.add(&format!("<div id=\"{}\">\n", page.class("inhalt")));
}

fn product(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    let (address, name) = page.section(page.index);
    out.add(&format!(
        "<div class=\"pfad\"><a href=\"/\">Startseite</a> &gt; <a href=\"/{address}/\">{}</a> &gt; {}</div>\n",
        entities(name),
        entities(title)
    ));
    out.block("<h1>", title, "</h1>");
    out.add(&format!("<img src=\"/bilder/{0}.jpg\" alt=\"Artikel {0}\" />\n", page.index));
    let price = format!("{},{:02} Kronen", random.between(3, 480), random.below(100));
    out.block("<p class=\"preis\">", &price, "</p>");
    out.add("<form action=\"/korb\" method=\"post\"><input type=\"submit\" value=\"In den Warenkorb\" /></form>\n");
    out.add("<h2>Beschreibung</h2>\n");
    for _ in 0..random.between(1, 3) {
        let text = page.language().paragraph(2, random);
        out.rich("<p>", &text, "</p>", random);
    }
    out.add("<table class=\"daten\">\n");
    for label in ["H\u{f6}he", "Gewicht", "Bestellnummer"] {
        let value = random.between(10, 9000).to_string();
        out.block(&format!("<tr><th>{}</th><td>", entities(label)), &value, "</td></tr>");
    }
    out.add("</table>\n<h2>Kunden kauften auch</h2>\n<ul class=\"auch\">\n");
    for index in page.latest(4) {
        out.add(&format!("<li><a href=\"{}\">{}</a></li>\n", page.path(index), entities(&page.title(index))));
    }
    out.add("</ul>\n");
}

fn offers(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    out.block("<h1>", title, "</h1>");
    for number in 0..9 {
        let index = 1 + page.index.wrapping_mul(11).wrapping_add(number * 3) % 1_000_000;
        out.add("<div class=\"artikel\">\n");
        out.link("<h3>", &page.path(index), &page.title(index), "</h3>");
        let price = format!("{},{:02} Kronen", random.between(3, 480), random.below(100));
        out.block("<p class=\"preis\">", &price, "</p>");
        out.add("<a class=\"knopf\" href=\"/korb\">In den Warenkorb</a></div>\n");
    }
    if page.index > 0 {
        out.add(&format!(
            "<div class=\"blaettern\">Seite {} von {LIST_PAGES} <a href=\"?page={}\">N&auml;chste Seite</a></div>\n",
            page.list_page(),
            page.list_page() % LIST_PAGES + 1
        ));
    }
}

fn foot(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!(
        "</div>\n<div id=\"{}\"><a href=\"/agb\">Gesch&auml;ftsbedingungen</a> | <a href=\"/widerruf\">Widerruf</a> | \
         <a href=\"/impressum\">Impressum</a><br />Alle Preise in Kronen, einschlie&szlig;lich Steuern. &copy; {} Haus {}</div>\n\
         <script type=\"text/javascript\">//<![CDATA[\nvar zaehler = {}; if (zaehler > 0 && top == self) {{ melde(zaehler); }}\n//]]></script>\n\
         </body>\n</html>\n",
        page.class("fuss"),
        page.year(),
        page.brand(),
        page.index,
    ));
}
