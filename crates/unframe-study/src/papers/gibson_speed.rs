//! Gibson, Punera and Tomkins, figure 1: running time, and the share of text that is found.

use unframe::html::Span;
use unframe::text::content::{self, Volume};
use unframe::{PageParser, Region};

use super::gibson::percent;
use super::lab::{Lab, methods};
use super::{Compared, Findings, PapersError};
use crate::eval::label;
use crate::gold::GoldPage;
use crate::parallel;
use crate::plot::{Axis, COLORS, Plot, Series, Shape};
use crate::table::Table;

/// The settings of figure 1 that the text names, and variations of them: the paper's notation W.F.D.P, and the method with parameters.
const SETTINGS: [(&str, &str); 10] = [
    ("32.10.0.200", "text"),
    ("32.10.40.200", "text:density=40"),
    ("32.10.40.200 not extended", "text:density=40,reach=0"),
    ("64.10.0.200", "text:window=64"),
    ("16.10.0.200", "text:window=16"),
    ("32.10.10.200", "text:density=10"),
    ("32.10.100.200", "text:density=100"),
    ("32.5.0.100", "text:count=5,sample=100"),
    ("32.3.0.50", "text:count=3,sample=50"),
    ("DOM", "dom"),
];
/// The settings that are measured in a quick run.
const QUICK_SETTINGS: [&str; 4] = ["32.10.0.200", "32.10.40.200", "64.10.0.200", "DOM"];

/// Figure 1: running time, and the share of text that is found, for several settings of `text`.
pub(super) fn figure_1(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let settings: Vec<(&str, &str)> =
        SETTINGS.into_iter().filter(|one| !lab.options.quick || QUICK_SETTINGS.contains(&one.0)).collect();
    let sites = lab.all_sites()?;
    let chosen = methods(&settings.iter().map(|setting| setting.1).collect::<Vec<_>>())?;
    // One thread, because sites measured in parallel would distort each other's times.
    let measured = parallel::map(&sites, 1, |site| -> Result<SiteTimes, PapersError> {
        Ok(SiteTimes::measure(&site.read(usize::MAX)?.pages, &chosen))
    });
    let measured: Vec<SiteTimes> = measured.into_iter().collect::<Result<_, _>>()?;
    let mean = |at: usize, of: fn(&(f64, f64)) -> f64| {
        measured.iter().map(|site| of(&site.settings[at])).sum::<f64>() / measured.len().max(1) as f64
    };
    let means: Vec<(f64, f64)> =
        (0..settings.len()).map(|at| (mean(at, |one| one.0), mean(at, |one| one.1))).collect();
    let sum = |of: fn(&SiteTimes) -> u64| measured.iter().map(of).sum::<u64>() as f64;
    let both = sum(|site| site.both);
    let agreement = [sum(|site| site.all), sum(|site| site.sampled)].map(|found| both / found.max(1.0));
    Ok(figure_1_findings(lab.describe_all()?, &settings, &means, agreement))
}

/// The measurements of all settings on a site.
struct SiteTimes {
    /// For each setting, the seconds and the share of text that it finds.
    settings: Vec<(f64, f64)>,
    /// The bytes of text that the first setting finds, that the second finds, and that both find.
    all: u64,
    sampled: u64,
    both: u64,
}

impl SiteTimes {
    fn measure(pages: &[GoldPage], methods: &[crate::Method]) -> SiteTimes {
        let mut parser = PageParser::new();
        let mut text_of = |regions: &[Vec<Region>]| {
            let mut volume = Volume::default();
            for (page, regions) in pages.iter().zip(regions) {
                volume += content::extract(&parser.open(&page.page), regions).volume;
            }
            volume.text
        };
        let labelled: Vec<_> = methods.iter().map(|method| label(&*method.detector, pages, 0)).collect();
        let texts: Vec<_> = labelled.iter().map(|(regions, _)| text_of(regions)).collect();
        let pairs = labelled[0].0.iter().zip(&labelled[1].0);
        let both = pairs.map(|(all, sampled)| in_both(all, sampled)).collect::<Vec<_>>();
        SiteTimes {
            settings: labelled
                .iter()
                .zip(&texts)
                .map(|((_, speed), text)| (speed.seconds, text.fraction()))
                .collect(),
            all: texts[0].template,
            sampled: texts[1].template,
            both: text_of(&both).template,
        }
    }
}

/// The intersection of two lists of regions. Both are sorted and without overlap.
fn in_both(one: &[Region], other: &[Region]) -> Vec<Region> {
    let mut found = Vec::new();
    let mut rest = other;
    for region in one {
        rest = &rest[rest.partition_point(|other| other.span.end <= region.span.start)..];
        for other in rest.iter().take_while(|other| other.span.start < region.span.end) {
            let (start, end) = (region.span.start.max(other.span.start), region.span.end.min(other.span.end));
            found.push(Region::new(Span { start, end }, region.template, region.pages));
        }
    }
    found
}

/// Reports the mean seconds and shares of each setting.
fn figure_1_findings(
    data: String,
    settings: &[(&str, &str)],
    means: &[(f64, f64)],
    [found, right]: [f64; 2],
) -> Findings {
    let of =
        |name: &str| settings.iter().position(|setting| setting.0 == name).map_or((0.0, 0.0), |at| means[at]);
    let (all, sampled, dom) = (of("32.10.0.200"), of("32.10.40.200"), of("DOM"));
    let ms = |seconds: f64| format!("{:.1} ms", seconds * 1e3);
    let compared = vec![
        Compared::new("seconds a site, 32.10.0.200", "12.5 s at most", ms(all.0)),
        Compared::new("seconds a site, 32.10.40.200", "0.59 s", ms(sampled.0)),
        Compared::new("seconds a site, DOM", "17.5 s", ms(dom.0)),
        Compared::new("speedup of D = 40", "20", format!("{:.1}", all.0 / sampled.0.max(1e-12))),
        Compared::new("text found, 32.10.0.200", "", percent(all.1)),
        Compared::new("text found, 32.10.40.200", "similar", percent(sampled.1)),
        Compared::new("of the text that D = 0 finds, found with D = 40", "", percent(found)),
        Compared::new("of the text that D = 40 finds, found with D = 0", "", percent(right)),
    ];
    let mut table = Table::new(1, ["W.F.D.P", "ms a site", "text found %"]);
    for ((name, _), (seconds, share)) in settings.iter().zip(means) {
        table.row([(*name).to_owned(), format!("{:.1}", seconds * 1e3), format!("{:.1}", share * 100.0)]);
    }
    let series = settings.iter().zip(means).enumerate().map(|(at, ((name, _), (seconds, share)))| Series {
        name: (*name).to_owned(),
        color: COLORS[at % COLORS.len()],
        shape: Shape::Points,
        points: vec![(seconds * 1e3, *share, (*name).to_owned())],
    });
    let plot = Plot {
        title: "Figure 1: time and share of text found".to_owned(),
        note: "a point is a setting of `text`; learning and labelling, on one thread".to_owned(),
        x: Axis::numbers("ms a site", means.iter().map(|one| one.0 * 1e3)),
        y: Axis::percent("text found", means.iter().map(|one| one.1)),
        series: series.collect(),
    };
    let tables = vec![("All settings".to_owned(), table)];
    Findings { data, compared, tables, plots: vec![plot], ..Findings::default() }
}

#[cfg(test)]
mod tests {
    use unframe::TemplateHash;

    use super::*;

    #[test]
    fn what_two_settings_have_in_common() {
        let regions = |spans: &[(u32, u32)]| -> Vec<Region> {
            spans
                .iter()
                .map(|(start, end)| Region::new(Span { start: *start, end: *end }, TemplateHash(0), 2))
                .collect()
        };
        let spans =
            |found: Vec<Region>| found.iter().map(|one| (one.span.start, one.span.end)).collect::<Vec<_>>();
        let (one, other) = (regions(&[(0, 10), (20, 30), (40, 50)]), regions(&[(5, 22), (24, 26), (50, 60)]));
        assert_eq!(spans(in_both(&one, &other)), [(5, 10), (20, 22), (24, 26)]);
        assert_eq!(spans(in_both(&other, &one)), [(5, 10), (20, 22), (24, 26)]);
        assert_eq!(spans(in_both(&one, &[])), []);
    }
}
