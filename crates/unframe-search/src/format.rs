//! The format of an index: its fields and its metadata.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tantivy::directory::MmapDirectory;
use tantivy::directory::error::OpenReadError;
use tantivy::schema::{
    DateOptions, FAST, Field, IndexRecordOption, NumericOptions, STORED, STRING, Schema, TextFieldIndexing,
    TextOptions,
};
use tantivy::{Index, IndexReader, IndexSettings, ReloadPolicy, Searcher, TantivyError};

use crate::analyze::{TOKENIZER, Words};
use crate::error::SearchError;

/// The format that is written, and the only one that is read. It changes with the fields and with the tokenization.
pub const FORMAT: u32 = 1;

/// Bytes of pages that are compressed together, so that the templates of neighbouring pages compress well.
const STORE_BLOCK_BYTES: usize = 64 << 10;

/// The metadata of an index, saved with every commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) unframe_index: u32,
    /// The method that finds templates, with its parameters.
    pub(crate) method: String,
}

/// The fields of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    pub(crate) url: Field,
    pub(crate) site: Field,
    pub(crate) language: Field,
    pub(crate) date: Field,
    pub(crate) title: Field,
    pub(crate) content: Field,
    pub(crate) template: Field,
    /// The average term frequency of the words of the content.
    pub(crate) tf_average: Field,
    /// Breaks ties between pages with equal scores.
    pub(crate) order: Field,
    /// The blocks of the page.
    pub(crate) blocks: Field,
}

impl Fields {
    pub(crate) fn schema() -> (Schema, Fields) {
        let record = IndexRecordOption::WithFreqsAndPositions;
        let indexing = TextFieldIndexing::default().set_tokenizer(TOKENIZER).set_index_option(record);
        let words = TextOptions::default().set_indexing_options(indexing);
        let mut schema = Schema::builder();
        let fields = Fields {
            url: schema.add_text_field("url", STRING | STORED),
            site: schema.add_text_field("site", STRING | STORED),
            language: schema.add_text_field("language", STRING | STORED),
            date: schema.add_date_field("date", DateOptions::from(FAST).set_indexed().set_stored()),
            title: schema.add_text_field("title", words.clone().set_stored()),
            content: schema.add_text_field("content", words.clone()),
            template: schema.add_text_field("template", words),
            tf_average: schema.add_f64_field("tf_average", NumericOptions::from(FAST)),
            order: schema.add_u64_field("order", NumericOptions::from(FAST)),
            blocks: schema.add_bytes_field("blocks", STORED),
        };
        (schema.build(), fields)
    }
}

/// Opens an index to search it.
pub(crate) fn open(folder: &Path) -> Result<(Index, Fields, About), SearchError> {
    let index = Index::open_in_dir(folder).map_err(|error| match error {
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_))
        | TantivyError::OpenDirectoryError(_) => SearchError::Missing { folder: folder.to_owned() },
        error => unreadable(folder, error),
    })?;
    let about =
        about(&index, folder)?.ok_or_else(|| SearchError::Unfinished { folder: folder.to_owned() })?;
    Ok((prepared(index), Fields::schema().1, about))
}

/// Opens an index to change it. Creates an empty index if there is none.
pub(crate) fn open_or_create(folder: &Path) -> Result<(Index, Fields, Option<About>), SearchError> {
    fs::create_dir_all(folder).map_err(SearchError::io(folder))?;
    let directory = MmapDirectory::open(folder).map_err(TantivyError::from)?;
    let (schema, fields) = Fields::schema();
    if Index::exists(&directory).map_err(TantivyError::from)? {
        let index = Index::open(directory).map_err(|error| unreadable(folder, error))?;
        let about = about(&index, folder)?;
        return Ok((prepared(index), fields, about));
    }
    let is_empty = fs::read_dir(folder).map_err(SearchError::io(folder))?.next().is_none();
    // A build that was killed while it created the index leaves only hidden files.
    let only_hidden = || {
        fs::read_dir(folder).is_ok_and(|mut files| {
            files.all(|file| file.is_ok_and(|file| file.file_name().as_encoded_bytes().starts_with(b".")))
        })
    };
    if !is_empty && !only_hidden() {
        return Err(SearchError::NotAnIndex { folder: folder.to_owned() });
    }
    let index = Index::builder().schema(schema).settings(settings()).open_or_create(directory)?;
    Ok((prepared(index), fields, None))
}

/// An empty index in memory.
pub(crate) fn create_in_memory() -> Result<(Index, Fields), SearchError> {
    let (schema, fields) = Fields::schema();
    Ok((prepared(Index::builder().schema(schema).settings(settings()).create_in_ram()?), fields))
}

/// The current contents of an index.
pub(crate) fn searcher(index: &Index) -> Result<Searcher, SearchError> {
    let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    Ok(reader.searcher())
}

fn settings() -> IndexSettings {
    IndexSettings { docstore_blocksize: STORE_BLOCK_BYTES, ..IndexSettings::default() }
}

fn prepared(index: Index) -> Index {
    index.tokenizers().register(TOKENIZER, Words::default());
    index
}

fn unreadable(folder: &Path, error: TantivyError) -> SearchError {
    match error {
        TantivyError::IncompatibleIndex(found) => {
            SearchError::Format { folder: folder.to_owned(), found: format!("{found:?}"), expected: FORMAT }
        }
        TantivyError::DataCorruption(_) => SearchError::NotAnIndex { folder: folder.to_owned() },
        error => error.into(),
    }
}

/// The metadata of the index; `None` if no build was ever committed.
fn about(index: &Index, folder: &Path) -> Result<Option<About>, SearchError> {
    let metas = index.load_metas().map_err(|error| unreadable(folder, error))?;
    let Some(payload) = metas.payload else {
        return match metas.segments.is_empty() && metas.schema == Fields::schema().0 {
            true => Ok(None),
            false => Err(SearchError::NotAnIndex { folder: folder.to_owned() }),
        };
    };
    let other = |found: String| SearchError::Format { folder: folder.to_owned(), found, expected: FORMAT };
    let value: serde_json::Value =
        serde_json::from_str(&payload).map_err(|_| SearchError::NotAnIndex { folder: folder.to_owned() })?;
    match value.get("unframe_index") {
        None => return Err(SearchError::NotAnIndex { folder: folder.to_owned() }),
        Some(found) if *found != FORMAT => return Err(other(found.to_string())),
        Some(_) => {}
    }
    if metas.schema != Fields::schema().0 {
        return Err(other("with other fields".to_owned()));
    }
    serde_json::from_value(value).map(Some).map_err(|_| SearchError::NotAnIndex { folder: folder.to_owned() })
}
