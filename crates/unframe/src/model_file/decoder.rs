//! Decodes a model file site by site, without holding all sites in memory.

use super::site::read_learned;
use super::{MAGIC, ModelError, VERSION, read_detector};
use crate::detect::Detector;
use crate::learn::Learned;
use crate::limits::{MODEL_PIECES_MAX, MODEL_PIECES_PER_BYTE_MAX};
use crate::model::bytes::Reader;

/// Reads the bytes of a model file one after the other. Whoever has only a part of the file, and learns that it is damaged, tries again
/// with more of it.
pub struct Decoder {
    detector: Box<dyn Detector>,
    seed: u64,
    sites_left: u64,
    pieces_left: usize,
}

impl Decoder {
    /// Begins with the first bytes of a file of `file_len` bytes, and says how many were used. The checksum at the end of the file
    /// is for the caller to check: it is the XXH3 of all bytes before it.
    pub fn begin(bytes: &[u8], file_len: usize) -> Result<(Decoder, usize), ModelError> {
        let mut reader = Reader { rest: bytes };
        check_version(&mut reader)?;
        let detector = read_detector(&mut reader)?;
        let seed = u64::from_le_bytes(reader.fixed()?);
        let sites_left = reader.number()?;
        let pieces_left = MODEL_PIECES_MAX + file_len.saturating_mul(MODEL_PIECES_PER_BYTE_MAX);
        Ok((Decoder { detector, seed, sites_left, pieces_left }, bytes.len() - reader.rest.len()))
    }

    /// The next site, and how many bytes were used. Nothing after the last one.
    pub fn site(&mut self, bytes: &[u8]) -> Result<Option<(String, Learned, usize)>, ModelError> {
        if self.sites_left == 0 {
            return Ok(None);
        }
        let (mut reader, mut pieces_left) = (Reader { rest: bytes }, self.pieces_left);
        let site = reader.text()?.to_owned();
        let learned = read_learned(&mut reader, &mut pieces_left, &*self.detector)?;
        (self.pieces_left, self.sites_left) = (pieces_left, self.sites_left - 1);
        Ok(Some((site, learned, bytes.len() - reader.rest.len())))
    }

    /// The method with its parameters.
    pub fn detector(&self) -> &dyn Detector {
        &*self.detector
    }

    /// Decides which pages of a large site are compared.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// Makes sure that this program reads the file.
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
