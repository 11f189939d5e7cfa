//! The values printed in the papers.

/// A site of the appendix of Gibson, Punera and Tomkins, shares in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AppendixSite {
    /// Its name.
    pub(super) name: &'static str,
    /// Its categories, separated by `;`.
    pub(super) categories: &'static str,
    /// The number of pages in the crawl of the authors.
    pub(super) pages: f64,
    /// Share of template text by the method `text`.
    pub(super) text: f64,
    /// Share of template HTML by the method `dom`.
    pub(super) html: f64,
    /// Share of template text by the method `dom`.
    pub(super) dom_text: f64,
    /// Share of links in templates by the method `dom`.
    pub(super) links: f64,
}

/// The appendix. The scan of the paper is partly hard to read, but the printed category counts and the printed mean difference confirm the values.
const APPENDIX: &str = include_str!("gibson_appendix.tsv");

/// The sites of the appendix.
pub(super) fn appendix() -> Vec<AppendixSite> {
    let site = |line: &'static str| {
        let mut cells = line.split('\t');
        let (name, categories) = (cells.next()?, cells.next()?);
        let mut number = || cells.next()?.parse().ok();
        Some(AppendixSite {
            name,
            categories,
            pages: number()?,
            text: number()?,
            html: number()?,
            dom_text: number()?,
            links: number()?,
        })
    };
    APPENDIX.lines().skip(1).filter_map(site).collect()
}

/// The table of section 4.1: the number of sites in each category.
pub(super) const CATEGORIES: [(&str, usize); 7] = [
    ("News", 5),
    ("Personal", 8),
    ("Community", 14),
    ("Documents", 14),
    ("Catalog", 40),
    ("Brochure", 42),
    ("Portal", 16),
];

/// Figure 2: template text by the method `text`, then HTML, text and links by the method `dom`, in percent. The last row is for all sites.
pub(super) const FIGURE_2: [(&str, [u32; 4]); 8] = [
    ("Brochure", [56, 59, 53, 55]),
    ("Catalog", [66, 59, 57, 51]),
    ("Community", [64, 51, 50, 53]),
    ("Documents", [35, 57, 26, 58]),
    ("News", [12, 15, 8, 12]),
    ("Personal", [67, 68, 77, 52]),
    ("Portal", [44, 48, 39, 43]),
    ("all sites", [53, 53, 46, 49]),
];

/// Table 1 of Gibson, Punera and Tomkins: year, snapshots of unbiased and of popular sites.
pub(super) const SNAPSHOTS: [(u32, u32, u32); 9] = [
    (1996, 2, 19),
    (1997, 5, 51),
    (1998, 10, 46),
    (1999, 15, 64),
    (2000, 50, 162),
    (2001, 60, 165),
    (2002, 98, 178),
    (2003, 194, 198),
    (2004, 24, 39),
];

/// Table 2: for each measure, unbiased sites in 1996–2001, in 2002–2004 and in both, then popular sites in the same way, in percent.
pub(super) const PERIODS: [(&str, [u32; 6]); 3] = [
    ("links", [44, 55, 52, 32, 42, 36]),
    ("html", [39, 46, 44, 32, 40, 35]),
    ("text", [28, 38, 35, 21, 28, 24]),
];

/// Figures 10 to 12: the annual growth in percent of links, HTML and text in templates.
pub(super) const GROWTH: [(&str, &str); 3] = [("links", "8"), ("html", "7"), ("text", "6")];

/// Table 1 of Chen, Ye and Li: the number of pages of each site.
pub(super) const CHEN_SITES: [(&str, u32); 8] = [
    ("www.sun.com", 4546),
    ("www.pcmag.com", 11118),
    ("www.cnn.com", 7883),
    ("www.nba.com", 10886),
    ("news.sohu.com", 5027),
    ("www.edu.cn", 23738),
    ("www.tsinghua.edu.cn", 14393),
    ("www.bupt.edu.cn", 27876),
];

/// Table 2 of Chen, Ye and Li: the share of template blocks found by their method, shingle and SST, in percent; in the order of their table 1.
pub(super) const CHEN_ACCURACY: [[f64; 3]; 8] = [
    [93.0, 96.0, 89.0],
    [94.0, 92.0, 99.0],
    [92.0, 94.0, 98.0],
    [89.0, 90.0, 92.0],
    [95.0, 97.0, 100.0],
    [94.0, 95.0, 99.0],
    [91.0, 92.0, 79.0],
    [93.0, 92.0, 80.0],
];

/// Table 3 of Chen, Ye and Li: seconds for 500 pages with their method, shingle and SST.
#[cfg(any(feature = "search", test))]
pub(super) const CHEN_SECONDS: [[f64; 3]; 8] = [
    [10.70, 16.52, 18.38],
    [16.75, 19.92, 23.09],
    [14.43, 18.74, 20.54],
    [14.10, 17.40, 19.55],
    [17.32, 21.32, 24.06],
    [16.68, 19.90, 22.89],
    [16.50, 20.76, 22.13],
    [17.13, 20.13, 24.13],
];

/// Table 1 of Wang and others: kilobytes stored by their method, shingle and SST.
pub(super) const WANG_STORAGE: [(&str, [f64; 3]); 5] = [
    ("amazon.com", [419.0, 5739.0, 4947.0]),
    ("cnnfn.com", [126.0, 2754.0, 2295.0]),
    ("ebay.com", [139.0, 5225.0, 4522.0]),
    ("nba.com", [386.0, 3073.0, 3210.0]),
    ("yahoo.com", [50.0, 1294.0, 1534.0]),
];

/// Table 5 of Hachenberg and Gottron: the name of the method in this project, then precision, recall, F1, accuracy and documents a second.
pub(super) const GOTTRON_CLASSES: [(&str, [&str; 5]); 7] = [
    ("fingerprint", ["1.0000", "0.9877", "0.9930", "1.0000*", "488.18"]),
    ("tv", ["0.1868", "0.9996", "0.1913", "0.4593", "14.94"]),
    ("cp", ["0.7809", "0.9979", "0.7836", "0.8369", "2.78"]),
    ("cps", ["0.7147", "0.9986", "0.7147", "0.8242", "1.95"]),
    ("ctss", ["1.0000", "0.9912", "0.9950", "1.0000*", "141.00"]),
    ("md5", ["0.5760", "0.2250", "0.2786", "0.9987", "454.03"]),
    ("mdh5", ["1.0000", "0.9729", "0.9831", "1.0000*", "6,438.51"]),
];

/// Table 6: clusters, Rand index, adjusted Rand index, purity, documents a second.
pub(super) const GOTTRON_CLUSTERS: [(&str, [&str; 5]); 2] = [
    ("fingerprint", ["274", "0.9866", "0.8218", "1.0", "487.30"]),
    ("mdh5", ["410", "0.9844", "0.7862", "1.0", "4,263.12"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: impl Iterator<Item = f64>) -> f64 {
        let values: Vec<f64> = values.collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn the_appendix_has_the_sites_that_the_paper_counts() {
        let sites = appendix();
        assert_eq!(sites.len(), 109);
        for (category, printed) in CATEGORIES {
            let counted = sites.iter().filter(|site| site.categories.split(';').any(|one| one == category));
            // The paper's table counts 42 brochures, its appendix lists 32.
            let expected = if category == "Brochure" { 32 } else { printed };
            assert_eq!(counted.count(), expected, "{category}");
        }
    }

    #[test]
    fn seven_percent_is_the_mean_of_signed_differences() {
        let differences: Vec<f64> = appendix().iter().map(|site| site.text - site.dom_text).collect();
        assert_eq!(format!("{:.1}", mean(differences.iter().copied())), "7.1");
        assert_eq!(format!("{:.1}", mean(differences.iter().map(|one| one.abs()))), "10.8");
    }

    #[test]
    fn totals_are_those_that_the_papers_print() {
        let sum = SNAPSHOTS.iter().fold((0, 0), |sum, row| (sum.0 + row.1, sum.1 + row.2));
        assert_eq!(sum, (458, 922));
        let seconds = [0, 1, 2].map(|at| mean(CHEN_SECONDS.iter().map(|row| row[at])));
        assert_eq!(seconds.map(|one| format!("{one:.2}")), ["15.45", "19.34", "21.85"]);
        // Their method saves 20.09 % of the time of shingle; SST takes 41.39 % longer than their method.
        assert_eq!(format!("{:.1}", 100.0 * (1.0 - seconds[0] / seconds[1])), "20.1");
        assert_eq!(format!("{:.1}", 100.0 * (seconds[2] / seconds[0] - 1.0)), "41.4");
        let storage = [0, 1, 2].map(|at| mean(WANG_STORAGE.iter().map(|row| row.1[at])));
        assert_eq!(storage.map(|one| format!("{one:.0}")), ["224", "3617", "3302"]);
        assert_eq!(format!("{:.2}", 100.0 * (1.0 - storage[0] / storage[1])), "93.81");
    }
}
