//! Parts of the learned data of a site, which are stored elsewhere until they are joined.

use super::Learned;
use crate::detect::Detector;
use crate::model::bytes::{Reader, Writer};
use crate::model_file::ModelError;
use crate::model_file::site::{read_learned, write_learned};
use crate::page::PageId;

/// The first byte of encoded pages. Other values are those of learned data in a model file.
const PAGES: u8 = 255;

/// The data learned of a site between two spills.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// The learned data.
    Learned(Learned),
    /// Pages in their order, to be added to the data learned before.
    Pages(Vec<PageInPieces>),
}

/// The pieces of a page, for a method for which page order matters.
#[derive(Debug, Clone, PartialEq)]
pub struct PageInPieces {
    /// The page's id.
    pub id: PageId,
    /// The pieces.
    pub pieces: Vec<u64>,
}

impl PageInPieces {
    /// An estimate of the memory that the page takes.
    pub(super) fn bytes(&self) -> usize {
        2 * size_of::<PageInPieces>() + self.pieces.capacity() * size_of::<u64>()
    }
}

impl Part {
    /// Appends a later part. Only parts that the same method put aside can be joined; others count as damaged.
    pub fn join(&mut self, later: Part, detector: &dyn Detector) -> Result<(), ModelError> {
        match (self, later) {
            (Part::Learned(Learned::Sample(sample)), Part::Learned(Learned::Sample(more))) => {
                sample.merge(more)
            }
            (Part::Learned(learned @ Learned::InOrder(_)), Part::Pages(pages)) => {
                pages.iter().for_each(|page| learned.take(page, detector));
            }
            (Part::Pages(pages), Part::Pages(more)) => pages.extend(more),
            _ => return Err(ModelError::Damaged),
        }
        Ok(())
    }

    /// The final learned data of the site.
    pub fn finish(self, detector: &dyn Detector) -> Learned {
        match (self, detector.in_order()) {
            (Part::Learned(learned), _) => learned,
            // The site was first seen after all others had been put aside.
            (Part::Pages(pages), Some(in_order)) => {
                let mut learned = Learned::InOrder(in_order.begin());
                pages.iter().for_each(|page| learned.take(page, detector));
                learned
            }
            (Part::Pages(_), None) => Learned::Templates(Default::default()),
        }
    }

    /// Encodes the part.
    pub fn encode(&self, detector: &dyn Detector) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Part::Learned(learned) => write_learned(learned, detector, &mut writer),
            Part::Pages(pages) => {
                writer.fixed(&[PAGES]);
                writer.number(pages.len() as u64);
                pages.iter().for_each(|page| write_page(page, &mut writer));
            }
        }
        writer.out
    }

    /// Decodes the result of [`Part::encode`].
    pub fn decode(bytes: &[u8], detector: &dyn Detector) -> Result<Part, ModelError> {
        let mut reader = Reader { rest: bytes };
        let part = match bytes.first() {
            Some(&PAGES) => {
                reader.fixed::<1>()?;
                let pages = 0..reader.len(13)?;
                Part::Pages(pages.map(|_| read_page(&mut reader)).collect::<Result<_, _>>()?)
            }
            // This program wrote these bytes, and they hold data that fitted into memory before.
            _ => Part::Learned(read_learned(&mut reader, &mut { usize::MAX }, detector)?),
        };
        if reader.rest.is_empty() { Ok(part) } else { Err(ModelError::Damaged) }
    }
}

fn write_page(page: &PageInPieces, writer: &mut Writer) {
    writer.fixed(&page.id.url.to_le_bytes());
    writer.fixed(&page.id.content.to_le_bytes());
    writer.number(page.pieces.len() as u64);
    page.pieces.iter().for_each(|piece| writer.fixed(&piece.to_le_bytes()));
}

fn read_page(reader: &mut Reader<'_>) -> Result<PageInPieces, ModelError> {
    let url = u64::from_le_bytes(reader.fixed()?);
    let content = u32::from_le_bytes(reader.fixed()?);
    let pieces = (0..reader.len(8)?)
        .map(|_| Ok(u64::from_le_bytes(reader.fixed()?)))
        .collect::<Result<_, ModelError>>()?;
    Ok(PageInPieces { id: PageId { url, content }, pieces })
}
