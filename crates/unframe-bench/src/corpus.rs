//! The pages for measurements.

use std::ops::ControlFlow;
use std::path::PathBuf;

use unframe::Page;
use unframe_crawl::{Event, ReadOptions};

/// Pages as UTF-8, so that no engine spends time on decoding.
pub(crate) struct Corpus {
    pub(crate) pages: Vec<String>,
    pub(crate) name: String,
}

/// Number of synthetic pages if no crawl is given.
const SYNTHETIC_PAGES: usize = 2_000;

impl Corpus {
    pub(crate) fn load(inputs: &[PathBuf]) -> anyhow::Result<Corpus> {
        if inputs.is_empty() {
            return Ok(Corpus::synthetic());
        }
        let mut pages = Vec::new();
        let decode = || |page: Page| page.charset.encoding.decode(&page.payload).0.into_owned();
        unframe_crawl::read(inputs, &ReadOptions::default(), decode, |event| {
            if let Event::Page(page) = event {
                pages.push(page);
            }
            ControlFlow::Continue(())
        })?;
        anyhow::ensure!(!pages.is_empty(), "no HTML page in the inputs");
        Ok(Corpus { pages, name: format!("{} inputs", inputs.len()) })
    }

    fn synthetic() -> Corpus {
        let sites = unframe_sample::sites(1);
        let pages = (0..SYNTHETIC_PAGES).map(|number| {
            let page = sites[number % sites.len()].page((number / sites.len()) as u64);
            String::from_utf8_lossy(&page.html).into_owned()
        });
        Corpus { pages: pages.collect(), name: "synthetic pages".to_owned() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pages.iter().map(String::len).sum()
    }
}
