//! All methods by name, and the page signatures that they compute.

use std::fmt;
use std::str::FromStr;

use encoding_rs::Encoding;

use super::comparisons::{Structure, ctss, digest, lcts, paths, rtdm, tv};
use super::index::{Cut, SPLIT};
use super::signature::{Fingerprint, Fingerprinter, LENGTH};
use super::vocabulary::{Vocabulary, VocabularyMaker};
use crate::html::source::SourceMemory;
use crate::html::tokenizer::TagName;
use crate::html::{Parser, Source};
use crate::limits::COMPARED_TAGS_MAX;

/// A method that finds pages of the same template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Template fingerprints.
    Fingerprint,
    /// Sketches of the vocabulary, which are not from a paper.
    Vocabulary,
    /// Restricted top-down mapping of trees.
    Rtdm,
    /// Longest common subsequence of tags.
    Lcts,
    /// Counts of tags.
    Tv,
    /// Common paths.
    Cp,
    /// Common path shingles.
    Cps,
    /// Common tag sequence shingles.
    Ctss,
    /// Hash of the tag sequence.
    Md5,
    /// Hash of the tag sequence of the head.
    Mdh5,
}

/// All methods with their names.
pub const METHODS: &[(&str, Method)] = &[
    ("fingerprint", Method::Fingerprint),
    ("fingerprint+", Method::Vocabulary),
    ("rtdm", Method::Rtdm),
    ("lcts", Method::Lcts),
    ("tv", Method::Tv),
    ("cp", Method::Cp),
    ("cps", Method::Cps),
    ("ctss", Method::Ctss),
    ("md5", Method::Md5),
    ("mdh5", Method::Mdh5),
];

impl Method {
    /// Its name.
    pub fn name(self) -> &'static str {
        METHODS.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// Whether a page has a short signature that is looked up, in a time that does not depend on the number of other pages. Otherwise, the
    /// page is compared with all others.
    pub fn is_looked_up(self) -> bool {
        matches!(self, Method::Fingerprint | Method::Vocabulary | Method::Md5 | Method::Mdh5)
    }

    /// The similarity from which pages have the same template; `None` if it is learned from the training pages.
    pub fn threshold(self) -> Option<f64> {
        match self {
            Method::Ctss => Some(ctss::THRESHOLD),
            Method::Lcts => Some(lcts::THRESHOLD),
            _ => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn names_of_methods() -> String {
    METHODS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The error for an unknown method name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no method `{0}`: choose one of {list}", list = names_of_methods())]
pub struct UnknownMethod(String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Method, UnknownMethod> {
        let found = METHODS.iter().find(|(known, _)| *known == name);
        found.map(|(_, method)| *method).ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// A method with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The method.
    pub method: Method,
    /// The length of fingerprints, and the position at which the index splits them. The position affects only the speed.
    pub cut: Cut,
    /// The similarity from which pages are clustered, for methods that compare pages pairwise. Classification uses a method's fixed
    /// threshold instead, or one that is learned from the training pages.
    pub threshold: f64,
}

impl Settings {
    /// The method with the parameters of its paper.
    pub fn new(method: Method) -> Settings {
        Settings { method, cut: Cut::new(LENGTH, SPLIT), threshold: ctss::THRESHOLD }
    }
}

/// The signature of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Signature {
    /// A fingerprint.
    Fingerprint(Fingerprint),
    /// A sketch of the vocabulary.
    Vocabulary(Vocabulary),
    /// A hash.
    Digest([u8; 16]),
    /// A structure that must be compared with all others.
    Structure(Box<Structure>),
}

impl Signature {
    /// The signature as bytes; `None` for structures, which cannot be saved.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Signature::Fingerprint(fingerprint) => Some(fingerprint.as_bytes().to_vec()),
            Signature::Vocabulary(vocabulary) => Some(vocabulary.to_bytes().to_vec()),
            Signature::Digest(digest) => Some(digest.to_vec()),
            Signature::Structure(_) => None,
        }
    }

    /// Reads a signature of a method from bytes.
    pub fn from_bytes(method: Method, bytes: &[u8]) -> Option<Signature> {
        match method {
            Method::Fingerprint => Fingerprint::new(bytes).map(Signature::Fingerprint),
            Method::Vocabulary => {
                bytes.try_into().ok().map(|bytes| Signature::Vocabulary(Vocabulary::from_bytes(bytes)))
            }
            Method::Md5 | Method::Mdh5 => bytes.try_into().ok().map(Signature::Digest),
            _ => None,
        }
    }
}

impl fmt::Display for Signature {
    /// Writes hex digits; nothing for structures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Signature::Fingerprint(fingerprint) => fingerprint.fmt(f),
            Signature::Vocabulary(vocabulary) => vocabulary.fmt(f),
            Signature::Digest(digest) => digest.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Signature::Structure(_) => Ok(()),
        }
    }
}

/// Makes the signatures of pages, reusing its memory.
pub struct SignatureMaker {
    method: Method,
    fingerprinter: Fingerprinter,
    vocabularies: VocabularyMaker,
    memory: SourceMemory,
    /// Created when a tree is first needed.
    parser: Option<Parser>,
    tags: Vec<TagName>,
}

impl SignatureMaker {
    /// A maker for one method.
    pub fn new(settings: &Settings) -> SignatureMaker {
        SignatureMaker {
            method: settings.method,
            fingerprinter: Fingerprinter::new(settings.cut.length()),
            vocabularies: VocabularyMaker::default(),
            memory: SourceMemory::default(),
            parser: None,
            tags: Vec::new(),
        }
    }

    /// The signature of a page. Any bytes have one.
    pub fn make(&mut self, payload: &[u8], encoding: &'static Encoding) -> Signature {
        let structure = |structure| Signature::Structure(Box::new(structure));
        match self.method {
            Method::Fingerprint => Signature::Fingerprint(self.fingerprinter.fingerprint(payload, encoding)),
            Method::Vocabulary => Signature::Vocabulary(self.vocabularies.vocabulary(payload, encoding)),
            Method::Md5 => Signature::Digest(digest::md5(&self.memory.open(payload, encoding))),
            Method::Mdh5 => Signature::Digest(digest::mdh5(&self.memory.open(payload, encoding))),
            Method::Rtdm | Method::Cp | Method::Cps => {
                let document = self.parser.get_or_insert_with(Parser::new).parse(payload, encoding);
                structure(match self.method {
                    Method::Rtdm => Structure::Tree(rtdm::Tree::of(&document)),
                    Method::Cp => Structure::Set(paths::paths(&document)),
                    _ => Structure::Set(paths::path_shingles(&document)),
                })
            }
            Method::Lcts | Method::Tv | Method::Ctss => {
                read_tags(&self.memory.open(payload, encoding), &mut self.tags);
                structure(match self.method {
                    Method::Lcts => Structure::Tags(lcts::Tags::new(&self.tags)),
                    Method::Tv => Structure::Counts(tv::Counts::new(&self.tags)),
                    _ => Structure::Set(ctss::shingles(&self.tags)),
                })
            }
        }
    }
}

/// Reads the start tags and end tags of a page, in order.
pub fn read_tags(source: &Source<'_>, tags: &mut Vec<TagName>) {
    tags.clear();
    let mut tokens = source.tokens();
    let names = std::iter::from_fn(|| tokens.next_name(|_, _| ())).map(|tag| tag.name);
    tags.extend(names.take(COMPARED_TAGS_MAX));
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;

    #[test]
    fn slow_comparisons_look_at_so_many_tags_and_no_more() {
        let make = |page: &str| SignatureMaker::new(&Settings::new(Method::Tv)).make(page.as_bytes(), UTF_8);
        let most = "<br>".repeat(COMPARED_TAGS_MAX);
        assert_eq!(make(&most), make(&format!("{most}<hr>")));
        assert_ne!(make(&most[4..]), make(&format!("{}<hr>", &most[4..])));
    }

    #[test]
    fn every_method_has_a_name_and_takes_any_page() {
        for (name, method) in METHODS.iter().copied() {
            assert_eq!((method.name(), name.parse()), (name, Ok(method)));
            let mut maker = SignatureMaker::new(&Settings::new(method));
            for page in [&b""[..], b"<p>", b"\xff\x00<", "<div>".repeat(600).as_bytes()] {
                let signature = maker.make(page, UTF_8);
                assert_eq!(signature.to_bytes().is_some(), method.is_looked_up());
                if let Some(bytes) = signature.to_bytes() {
                    assert_eq!(Signature::from_bytes(method, &bytes), Some(signature.clone()), "{name}");
                }
                if let Signature::Structure(structure) = signature {
                    assert_eq!(structure.similarity(&structure), 1.0, "{name}");
                }
            }
        }
        let error = "magic".parse::<Method>().unwrap_err().to_string();
        assert!(error.starts_with("there is no method `magic`: choose one of fingerprint, fingerprint+,"));
    }
}
