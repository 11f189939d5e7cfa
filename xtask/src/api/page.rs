//! Parses pages of rustdoc: the list of all items, and the page of an item.

/// The re-exports at the root of a crate, such as `pub use page::Page;`.
pub(super) fn reexports(index: &str) -> impl Iterator<Item = String> {
    index.split("id=\"reexport.").skip(1).filter_map(|rest| code(between(rest, "<code>", "</code>")?))
}

/// The items of a crate: for each, the file of its page and its path.
pub(super) fn items(all: &str) -> impl Iterator<Item = (String, String)> {
    let list = all.split("<ul class=\"all-items\">").skip(1);
    let links =
        list.flat_map(|list| list.split("</ul>").next().unwrap_or_default().split("<a href=\"").skip(1));
    links.filter_map(|link| {
        let (file, rest) = link.split_once("\">")?;
        Some((file.to_owned(), rest.split("</a>").next()?.to_owned()))
    })
}

/// The declaration of an item, its methods, and the traits that it implements. Blanket implementations are left out.
pub(super) fn lines(page: &str) -> Vec<String> {
    let declaration = between(page, "<pre class=\"rust item-decl\"><code>", "</code></pre>").map(text);
    let mut lines: Vec<String> =
        declaration.unwrap_or_default().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.retain(|line| !line.is_empty());
    let page = page.split("<h2 id=\"synthetic-implementations\"").next().unwrap_or_default();
    let (own, of_traits) = page.split_once("<div id=\"trait-implementations-list\">").unwrap_or((page, ""));
    let own = own.split_once("<div id=\"implementations-list\">").map_or("", |(_, list)| list);
    lines.extend(headers(own, "h4"));
    lines.extend(headers(of_traits, "h3"));
    // Every derived `PartialEq` adds `StructuralPartialEq`.
    lines.retain(|line| !line.contains("StructuralPartialEq"));
    lines
}

/// Headers of methods (h4) and of implementations (h3).
fn headers(list: &str, element: &str) -> Vec<String> {
    let (start, end) = (format!("<{element} class=\"code-header\">"), format!("</{element}>"));
    list.split(&start).skip(1).filter_map(|part| code(part.split(&end).next()?)).collect()
}

/// Code as one line of text.
fn code(html: &str) -> Option<String> {
    let text = text(html);
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Text without markup, and without the labels of collapsed parts such as `Show 13 fields`.
fn text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        rest = match tag.starts_with("summary") {
            true => tag.split_once("</summary>").map_or("", |(_, after)| after),
            false => tag.split_once('>').map_or("", |(_, after)| after),
        };
    }
    text.push_str(rest);
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    // ⓘ is a button that shows which traits a returned type implements.
    text.replace("&nbsp;", " ").replace('\u{a0}', " ").replace(" ⓘ", "").replace("&amp;", "&")
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    text.split_once(start)?.1.split(end).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_listed_with_their_files() {
        let all = "<a href=\"../x.html\">x</a><ul class=\"all-items\"><li><a href=\"a/struct.B.html\">a::B</a></li></ul>";
        assert_eq!(items(all).collect::<Vec<_>>(), [("a/struct.B.html".to_owned(), "a::B".to_owned())]);
    }

    #[test]
    fn lines_are_declaration_methods_and_traits() {
        let page = "<pre class=\"rust item-decl\"><code>pub struct <a>B</a> {\n    pub c: <a>u8</a>,\n}</code></pre>\
            <div id=\"implementations-list\"><h3 class=\"code-header\">impl B</h3>\
            <h4 class=\"code-header\">pub fn <a>d</a>(&amp;self) -&gt;\n  <a>u8</a></h4></div>\
            <div id=\"trait-implementations-list\"><h3 class=\"code-header\">impl Clone for B</h3>\
            <h4 class=\"code-header\">fn clone(&amp;self)</h4></div>\
            <h2 id=\"synthetic-implementations\"></h2><h3 class=\"code-header\">impl Send for B</h3>";
        let expected = ["pub struct B {", "    pub c: u8,", "}", "pub fn d(&self) -> u8", "impl Clone for B"];
        assert_eq!(lines(page), expected);
    }

    #[test]
    fn folds_have_no_words() {
        assert_eq!(text("{<details><summary>Show <b>2</b> fields</summary> a, b</details>}"), "{ a, b}");
    }
}
