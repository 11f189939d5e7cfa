//! An old Russian newspaper in windows-1251: nested layout tables, tags in capital letters, `font` elements.

use crate::Kind;
use crate::page::{Context, LIST_PAGES, Writer, escaped};
use crate::random::Random;

pub(crate) fn write(page: &Context<'_>, out: &mut Writer) {
    let random = &mut page.random(page.index, "text");
    let title = match page.kind(page.index) {
        Kind::Home => "Вечерняя газета".to_owned(),
        _ => page.title(page.index),
    };
    top(page, &title, out);
    match page.kind(page.index) {
        Kind::Article => article(page, &title, random, out),
        _ => list(page, &title, random, out),
    }
    right_column(page, out);
    bottom(page, out);
}

fn top(page: &Context<'_>, title: &str, out: &mut Writer) {
    let colour = ["#336699", "#993333", "#2F4F4F"][page.design.min(2)];
    out.add(&format!(
        "<HTML><HEAD><META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=windows-1251\">\n\
         <TITLE>{} :: Вечерняя газета</TITLE></HEAD>\n\
         <BODY BGCOLOR=\"#FFFFFF\" TEXT=\"#000000\" LINK=\"{colour}\">\n\
         <TABLE WIDTH=\"100%\" BORDER=0 CELLSPACING=0><TR><TD BGCOLOR=\"{colour}\" COLSPAN=3>\
         <FONT SIZE=5 COLOR=white>Вечерняя газета города</FONT><BR>\
         <FONT SIZE=2 COLOR=white>Выходит по вторникам и пятницам</FONT></TD></TR>\n\
         <TR VALIGN=top><TD WIDTH=150 BGCOLOR=\"#EEEEEE\">\n",
        escaped(title)
    ));
    let current = page.section(page.index).0;
    for (address, name) in page.menu() {
        if *address == current && page.index > 0 {
            out.add(&format!("<B>&raquo; {name}</B><BR>\n"));
        } else {
            out.add(&format!("<A HREF=\"/{address}/\">{name}</A><BR>\n"));
        }
    }
    out.add("<HR NOSHADE SIZE=1><!-- счётчик --><IMG SRC=\"/cgi-bin/counter.gif\" WIDTH=88 HEIGHT=31>\n");
    if page.design < 2 {
        out.add("<CENTER><FONT SIZE=1>Разместите здесь своё объявление</FONT></CENTER>\n");
    }
    out.add("</TD><TD>\n");
}

fn article(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    out.block("<H2>", title, "</H2>");
    let author = random.pick(page.language().names);
    let byline = format!("{author}, {}", page.published(page.index));
    out.block("<FONT SIZE=2 COLOR=gray><I>", &byline, "</I></FONT><BR>");
    for _ in 0..random.between(3, 6) {
        let sentences = random.between(2, 4);
        let text = page.language().paragraph(sentences, random);
        out.rich("<P ALIGN=justify>", &text, "</P>", random);
    }
    out.add("<P><A HREF=\"javascript:window.print()\">Версия для печати</A> | <A HREF=\"mailto:red@gazeta.example\">Написать в редакцию</A></P>\n");
}

fn list(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    out.block("<H2>", title, "</H2>");
    out.add("<TABLE BORDER=0 CELLPADDING=4>\n");
    for number in 0..7 {
        let index = 1 + page.index.wrapping_mul(13).wrapping_add(number * 7) % 1_000_000;
        out.add("<TR>");
        out.block("<TD NOWRAP><FONT SIZE=2>", &page.published(index), "</FONT></TD>");
        out.link("<TD>", &page.path(index), &page.title(index), "<BR>");
        out.block("<FONT SIZE=2>", &page.language().sentence(random), "</FONT></TD></TR>");
    }
    out.add("</TABLE>\n");
    if page.index > 0 {
        out.add(&format!(
            "<CENTER>Страница {} из {LIST_PAGES} &nbsp; <A HREF=\"?page=1\">в начало</A></CENTER>\n",
            page.list_page()
        ));
    }
}

fn right_column(page: &Context<'_>, out: &mut Writer) {
    out.add("</TD><TD WIDTH=180>\n<TABLE BORDER=1 BGCOLOR=\"#FFFFCC\"><TR><TD><B>Последние новости</B></TD></TR>\n");
    for index in page.latest(4) {
        out.add(&format!("<TR><TD><A HREF=\"{}\">{}</A></TD></TR>\n", page.path(index), page.title(index)));
    }
    out.add("</TABLE></TD></TR>\n");
}

fn bottom(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!(
        "<TR><TD COLSPAN=3 BGCOLOR=\"#CCCCCC\" ALIGN=center><FONT SIZE=1>&copy; {} Редакция газеты. \
         При перепечатке ссылка обязательна.<BR>Телефон редакции: 12-34-56</FONT></TD></TR></TABLE>\n\
         <SCRIPT LANGUAGE=\"JavaScript\"><!--\ndocument.write('<IMG SRC=\"/hit?' + Math.random() + '\">');\n//--></SCRIPT>\n\
         </BODY></HTML>\n",
        page.year()
    ));
}
