//! Builds and changes indexes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use tantivy::collector::DocSetCollector;
use tantivy::query::TermQuery;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, Index, Searcher, TantivyDocument, TantivyError, Term};
use unframe::blocks::words;
use unframe::detect::{Blocks, Detector};
use unframe::sample::PieceHasher;
use xxhash_rust::xxh3;

use crate::error::SearchError;
use crate::format::{self, About, FORMAT, Fields};
use crate::places::Places;
use crate::prepare::Prepared;
use crate::record;
use crate::search::SearchIndex;
use crate::spool::Spool;
use crate::templates::{WordTable, site_style};

mod document;

use document::{Draft, DraftBlock};

/// Memory that Tantivy needs for a thread, at least.
const WRITER_BYTES_MIN: usize = 16 << 20;
/// Maximum number of segments; more are merged.
const SEGMENTS_MAX: usize = 4;

/// How templates are kept out of an index.
#[derive(Debug, Clone)]
pub enum Removal {
    /// Not at all.
    None,
    /// By the method `blocks`, while the index is built.
    Blocks(Blocks),
    /// By regions that are given with each page; the method that finds them, with its parameters: `dom low=0.1 high=1`.
    Labels(String),
}

impl Removal {
    /// The method with its parameters.
    pub fn describe(&self) -> String {
        match self {
            Removal::None => "none".to_owned(),
            Removal::Labels(method) => method.clone(),
            Removal::Blocks(blocks) => {
                // All pages are compared, so the size of a sample does not matter.
                let settings = blocks.settings().into_iter().filter(|setting| setting.name != "sample");
                let settings = settings.map(|setting| format!(" {}={}", setting.name, setting.value));
                format!("blocks{}", settings.collect::<String>())
            }
        }
    }

    /// Whether an index with this method in its metadata was built in this way, as far as is known.
    fn matches_method(&self, method: &str) -> bool {
        let asked = self.describe();
        // Earlier versions wrote nothing but the name of a method that regions came from.
        let is_name = matches!(self, Removal::Labels(_)) && asked.split(' ').next() == Some(method);
        is_name || asked == method
    }
}

/// How an index is built.
#[derive(Debug, Clone)]
pub struct Options {
    /// Bytes of memory; what is more goes to disk.
    pub memory: usize,
    /// Threads that write; 0 for one a core.
    pub threads: usize,
    /// Whether the text of templates can be searched.
    pub searchable_templates: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { memory: 256 << 20, threads: 0, searchable_templates: true }
    }
}

/// What a commit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Committed {
    /// Pages that were added or replaced.
    pub pages: u64,
    /// Pages that were in the index before, of which some blocks turned out to be template, or to be none any more.
    pub corrected: u64,
    /// Pages that were deleted.
    pub deleted: u64,
    /// Words of the added and corrected pages.
    pub words: u64,
    /// Those of them that are template.
    pub template_words: u64,
    /// Pages that are in the index now.
    pub total: u64,
}

/// Builds or changes an index: pages are added, replaced and deleted, and with [`IndexWriter::commit`] all of it happens at once.
pub struct IndexWriter {
    index: Index,
    fields: Fields,
    inner: tantivy::IndexWriter,
    /// The folder for data that does not fit into memory.
    folder: PathBuf,
    removal: Removal,
    options: Options,
    /// What the index holds before the commit.
    before: Searcher,
    /// The last number of a page with this address.
    urls: HashMap<u64, u32, PieceHasher>,
    deleted: HashSet<String>,
    pages: u32,
    waiting: PendingPages,
    committed: Committed,
}

/// Pages that wait for the commit, and what is known of their words.
struct PendingPages {
    spool: Spool,
    table: WordTable,
    /// The numbers of sites.
    sites: BTreeMap<String, usize>,
    /// Pages that were replaced before they were ever in the index.
    replaced: HashSet<u32>,
}

impl IndexWriter {
    /// Opens the index in a folder, or makes one.
    ///
    /// # Errors
    /// If the folder holds something else, an index of another format or one that was built in another way, or if another process is
    /// writing to it.
    pub fn open(folder: &Path, removal: Removal, options: &Options) -> Result<IndexWriter, SearchError> {
        let (index, fields, about) = format::open_or_create(folder)?;
        if let Some(About { method: found, .. }) =
            about.filter(|about| !removal.matches_method(&about.method))
        {
            let asked = removal.describe();
            return Err(SearchError::OtherMethod { folder: folder.to_owned(), found, asked });
        }
        IndexWriter::new(index, fields, folder, removal, options)
    }

    /// A new index in memory, for studies and tests.
    pub fn in_memory(removal: Removal, options: &Options) -> Result<IndexWriter, SearchError> {
        let (index, fields) = format::create_in_memory()?;
        IndexWriter::new(index, fields, &std::env::temp_dir(), removal, options)
    }

    fn new(
        index: Index,
        fields: Fields,
        folder: &Path,
        removal: Removal,
        options: &Options,
    ) -> Result<IndexWriter, SearchError> {
        let cores = || std::thread::available_parallelism().map_or(1, Into::into);
        let threads = if options.threads == 0 { cores() } else { options.threads }.clamp(1, 8);
        let memory = (options.memory / 2 / threads).max(WRITER_BYTES_MIN) * threads;
        let inner = index.writer_with_num_threads(threads, memory).map_err(|error| match error {
            TantivyError::LockFailure(..) => SearchError::Busy { folder: folder.to_owned() },
            error => error.into(),
        })?;
        let before = format::searcher(&index)?;
        Ok(IndexWriter {
            fields,
            inner,
            removal,
            options: options.clone(),
            before,
            index,
            urls: HashMap::default(),
            deleted: HashSet::new(),
            pages: 0,
            waiting: PendingPages::new(options.memory, folder),
            folder: folder.to_owned(),
            committed: Committed::default(),
        })
    }

    /// Adds a page. One with the same address is replaced, whether it is in the index or was added just now.
    pub fn add(&mut self, page: Prepared) -> Result<(), SearchError> {
        let number = self.pages;
        self.pages += 1;
        let earlier = self.urls.insert(xxh3::xxh3_64(page.url.as_bytes()), number);
        let is_known = earlier.is_some() || self.before.num_docs() > 0;
        if matches!(self.removal, Removal::Blocks(_)) {
            let site = self.waiting.site(&page.site);
            if let Some(earlier) = earlier {
                self.waiting.replaced.insert(earlier);
                self.waiting.table.forget(earlier);
            }
            self.waiting.table.add(site, &page.places)?;
            return self.waiting.spool.push(&page);
        }
        if is_known {
            self.inner.delete_term(Term::from_field_text(self.fields.url, &page.url));
        }
        if earlier.is_none() {
            self.committed.pages += 1;
        }
        self.write(&page_draft(&page, |block| page.page.blocks[block].is_template))
    }

    /// Deletes a page; nothing happens if it is not in the index.
    pub fn delete(&mut self, url: &str) -> Result<(), SearchError> {
        let term = Term::from_field_text(self.fields.url, url);
        let query = TermQuery::new(term.clone(), IndexRecordOption::Basic);
        for address in self.before.search(&query, &DocSetCollector)? {
            let page: TantivyDocument = self.before.doc(address)?;
            let site = text(&page, self.fields.site).to_owned();
            self.waiting.site(&site);
            self.committed.deleted += u64::from(self.deleted.insert(url.to_owned()));
        }
        self.inner.delete_term(term);
        Ok(())
    }

    /// Makes all changes visible at once.
    ///
    /// Templates are found by comparing all pages of the sites that were changed, those that were in the index before included. So the index is what
    /// it would be if all its pages had come in one run, and pages of which a block turned out to be template are corrected now.
    pub fn commit(self) -> Result<Committed, SearchError> {
        Ok(self.commit_and_open()?.0)
    }

    /// The same, and opens the index.
    pub fn commit_and_open(mut self) -> Result<(Committed, SearchIndex), SearchError> {
        if let Removal::Blocks(blocks) = self.removal.clone() {
            self.write_waiting(&blocks)?;
        }
        let about = About { unframe_index: FORMAT, method: self.removal.describe() };
        let about = serde_json::to_string(&about).map_err(|_| SearchError::Damaged)?;
        let mut commit = self.inner.prepare_commit()?;
        commit.set_payload(&about);
        commit.commit()?;
        self.inner.wait_merging_threads()?;
        merge_segments(&self.index)?;
        let index = SearchIndex::new(self.index, self.fields)?;
        self.committed.total = index.pages();
        Ok((self.committed, index))
    }

    /// Decides which blocks are template, and writes the pending pages and those that change by it.
    fn write_waiting(&mut self, method: &Blocks) -> Result<(), SearchError> {
        let nothing = PendingPages::new(0, &self.folder);
        let PendingPages { spool, mut table, sites, replaced } =
            std::mem::replace(&mut self.waiting, nothing);
        let old = self.old_pages(&sites, &mut table)?;
        let templates = table.templates(method)?;
        let mut templates = templates.iter().copied();
        let mut number = 0;
        let is_known = self.before.num_docs() > 0;
        spool.for_each(|page| {
            let flags: Vec<bool> = templates.by_ref().take(page.page.blocks.len()).collect();
            let is_replaced = replaced.contains(&number);
            number += 1;
            if is_replaced {
                return Ok(());
            }
            if is_known {
                self.inner.delete_term(Term::from_field_text(self.fields.url, &page.url));
            }
            self.committed.pages += 1;
            self.write(&page_draft(&page, |block| flags[block]))
        })?;
        for address in old {
            self.correct(address, &mut templates)?;
        }
        Ok(())
    }

    /// Takes the words of pages into the table that are in the index and stay there.
    fn old_pages(
        &self,
        sites: &BTreeMap<String, usize>,
        table: &mut WordTable,
    ) -> Result<Vec<DocAddress>, SearchError> {
        let mut old = Vec::new();
        if self.before.num_docs() == 0 {
            return Ok(old);
        }
        for (site, number) in sites {
            let term = Term::from_field_text(self.fields.site, site);
            let found =
                self.before.search(&TermQuery::new(term, IndexRecordOption::Basic), &DocSetCollector)?;
            let mut found: Vec<DocAddress> = found.into_iter().collect();
            found.sort();
            for address in found {
                let page: TantivyDocument = self.before.doc(address)?;
                let url = text(&page, self.fields.url);
                let is_new = self.urls.contains_key(&xxh3::xxh3_64(url.as_bytes()));
                if is_new || self.deleted.contains(url) {
                    continue;
                }
                table.add(*number, &stored_places(site, &blocks_of(&page, self.fields)?))?;
                old.push(address);
            }
        }
        Ok(old)
    }

    /// Writes a page again if the blocks that are template are not those that were.
    fn correct(
        &mut self,
        address: DocAddress,
        templates: &mut impl Iterator<Item = bool>,
    ) -> Result<(), SearchError> {
        let page: TantivyDocument = self.before.doc(address)?;
        let mut blocks = blocks_of(&page, self.fields)?;
        let mut is_changed = false;
        for block in &mut blocks {
            let is_template = templates.next().unwrap_or(block.is_template);
            is_changed |= is_template != block.is_template;
            block.is_template = is_template;
        }
        if !is_changed {
            return Ok(());
        }
        let url = text(&page, self.fields.url);
        self.inner.delete_term(Term::from_field_text(self.fields.url, url));
        self.committed.corrected += 1;
        let mut memory = String::new();
        let cut: Vec<_> = blocks
            .iter()
            .map(|block| {
                let places = block.words();
                let hashes: Vec<u64> =
                    places.iter().map(|word| words::hash(word.of(&block.text), &mut memory)).collect();
                (places, hashes)
            })
            .collect();
        self.write(&Draft {
            url,
            site: text(&page, self.fields.site),
            language: text(&page, self.fields.language),
            title: text(&page, self.fields.title),
            date: page
                .get_first(self.fields.date)
                .and_then(|date| date.as_datetime())
                .map(|date| date.into_timestamp_secs()),
            blocks: (blocks.iter().zip(&cut))
                .map(|(block, (places, hashes))| DraftBlock {
                    style: block.style,
                    is_template: block.is_template,
                    base: &block.text,
                    text: &block.text,
                    words: places,
                    hashes,
                })
                .collect(),
        })
    }

    fn write(&mut self, draft: &Draft<'_>) -> Result<(), SearchError> {
        let (document, words) = draft.document(&self.fields, self.options.searchable_templates);
        self.committed.words += words.all;
        self.committed.template_words += words.template;
        self.inner.add_document(document)?;
        Ok(())
    }
}

/// Merges segments when there are many, or when pages were deleted, because those would count in scores. Nothing is lost if it cannot be
/// done, because another process writes by now.
fn merge_segments(index: &Index) -> Result<(), SearchError> {
    let segments = index.searchable_segment_metas()?;
    let has_deletes = segments.iter().any(|segment| segment.has_deletes());
    if segments.len() <= SEGMENTS_MAX && !has_deletes {
        return Ok(());
    }
    let mut writer: tantivy::IndexWriter = match index.writer_with_num_threads(1, WRITER_BYTES_MIN) {
        Err(TantivyError::LockFailure(..)) => return Ok(()),
        writer => writer?,
    };
    let ids: Vec<_> = segments.iter().map(|segment| segment.id()).collect();
    writer.merge(&ids).wait()?;
    writer.garbage_collect_files().wait()?;
    Ok(())
}

impl PendingPages {
    /// Words are forgotten before the pages that wait come to Tantivy, which gets the half of memory that they had.
    fn new(memory: usize, folder: &Path) -> PendingPages {
        PendingPages {
            spool: Spool::new(memory / 8 * 3, folder),
            table: WordTable::new(memory / 2, folder),
            sites: BTreeMap::new(),
            replaced: HashSet::new(),
        }
    }

    fn site(&mut self, site: &str) -> usize {
        if let Some(number) = self.sites.get(site) {
            return *number;
        }
        let number = self.sites.len();
        self.sites.insert(site.to_owned(), number);
        number
    }
}

/// A page as it goes into the index.
fn page_draft<'p>(page: &'p Prepared, is_template: impl Fn(usize) -> bool) -> Draft<'p> {
    let cut = &page.page;
    Draft {
        url: &page.url,
        site: &page.site,
        language: &page.language,
        title: cut.title.as_deref().unwrap_or_default(),
        date: page.date,
        blocks: (cut.blocks.iter().enumerate())
            .map(|(number, block)| DraftBlock {
                style: block.style,
                is_template: is_template(number),
                base: &cut.text,
                text: &cut.text[block.text()],
                words: &cut.words[block.words()],
                hashes: &page.hashes[block.words()],
            })
            .collect(),
    }
}

fn text(page: &TantivyDocument, field: tantivy::schema::Field) -> &str {
    page.get_first(field).and_then(|value| value.as_str()).unwrap_or_default()
}

pub(crate) fn blocks_of(
    page: &TantivyDocument,
    fields: Fields,
) -> Result<Vec<record::StoredBlock>, SearchError> {
    record::read(page.get_first(fields.blocks).and_then(|value| value.as_bytes()).unwrap_or_default())
}

/// The places of the words of a stored page.
fn stored_places(site: &str, blocks: &[record::StoredBlock]) -> Places {
    let site = xxh3::xxh3_64(site.as_bytes());
    let mut places = Places::default();
    let (mut memory, mut lower) = (Vec::new(), String::new());
    for block in blocks {
        let hashes: Vec<u64> =
            block.words().iter().map(|word| words::hash(word.of(&block.text), &mut lower)).collect();
        places.push_block(site_style(site, block.style), &hashes, &mut memory);
    }
    places
}
