//! The categories of sites, read from a table of the user.

use std::collections::BTreeMap;
use std::io::Read;

/// The categories of sites.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Categories {
    of_site: BTreeMap<String, Vec<String>>,
}

/// Why a table of categories cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CategoryError {
    /// It is not CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A line names a site and no category.
    #[error("line {line}: `{site}` has no category: write SITE,CATEGORY")]
    NoCategory {
        /// The line, from 1.
        line: u64,
        /// The site.
        site: String,
    },
}

impl Categories {
    /// Reads CSV: the site in the first column, its categories in the others, several in one column separated by `;`. A
    /// site may have several lines. A first line that begins with `site` is a heading; lines that begin with `#` are comments.
    ///
    /// ```
    /// use unframe_study::volume::Categories;
    ///
    /// let table = "site,category\nexample.org,news;portal\nexample.com,catalog,brochure\n";
    /// let categories = Categories::from_csv(table.as_bytes()).unwrap();
    /// assert_eq!(categories.of("example.org"), ["news", "portal"]);
    /// assert_eq!(categories.of("example.com"), ["brochure", "catalog"]);
    /// ```
    pub fn from_csv(table: impl Read) -> Result<Categories, CategoryError> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_reader(table);
        let mut categories = Categories::default();
        for (number, record) in reader.records().enumerate() {
            let record = record?;
            let site = record.get(0).unwrap_or_default();
            if site.is_empty() || (number == 0 && site.eq_ignore_ascii_case("site")) {
                continue;
            }
            let names = record.iter().skip(1).flat_map(|cell| cell.split(';')).map(str::trim);
            let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
            if names.is_empty() {
                let line = record.position().map_or(0, csv::Position::line);
                return Err(CategoryError::NoCategory { line, site: site.to_owned() });
            }
            names.into_iter().for_each(|name| categories.add(site, name));
        }
        Ok(categories)
    }

    fn add(&mut self, site: &str, category: &str) {
        let of_site = self.of_site.entry(site.to_owned()).or_default();
        if let Err(at) = of_site.binary_search_by(|known| known.as_str().cmp(category)) {
            of_site.insert(at, category.to_owned());
        }
    }

    /// The categories of a site, by name.
    pub fn of(&self, site: &str) -> &[String] {
        self.of_site.get(site).map_or(&[], Vec::as_slice)
    }

    /// The sites that have a category, by name.
    pub fn sites(&self) -> impl Iterator<Item = &str> {
        self.of_site.keys().map(String::as_str)
    }
}
