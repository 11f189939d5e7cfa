//! Learned data as the bytes of a file. `docs/model-format.md` describes the format.

mod decoder;
mod encoder;
pub(crate) mod site;

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::{self, Detector};
use crate::learn::{Learned, Learner, Models};
use crate::limits::{MODEL_MEMORY_MIN, MODEL_MEMORY_PER_BYTE};
use crate::model::bytes::{Damaged, Reader};
pub use decoder::Decoder;
pub use encoder::Encoder;

/// The first bytes of every model file.
const MAGIC: &[u8; 8] = b"unframe\0";
/// The version that this program writes and reads.
pub(crate) const VERSION: u32 = 7;

/// The learned data of one or many sites, with the method.
pub struct ModelFile {
    /// The method with its parameters.
    pub detector: Box<dyn Detector>,
    /// The seed, which decides which pages of a large site are sampled.
    pub seed: u64,
    /// The learned data by site.
    pub sites: BTreeMap<String, Learned>,
}

/// Why a model file could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file is not a model file.
    #[error("this is not a model file: it does not begin with `unframe`")]
    NotAModel,
    /// A later version of the program wrote the file.
    #[error("the model has format {found}, and this program reads {VERSION}: use a newer unframe")]
    Future {
        /// The version of the file.
        found: u32,
    },
    /// Bytes are missing or wrong.
    #[error("the model file is damaged: copy it again or learn the sites again")]
    Damaged,
    /// Unpacking would exceed the memory limit; see [`ModelFile::memory_max`].
    #[error(
        "the model file would need more memory than is allowed when decompressed: it is damaged or malicious, or its pages are extremely repetitive; `learn --compact` leaves the pages out"
    )]
    TooLarge,
    /// An earlier version of the program wrote the file.
    #[error("the model has format {found}, and this program reads {VERSION}: learn the sites again")]
    Outdated {
        /// The version of the file.
        found: u32,
    },
    /// The method or one of its parameters is unknown to this program.
    #[error("the model was learned with a method that this program does not have: {0}")]
    UnknownMethod(String),
    /// Two files were learned with different methods, parameters or seeds.
    #[error("the models cannot be merged: one was learned with {0}, the other with {1}")]
    Different(String, String),
    /// The file lacks the data that the operation needs.
    #[error("the model of {0} was saved without its sample (`learn --compact`): nothing can be added to it")]
    Compact(String),
    /// Two runs observed pages of the same site, so the order of the pages is unknown.
    #[error(
        "the order of the pages of {0} matters to this method, so two models of it cannot be merged: learn its pages in one run"
    )]
    Ordered(String),
}

impl From<Damaged> for ModelError {
    fn from(_: Damaged) -> ModelError {
        ModelError::Damaged
    }
}

impl ModelFile {
    /// The data that a learner has learned.
    pub fn from_learner(learner: &Learner) -> ModelFile {
        ModelFile { detector: learner.detector().copy(), seed: learner.seed(), sites: learner.learned() }
    }

    /// A model file without sites, for a method with its parameters.
    pub fn empty(detector: &dyn Detector, seed: u64) -> ModelFile {
        ModelFile { detector: detector.copy(), seed, sites: BTreeMap::new() }
    }

    /// A copy.
    pub fn copy(&self) -> ModelFile {
        ModelFile { sites: self.sites.clone(), ..ModelFile::empty(&*self.detector, self.seed) }
    }

    /// Drops the data that only further learning needs, which makes the file much smaller.
    pub fn compact(&mut self) {
        for learned in self.sites.values_mut() {
            *learned = Learned::Templates(learned.model(&*self.detector));
        }
    }

    /// Merges the sites of another file. On an error, nothing is changed.
    pub fn merge(&mut self, other: ModelFile) -> Result<(), ModelError> {
        let (mine, theirs) = (self.describe(), other.describe());
        if mine != theirs {
            return Err(ModelError::Different(mine, theirs));
        }
        for (site, more) in &other.sites {
            match (self.sites.get(site), more) {
                (None, _) | (Some(Learned::Sample(_)), Learned::Sample(_)) => {}
                (Some(Learned::InOrder(_)), _) | (Some(_), Learned::InOrder(_)) => {
                    return Err(ModelError::Ordered(site.clone()));
                }
                (Some(_), _) => return Err(ModelError::Compact(site.clone())),
            }
        }
        for (site, more) in other.sites {
            match (self.sites.get_mut(&site), more) {
                (Some(Learned::Sample(sample)), Learned::Sample(more)) => sample.merge(more),
                (_, more) => drop(self.sites.insert(site, more)),
            }
        }
        Ok(())
    }

    /// A learner that continues from this data.
    pub fn into_learner(self) -> Result<Learner, ModelError> {
        let compact = self.sites.iter().find(|(_, learned)| matches!(learned, Learned::Templates(_)));
        match compact {
            Some((site, _)) => Err(ModelError::Compact(site.clone())),
            None => Ok(Learner::from_learned(self.detector, self.seed, self.sites)),
        }
    }

    /// The models for labelling pages; this value stays usable.
    pub fn models(&self) -> Models {
        let models = self.sites.iter().map(|(site, learned)| (site.clone(), learned.model(&*self.detector)));
        Models::new(self.detector.copy(), models.collect())
    }

    /// The models for labelling pages.
    pub fn into_models(self) -> Models {
        let detector = self.detector;
        let models = self.sites.into_iter().map(|(site, learned)| match learned {
            Learned::Templates(model) => (site, model),
            learned => (site, learned.model(&*detector)),
        });
        let models = models.collect();
        Models::new(detector, models)
    }

    /// The method with its parameters, as users write it: `dom low=0.1 high=1`.
    pub fn describe(&self) -> String {
        describe(&*self.detector, self.seed)
    }

    /// The bytes of the file. Equal models have equal bytes.
    pub fn encode(&self) -> Vec<u8> {
        let (mut encoder, mut out) = Encoder::begin(&*self.detector, self.seed, self.sites.len());
        for (site, learned) in &self.sites {
            out.extend(encoder.site(site, learned));
        }
        out.extend(encoder.end());
        out
    }

    /// Bytes of memory that a file of this length may unpack to. Most files need a few times their size, but a crafted one could need any amount.
    pub fn memory_max(file_len: usize) -> usize {
        MODEL_MEMORY_MIN.saturating_add(file_len.saturating_mul(MODEL_MEMORY_PER_BYTE))
    }

    /// Decodes the bytes of a file.
    pub fn decode(bytes: &[u8]) -> Result<ModelFile, ModelError> {
        ModelFile::decode_within(bytes, ModelFile::memory_max(bytes.len()))
    }

    /// Like [`ModelFile::decode`], with another memory limit.
    pub fn decode_within(bytes: &[u8], memory_max: usize) -> Result<ModelFile, ModelError> {
        decoder::check_version(&mut Reader { rest: bytes })?;
        let (body, checksum) = bytes.split_last_chunk::<8>().ok_or(ModelError::Damaged)?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(ModelError::Damaged);
        }
        let (mut decoder, mut at) = Decoder::begin(body)?;
        let mut memory_left = memory_max;
        let mut file = ModelFile::empty(decoder.detector(), decoder.seed());
        while let Some((site, learned, used)) = decoder.site(&body[at..], &mut memory_left)? {
            file.sites.insert(site, learned);
            at += used;
        }
        if at == body.len() { Ok(file) } else { Err(ModelError::Damaged) }
    }
}

/// Formats a method with its parameters and a seed, as users write them.
pub fn describe(detector: &dyn Detector, seed: u64) -> String {
    let settings = detector.settings();
    let settings = settings.iter().map(|setting| format!(" {}={}", setting.name, setting.value));
    format!("{}{} seed={seed}", detector.name(), settings.collect::<String>())
}

fn read_detector(reader: &mut Reader<'_>) -> Result<Box<dyn Detector>, ModelError> {
    let name = reader.text()?;
    let mut detector = detect::method(name).ok_or_else(|| ModelError::UnknownMethod(name.to_owned()))?;
    for _ in 0..reader.len(2)? {
        let (setting, value) = (reader.text()?, reader.text()?);
        detector.set(setting, value).map_err(|error| ModelError::UnknownMethod(error.to_string()))?;
    }
    Ok(detector)
}

#[cfg(test)]
mod tests {
    use super::site::SAMPLE;
    use super::*;
    use crate::limits::PIECES_PER_PAGE_MAX;
    use crate::model::bytes::Writer;
    use crate::parsed::{PageBytes, PageParser};

    /// A file of `dom` with one site, whose pages each repeat one piece as often as the limit allows.
    fn repetitive(pages: u64) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.fixed(MAGIC);
        writer.fixed(&VERSION.to_le_bytes());
        writer.text("dom");
        writer.number(0);
        writer.fixed(&0u64.to_le_bytes());
        writer.number(1);
        writer.text("a.example");
        writer.fixed(&[SAMPLE]);
        [1_000, pages, 1].into_iter().for_each(|number| writer.number(number));
        writer.fixed(&7u64.to_le_bytes());
        writer.number(pages);
        for page in 0..pages {
            writer.fixed(&u128::from(page).to_le_bytes());
            writer.number(1);
            writer.signed(0);
            writer.number(PIECES_PER_PAGE_MAX as u64);
        }
        let checksum = xxh3_64(&writer.out);
        writer.fixed(&checksum.to_le_bytes());
        writer.out
    }

    #[test]
    fn a_file_does_not_unpack_to_any_size() {
        assert!(ModelFile::decode(&repetitive(3)).is_ok());
        let too_many = (MODEL_MEMORY_MIN / 8 / PIECES_PER_PAGE_MAX) as u64 + 1;
        assert!(matches!(ModelFile::decode(&repetitive(too_many)), Err(ModelError::TooLarge)));
        // Each byte of a file adds to its memory limit, for files of up to this size.
        assert_eq!(ModelFile::memory_max(256 << 20), 4352 << 20);
    }

    #[test]
    fn everything_in_a_file_counts() {
        let page = |number| format!("<ul><li>Home<li>About</ul><p>{number}");
        for (method, is_compact) in [("dom", false), ("dom", true), ("places", true), ("segments", false)] {
            let learner = Learner::new(detect::method(method).unwrap(), 0);
            let mut parser = PageParser::new();
            for number in 0..5 {
                let page = page(number);
                let page = parser.open(PageBytes::utf8(page.as_bytes()));
                learner.observe("a.example", &number.to_string(), &page);
            }
            let mut file = ModelFile::from_learner(&learner);
            if is_compact {
                file.compact();
            }
            let bytes = file.encode();
            let needs = |memory: usize| ModelFile::decode_within(&bytes, memory).err();
            assert_eq!(needs(bytes.len() * 100), None, "{method}");
            assert_eq!(needs(bytes.len()), Some(ModelError::TooLarge), "{method} {is_compact}");
        }
    }
}
