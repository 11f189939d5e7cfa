//! Features by name, and what a value of one means in words.

use super::kind::PageKind;
use super::{features, site};

/// The names of the features of a page alone, in the order of a row.
pub(super) fn names_alone() -> Vec<String> {
    features::names().into_iter().chain(kinds("kind")).collect()
}

/// The names of all features; those of a page alone come first.
pub(super) fn names() -> Vec<String> {
    names_alone().into_iter().chain(site::names()).chain(kinds("site_kind")).collect()
}

fn kinds(of: &str) -> [String; PageKind::ALL.len()] {
    PageKind::ALL.map(|kind| format!("{of}_{}", kind.name()))
}

/// A feature with its value, for people.
pub(super) fn phrase(name: &str, value: i16) -> String {
    let percent = f64::from(value) / 10.0;
    if value == -2 && name.starts_with("site_") {
        return format!("{} unknown", plain(name));
    }
    match name {
        "alone" => format!("by this page alone {:+.1}", f64::from(value) / 16.0),
        "alone_place" => format!("this place by this page alone {:+.1}", f64::from(value) / 16.0),
        "site_alone_place" if value == site::NO_SCORE => "place on no other page".to_owned(),
        "site_alone_place" => {
            format!("this place on other pages, each alone {:+.1}", f64::from(value) / 16.0)
        }
        "site_text" => format!("same text on {percent:.0} % of the other pages"),
        "site_text_without_digits" => {
            format!("same text but for numbers on {percent:.0} % of the other pages")
        }
        "site_text_at_place" => format!("same text at the same place on {percent:.0} % of the other pages"),
        "site_place" => format!("same place on {percent:.0} % of the other pages"),
        "site_place_repeated" => format!("{percent:.0} % of the texts at this place are repeated"),
        "site_around" | "site_repeated1" | "site_repeated2" | "site_repeated3" => {
            format!("{percent:.0} % of the text around it is repeated")
        }
        "link_density" => format!("{percent:.0} % of it is links"),
        "place_prose" => format!("{percent:.0} % of the page's prose is at this place"),
        "path_sum" | "path_min" | "path_max" | "nearest_sum" | "nearest_min" | "nearest_max" => {
            format!(
                "names of the elements around it ({})",
                if value < 0 { "like boilerplate" } else { "like content" }
            )
        }
        "word_sum" | "word_min" | "word_max" => {
            format!("its words ({})", if value < 0 { "like boilerplate" } else { "like content" })
        }
        "main_steps" => format!("{value} steps from the container with most prose"),
        "main_up" => format!("shares a container {value} levels above most of the prose"),
        _ if name.ends_with("_prose") && name.starts_with("container") => {
            format!("{percent:.0} % of the page's prose in the container around it")
        }
        _ if name.ends_with("link_density") => format!("{} {percent:.0} %", plain(name)),
        _ if name.starts_with("in_") => {
            let tag = &name[3..];
            if value == 1 { format!("inside of <{tag}>") } else { format!("not inside of <{tag}>") }
        }
        _ => format!("{} {value}", plain(name)),
    }
}

fn plain(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names = names();
        assert!(names.len() <= 256, "a feature is a byte in the trees");
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
