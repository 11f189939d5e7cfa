//! What was learned, as the bytes of a file. `docs/model-format.md` describes the format.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::{self, Detector, Own};
use crate::learn::{Learned, Learner, Models};
use crate::limits::{MODEL_PIECES_MAX, MODEL_PIECES_PER_BYTE_MAX, PIECES_PER_PAGE_MAX};
use crate::model::Model;
use crate::model::bytes::{Damaged, Reader, Writer};
use crate::sample::{Count, Rank, Sample};

/// The first bytes of every model file.
const MAGIC: &[u8; 8] = b"unframe\0";
/// The version that is written and read.
pub(crate) const VERSION: u32 = 6;

const SAMPLE: u8 = 0;
const TEMPLATES: u8 = 1;
const IN_ORDER: u8 = 2;

/// What was learned of one or many sites, with the method.
pub struct ModelFile {
    /// The method with its parameters.
    pub detector: Box<dyn Detector>,
    /// Decides which pages of a large site are compared.
    pub seed: u64,
    /// The sites.
    pub sites: BTreeMap<String, Learned>,
}

/// Why a model file could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is something else.
    #[error("this is not a model file: it does not begin with `unframe`")]
    NotAModel,
    /// A later version of the program wrote it.
    #[error("the model has format {found}, and this program reads {VERSION}: use a newer unframe")]
    Future {
        /// Its version.
        found: u32,
    },
    /// Bytes are missing or wrong.
    #[error("the model file is damaged: copy it again or learn the sites again")]
    Damaged,
    /// An earlier version of the program wrote it.
    #[error("the model has format {found}, and this program reads {VERSION}: learn the sites again")]
    Outdated {
        /// Its version.
        found: u32,
    },
    /// The method or one of its parameters is unknown here.
    #[error("the model was learned with a method that this program does not have: {0}")]
    UnknownMethod(String),
    /// Two files were learned in different ways.
    #[error("the models do not fit together: one was learned with {0}, the other with {1}")]
    Different(String, String),
    /// A file keeps too little for what is asked.
    #[error("the model of {0} was saved without its sample, so that nothing can be added to it")]
    Compact(String),
    /// Two runs saw pages of the same site, and nobody knows in which order.
    #[error(
        "the order of the pages of {0} matters to this method, so what two runs learned of it cannot be folded together: \
         learn its pages in one run"
    )]
    Ordered(String),
}

impl From<Damaged> for ModelError {
    fn from(_: Damaged) -> ModelError {
        ModelError::Damaged
    }
}

impl ModelFile {
    /// Everything that a learner has learned.
    pub fn from_learner(learner: &Learner) -> ModelFile {
        ModelFile { detector: learner.detector().copy(), seed: learner.seed(), sites: learner.learned() }
    }

    /// Nothing learned yet, with the parameters of a method.
    pub fn empty(detector: &dyn Detector, seed: u64) -> ModelFile {
        ModelFile { detector: detector.copy(), seed, sites: BTreeMap::new() }
    }

    /// The same once more.
    pub fn copy(&self) -> ModelFile {
        ModelFile { sites: self.sites.clone(), ..ModelFile::empty(&*self.detector, self.seed) }
    }

    /// Drops what only further learning needs: the file becomes much smaller.
    pub fn compact(&mut self) {
        for learned in self.sites.values_mut() {
            *learned = Learned::Templates(learned.model(&*self.detector));
        }
    }

    /// Takes in the sites of another file. After an error, nothing has changed.
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

    /// A learner that goes on from here.
    pub fn into_learner(self) -> Result<Learner, ModelError> {
        let compact = self.sites.iter().find(|(_, learned)| matches!(learned, Learned::Templates(_)));
        match compact {
            Some((site, _)) => Err(ModelError::Compact(site.clone())),
            None => Ok(Learner::from_learned(self.detector, self.seed, self.sites)),
        }
    }

    /// The models, ready to label pages; the file stays.
    pub fn models(&self) -> Models {
        let models = self.sites.iter().map(|(site, learned)| (site.clone(), learned.model(&*self.detector)));
        Models::new(self.detector.copy(), models.collect())
    }

    /// The models, ready to label pages.
    pub fn into_models(self) -> Models {
        let detector = self.detector;
        let models = self.sites.into_iter().map(|(site, learned)| match learned {
            Learned::Templates(model) => (site, model),
            learned => (site, learned.model(&*detector)),
        });
        let models = models.collect();
        Models::new(detector, models)
    }

    /// The method with its parameters, as people write it: `dom low=0.1 high=1`.
    pub fn describe(&self) -> String {
        let settings = self.detector.settings();
        let settings = settings.iter().map(|setting| format!(" {}={}", setting.name, setting.value));
        format!("{}{} seed={}", self.detector.name(), settings.collect::<String>(), self.seed)
    }

    /// The bytes of the file. Equal models have equal bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.fixed(MAGIC);
        writer.fixed(&VERSION.to_le_bytes());
        writer.text(self.detector.name());
        let settings = self.detector.settings();
        writer.number(settings.len() as u64);
        for setting in &settings {
            writer.text(setting.name);
            writer.text(&setting.value);
        }
        writer.fixed(&self.seed.to_le_bytes());
        writer.number(self.sites.len() as u64);
        for (site, learned) in &self.sites {
            writer.text(site);
            match learned {
                Learned::Sample(sample) => write_sample(sample, &mut writer),
                Learned::InOrder(state) => write_state(state, &*self.detector, &mut writer),
                Learned::Templates(model) => write_templates(model, &*self.detector, &mut writer),
            }
        }
        let checksum = xxh3_64(&writer.out);
        writer.fixed(&checksum.to_le_bytes());
        writer.out
    }

    /// The model in the bytes of a file.
    pub fn decode(bytes: &[u8]) -> Result<ModelFile, ModelError> {
        let mut reader = Reader { rest: bytes };
        if reader.fixed::<8>().ok().as_ref() != Some(MAGIC) {
            return Err(ModelError::NotAModel);
        }
        let version = u32::from_le_bytes(reader.fixed()?);
        match version {
            VERSION => {}
            found if found > VERSION => return Err(ModelError::Future { found }),
            found => return Err(ModelError::Outdated { found }),
        }
        let (body, checksum) = bytes.split_last_chunk::<8>().ok_or(ModelError::Damaged)?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(ModelError::Damaged);
        }
        reader.rest = body.get(12..).ok_or(ModelError::Damaged)?;
        let detector = read_detector(&mut reader)?;
        let seed = u64::from_le_bytes(reader.fixed()?);
        let mut sites = BTreeMap::new();
        let mut pieces_left = MODEL_PIECES_MAX + bytes.len().saturating_mul(MODEL_PIECES_PER_BYTE_MAX);
        for _ in 0..reader.len(2)? {
            let site = reader.text()?.to_owned();
            let learned = match reader.fixed()? {
                [SAMPLE] => Learned::Sample(read_sample(&mut reader, &mut pieces_left)?),
                [TEMPLATES] => Learned::Templates(read_templates(&mut reader, &*detector)?),
                [IN_ORDER] => Learned::InOrder(read_state(&mut reader, &*detector)?),
                _ => return Err(ModelError::Damaged),
            };
            sites.insert(site, learned);
        }
        if !reader.rest.is_empty() {
            return Err(ModelError::Damaged);
        }
        Ok(ModelFile { detector, seed, sites })
    }
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

/// A list of all pieces, then each page as places in that list: most pages share most of their pieces.
fn write_sample(sample: &Sample, writer: &mut Writer) {
    writer.fixed(&[SAMPLE]);
    writer.number(sample.size() as u64);
    writer.number(sample.pages_observed());
    let mut pieces: Vec<u64> = sample.pages().flat_map(|(_, pieces)| pieces).copied().collect();
    pieces.sort_unstable();
    pieces.dedup();
    writer.number(pieces.len() as u64);
    pieces.iter().for_each(|piece| writer.fixed(&piece.to_le_bytes()));
    writer.number(sample.pages().len() as u64);
    for (rank, page) in sample.pages() {
        writer.fixed(&rank.0.to_le_bytes());
        let runs: Vec<&[u64]> = page.chunk_by(|one, other| one == other).collect();
        writer.number(runs.len() as u64);
        let mut last = 0;
        for run in runs {
            let at = pieces.partition_point(|piece| *piece < run[0]) as i64;
            writer.signed(at - last);
            writer.number(run.len() as u64);
            last = at;
        }
    }
}

fn read_sample(reader: &mut Reader<'_>, pieces_left: &mut usize) -> Result<Sample, ModelError> {
    let size = reader.number()? as usize;
    let pages_observed = reader.number()?;
    let pieces: Vec<u64> = (0..reader.len(8)?)
        .map(|_| Ok(u64::from_le_bytes(reader.fixed()?)))
        .collect::<Result<_, ModelError>>()?;
    let mut pages = Vec::new();
    for _ in 0..reader.len(17)? {
        let rank = Rank(u128::from_le_bytes(reader.fixed()?));
        let mut page = Vec::new();
        let mut at = 0i64;
        for _ in 0..reader.len(2)? {
            at = at.checked_add(reader.signed()?).ok_or(ModelError::Damaged)?;
            let piece = usize::try_from(at).ok().and_then(|at| pieces.get(at));
            let piece = *piece.ok_or(ModelError::Damaged)?;
            let room = PIECES_PER_PAGE_MAX - page.len();
            let occurrences = usize::try_from(reader.number()?).unwrap_or(usize::MAX).min(room);
            *pieces_left = pieces_left.checked_sub(occurrences).ok_or(ModelError::Damaged)?;
            page.extend(std::iter::repeat_n(piece, occurrences));
        }
        pages.push((rank, page));
    }
    Ok(Sample::from_parts(size, pages_observed, pages))
}

/// The bytes of a state, after their number.
fn write_state(state: &Own, detector: &dyn Detector, writer: &mut Writer) {
    writer.fixed(&[IN_ORDER]);
    writer.bytes(&detector.in_order().map(|in_order| in_order.encode(state)).unwrap_or_default());
}

fn read_state(reader: &mut Reader<'_>, detector: &dyn Detector) -> Result<Own, ModelError> {
    let bytes = reader.bytes()?;
    detector.in_order().and_then(|in_order| in_order.decode(bytes)).ok_or(ModelError::Damaged)
}

fn write_templates(model: &Model, detector: &dyn Detector, writer: &mut Writer) {
    writer.fixed(&[TEMPLATES]);
    writer.number(model.pages_observed());
    writer.number(model.pages_sampled() as u64);
    let templates = model.templates();
    writer.number(templates.len() as u64);
    for (piece, count) in templates {
        writer.fixed(&piece.to_le_bytes());
        writer.number(u64::from(count.occurrences));
        writer.number(u64::from(count.pages));
    }
    match model.own() {
        None => writer.fixed(&[0]),
        Some(own) => {
            writer.fixed(&[1]);
            writer.bytes(&detector.encode_own(own));
        }
    }
}

fn read_templates(reader: &mut Reader<'_>, detector: &dyn Detector) -> Result<Model, ModelError> {
    let pages_observed = reader.number()?;
    let pages_sampled = reader.number()? as usize;
    let templates = (0..reader.len(10)?)
        .map(|_| {
            let piece = u64::from_le_bytes(reader.fixed()?);
            let count = Count { occurrences: reader.number()? as u32, pages: reader.number()? as u32 };
            Ok((piece, count))
        })
        .collect::<Result<_, ModelError>>()?;
    let model = Model::new(pages_observed, pages_sampled, templates);
    match reader.fixed()? {
        [0] => Ok(model),
        [1] => Ok(model.with_own(detector.decode_own(reader.bytes()?).ok_or(ModelError::Damaged)?)),
        _ => Err(ModelError::Damaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of `dom` with one site, whose pages each repeat one piece as often as a page may.
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
        let too_many = (MODEL_PIECES_MAX / PIECES_PER_PAGE_MAX) as u64 + 10;
        assert!(matches!(ModelFile::decode(&repetitive(too_many)), Err(ModelError::Damaged)));
    }
}
