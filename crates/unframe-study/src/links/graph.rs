//! The pages of a crawl and the links between them.

use std::collections::HashMap;

use unframe::TemplateHash;
use url::Url;

use unframe_picture::links::Link;

/// The link graph of a crawl.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    numbers: HashMap<String, u32>,
    /// All addresses: the pages of the crawl and the targets of links.
    addresses: Vec<String>,
    /// The site of each address that is a page of the crawl.
    sites: Vec<Option<String>>,
    edges: Vec<Edge>,
}

/// A link from one address to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The index of the page with the link.
    pub from: u32,
    /// The index of the target.
    pub to: u32,
    /// The hash of the template that contains the link; `None` for a link in content.
    pub template: Option<TemplateHash>,
}

impl Graph {
    /// Adds a page with its links; `templates` has the template hash of each of its regions.
    pub fn add(&mut self, url: &str, site: &str, links: &[Link], templates: &[TemplateHash]) {
        let from = self.number(&plain(url));
        self.sites[from as usize] = Some(site.to_owned());
        for link in links {
            let to = self.number(&link.to);
            let template = link.region.and_then(|region| templates.get(region as usize).copied());
            self.edges.push(Edge { from, to, template });
        }
    }

    fn number(&mut self, address: &str) -> u32 {
        if let Some(number) = self.numbers.get(address) {
            return *number;
        }
        let number = self.addresses.len() as u32;
        self.numbers.insert(address.to_owned(), number);
        self.addresses.push(address.to_owned());
        self.sites.push(None);
        number
    }

    /// The address with this index.
    pub fn address(&self, number: u32) -> &str {
        self.addresses.get(number as usize).map_or("", String::as_str)
    }

    /// The site of a page; `None` for an address that is not a page of the crawl.
    pub fn site(&self, number: u32) -> Option<&str> {
        self.sites.get(number as usize)?.as_deref()
    }

    /// The number of addresses.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Whether the graph has no address.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// All links, page by page.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The indices of the pages of the crawl.
    pub fn pages(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.sites).filter(|(_, site)| site.is_some()).map(|(number, _)| number)
    }
}

/// Normalises an address in the same way as the targets of links: without fragment.
fn plain(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut parsed) => {
            parsed.set_fragment(None);
            parsed.into()
        }
        Err(_) => url.to_owned(),
    }
}
