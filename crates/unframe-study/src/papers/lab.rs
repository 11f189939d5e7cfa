//! Measurements that several experiments share. Each is made once, on first use.

use std::cell::OnceCell;

use unframe::PageParser;
use unframe::aggregate::{Aggregation, Aggregator};
use unframe::text::content::{self, Volume};
use unframe_picture::{SiteView, look, schema};

use super::{Data, Options, PapersError};
use crate::eval::label;
use crate::evolve::report::Evolution;
use crate::evolve::{Bucket, files};
use crate::fingerprints::{self, StructureReport};
use crate::gold::{GoldFolder, GoldSite};
use crate::method::Method;
use crate::parallel;
use crate::volume::{VolumeReport, Volumes};

/// Number of sites in a quick run, and number of pages of each.
const QUICK_SITES: usize = 10;
const QUICK_PAGES: usize = 40;
/// A quick run uses one of this many addresses of dated crawls.
const QUICK_ADDRESSES: u64 = 4;
/// Seconds of processor time for classification, and again for clustering: in a quick run, and in a full run.
const BUDGETS: [u64; 2] = [3, 60];

/// The data, and the measurements made on them so far.
pub(super) struct Lab<'a> {
    data: &'a Data,
    pub(super) options: &'a Options,
    texts: OnceCell<GoldFolder>,
    values: OnceCell<GoldFolder>,
    sites: OnceCell<Vec<SiteStudy>>,
    evolution: OnceCell<Evolution>,
    structure: OnceCell<StructureReport>,
}

/// The results of `text` and `dom` on a site.
pub(super) struct SiteStudy {
    pub(super) name: String,
    /// The volumes of each page by each method of [`TEXT_AND_DOM`].
    volumes: [Vec<Volume>; 2],
    /// The templates that `text` found.
    pub(super) templates: Aggregation,
    /// For each of [`TEXT_AND_DOM`], the number of pages in the largest group with one template schema, and the number of groups that are not outliers.
    pub(super) schemas: [(usize, usize); 2],
    /// The picture of the site, with the templates that `text` found.
    pub(super) view: SiteView,
}

/// The two methods of the first paper.
pub(super) const TEXT_AND_DOM: [&str; 2] = ["text", "dom"];

impl<'a> Lab<'a> {
    pub(super) fn new(data: &'a Data, options: &'a Options) -> Lab<'a> {
        Lab {
            data,
            options,
            texts: OnceCell::new(),
            values: OnceCell::new(),
            sites: OnceCell::new(),
            evolution: OnceCell::new(),
            structure: OnceCell::new(),
        }
    }

    /// The sites with gold texts.
    pub(super) fn texts(&self) -> Result<&GoldFolder, PapersError> {
        let path = self.data.texts.as_ref();
        let path = path.ok_or(PapersError::Missing("not run: the data have no folder of gold texts"))?;
        once(&self.texts, || Ok(self.limited(GoldFolder::open(path)?)))
    }

    /// The sites for experiments that need one template per site: those with gold values, else those with gold texts.
    pub(super) fn templates(&self) -> Result<&GoldFolder, PapersError> {
        match &self.data.values {
            Some(path) => once(&self.values, || Ok(self.limited(GoldFolder::open(path)?))),
            None => self.texts(),
        }
    }

    fn limited(&self, folder: GoldFolder) -> GoldFolder {
        if self.options.quick { folder.limited(QUICK_SITES, QUICK_PAGES) } else { folder }
    }

    /// The sites of all folders.
    pub(super) fn all_sites(&self) -> Result<Vec<&GoldSite>, PapersError> {
        let mut sites: Vec<&GoldSite> = Vec::new();
        if self.data.texts.is_some() {
            sites.extend(&self.texts()?.sites);
        }
        if self.data.values.is_some() {
            sites.extend(&self.templates()?.sites);
        }
        match sites.is_empty() {
            true => Err(PapersError::Missing("not run: the data have no folder of gold data")),
            false => Ok(sites),
        }
    }

    /// The processor time that a method may take for each task.
    pub(super) fn budget(&self) -> std::time::Duration {
        std::time::Duration::from_secs(if self.options.quick { BUDGETS[0] } else { BUDGETS[1] })
    }

    /// The results of `text` and `dom` on all sites.
    pub(super) fn sites(&self) -> Result<&[SiteStudy], PapersError> {
        let measure = || {
            let methods = methods(&TEXT_AND_DOM)?;
            let sites = self.all_sites()?;
            let studies = parallel::map(&sites, self.options.threads, |site| study(site, &methods));
            studies.into_iter().collect::<Result<Vec<_>, _>>()
        };
        once(&self.sites, measure).map(Vec::as_slice)
    }

    /// The shares of templates of all sites.
    pub(super) fn volumes(&self) -> Result<VolumeReport, PapersError> {
        let mut volumes = Volumes::new(TEXT_AND_DOM);
        for site in self.sites()? {
            for (method, found) in TEXT_AND_DOM.iter().zip(&site.volumes) {
                found.iter().for_each(|volume| volumes.add(&site.name, method, *volume));
            }
        }
        Ok(volumes.report(&self.options.categories))
    }

    /// The evolution of templates by year, as `dom` finds them.
    pub(super) fn evolution(&self) -> Result<&Evolution, PapersError> {
        let files = &self.data.snapshots;
        if files.is_empty() {
            return Err(PapersError::Missing(
                "not run: the data have no folder `snapshots` with dated crawls",
            ));
        }
        once(&self.evolution, || {
            let dom = unframe::detect::Dom::default();
            let share = if self.options.quick { QUICK_ADDRESSES } else { 1 };
            let history = files::history(files, Box::new(dom), &Bucket::Year, share)?;
            Ok(Evolution::of(&history, "dom", "year", 2, None))
        })
    }

    /// The scores of methods that compare the structure of pages, with each site as one template.
    pub(super) fn structure(&self) -> Result<&StructureReport, PapersError> {
        let folder = self.templates()?;
        let options = fingerprints::Options {
            by: fingerprints::By::Site,
            budget: self.budget(),
            ..fingerprints::Options::default()
        };
        let methods = fingerprints::methods("all").unwrap_or_default();
        once(&self.structure, || Ok(fingerprints::evaluate_folder(folder, &methods, &options)?))
    }

    /// A description of the data of an experiment on one folder.
    pub(super) fn describe(&self, folder: &GoldFolder) -> String {
        let name = folder.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let pages =
            if self.options.quick { format!(", at most {QUICK_PAGES} pages of each") } else { String::new() };
        format!("{} sites of `{}`{pages}", folder.sites.len(), name.unwrap_or_default())
    }

    /// A description of the data of an experiment on all folders.
    pub(super) fn describe_all(&self) -> Result<String, PapersError> {
        let mut parts = Vec::new();
        if self.data.texts.is_some() {
            parts.push(self.describe(self.texts()?));
        }
        if self.data.values.is_some() {
            parts.push(self.describe(self.templates()?));
        }
        Ok(parts.join(" and "))
    }
}

/// Methods by their names.
pub(super) fn methods(names: &[&str]) -> Result<Vec<Method>, PapersError> {
    let mut methods = Vec::new();
    for name in names {
        methods.extend(Method::parse(name)?);
    }
    Ok(methods)
}

/// The value of a cell, which is computed on first use.
fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, PapersError>) -> Result<&T, PapersError> {
    match cell.get() {
        Some(known) => Ok(known),
        None => {
            let made = make()?;
            Ok(cell.get_or_init(|| made))
        }
    }
}

fn study(site: &GoldSite, methods: &[Method]) -> Result<SiteStudy, PapersError> {
    let pages = site.read(usize::MAX)?.pages;
    let mut parser = PageParser::new();
    let mut volumes: [Vec<Volume>; 2] = Default::default();
    let mut aggregator = Aggregator::default();
    let mut views = TEXT_AND_DOM.map(|method| SiteView::new(&site.name, method));
    for (at, method) in methods.iter().enumerate() {
        let (regions, _) = label(&*method.detector, &pages, 0);
        for (page, regions) in pages.iter().zip(regions) {
            let parsed = parser.open(&page.page);
            volumes[at].push(content::extract(&parsed, &regions).volume);
            if at == 0 {
                aggregator.add_page(&regions);
            }
            views[at].add(look(&page.page.url, &parsed, regions, false));
        }
    }
    views.iter_mut().for_each(SiteView::sort);
    let schemas = views.each_ref().map(schemas);
    let [view, _] = views;
    Ok(SiteStudy { name: site.name.clone(), volumes, templates: aggregator.finish(), schemas, view })
}

/// The number of pages in the largest group with one schema, and the number of groups that are not outliers.
fn schemas(view: &SiteView) -> (usize, usize) {
    let groups = schema::of_site(view).groups;
    let largest = groups.iter().map(|group| group.pages.len()).max().unwrap_or(0);
    (largest, groups.iter().filter(|group| !group.is_outlier).count())
}
