//! The names of features, and the meaning of their values in words.

use super::kind::PageKind;
use super::{features, second_pass, site};

/// The names of the features of a single page, in the order of a row.
pub(super) fn single_page_names() -> Vec<String> {
    features::names().into_iter().chain(kinds("kind")).collect()
}

/// The names of the features of the second pass over a single page.
pub(super) fn second_pass_names() -> Vec<String> {
    single_page_names().into_iter().chain(second_pass::names()).collect()
}

/// The names of all features with a site, those of a single page first.
pub(super) fn names() -> Vec<String> {
    single_page_names().into_iter().chain(site::names()).chain(kinds("site_kind")).collect()
}

fn kinds(of: &str) -> [String; PageKind::ALL.len()] {
    PageKind::ALL.map(|kind| format!("{of}_{}", kind.name()))
}

/// Topics for people, with the prefixes of the features that belong to each.
#[rustfmt::skip]
const TOPICS: [(&str, &[&str]); 9] = [
    ("this page alone", &["single_page"]),
    ("the text around it", &["around_"]),
    ("the kind of page", &["kind_", "site_kind_", "count_", "blocks", "page_", "headings"]),
    ("other pages", &["site_"]),
    ("names of its elements", &["path_", "nearest_"]),
    ("its words", &["word_", "heading_word"]),
    ("the text before and after it", &["neighbour", "prose_", "density_around"]),
    ("title and headings", &["title_", "from_", "is_title", "description_", "subheading_", "beside_subheading", "in_structured_data"]),
    ("where it stands on the page", &[
        "container", "main_", "in_", "like_longest", "beside_longest", "place_", "copies", "is_copy", "depth", "hidden", "position",
        "words_before", "tag", "after_break",
    ]),
];

/// The topic of a feature.
pub(super) fn topic(name: &str) -> &'static str {
    let topic = TOPICS.iter().find(|(_, starts)| starts.iter().any(|start| name.starts_with(start)));
    topic.map_or("how it is written", |(topic, _)| topic)
}

/// A phrase for a feature with this value; `None` for a feature that says little by itself.
pub(super) fn phrase(name: &str, value: i16) -> Option<String> {
    let percent = f64::from(value) / 10.0;
    let like = if value < 0 { "like boilerplate" } else { "like content" };
    Some(match name {
        _ if value == -2 && name.starts_with("site_") => return None,
        "site_single_page_place" if value == site::NO_SCORE => "none has this place".to_owned(),
        "site_single_page_place" => format!("{like} at this place"),
        "single_page" | "single_page_place" => like.to_owned(),
        "site_text" => format!("same text on {percent:.0} %"),
        "site_text_without_digits" => format!("same text but for numbers on {percent:.0} %"),
        "site_text_at_place" => format!("same text at the same place on {percent:.0} %"),
        "site_place" => format!("same place on {percent:.0} %"),
        "site_place_repeated" => format!("{percent:.0} % of the texts at this place repeated"),
        "site_around" | "site_repeated0" | "site_repeated1" | "site_repeated2" | "site_repeated3" => {
            format!("{percent:.0} % of the text around it repeated")
        }
        "link_density" => format!("{percent:.0} % links"),
        "words" => format!("{value} words"),
        "place_prose" => format!("{percent:.0} % of the page's prose at this place"),
        "main_steps" => format!("{value} steps from the container with most prose"),
        _ if topic(name) == "names of its elements" || topic(name) == "its words" => like.to_owned(),
        _ if name.ends_with("_prose") && name.starts_with("container") => {
            format!("{percent:.0} % of the page's prose in the container around it")
        }
        _ if name.ends_with("link_density") && name.starts_with("container") => {
            format!("{percent:.0} % links in the container around it")
        }
        _ if name.starts_with("in_") && value == 1 => format!("inside <{}>", &name[3..]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_topics() {
        let topics = [
            "link_density",
            "site_text",
            "kind_article",
            "neighbour-1_prose",
            "main_up",
            "words",
            "site_kind_article",
            "single_page",
            "single_page_place",
            "site_single_page_place",
        ];
        assert_eq!(
            topics.map(topic),
            [
                "how it is written",
                "other pages",
                "the kind of page",
                "the text before and after it",
                "where it stands on the page",
                "how it is written",
                "the kind of page",
                "this page alone",
                "this page alone",
                "other pages",
            ]
        );
    }

    #[test]
    fn no_feature_has_the_last_topic_by_accident() {
        let all: Vec<String> = second_pass_names().into_iter().chain(names()).collect();
        let mut rest: Vec<&str> =
            all.iter().map(String::as_str).filter(|name| topic(name) == "how it is written").collect();
        rest.sort_unstable();
        rest.dedup();
        let written = "begins_with_capital begins_with_quote capitals chars chars_per_word commas digits ends_sentence ends_with_dots \
             ends_with_mark has_address has_copyright has_date has_time link_density links punctuation separators stops words";
        assert_eq!(rest.join(" "), written);
        for start in TOPICS.iter().flat_map(|(_, starts)| *starts) {
            assert!(all.iter().any(|name| name.starts_with(start)), "no feature begins with {start}");
        }
    }

    #[test]
    fn names_are_unique() {
        for mut names in [second_pass_names(), names()] {
            assert!(names.len() <= 256, "a feature is a byte in the trees");
            names.sort();
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all);
        }
    }
}
