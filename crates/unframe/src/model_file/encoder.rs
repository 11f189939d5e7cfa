//! Encodes a model file site by site, without holding all sites in memory.

use xxhash_rust::xxh3::Xxh3;

use super::site::write_learned;
use super::{MAGIC, VERSION};
use crate::detect::Detector;
use crate::learn::Learned;
use crate::model::bytes::Writer;

/// Encodes a model file incrementally.
pub struct Encoder<'a> {
    detector: &'a dyn Detector,
    checksum: Xxh3,
}

impl<'a> Encoder<'a> {
    /// Begins a file with that many sites. Returns the encoder and the first bytes.
    pub fn begin(detector: &'a dyn Detector, seed: u64, sites: usize) -> (Encoder<'a>, Vec<u8>) {
        let mut writer = Writer::default();
        writer.fixed(MAGIC);
        writer.fixed(&VERSION.to_le_bytes());
        writer.text(detector.name());
        let settings = detector.settings();
        writer.number(settings.len() as u64);
        for setting in &settings {
            writer.text(setting.name);
            writer.text(&setting.value);
        }
        writer.fixed(&seed.to_le_bytes());
        writer.number(sites as u64);
        let mut encoder = Encoder { detector, checksum: Xxh3::new() };
        let bytes = encoder.counted(writer);
        (encoder, bytes)
    }

    /// Encodes the next site. Sites must be in the order of their names.
    pub fn site(&mut self, site: &str, learned: &Learned) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.text(site);
        write_learned(learned, self.detector, &mut writer);
        self.counted(writer)
    }

    /// Returns the last bytes.
    pub fn end(self) -> [u8; 8] {
        self.checksum.digest().to_le_bytes()
    }

    fn counted(&mut self, writer: Writer) -> Vec<u8> {
        self.checksum.update(&writer.out);
        writer.out
    }
}
