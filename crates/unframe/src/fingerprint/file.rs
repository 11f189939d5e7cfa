//! The file format of clusters and known templates. `docs/fingerprint-format.md` describes it.

use xxhash_rust::xxh3::xxh3_64;

use super::cluster::Saved;
use super::index::Cut;
use super::{Classifier, Clusters, Full, Method, Settings, Signature};
use crate::limits::{COUNTED_PAGES_MAX, FINGERPRINT_LENGTH_MAX};
use crate::model::bytes::{Damaged, Reader, Writer};

/// The first bytes of every file.
const MAGIC: &[u8; 8] = b"unframeF";
/// The version that is written, and the newest that can be read.
const VERSION: u32 = 1;

/// The kind of data in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Clusters = 0,
    Templates = 1,
}

/// Why a file could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file is not a file of fingerprints.
    #[error("this is not a file of fingerprints: it does not begin with `unframeF`")]
    NotFingerprints,
    /// A later version of the program wrote the file.
    #[error("the file has format {found}, and this program reads up to {VERSION}: use a newer unframe")]
    Future {
        /// The version of the file.
        found: u32,
    },
    /// Bytes are missing or wrong.
    #[error("the file is damaged: copy it again or create it again")]
    Damaged,
    /// The file holds clusters where templates are wanted, or vice versa.
    #[error("the file contains {found}, not {wanted}")]
    OtherKind {
        /// The kind in the file.
        found: &'static str,
        /// The kind that is wanted.
        wanted: &'static str,
    },
    /// The method is unknown to this program.
    #[error("the file was made with a method that this program does not have: {0}")]
    UnknownMethod(String),
    /// The method keeps whole pages, which cannot be saved.
    #[error(
        "the method `{0}` compares pages in pairs and cannot be saved: choose fingerprint, fingerprint+, md5 or mdh5"
    )]
    NotSaved(Method),
    /// The file holds more pages than the limits allow.
    #[error(transparent)]
    Full(#[from] Full),
}

impl From<Damaged> for FileError {
    fn from(_: Damaged) -> FileError {
        FileError::Damaged
    }
}

impl Clusters {
    /// Encodes the clusters. Equal clusters have equal bytes.
    pub fn encode(&self) -> Result<Vec<u8>, FileError> {
        let mut writer = begin(self.settings(), Kind::Clusters)?;
        writer.number(u64::from(self.run()));
        let saved = self.save();
        writer.number(saved.len() as u64);
        for Saved { scope, signature, run, pages } in saved {
            writer.fixed(&scope.to_le_bytes());
            write_signature(&signature, &mut writer);
            writer.number(u64::from(run));
            writer.number(pages);
        }
        Ok(end(writer))
    }

    /// Decodes clusters, ready for the next run.
    pub fn decode(bytes: &[u8]) -> Result<Clusters, FileError> {
        let (settings, mut reader) = open(bytes, Kind::Clusters)?;
        let number =
            |reader: &mut Reader<'_>| u32::try_from(reader.number()?).map_err(|_| FileError::Damaged);
        let run = number(&mut reader)?;
        let mut saved = Vec::new();
        let mut counted = CountedPages(0);
        for _ in 0..reader.len(11)? {
            let scope = u64::from_le_bytes(reader.fixed()?);
            let signature = read_signature(settings.method, &mut reader)?;
            let run = number(&mut reader)?;
            saved.push(Saved { scope, signature, run, pages: counted.read(&mut reader)? });
        }
        is_at_end(&reader)?;
        Ok(Clusters::resume(settings, run.saturating_add(1), saved)?)
    }
}

impl Classifier {
    /// Encodes the examples. Equal examples have equal bytes.
    pub fn encode(&self) -> Result<Vec<u8>, FileError> {
        let mut writer = begin(self.settings(), Kind::Templates)?;
        let saved = self.save();
        let templates: Vec<_> = saved.chunk_by(|one, other| one.0 == other.0).collect();
        writer.number(templates.len() as u64);
        for examples in templates {
            writer.text(examples[0].0);
            writer.number(examples.len() as u64);
            for (_, signature, pages) in examples {
                write_signature(signature, &mut writer);
                writer.number(*pages);
            }
        }
        Ok(end(writer))
    }

    /// Decodes the templates.
    pub fn decode(bytes: &[u8]) -> Result<Classifier, FileError> {
        let (settings, mut reader) = open(bytes, Kind::Templates)?;
        let mut classifier = Classifier::new(settings);
        let mut counted = CountedPages(0);
        for _ in 0..reader.len(2)? {
            let template = reader.text()?;
            for _ in 0..reader.len(2)? {
                let signature = read_signature(settings.method, &mut reader)?;
                classifier.add_pages(template, &signature, counted.read(&mut reader)?)?;
            }
        }
        is_at_end(&reader)?;
        Ok(classifier)
    }
}

/// The sum of the page counts in a file so far. It is limited, so that no sum can overflow.
struct CountedPages(u64);

impl CountedPages {
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<u64, FileError> {
        let pages = reader.number()?;
        self.0 = self.0.saturating_add(pages);
        if self.0 <= COUNTED_PAGES_MAX { Ok(pages) } else { Err(FileError::Damaged) }
    }
}

fn begin(settings: &Settings, kind: Kind) -> Result<Writer, FileError> {
    if !settings.method.is_looked_up() {
        return Err(FileError::NotSaved(settings.method));
    }
    let mut writer = Writer::default();
    writer.fixed(MAGIC);
    writer.fixed(&VERSION.to_le_bytes());
    writer.fixed(&[kind as u8]);
    writer.text(settings.method.name());
    writer.number(settings.cut.length() as u64);
    writer.number(settings.cut.split() as u64);
    Ok(writer)
}

fn end(mut writer: Writer) -> Vec<u8> {
    let checksum = xxh3_64(&writer.out);
    writer.fixed(&checksum.to_le_bytes());
    writer.out
}

fn open(bytes: &[u8], wanted: Kind) -> Result<(Settings, Reader<'_>), FileError> {
    let mut reader = Reader { rest: bytes };
    if reader.fixed::<8>().ok().as_ref() != Some(MAGIC) {
        return Err(FileError::NotFingerprints);
    }
    let version = u32::from_le_bytes(reader.fixed()?);
    if version > VERSION {
        return Err(FileError::Future { found: version });
    }
    let (body, checksum) = bytes.split_last_chunk::<8>().ok_or(FileError::Damaged)?;
    if version == 0 || xxh3_64(body) != u64::from_le_bytes(*checksum) {
        return Err(FileError::Damaged);
    }
    reader.rest = body.get(12..).ok_or(FileError::Damaged)?;
    match (reader.fixed()?, wanted) {
        ([0], Kind::Clusters) | ([1], Kind::Templates) => {}
        ([0], _) => return Err(FileError::OtherKind { found: "clusters", wanted: "templates" }),
        ([1], _) => return Err(FileError::OtherKind { found: "templates", wanted: "clusters" }),
        _ => return Err(FileError::Damaged),
    }
    let name = reader.text()?;
    let method: Method = name.parse().map_err(|_| FileError::UnknownMethod(name.to_owned()))?;
    let (length, split) = (reader.number()?, reader.number()?);
    if !method.is_looked_up() || length == 0 || length > FINGERPRINT_LENGTH_MAX as u64 || split > length {
        return Err(FileError::Damaged);
    }
    let cut = Cut::new(length as usize, split as usize);
    Ok((Settings { cut, ..Settings::new(method) }, reader))
}

fn is_at_end(reader: &Reader<'_>) -> Result<(), FileError> {
    if reader.rest.is_empty() { Ok(()) } else { Err(FileError::Damaged) }
}

fn write_signature(signature: &Signature, writer: &mut Writer) {
    let bytes = signature.to_bytes().unwrap_or_default();
    writer.number(bytes.len() as u64);
    writer.fixed(&bytes);
}

fn read_signature(method: Method, reader: &mut Reader<'_>) -> Result<Signature, FileError> {
    let len = reader.len(1)?;
    let (bytes, rest) = reader.rest.split_at(len);
    reader.rest = rest;
    Signature::from_bytes(method, bytes).ok_or(FileError::Damaged)
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;
    use proptest::prelude::*;

    use super::*;
    use crate::fingerprint::SignatureMaker;

    const PAGES: [&str; 4] = ["<p><b>a</b>", "<div class=x><p>", "", "<ul><li><li><li><li><li></ul>"];

    fn clusters(method: Method) -> Clusters {
        let settings = Settings::new(method);
        let mut maker = SignatureMaker::new(&settings);
        let mut clusters = Clusters::new(settings);
        for (scope, page) in PAGES.iter().enumerate() {
            clusters.add(scope as u64 % 2, &maker.make(page.as_bytes(), UTF_8)).unwrap();
        }
        clusters
    }

    fn classifier(method: Method) -> Classifier {
        let settings = Settings::new(method);
        let mut maker = SignatureMaker::new(&settings);
        let mut classifier = Classifier::new(settings);
        for (template, page) in ["a", "b", "a", "c"].iter().zip(PAGES) {
            classifier.add(template, &maker.make(page.as_bytes(), UTF_8)).unwrap();
        }
        classifier
    }

    #[test]
    fn what_is_written_is_read_again() {
        for method in [Method::Fingerprint, Method::Vocabulary, Method::Md5, Method::Mdh5] {
            let bytes = clusters(method).encode().unwrap();
            let again = Clusters::decode(&bytes).unwrap();
            assert_eq!((again.save(), again.run()), (clusters(method).save(), 1), "{method}");
            let bytes = classifier(method).encode().unwrap();
            let again = Classifier::decode(&bytes).unwrap();
            assert_eq!(
                (again.save(), again.encode().unwrap()),
                (classifier(method).save(), bytes),
                "{method}"
            );
        }
        assert_eq!(clusters(Method::Ctss).encode(), Err(FileError::NotSaved(Method::Ctss)));
    }

    #[test]
    fn other_files_are_refused() {
        let error = |bytes: &[u8]| Clusters::decode(bytes).map(|clusters| clusters.len()).unwrap_err();
        assert_eq!(error(b""), FileError::NotFingerprints);
        assert_eq!(error(b"unframe\0\x02\0\0\0"), FileError::NotFingerprints);
        let mut bytes = clusters(Method::Fingerprint).encode().unwrap();
        assert_eq!(
            Classifier::decode(&bytes).map(|_| ()),
            Err(FileError::OtherKind { found: "clusters", wanted: "templates" })
        );
        assert_eq!(error(&bytes[..bytes.len() - 1]), FileError::Damaged);
        bytes[8] = 9;
        assert_eq!(error(&bytes), FileError::Future { found: 9 });
    }

    #[test]
    fn files_of_more_pages_than_there_are_lie() {
        let settings = Settings::new(Method::Md5);
        let signature = SignatureMaker::new(&settings).make(b"<p>", UTF_8);
        for (pages, is_refused) in
            [(COUNTED_PAGES_MAX / 2, false), (COUNTED_PAGES_MAX / 2 + 1, true), (u64::MAX / 2 + 1, true)]
        {
            // The page counts of duplicate examples are added.
            let mut writer = begin(&settings, Kind::Templates).unwrap();
            writer.number(1);
            writer.text("a");
            writer.number(2);
            for _ in 0..2 {
                write_signature(&signature, &mut writer);
                writer.number(pages);
            }
            assert_eq!(Classifier::decode(&end(writer)).is_err(), is_refused, "{pages} pages");
        }
    }

    proptest! {
        #[test]
        fn a_changed_byte_is_found(at in 12usize..100, bit in 0u8..8) {
            let mut bytes = clusters(Method::Fingerprint).encode().unwrap();
            let at = 12 + at % (bytes.len() - 12);
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(Clusters::decode(&bytes).map(|clusters| clusters.len()), Err(FileError::Damaged));
        }

        /// A crafted file can have a valid checksum and wrong contents, which must not crash the program.
        #[test]
        fn a_file_that_lies_does_no_harm(
            changes in prop::collection::vec((0usize..1000, any::<u8>()), 1..6),
            is_cut in any::<bool>(),
        ) {
            for bytes in [clusters(Method::Fingerprint).encode().unwrap(), classifier(Method::Vocabulary).encode().unwrap()] {
                let mut body = bytes[..bytes.len() - 8].to_vec();
                for (at, byte) in &changes {
                    let at = 12 + at % (body.len() - 12);
                    body[at] = *byte;
                }
                if is_cut {
                    body.truncate(body.len() / 2 + 12);
                }
                let checksum = xxh3_64(&body);
                body.extend(checksum.to_le_bytes());
                let _ = Clusters::decode(&body);
                let _ = Classifier::decode(&body);
            }
        }
    }
}
