//! Tests `parse`: the tree of a page with its bytes.

use super::{folder_with, unframe};

#[test]
fn the_tree_is_shown_with_bytes() {
    let folder = folder_with("page.html", "<p class=a>Hi");
    let run = unframe(folder.path(), &["parse", "page.html"]);
    let expected = "\
html 0..13
  head 0..0
  body 0..13
    p class=\"a\" 0..13 start 0..11
      \"Hi\" 11..13
";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

#[test]
fn the_tree_can_be_json() {
    let folder = folder_with("page.html", "<table>x<td>y");
    let run = unframe(folder.path(), &["parse", "page.html", "--json"]);
    let page: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let text = page["nodes"].as_array().unwrap().iter().find(|node| node["text"] == "x").unwrap();
    assert_eq!(
        (text["start"].as_u64(), text["end"].as_u64(), text["moved"].as_bool()),
        (Some(7), Some(8), Some(true))
    );
    assert_eq!(page["nodes"][text["parent"].as_u64().unwrap() as usize]["name"], "body");
}

#[test]
fn a_page_that_is_not_there_is_an_error() {
    let folder = folder_with("page.html", "<p>");
    let run = unframe(folder.path(), &["parse", "page.html", "--url", "http://nowhere/"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no page has the address http://nowhere/"), "{}", run.stderr);
}
