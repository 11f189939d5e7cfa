//! Tests the templates that `places` finds.

use super::*;
use crate::regions::RegionKind;

/// The remaining text of a page, and the removed regions.
fn clean(pages: &[String], at: usize) -> (String, Vec<(RegionKind, &str)>) {
    let named: Vec<_> = pages.iter().enumerate().map(|(i, page)| (i.to_string(), page.clone())).collect();
    let models = learn(method("places").unwrap(), &named).models();
    let regions = label(&models, &pages[at]);
    let text = crate::text::content::extract(&PageParser::new().open(bytes(&pages[at])), &regions).text;
    (text, regions.iter().map(|region| (region.kind, &pages[at][region.span.range()])).collect())
}

/// Sentences of words that no other page has.
fn prose(number: usize) -> String {
    let word = |i: usize| format!("{}{}", ["tea", "milk", "sugar"][i % 3], number * 97 + i * 13);
    (0..30).map(|i| word(i) + [" ", " ", " ", " ", ", ", " ", " ", " ", " ", ". "][i % 10]).collect()
}

const MENU: &str = "<a href=/>Home</a> <a href=/tea>Tea</a> <a href=/milk>Milk</a>";

#[test]
fn repeated_words_go_wherever_they_stand() {
    let page = |number| {
        format!(
            "<nav>{MENU}</nav><main><h1>Number {number}</h1><p>{}</p><div>See also</div><p>{}</p></main>\
             <footer>Printed on paper by the people of the tea house</footer>",
            prose(number),
            prose(number + 100)
        )
    };
    let pages: Vec<String> = (0..20).map(page).collect();
    let (text, regions) = clean(&pages, 3);
    assert_eq!(text.lines().next(), Some("Number 3"));
    assert!(!text.contains("See also"), "all pages have it at the same place: {text}");
    assert!(!text.contains("Home") && !text.contains("Printed"), "{text}");
    assert_eq!(regions[0], (RegionKind::Repeated, format!("<nav>{MENU}</nav>").as_str()));
}

#[test]
fn repeated_headings_stay_with_their_sections() {
    let page = |number| {
        format!(
            "<nav><h2>Teas</h2>{MENU}</nav><main><h1>Number {number}</h1><p>{}</p><h2>Parameters</h2><p>{}</p></main>\
             <footer><h2>About us</h2>Printed on paper by the people of the tea house</footer>",
            prose(number),
            prose(number + 100)
        )
    };
    let pages: Vec<String> = (0..20).map(page).collect();
    let (text, _) = clean(&pages, 3);
    assert!(text.contains("\nParameters\n"), "{text}");
    assert!(!text.contains("Teas") && !text.contains("About us") && !text.contains("Home"), "{text}");
}

#[test]
fn changing_words_inside_templates_go() {
    let page = |number: usize| {
        let links: String = (0..8).map(|i| format!("<li><a href=/{i}>Part {}</a>", number * 8 + i)).collect();
        format!(
            "<div class=sidebar><ul><li>{MENU}{links}</ul></div><div class=content><p>{}</p></div>",
            prose(number)
        )
    };
    let pages: Vec<String> = (0..20).map(page).collect();
    let (text, regions) = clean(&pages, 5);
    assert!(text.starts_with("tea") && !text.contains("Part"), "{text}");
    let kinds: Vec<RegionKind> = regions.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [RegionKind::Repeated, RegionKind::Changing]);
    let gone: String = regions.iter().map(|(_, bytes)| *bytes).collect();
    assert!(gone.starts_with("<div class=sidebar>") && gone.ends_with("</ul></div>"), "all of it: {gone}");
}

#[test]
fn ways_through_the_site_go_however_small_they_are() {
    let page = |number: usize| {
        let prose: String = (0..60).map(|part| format!("<p>{}</p>", prose(number * 60 + part))).collect();
        format!(
            "<table><tr><td><a accesskey=p href=/p>Prev</a></td><td>Chapter {number}. About {}</td>\
             <td><a accesskey=n href=/n>Next</a></td></tr></table><h2>{number}. Sugar</h2>{prose}",
            ["tea", "milk", "water"][number % 3]
        )
    };
    let pages: Vec<String> = (0..20).map(page).collect();
    let (text, _) = clean(&pages, 3);
    assert!(!text.contains("Prev") && !text.contains("Next"), "{}", &text[..100]);
    assert!(text.contains("3. Sugar\ntea"), "{}", &text[..100]);
}

#[test]
fn values_stay_with_their_labels() {
    let page = |number: usize| {
        format!(
            "<title>Tea pot {number}</title><meta property=og:type content=product><div id=top>{MENU}</div><h1>Tea pot {number}</h1>\
             <table><thead><tr><th>Tea pot</th><th>in shops</th></tr></thead><tr><td>Price</td><td>{}.50</td></tr><tr><td>Colour</td><td>{}</td></tr></table><p>{}</p>",
            number + 10,
            ["red", "green", "blue"][number % 3],
            prose(number).replace(['.', ','], "")
        )
    };
    let pages: Vec<String> = (0..30).map(page).collect();
    let (text, _) = clean(&pages, 7);
    assert!(text.contains("Tea pot\tin shops\nPrice\t17.50\nColour\tgreen\n"), "{text}");
    assert!(!text.contains("Home"), "{text}");
}

#[test]
fn kinds_of_pages_have_templates_of_their_own() {
    let page = |number: usize| match number % 2 {
        0 => format!("<body class=post><nav>{MENU}</nav><article>{}</article>", prose(number)),
        _ => format!(
            "<body class=list><nav>{MENU}</nav><div class=filter><a href=?a>By name</a> <a href=?b>By date</a></div>\
             <ul class=results><li>{}</ul>",
            prose(number)
        ),
    };
    let pages: Vec<String> = (0..24).map(page).collect();
    for at in [4, 5] {
        let (text, _) = clean(&pages, at);
        assert!(!text.contains("Home") && !text.contains("By date"), "{text}");
        assert!(text.contains("sugar"), "{text}");
    }
}

#[test]
fn old_pages_keep_the_template_that_they_were_made_with() {
    let page = |number: usize| match number < 6 {
        true => format!(
            "<table><tr><td class=menu><a href=/>Start</a> <a href=/old>Old things</a></td><td class=text>{}</td></tr></table>",
            prose(number)
        ),
        false => format!(
            "<nav>{MENU}</nav><article>{}</article><footer>Printed on <a href=/p>paper</a></footer>",
            prose(number)
        ),
    };
    let pages: Vec<String> = (0..30).map(page).collect();
    let (old, _) = clean(&pages, 2);
    assert!(old.contains("sugar") && !old.contains("Old things"), "{old}");
    let (new, _) = clean(&pages, 20);
    assert!(new.contains("sugar") && !new.contains("Home") && !new.contains("Printed"), "{new}");
}

#[test]
fn every_language_has_a_menu_of_its_own() {
    let menus = [MENU, "<a href=/de/>Anfang</a> <a href=/de/tee>Tee</a> <a href=/de/milch>Milch</a>"];
    let page = |number: usize| {
        format!("<div class=nav>{}</div><div class=content><p>{}</p></div>", menus[number % 2], prose(number))
    };
    let pages: Vec<String> = (0..30).map(page).collect();
    for at in [8, 9] {
        let (text, _) = clean(&pages, at);
        assert!(text.starts_with("tea") && !text.contains("Home") && !text.contains("Anfang"), "{text}");
    }
}

#[test]
fn links_that_say_where_they_lead_are_ways_through_the_site() {
    let page = |number: usize| {
        format!(
            "<div class=header><p>Next: <a rel=next href=/n>About {}</a>, Previous: <a rel=prev href=/p>On {}</a> <a rel=index \
             href=/i>Index</a></p></div><h2>Tea {number}</h2><p>{}</p><p>More in <a href=/x>{number} kinds of tea</a>.</p>",
            number + 1,
            number - 1,
            prose(number)
        )
    };
    let pages: Vec<String> = (1..21).map(page).collect();
    let (text, _) = clean(&pages, 5);
    assert!(text.starts_with("Tea 6\ntea582") && !text.contains("Index"), "{text}");
}

#[test]
fn one_page_is_judged_by_what_it_shows() {
    let page = format!(
        "<nav><ul><li>{MENU}</ul></nav><main><h1>Tea</h1><p>{}</p></main><footer><a href=/imprint>Imprint</a> <a href=/terms>Terms</a></footer>",
        prose(1)
    );
    let (text, _) = clean(std::slice::from_ref(&page), 0);
    assert!(text.contains("tea97") && text.contains("Tea\n"), "{text}");
    assert!(!text.contains("Home") && !text.contains("Imprint"), "{text}");
}

#[test]
fn what_is_beside_the_prose_of_one_page_goes_without_links_and_landmarks() {
    let page = format!(
        "<title>Tea</title><div class=consent><p>We use cookies.</p><button>Accept all</button></div><div class=top><span>Tea house</span>\
         </div><main><h1>Tea</h1><p>{}</p><p>{}</p></main><div role=dialog><p>Never miss a cup! Subscribe to our newsletter, and get 10 % off your first order.</p></div>\
         <form><label>Your e-mail</label></form>",
        prose(1),
        prose(2)
    );
    let (text, _) = clean(std::slice::from_ref(&page), 0);
    assert!(text.starts_with("Tea\ntea97") && text.contains("tea194"), "{text}");
    for gone in ["cookies", "Accept", "house", "newsletter", "e-mail"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
}

#[test]
fn a_form_around_all_of_a_page_tells_nothing() {
    let page = |start: &str, end: &str| {
        format!(
            "{start}<div><h1>Tea</h1><p>{}</p><p>Some drink it with milk and sugar.</p></div>{end}",
            prose(1)
        )
    };
    let (whole, bare) = (page("<form>", "</form>"), page("<div>", "</div>"));
    let text = |page: &String| clean(std::slice::from_ref(page), 0).0;
    assert_eq!(text(&whole), text(&bare));
    assert!(text(&whole).ends_with("milk and sugar."));
}

#[test]
fn what_most_titles_have_in_common_is_template() {
    let page = |number: usize| {
        let title = match number {
            0 => "Tea Times - all about tea".to_owned(),
            1..=3 => format!("Tea Times - Search {number}"),
            _ => format!("Kettle {number} - Tea Times"),
        };
        format!("<title>{title}</title><nav>{MENU}</nav><h1>Kettle {number}</h1><p>{}</p>", prose(number))
    };
    let pages: Vec<String> = (0..12).map(page).collect();
    let in_title = |at: usize| clean(&pages, at).1[0];
    assert_eq!(in_title(7), (RegionKind::Markup, " - Tea Times"));
    assert_eq!(in_title(2), (RegionKind::Markup, "Tea Times - "));
    let single = clean(&pages[..1], 0).1;
    assert!(!single.iter().any(|(kind, _)| *kind == RegionKind::Markup), "{single:?}");
}

#[test]
fn a_footer_that_changes_is_still_a_footer() {
    let page = |number: usize| {
        format!(
            "<main><h1>Number {number}</h1><p>{}</p></main><footer>Seen {} times, last on day {}</footer>",
            prose(number),
            number * 37 + 5,
            ["one", "two", "three", "four", "five", "six", "seven", "eight"][number]
        )
    };
    let pages: Vec<String> = (0..8).map(page).collect();
    for at in 0..pages.len() {
        let (text, regions) = clean(&pages, at);
        assert!(text.ends_with('.') || !text.contains("Seen"), "{text}");
        assert_eq!(regions.last().map(|(kind, _)| *kind), Some(RegionKind::Changing), "{regions:?}");
    }
}

/// Pages whose sentences have the same formula or element in the middle.
fn pages_with(inline: &str) -> Vec<String> {
    let sentence =
        |number: usize| format!("{} where {inline} holds for {}.", prose(number), prose(number + 50));
    let page = |number: usize| {
        format!(
            "<nav>{MENU}</nav><main><h1>Number {number}</h1><p>{}</p><p>{}</p></main>",
            sentence(number),
            sentence(number + 100)
        )
    };
    (0..20).map(page).collect()
}

#[test]
fn formulas_in_sentences_stay() {
    let mathml = "<math><msup><mi>x</mi><mn>2</mn></msup></math>";
    let katex = "<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation \
        encoding='application/x-tex'>x</annotation></semantics></math></span><span class=katex-html \
        aria-hidden=true><span class=base>x</span></span></span>";
    let mathjax = "<mjx-container class='MathJax CtxtMenu_Attached_0' jax=CHTML><mjx-math><mjx-mi></mjx-mi></mjx-math>\
        <mjx-assistive-mml><math><mi>a</mi><mo>=</mo><mi>b</mi></math></mjx-assistive-mml></mjx-container>";
    for (formula, expected) in [(mathml, "$x^{2}$"), (katex, "$x$"), (mathjax, "$a=b$")] {
        let pages = pages_with(formula);
        let (text, regions) = clean(&pages, 3);
        assert_eq!(text.matches(&format!("where {expected} holds")).count(), 2, "{text}");
        assert!(!text.contains("Home"), "{text}");
        assert!(!regions.iter().any(|(_, bytes)| formula.contains(bytes)), "no part of it: {regions:?}");
    }
}

#[test]
fn display_formulas_stay_between_paragraphs_and_go_with_templates() {
    let formula = "<math display=block><mi>e</mi><mo>=</mo><mi>m</mi></math>";
    let page = |number: usize| {
        format!(
            "<div class=nav><a href=/>Home</a><p>{formula}</p><a href=/tea>Tea</a></div><main><p>{}</p><p>{formula},</p><p>{}</p></main>",
            prose(number),
            prose(number + 100)
        )
    };
    let pages: Vec<String> = (0..20).map(page).collect();
    let (text, _) = clean(&pages, 3);
    assert_eq!(text.matches("$$e=m$$").count(), 1, "{text}");
    assert!(text.starts_with("tea") && !text.contains("Home"), "{text}");
}

#[test]
fn formulas_without_text_are_no_markup() {
    let formula = "<p><mjx-container class=MathJax><mjx-math><mjx-c class=mjx-c1D465></mjx-c></mjx-math></mjx-container></p>\
        <p><script type=math/tex>x</script></p><p><math><mi>x</mi><mspace></mspace></math></p>";
    let page = |number: usize| format!("<nav>{MENU}</nav><div></div><p>{}</p>{formula}", prose(number));
    let pages: Vec<String> = (0..20).map(page).collect();
    let (_, regions) = clean(&pages, 3);
    assert!(regions.iter().any(|(_, bytes)| bytes.contains("<div></div>")), "{regions:?}");
    assert!(!regions.iter().any(|(_, bytes)| formula.contains(bytes)), "{regions:?}");
}

#[test]
fn elements_between_words_stay() {
    for name in ["bdi", "bdo", "x-tip", "button"] {
        let pages = pages_with(&format!("<{name}>hot tea</{name}>"));
        let (text, _) = clean(&pages, 3);
        assert_eq!(text.matches("where hot tea holds").count(), 2, "{name}: {text}");
    }
    let pages = pages_with("<svg><text>hot tea</text><path d=M0,0></path></svg>");
    let (_, regions) = clean(&pages, 3);
    assert!(!regions.iter().any(|(_, bytes)| bytes.contains("<path")), "{regions:?}");
}
