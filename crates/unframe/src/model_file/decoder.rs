//! Decodes a model file site by site, without holding all sites in memory.

use super::site::{read_learned, take};
use super::{MAGIC, ModelError, VERSION, read_detector};
use crate::detect::Detector;
use crate::learn::Learned;
use crate::model::bytes::Reader;

/// Bytes of memory per site in addition to its name and its learned data.
const SITE_BYTES: usize = 128;

/// Reads a model file incrementally. Callers that hold only a part of the file and get [`ModelError::Damaged`] can retry with more bytes.
pub struct Decoder {
    detector: Box<dyn Detector>,
    seed: u64,
    sites_left: u64,
}

impl Decoder {
    /// Reads the beginning of a file, and returns the number of bytes used. The caller must check the checksum at the end of the file,
    /// which is the XXH3 hash of all bytes before it.
    pub fn begin(bytes: &[u8]) -> Result<(Decoder, usize), ModelError> {
        let mut reader = Reader { rest: bytes };
        check_version(&mut reader)?;
        let detector = read_detector(&mut reader)?;
        let seed = u64::from_le_bytes(reader.fixed()?);
        let sites_left = reader.number()?;
        Ok((Decoder { detector, seed, sites_left }, bytes.len() - reader.rest.len()))
    }

    /// Reads the next site, and returns the number of bytes used; `None` after the last site. The memory of the site is subtracted from
    /// `memory_left`; see [`ModelFile::memory_max`](super::ModelFile::memory_max).
    pub fn site(
        &mut self,
        bytes: &[u8],
        memory_left: &mut usize,
    ) -> Result<Option<(String, Learned, usize)>, ModelError> {
        if self.sites_left == 0 {
            return Ok(None);
        }
        let mut reader = Reader { rest: bytes };
        let site = reader.text()?.to_owned();
        take(memory_left, SITE_BYTES + site.len())?;
        let learned = read_learned(&mut reader, memory_left, &*self.detector)?;
        self.sites_left -= 1;
        Ok(Some((site, learned, bytes.len() - reader.rest.len())))
    }

    /// The method with its parameters.
    pub fn detector(&self) -> &dyn Detector {
        &*self.detector
    }

    /// The seed, which decides which pages of a large site are sampled.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// Checks that this program can read the file.
pub(super) fn check_version(reader: &mut Reader<'_>) -> Result<(), ModelError> {
    if reader.fixed::<8>().ok().as_ref() != Some(MAGIC) {
        return Err(ModelError::NotAModel);
    }
    match u32::from_le_bytes(reader.fixed()?) {
        VERSION => Ok(()),
        found if found > VERSION => Err(ModelError::Future { found }),
        found => Err(ModelError::Outdated { found }),
    }
}
