//! Builds and changes indexes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use tantivy::collector::DocSetCollector;
use tantivy::query::TermQuery;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, Index, Searcher, TantivyDocument, TantivyError, Term};
use unframe::blocks::Block;
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
use crate::templates::{TemplateBlocks, WordTable, site_style};

mod document;
mod queue;

use document::{Draft, DraftBlock};
use queue::{Room, Waiting};

/// Minimum memory for a thread of Tantivy, in bytes.
const WRITER_BYTES_MIN: usize = 16 << 20;
/// Segments are merged when there are more.
const SEGMENTS_MAX: usize = 4;

/// How templates are kept out of an index.
#[derive(Debug, Clone)]
pub enum Removal {
    /// Templates stay in the index.
    None,
    /// The method `blocks` detects templates while the index is built.
    Blocks(Blocks),
    /// The caller gives the template regions of each page. The string is the method that found them, with its parameters:
    /// `dom low=0.1 high=1`.
    Labels(String),
}

impl Removal {
    /// The method with its parameters.
    pub fn describe(&self) -> String {
        match self {
            Removal::None => "none".to_owned(),
            Removal::Labels(method) => method.clone(),
            Removal::Blocks(blocks) => {
                // All pages are compared, so the sample size has no effect.
                let settings = blocks.settings().into_iter().filter(|setting| setting.name != "sample");
                let settings = settings.map(|setting| format!(" {}={}", setting.name, setting.value));
                format!("blocks{}", settings.collect::<String>())
            }
        }
    }

    /// Whether the method in an index's metadata is consistent with this removal.
    fn matches_method(&self, method: &str) -> bool {
        let asked = self.describe();
        // Earlier versions wrote only the name of the method that found the regions.
        let is_name = matches!(self, Removal::Labels(_)) && asked.split(' ').next() == Some(method);
        is_name || asked == method
    }
}

/// How an index is built.
#[derive(Debug, Clone)]
pub struct Options {
    /// Memory in bytes. Data beyond it goes to disk.
    pub memory: usize,
    /// Number of indexing threads; 0 for one per core.
    pub threads: usize,
    /// Whether the text of templates can be searched.
    pub searchable_templates: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { memory: 256 << 20, threads: 0, searchable_templates: true }
    }
}

/// The result of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Committed {
    /// Pages that were added or replaced.
    pub pages: u64,
    /// Pages that were in the index before and were rewritten, because some of their blocks became template or are no longer template.
    pub corrected: u64,
    /// Pages that were deleted.
    pub deleted: u64,
    /// Words of the added and corrected pages.
    pub words: u64,
    /// Template words among them.
    pub template_words: u64,
    /// Pages in the index after the commit.
    pub total: u64,
}

/// Builds or changes an index. Pages can be added, replaced and deleted; [`IndexWriter::commit`] applies all changes atomically.
pub struct IndexWriter {
    index: Index,
    fields: Fields,
    inner: tantivy::IndexWriter<Waiting>,
    room: Room,
    /// The folder for data that does not fit into memory.
    folder: PathBuf,
    removal: Removal,
    options: Options,
    /// The contents of the index before the commit.
    before: Searcher,
    /// For the hash of each address, the number of the last added page.
    urls: HashMap<u64, u32, PieceHasher>,
    deleted: HashSet<String>,
    pages: u32,
    waiting: PendingPages,
    committed: Committed,
}

/// Pages that wait for the commit, and the positions of their words.
struct PendingPages {
    spool: Spool,
    table: WordTable,
    /// A number for each site.
    sites: BTreeMap<String, usize>,
    /// Pages of this run that were replaced before the commit.
    replaced: HashSet<u32>,
}

impl IndexWriter {
    /// Opens the index in a folder, or creates one.
    ///
    /// # Errors
    /// If the folder contains other files, an index of another format, or an index that was built with another method, or if another
    /// process is writing to it.
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

    /// Creates an index in memory, for studies and tests.
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
            room: Room::new(options.memory / 8),
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

    /// Adds a page. It replaces a page with the same address, whether that is in the index or was added before in this run.
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

    /// Deletes a page from the index, if it is there.
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

    /// Makes all changes visible atomically.
    ///
    /// [`Removal::Blocks`] compares all pages of the changed sites, including those that were in the index before. The result is the same as
    /// if all pages had been added in one run. Earlier pages whose template blocks changed are rewritten.
    pub fn commit(self) -> Result<Committed, SearchError> {
        Ok(self.commit_and_open()?.0)
    }

    /// Commits like [`IndexWriter::commit`], and opens the index.
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

    /// Decides which blocks are template. Writes the pending pages, and the earlier pages whose template blocks changed.
    fn write_waiting(&mut self, method: &Blocks) -> Result<(), SearchError> {
        let nothing = PendingPages::new(0, &self.folder);
        let PendingPages { spool, mut table, sites, replaced } =
            std::mem::replace(&mut self.waiting, nothing);
        let old = self.old_pages(&sites, &mut table)?;
        let mut templates = table.templates(method)?;
        let mut number = 0;
        let is_known = self.before.num_docs() > 0;
        spool.for_each(|page| {
            let is_template = |block: &Block| templates.next(&page.hashes[block.words()]);
            let flags = page.page.blocks.iter().map(is_template).collect::<Result<Vec<_>, _>>()?;
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

    /// Adds the words of the pages that stay in the index to the table. Returns the addresses of these pages.
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

    /// Rewrites a page if its template blocks have changed.
    fn correct(
        &mut self,
        address: DocAddress,
        templates: &mut TemplateBlocks<'_>,
    ) -> Result<(), SearchError> {
        let page: TantivyDocument = self.before.doc(address)?;
        let mut blocks = blocks_of(&page, self.fields)?;
        let mut is_changed = false;
        let (mut cut, mut memory) = (Vec::with_capacity(blocks.len()), String::new());
        for block in &mut blocks {
            let (places, hashes) = block.words_and_hashes(&mut memory);
            let is_template = templates.next(&hashes)?;
            is_changed |= is_template != block.is_template;
            block.is_template = is_template;
            cut.push((places, hashes));
        }
        if !is_changed {
            return Ok(());
        }
        let url = text(&page, self.fields.url);
        self.inner.delete_term(Term::from_field_text(self.fields.url, url));
        self.committed.corrected += 1;
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
        let made = draft.document(&self.fields, self.options.searchable_templates);
        self.committed.words += made.words;
        self.committed.template_words += made.template_words;
        self.inner.add_document(self.room.take(made.document, made.bytes))?;
        Ok(())
    }
}

/// Merges segments if there are too many, or if pages were deleted, because deleted pages count in scores until then. If another process
/// has started writing, the merge is skipped and nothing is lost.
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
    /// The word table is dropped before the pending pages are passed to Tantivy, which then uses the half of memory that the table had:
    /// it sorts in as much memory as its words have.
    fn new(memory: usize, folder: &Path) -> PendingPages {
        PendingPages {
            spool: Spool::new(memory / 4, folder),
            table: WordTable::new(memory / 4, folder),
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

/// A prepared page in the form that is indexed.
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

/// The positions of the words of a stored page.
fn stored_places(site: &str, blocks: &[record::StoredBlock]) -> Places {
    let site = xxh3::xxh3_64(site.as_bytes());
    let mut places = Places::default();
    let (mut memory, mut lower) = (Vec::new(), String::new());
    for block in blocks {
        let (_, hashes) = block.words_and_hashes(&mut lower);
        places.push_block(site_style(site, block.style), &hashes, &mut memory);
    }
    places
}
