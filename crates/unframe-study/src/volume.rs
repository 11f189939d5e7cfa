//! The share of template in HTML, text and links: by site, by category, and over all.
//!
//! The share of a site is taken over all its pages together. The share of a category, and of all sites, is the mean over its
//! sites, so that large and small sites have the same weight, as in the paper. The pooled share of all pages, in which a large site
//! has more weight, is reported as well. A site may belong to several categories.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 4.2.

mod categories;
mod render;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use unframe::text::content::Volume;

pub use categories::{Categories, CategoryError};

/// Collects the volumes that methods found on pages.
#[derive(Debug, Clone, Default)]
pub struct Volumes {
    /// The methods, in the order of their first result.
    methods: Vec<String>,
    /// The volumes of each site in the order of the methods. A crawl may have very many sites, so this is kept small.
    sites: BTreeMap<Box<str>, Vec<Option<Counted>>>,
}

/// The total volume that a method found on a site.
#[derive(Debug, Clone, Copy, Default)]
struct Counted {
    pages: u64,
    volume: Volume,
}

impl std::ops::AddAssign for Counted {
    fn add_assign(&mut self, other: Counted) {
        self.pages += other.pages;
        self.volume += other.volume;
    }
}

impl Volumes {
    /// An empty collection. Reports list the methods in this order.
    pub fn new(methods: impl IntoIterator<Item = impl Into<String>>) -> Volumes {
        Volumes { methods: methods.into_iter().map(Into::into).collect(), sites: BTreeMap::new() }
    }

    /// Adds the volume that a method found on a page.
    pub fn add(&mut self, site: &str, method: &str, volume: Volume) {
        self.add_counted(site, method, Counted { pages: 1, volume });
    }

    /// Adds the volumes of another collection.
    pub fn merge(&mut self, other: Volumes) {
        for (site, found) in &other.sites {
            for (method, counted) in other.methods.iter().zip(found) {
                counted.iter().for_each(|counted| self.add_counted(site, method, *counted));
            }
        }
    }

    fn add_counted(&mut self, site: &str, method: &str, counted: Counted) {
        let at = self.methods.iter().position(|known| known == method).unwrap_or_else(|| {
            self.methods.push(method.to_owned());
            self.methods.len() - 1
        });
        let found = match self.sites.get_mut(site) {
            Some(found) => found,
            None => self.sites.entry(site.into()).or_insert_with(|| vec![None; self.methods.len()]),
        };
        found.resize(self.methods.len(), None);
        *found[at].get_or_insert_default() += counted;
    }

    /// Keeps at most `sites` sites with at least `pages_min` pages, selected by the seed. The paper uses 200 sites with at least 200 pages.
    pub fn choose(&mut self, pages_min: u64, sites: usize, seed: u64) {
        self.sites.retain(|_, found| found.iter().flatten().any(|counted| counted.pages >= pages_min));
        if self.sites.len() <= sites {
            return;
        }
        let mut chosen: Vec<(u64, Box<str>)> = (self.sites.keys())
            .map(|site| (xxhash_rust::xxh3::xxh3_64_with_seed(site.as_bytes(), seed), site.clone()))
            .collect();
        chosen.sort_unstable();
        chosen.iter().skip(sites).for_each(|(_, site)| {
            self.sites.remove(site);
        });
    }

    /// The shares of all sites and categories.
    pub fn report(&self, categories_of: &Categories) -> VolumeReport {
        let sites: Vec<Row> =
            self.sites.iter().map(|(site, found)| self.site_row(site, found, categories_of)).collect();
        let names: BTreeSet<&String> = sites.iter().flat_map(|row| &row.categories).collect();
        let in_category = |name: &str| {
            let members: Vec<&Row> =
                sites.iter().filter(|row| row.categories.iter().any(|one| one == name)).collect();
            self.mean_row(name, &members)
        };
        let categories: Vec<Row> = names.iter().map(|name| in_category(name)).collect();
        let pooled_categories = names
            .iter()
            .map(|name| {
                let is_member = |site: &str| categories_of.of(site).iter().any(|one| one == *name);
                Row { name: (*name).clone(), ..self.pooled_row(is_member) }
            })
            .collect();
        let overall = self.mean_row("(all sites)", &sites.iter().collect::<Vec<_>>());
        let (methods, pooled) = (self.methods.clone(), self.pooled_row(|_| true));
        VolumeReport { methods, sites, categories, pooled_categories, overall, pooled }
    }

    /// The pooled shares of the selected sites, as if they were one site.
    fn pooled_row(&self, is_member: impl Fn(&str) -> bool) -> Row {
        let none = || vec![None; self.methods.len()];
        let (mut sites, mut all, mut compared) = (0, none(), none());
        for (_, found) in self.sites.iter().filter(|(site, _)| is_member(site)) {
            sites += 1;
            add(&mut all, found);
            // The difference between methods is taken over the sites that all of them measured.
            if found.iter().flatten().count() == self.methods.len() {
                add(&mut compared, found);
            }
        }
        let row = |found: &[Option<Counted>]| self.site_row("(all pages)", found, &Categories::default());
        let Row { difference, signed, .. } = row(&compared);
        Row { sites, difference, signed, ..row(&all) }
    }

    fn site_row(&self, site: &str, found: &[Option<Counted>], categories: &Categories) -> Row {
        let share = |at: usize| Some(Shares::of(found.get(at).copied().flatten()?.volume));
        let shares: Vec<Option<Shares>> = (0..self.methods.len()).map(share).collect();
        Row {
            name: site.to_owned(),
            categories: categories.of(site).to_vec(),
            sites: 1,
            pages: found.iter().flatten().map(|counted| counted.pages).max().unwrap_or(0),
            difference: self.signed(&shares).map(f64::abs),
            signed: self.signed(&shares),
            shares,
        }
    }

    fn mean_row(&self, name: &str, members: &[&Row]) -> Row {
        let mean_of = |at: usize| {
            let known: Vec<Shares> = members.iter().filter_map(|row| row.shares[at]).collect();
            let mean = |figure: fn(&Shares) -> f64| mean(known.iter().map(figure));
            Some(Shares {
                html: mean(|shares| shares.html)?,
                text: mean(|shares| shares.text)?,
                links: mean(|shares| shares.links)?,
            })
        };
        Row {
            name: name.to_owned(),
            categories: Vec::new(),
            sites: members.len(),
            pages: members.iter().map(|row| row.pages).sum(),
            shares: (0..self.methods.len()).map(mean_of).collect(),
            difference: mean(members.iter().filter_map(|row| row.difference)),
            signed: mean(members.iter().filter_map(|row| row.signed)),
        }
    }

    /// The share of text that `text` finds minus the share that `dom` finds.
    fn signed(&self, shares: &[Option<Shares>]) -> Option<f64> {
        let text_of = |name: &str| {
            let at = self.methods.iter().position(|method| method == name)?;
            shares[at].map(|shares| shares.text)
        };
        Some(text_of("text")? - text_of("dom")?)
    }
}

fn add(to: &mut [Option<Counted>], found: &[Option<Counted>]) {
    for (to, counted) in to.iter_mut().zip(found) {
        counted.iter().for_each(|counted| *to.get_or_insert_default() += *counted);
    }
}

fn mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = figures.fold((0, 0.0), |(count, sum), figure| (count + 1, sum + figure));
    (count > 0).then(|| sum / f64::from(count))
}

/// The shares of all sites and categories.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeReport {
    /// The methods, in the order of [`Row::shares`].
    pub methods: Vec<String>,
    /// The sites, by name.
    pub sites: Vec<Row>,
    /// The categories by name; each row is the mean of their sites.
    pub categories: Vec<Row>,
    /// The categories with the pages of all their sites pooled.
    pub pooled_categories: Vec<Row>,
    /// The mean over all sites.
    pub overall: Row,
    /// All pages pooled, so that sites count by their size.
    pub pooled: Row,
}

/// A site, or the mean over several.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name of the site or category.
    pub name: String,
    /// The categories of the site; empty for means.
    pub categories: Vec<String>,
    /// The number of sites.
    pub sites: usize,
    /// The number of pages.
    pub pages: u64,
    /// The shares by method; `None` for a method that was not run.
    pub shares: Vec<Option<Shares>>,
    /// The absolute difference of the text shares of `text` and `dom`; for several sites, the mean of their absolute
    /// differences.
    pub difference: Option<f64>,
    /// The text share of `text` minus that of `dom`. For several sites it is the mean, in which opposite signs cancel out.
    pub signed: Option<f64>,
}

/// The shares of template, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The share of bytes.
    pub html: f64,
    /// The share of characters of visible text.
    pub text: f64,
    /// The share of links.
    pub links: f64,
}

impl Shares {
    fn of(volume: Volume) -> Shares {
        Shares { html: volume.html.fraction(), text: volume.text.fraction(), links: volume.links.fraction() }
    }
}
