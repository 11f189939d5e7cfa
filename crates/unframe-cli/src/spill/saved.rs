//! A model file that is larger than memory, read site by site.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use anyhow::{Context, bail};
use unframe::detect::Detector;
use unframe::learn::{Learned, Models};
use unframe::model_file::{Decoder, ModelError, ModelFile};
use xxhash_rust::xxh3::Xxh3;

use super::ModelFailure;
use super::on_disk::{MEMORY_PER_FILE_BYTE, ModelBuilder};
use crate::args::Memory;

/// Bytes of the file that are read at a time, at least.
const BUFFER_BYTES: usize = 1 << 20;

/// Whether the models in a file would take more memory than there is for them.
pub(crate) fn is_too_large(path: &Path, memory: Memory) -> bool {
    let len = path.metadata().map_or(0, |metadata| metadata.len());
    len.saturating_mul(MEMORY_PER_FILE_BYTE as u64) > memory.learned(1) as u64
}

/// The models in a file, on disk. `change` may change the method before they are made.
pub(crate) fn models(
    path: &Path,
    memory: Memory,
    threads: usize,
    failed: &ModelFailure,
    change: impl FnOnce(&mut dyn Detector) -> anyhow::Result<()>,
) -> anyhow::Result<Models> {
    let failure = || format!("cannot use the model {}", path.display());
    let mut sites = SavedSites::open(path).with_context(failure)?;
    let mut detector = sites.decoder.detector().copy();
    change(&mut *detector)?;
    let making = ModelBuilder { detector, threads, cached_max: memory.cached(1), failed };
    making.models(|| sites.next().with_context(failure), |learned, _| Ok(learned))
}

/// The sites of a file, one after the other.
struct SavedSites {
    file: io::Take<File>,
    decoder: Decoder,
    /// Bytes of memory that a site may take.
    memory_max: usize,
    /// Bytes of the file that were read, and how many of them were used.
    buffer: Vec<u8>,
    used: usize,
}

impl SavedSites {
    fn open(path: &Path) -> anyhow::Result<SavedSites> {
        let mut file = File::open(path)?;
        let body_len = checked_len(&mut file)?;
        file.rewind()?;
        let mut file = file.take(body_len);
        let mut buffer = Vec::new();
        let (decoder, used) = with_enough_bytes(&mut file, &mut buffer, 0, Decoder::begin)?;
        let memory_max = ModelFile::memory_max(usize::try_from(body_len).unwrap_or(usize::MAX));
        Ok(SavedSites { file, decoder, memory_max, buffer, used })
    }

    fn next(&mut self) -> anyhow::Result<Option<(String, Learned)>> {
        let SavedSites { file, decoder, memory_max, buffer, used } = self;
        if *used > buffer.len() / 2 {
            buffer.drain(..*used);
            *used = 0;
        }
        match with_enough_bytes(file, buffer, *used, |bytes| decoder.site(bytes, &mut { *memory_max }))? {
            Some((site, learned, len)) => {
                *used += len;
                Ok(Some((site, learned)))
            }
            None if *used < buffer.len() || file.limit() > 0 => bail!(ModelError::Damaged),
            None => Ok(None),
        }
    }
}

/// Decodes what comes next, reading on until all of it is there.
fn with_enough_bytes<T>(
    file: &mut io::Take<File>,
    buffer: &mut Vec<u8>,
    used: usize,
    mut decode: impl FnMut(&[u8]) -> Result<T, ModelError>,
) -> anyhow::Result<T> {
    loop {
        match decode(&buffer[used..]) {
            // A decoder may ask for more bytes than a truncated file has.
            Err(ModelError::Damaged | ModelError::NotAModel) if file.limit() > 0 => {
                let more = BUFFER_BYTES.max(buffer.len() - used);
                if file.by_ref().take(more as u64).read_to_end(buffer)? == 0 {
                    bail!(ModelError::Damaged);
                }
            }
            decoded => return Ok(decoded?),
        }
    }
}

/// Bytes of the file before its checksum, which is checked.
fn checked_len(file: &mut File) -> anyhow::Result<u64> {
    let Some(len) = file.metadata()?.len().checked_sub(8) else { bail!(ModelError::NotAModel) };
    let mut checksum = Xxh3::new();
    let mut body = file.take(len);
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match body.read(&mut buffer)? {
            0 => break,
            read => checksum.update(&buffer[..read]),
        }
    }
    let mut saved = [0; 8];
    file.read_exact(&mut saved)?;
    if u64::from_le_bytes(saved) != checksum.digest() {
        bail!(ModelError::Damaged);
    }
    Ok(len)
}
