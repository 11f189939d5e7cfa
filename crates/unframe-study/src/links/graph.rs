//! The pages of a crawl and the links between them.

use std::collections::HashMap;

use unframe::TemplateHash;
use url::Url;

use unframe_picture::links::Link;

/// The link graph of a crawl.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    numbers: HashMap<String, u32>,
    /// All addresses: pages, and what they link to.
    addresses: Vec<String>,
    /// The site of each address that is a page of the crawl.
    sites: Vec<Option<String>>,
    edges: Vec<Edge>,
}

/// A link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The page that has it.
    pub from: u32,
    /// Where it leads.
    pub to: u32,
    /// The template hash that it stands in; nothing for content.
    pub template: Option<TemplateHash>,
}

impl Graph {
    /// Adds a page with its links; `templates` has the hash of each of its regions.
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

    /// The address of a number.
    pub fn address(&self, number: u32) -> &str {
        self.addresses.get(number as usize).map_or("", String::as_str)
    }

    /// The site of a page of the crawl; nothing for an address that was only linked to.
    pub fn site(&self, number: u32) -> Option<&str> {
        self.sites.get(number as usize)?.as_deref()
    }

    /// How many addresses there are.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// All links, page by page.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The numbers of the pages of the crawl.
    pub fn pages(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.sites).filter(|(_, site)| site.is_some()).map(|(number, _)| number)
    }
}

/// An address as links write it.
fn plain(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut parsed) => {
            parsed.set_fragment(None);
            parsed.into()
        }
        Err(_) => url.to_owned(),
    }
}
