//! Pages and graphs that can be worked out by hand.

use unframe::TemplateHash;
use unframe_picture::links::Link;

use super::rank::{page_rank, places};
use super::*;

#[test]
fn ranks_of_a_small_graph() {
    // Two pages that link to each other have equal ranks; duplicate links do not matter.
    assert_eq!(page_rank(2, &[(0, 1), (1, 0), (0, 1)]), [0.5, 0.5]);
    // A star: 1 and 2 link to 0, which has no links. By hand: r1 = r2 = b, r0 = b + 0.85 · 2b, b = 0.05 + 0.85 · r0 / 3.
    let ranks = page_rank(3, &[(1, 0), (2, 0)]);
    let b = 0.05 / (1.0 - 0.85 * 2.7 / 3.0);
    assert!((ranks[1] - b).abs() < 1e-9 && (ranks[0] - 2.7 * b).abs() < 1e-9, "{ranks:?}");
    assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(places(&ranks), [1, 2, 2]);
    assert!(page_rank(0, &[]).is_empty() && places(&[]).is_empty());
}

#[test]
fn pages_lose_what_templates_gave_them() {
    let mut graph = Graph::default();
    let link = |to: &str, region| Link { to: format!("http://a.example/{to}"), text: String::new(), region };
    for page in ["home", "x", "y"] {
        let mut links = vec![link("home", Some(0))];
        if page != "x" {
            links.push(link("x", None));
        }
        graph.add(&format!("http://a.example/{page}"), "a.example", &links, &[TemplateHash(7)]);
    }
    let report = LinkReport::of(&graph);
    let text = report.text(5);
    assert!(
        text.starts_with("5 links, 60 % of them in templates; between the 3 pages of the crawl 5, 60 %"),
        "{text}"
    );
    let (gain, lose) = text.split_once("pages that lose").expect("two tables");
    assert!(gain.contains("a.example/x") && lose.contains("a.example/home"), "{text}");
    assert_eq!(
        report.links_csv().lines().nth(1),
        Some("http://a.example/home,http://a.example/home,template,0000000000000007")
    );
    assert_eq!(report.ranks_csv().lines().count(), 4);
}
