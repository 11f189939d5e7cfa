//! The list of all experiments.

use super::lab::Lab;
use super::{
    Findings, PapersError, chen, gibson, gibson_evolution, gibson_reuse, gibson_speed, gottron,
    gottron_scale, wang,
};

/// A paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Gibson, Punera, Tomkins 2005.
    Gibson,
    /// Chen, Ye, Li 2006.
    Chen,
    /// Wang and others 2008.
    Wang,
    /// Hachenberg, Gottron 2013.
    Gottron,
}

impl Paper {
    /// Its authors, title and year.
    pub fn title(self) -> &'static str {
        match self {
            Paper::Gibson => "Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005)",
            Paper::Chen => "Chen, Ye, Li: Template Detection for Large Scale Search Engines (2006)",
            Paper::Wang => "Wang, Fang, Cheng, Guo, Xu: Incremental Web Page Template Detection (2008)",
            Paper::Gottron => {
                "Hachenberg, Gottron: Locality Sensitive Hashing for Scalable Structural Classification and Clustering of Web \
                 Documents (2013)"
            }
        }
    }
}

/// A table or figure of a paper.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// Its name on the command line.
    pub id: &'static str,
    /// The paper.
    pub paper: Paper,
    /// The table or figure in the paper.
    pub place: &'static str,
    /// What the table or figure shows.
    pub title: &'static str,
    /// Why the values measured here differ from those of the paper.
    pub why: &'static str,
    pub(super) run: fn(&Lab<'_>) -> Result<Findings, PapersError>,
}

/// The ids of all experiments.
pub(super) fn ids() -> Vec<&'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.id).collect()
}

/// The experiments that cannot be run, each with the reason.
pub const CANNOT_RUN: [(&str, &str); 7] = [
    (
        "Gibson: the 40–50 % of the web, and all values of the authors' sites",
        "The crawl of 2005 was never published. It takes a uniform sample of the sites of the web.",
    ),
    (
        "Gibson, figure 1: the points other than 32.10.0.200 and 32.10.40.200",
        "The text names no others, and the figure is not in the copies that we have.",
    ),
    (
        "Gibson, section 6: the sites of Ntoulas and others in the Internet Archive",
        "The archive is not on this machine. Dated crawls of any other sites take its place.",
    ),
    (
        "Chen, figure 4: relevance as 20 people judge it, with the query log of a university",
        "Neither people nor log are here. Known-item queries are asked instead.",
    ),
    ("Chen, figure 5: screenshots of templates", "It shows pages of the authors' crawl and has no values."),
    (
        "Hachenberg and Gottron, table 4: the seconds of each method",
        "They are missing in the copy that we have, but for two estimates.",
    ),
    (
        "Hachenberg and Gottron, table 7 and figures 4 to 6 on DMOZ",
        "The 3.6 million pages of the directory of 2013 are gone. The same is measured on the pages that are here.",
    ),
];

const OTHER_SITES: &str = "The sites are others, with other shares of documentation, blogs and catalogues, and have at most 120 pages each, where the paper has at least 200; \
    the fewer pages are compared, the fewer repetitions make a template.";
const OTHER_HISTORY: &str = "The authors have two collections of 183 sites from 1996 to 2004; ours are a few sites that were kept under version control or archived, \
    over other years. A share cannot grow by 7 % a year for ever.";
const OTHER_COLLECTION: &str = "The 50 templates of the paper are sections of sites, chosen by hand to be of one template; ours are whole sites, each with \
    several kinds of pages, and the machine is another.";

/// All experiments, in the order of the papers.
pub const EXPERIMENTS: [Experiment; 28] = [
    Experiment {
        id: "gibson-fig1",
        paper: Paper::Gibson,
        place: "Figure 1",
        title: "Running time and share of text found, for several parameters",
        why: "A machine of today takes milliseconds. Sampling windows saves the counting and not the reading of the page, which takes most of our time, so the speedup is \
            smaller. Templates without a sampled window cannot be found; windows that are found are extended while other pages agree.",
        run: gibson_speed::figure_1,
    },
    Experiment {
        id: "gibson-categories",
        paper: Paper::Gibson,
        place: "Section 4.1",
        title: "Sites of each category",
        why: "Categories come from a table that the user supplies (--categories); the synthetic sites have one. The paper's table says 42 brochures, and its appendix lists 32.",
        run: gibson::categories,
    },
    Experiment {
        id: "gibson-fig2",
        paper: Paper::Gibson,
        place: "Figure 2",
        title: "Share of templates by category",
        why: "After the printed value stand the means of the appendix: sites weighted by their pages, then each alike; ours are all pages together, then the mean of the sites. The paper does not say how it \
            averages; for text, its figure is nearer to the weighted means, and no average of the appendix gives all of it. Our sites are others, with at most 120 pages each.",
        run: gibson::figure_2,
    },
    Experiment {
        id: "gibson-difference",
        paper: Paper::Gibson,
        place: "Section 4.2",
        title: "How far the two methods are apart",
        why: "The 7 % of the paper are the mean of signed differences of its appendix, in points, where opposite signs cancel out; without signs they are 10.8. Both are means over sites.",
        run: gibson::difference,
    },
    Experiment {
        id: "gibson-fig3",
        paper: Paper::Gibson,
        place: "Figure 3",
        title: "How often template hashes occur",
        why: "Joined windows end where the frequency of a window changes, so that a site with many kinds of pages has many hashes; our sites have fewer pages each, so that a hash occurs less often. \
            Sites made by one program share its texts.",
        run: gibson_reuse::figure_3,
    },
    Experiment {
        id: "gibson-fig4",
        paper: Paper::Gibson,
        place: "Figure 4",
        title: "What aggregated templates cover",
        why: "As in figure 3, our sites have more and rarer hashes, so that the first templates cover less. The scales are logarithmic, as in figure 3: a power law would be a line.",
        run: gibson_reuse::figure_4,
    },
    Experiment {
        id: "gibson-fig5-9",
        paper: Paper::Gibson,
        place: "Figures 5 to 9 and section 5.1",
        title: "Pictures of sites, and template schemas",
        why: "The sites are others. The paper describes schemas by eye; ours are counted: sequences of templates, similar ones merged.",
        run: gibson_reuse::pictures,
    },
    Experiment {
        id: "gibson-table1",
        paper: Paper::Gibson,
        place: "Table 1",
        title: "Snapshots over time",
        why: OTHER_HISTORY,
        run: gibson_evolution::table_1,
    },
    Experiment {
        id: "gibson-fig10-12",
        paper: Paper::Gibson,
        place: "Figures 10 to 12",
        title: "Share of templates over time",
        why: OTHER_HISTORY,
        run: gibson_evolution::figures_10_to_12,
    },
    Experiment {
        id: "gibson-table2",
        paper: Paper::Gibson,
        place: "Table 2",
        title: "Shares by period",
        why: OTHER_HISTORY,
        run: gibson_evolution::table_2,
    },
    Experiment {
        id: "gibson-fig13",
        paper: Paper::Gibson,
        place: "Figure 13",
        title: "Duration of what was there",
        why: "Values that last beyond the end of a history are not bracketed, which shortens the last durations, in the paper as well as here. Our histories are longer than the eight years of the paper, and their snapshots are about a year apart.",
        run: gibson_evolution::figure_13,
    },
    Experiment {
        id: "gibson-fig14",
        paper: Paper::Gibson,
        place: "Figure 14",
        title: "Histogram of durations",
        why: "No duration can be shorter than the time between snapshots: months in the Internet Archive, about a year here.",
        run: gibson_evolution::figure_14,
    },
    Experiment {
        id: "gibson-fig15",
        paper: Paper::Gibson,
        place: "Figure 15",
        title: "Magnitude of changes",
        why: "The paper prints no shares beside the ratio. Our versions are a year apart, and pages of documentation are edited rather than replaced.",
        run: gibson_evolution::figure_15,
    },
    Experiment {
        id: "gibson-appendix",
        paper: Paper::Gibson,
        place: "Appendix",
        title: "All sites",
        why: OTHER_SITES,
        run: gibson::appendix,
    },
    Experiment {
        id: "chen-table1",
        paper: Paper::Chen,
        place: "Table 1",
        title: "The sites",
        why: "The sites of the paper are of 2005 and were not published.",
        run: chen::table_1,
    },
    Experiment {
        id: "chen-rare-words",
        paper: Paper::Chen,
        place: "Section 3.3.3",
        title: "Words of low document frequency",
        why: "The smaller a site, the more of its words are on one or two pages.",
        run: chen::rare_words,
    },
    Experiment {
        id: "chen-fig4",
        paper: Paper::Chen,
        place: "Figure 4",
        title: "Relevant results among the first ten",
        why: "People judged the answers to 20 popular queries. Here a page is relevant if its content has the word that all templates have; small sites have few such pages, so all numbers are smaller. Compare the order of the methods.",
        run: chen::figure_4,
    },
    Experiment {
        id: "chen-table2",
        paper: Paper::Chen,
        place: "Table 2",
        title: "Template blocks found",
        why: "People decided what a template block is; here it is a block outside of the known content whose text is on 5 pages. That favours methods that compare whole texts.",
        run: chen::table_2,
    },
    Experiment {
        id: "chen-table3",
        paper: Paper::Chen,
        place: "Table 3",
        title: "Time to find templates and to build an index",
        why: "The machine is another. All methods parse a page before it is indexed; `blocks` shares that work with the index. The paper's 20.09 % are saved time, its 41.39 % are how much longer SST takes; both \
            are computed here in both ways.",
        run: chen::table_3,
    },
    Experiment {
        id: "wang-table1",
        paper: Paper::Wang,
        place: "Table 1",
        title: "What must be held to find 80 % of the templates",
        why: "Template blocks are those outside of the known content whose text is on 5 pages, and not those that people labelled. Our table holds hashes of 30 or 40 bits instead of \
            texts. Batches of 2, 3, 4, 6, 8, 16, 32, 64 and 128 pages are tried; Tb of 5 to 50 and N of 1 to 50.",
        run: wang::table_1,
    },
    Experiment {
        id: "gottron-table1",
        paper: Paper::Gottron,
        place: "Table 1",
        title: "The fingerprint of the example",
        why: "The example is lost in the scan of the paper. This page has tags like those that the text mentions, and is compared with what algorithm 1 gives by hand.",
        run: gottron::table_1,
    },
    Experiment {
        id: "gottron-fig2",
        paper: Paper::Gottron,
        place: "Figure 2",
        title: "Where fingerprints are cut",
        why: "The pages are others. The cut changes the speed of the index and nothing else.",
        run: gottron::figure_2,
    },
    Experiment {
        id: "gottron-table3",
        paper: Paper::Gottron,
        place: "Table 3",
        title: "The collection",
        why: OTHER_COLLECTION,
        run: gottron::table_3,
    },
    Experiment {
        id: "gottron-table4",
        paper: Paper::Gottron,
        place: "Table 4",
        title: "Time to classify by ten examples of each template",
        why: "The machine is another, and only comparisons are counted for the estimates.",
        run: gottron::table_4,
    },
    Experiment {
        id: "gottron-table5",
        paper: Paper::Gottron,
        place: "Table 5",
        title: "Classification, cross-validated",
        why: OTHER_COLLECTION,
        run: gottron::table_5,
    },
    Experiment {
        id: "gottron-table6",
        paper: Paper::Gottron,
        place: "Table 6",
        title: "Clustering",
        why: OTHER_COLLECTION,
        run: gottron_scale::table_6,
    },
    Experiment {
        id: "gottron-table7",
        paper: Paper::Gottron,
        place: "Table 7 and figure 4",
        title: "Sizes of clusters",
        why: "The directory lists one page of each site, so most of its clusters have one page; here each site has many pages. Tokenizing stops when a fingerprint is full, where the authors read \
            whole pages.",
        run: gottron_scale::table_7,
    },
    Experiment {
        id: "gottron-fig5-6",
        paper: Paper::Gottron,
        place: "Figures 5 and 6",
        title: "Speed against the number of pages seen",
        why: "The machine is another, and there are fewer pages: all of them are taken five times, each time with other tags at their start. Kilobytes a second are high since only the start of \
            a page is read.",
        run: gottron_scale::figures_5_and_6,
    },
];
