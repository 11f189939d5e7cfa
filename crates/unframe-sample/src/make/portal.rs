//! A Chinese portal in GBK: dense menus, many boxes.

use crate::Kind;
use crate::page::{Context, LIST_PAGES, Writer};
use crate::random::Random;

pub(crate) fn write(page: &Context<'_>, out: &mut Writer) {
    let random = &mut page.random(page.index, "text");
    let title = match page.kind(page.index) {
        Kind::Home => "海湾门户".to_owned(),
        _ => page.title(page.index),
    };
    top(page, &title, out);
    out.add(&format!("<div class=\"{}\">\n", page.class("left")));
    match page.kind(page.index) {
        Kind::Article => article(page, &title, random, out),
        _ => list(page, &title, random, out),
    }
    out.add("</div>\n");
    right(page, out);
    bottom(page, out);
}

fn top(page: &Context<'_>, title: &str, out: &mut Writer) {
    out.add(&format!(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n<html>\n<head>\n\
         <meta http-equiv=\"Content-Type\" content=\"text/html; charset=gb2312\">\n<title>{title}_海湾门户网</title>\n\
         <script type=\"text/javascript\">var _pid='{}';var _ch=\"portal\";</script>\n</head>\n<body>\n\
         <div class=\"{}\"><a href=\"/login\">登录</a> <a href=\"/register\">注册</a> | <a href=\"#\">设为首页</a> | \
         <a href=\"#\">加入收藏</a></div>\n<ul class=\"{}\">\n",
        page.index,
        page.class("topbar"),
        page.class("nav"),
    ));
    let current = page.section(page.index).0;
    for (address, name) in page.menu() {
        let marker = if *address == current { " class=\"on\"" } else { "" };
        out.add(&format!("<li{marker}><a href=\"/{address}/\" target=\"_blank\">{name}</a></li>"));
    }
    let (address, name) = page.section(page.index);
    out.add(&format!(
        "</ul>\n<div class=\"{}\">您的位置：<a href=\"/\">首页</a> &gt; <a href=\"/{address}/\">{name}</a> &gt; 正文</div>\n",
        page.class("path")
    ));
}

fn article(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    out.block("<h1>", title, "</h1>");
    let byline = format!("{} 作者：{}", page.published(page.index), random.pick(page.language().names));
    out.block("<div class=\"info\">", &byline, "</div>");
    out.add("<div class=\"tools\">【<a href=\"#\">大</a> <a href=\"#\">中</a> <a href=\"#\">小</a>】【<a href=\"#\">打印</a>】</div>\n");
    for _ in 0..random.between(3, 6) {
        let sentences = random.between(2, 5);
        out.block("<p>", &page.language().paragraph(sentences, random), "</p>");
    }
    out.add("<p class=\"copy\">本文版权归海湾门户网所有，未经许可不得转载。</p>\n");
}

fn list(page: &Context<'_>, title: &str, random: &mut Random, out: &mut Writer) {
    out.block("<h1>", title, "</h1>");
    out.add("<ul class=\"list\">\n");
    for number in 0..10 {
        let index = 1 + page.index.wrapping_mul(19).wrapping_add(number * 2) % 1_000_000;
        out.link("<li>", &page.path(index), &page.title(index), "<br>");
        out.block("<span>", &page.language().sentence(random), "</span></li>");
    }
    out.add("</ul>\n");
    if page.index > 0 {
        out.add(&format!(
            "<div class=\"pages\">第{}页 共{LIST_PAGES}页 <a href=\"?page=1\">首页</a> <a href=\"?page={LIST_PAGES}\">末页</a></div>\n",
            page.list_page()
        ));
    }
}

fn right(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!("<div class=\"{}\">\n", page.class("right")));
    for heading in ["最新消息", "热门排行", "编辑推荐"].iter().skip(2 - page.design.min(2)) {
        out.add(&format!("<h3>{heading}</h3><ol>\n"));
        for index in page.latest(4) {
            let index = index + heading.len() as u64;
            out.add(&format!("<li><a href=\"{}\">{}</a></li>\n", page.path(index), page.title(index)));
        }
        out.add("</ol>\n");
    }
    out.add("</div>\n");
}

fn bottom(page: &Context<'_>, out: &mut Writer) {
    out.add(&format!(
        "<div class=\"{}\"><a href=\"/about\">关于我们</a> | <a href=\"/jobs\">诚聘英才</a> | <a href=\"/map\">网站地图</a>\
         <p>版权所有 &copy; 2003-{} 海湾门户网</p></div>\n</body>\n</html>\n",
        page.class("footer"),
        page.year()
    ));
}
