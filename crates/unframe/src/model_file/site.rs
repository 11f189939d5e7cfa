//! The encoding of one site's learned data in a file.

use super::ModelError;
use crate::detect::{Detector, Own};
use crate::learn::Learned;
use crate::limits::PIECES_PER_PAGE_MAX;
use crate::model::Model;
use crate::model::bytes::{Reader, Writer};
use crate::sample::{Count, PAGE_BYTES, Rank, SAMPLE_BYTES, Sample};

pub(super) const SAMPLE: u8 = 0;
const TEMPLATES: u8 = 1;
const IN_ORDER: u8 = 2;

/// Bytes of memory per template piece, in a hash map that may be half empty.
const TEMPLATE_BYTES: usize = 2 * (size_of::<(u64, Count)>() + 1);
/// Bytes of memory per encoded byte of a method-specific part: its numbers are short in files, but not in hash maps.
const OWN_MEMORY_PER_BYTE: usize = 8;

/// Writes learned data. The first byte is its kind.
pub(crate) fn write_learned(learned: &Learned, detector: &dyn Detector, writer: &mut Writer) {
    match learned {
        Learned::Sample(sample) => write_sample(sample, writer),
        Learned::InOrder(state) => write_state(state, detector, writer),
        Learned::Templates(model) => write_templates(model, detector, writer),
    }
}

/// Reads learned data. Its memory is subtracted from `memory_left`.
pub(crate) fn read_learned(
    reader: &mut Reader<'_>,
    memory_left: &mut usize,
    detector: &dyn Detector,
) -> Result<Learned, ModelError> {
    match reader.fixed()? {
        [SAMPLE] => Ok(Learned::Sample(read_sample(reader, memory_left)?)),
        [TEMPLATES] => Ok(Learned::Templates(read_templates(reader, memory_left, detector)?)),
        [IN_ORDER] => Ok(Learned::InOrder(read_state(reader, memory_left, detector)?)),
        _ => Err(ModelError::Damaged),
    }
}

/// Subtracts required memory from the remaining memory.
pub(super) fn take(memory_left: &mut usize, bytes: usize) -> Result<(), ModelError> {
    *memory_left = memory_left.checked_sub(bytes).ok_or(ModelError::TooLarge)?;
    Ok(())
}

/// Writes a list of all pieces, then each page as indexes in that list, because most pages share most of their pieces.
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

fn read_sample(reader: &mut Reader<'_>, memory_left: &mut usize) -> Result<Sample, ModelError> {
    take(memory_left, SAMPLE_BYTES)?;
    let size = reader.number()? as usize;
    let pages_observed = reader.number()?;
    let pieces: Vec<u64> = (0..reader.len(8)?)
        .map(|_| Ok(u64::from_le_bytes(reader.fixed()?)))
        .collect::<Result<_, ModelError>>()?;
    let mut pages = Vec::new();
    for _ in 0..reader.len(17)? {
        let rank = Rank(u128::from_le_bytes(reader.fixed()?));
        take(memory_left, PAGE_BYTES)?;
        let mut page = Vec::new();
        let mut at = 0i64;
        for _ in 0..reader.len(2)? {
            at = at.checked_add(reader.signed()?).ok_or(ModelError::Damaged)?;
            let piece = usize::try_from(at).ok().and_then(|at| pieces.get(at));
            let piece = *piece.ok_or(ModelError::Damaged)?;
            let room = PIECES_PER_PAGE_MAX - page.len();
            let occurrences = usize::try_from(reader.number()?).unwrap_or(usize::MAX).min(room);
            take(memory_left, occurrences * size_of::<u64>())?;
            page.extend(std::iter::repeat_n(piece, occurrences));
        }
        pages.push((rank, page));
    }
    Ok(Sample::from_parts(size, pages_observed, pages))
}

/// Writes the bytes of a state after their length.
fn write_state(state: &Own, detector: &dyn Detector, writer: &mut Writer) {
    writer.fixed(&[IN_ORDER]);
    writer.bytes(&detector.in_order().map(|in_order| in_order.encode(state)).unwrap_or_default());
}

/// Reads a state. A state has limits of its own, so its memory is counted after decoding.
fn read_state(
    reader: &mut Reader<'_>,
    memory_left: &mut usize,
    detector: &dyn Detector,
) -> Result<Own, ModelError> {
    let in_order = detector.in_order().ok_or(ModelError::Damaged)?;
    let state = in_order.decode(reader.bytes()?).ok_or(ModelError::Damaged)?;
    take(memory_left, in_order.memory(&state))?;
    Ok(state)
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

fn read_templates(
    reader: &mut Reader<'_>,
    memory_left: &mut usize,
    detector: &dyn Detector,
) -> Result<Model, ModelError> {
    let pages_observed = reader.number()?;
    let pages_sampled = reader.number()? as usize;
    let templates = reader.len(10)?;
    take(memory_left, templates * TEMPLATE_BYTES)?;
    let templates = (0..templates)
        .map(|_| {
            let piece = u64::from_le_bytes(reader.fixed()?);
            let count = Count { occurrences: reader.number()? as u32, pages: reader.number()? as u32 };
            Ok((piece, count))
        })
        .collect::<Result<_, ModelError>>()?;
    let model = Model::new(pages_observed, pages_sampled, templates);
    match reader.fixed()? {
        [0] => Ok(model),
        [1] => {
            let bytes = reader.bytes()?;
            take(memory_left, bytes.len() * OWN_MEMORY_PER_BYTE)?;
            Ok(model.with_own(detector.decode_own(bytes).ok_or(ModelError::Damaged)?))
        }
        _ => Err(ModelError::Damaged),
    }
}
