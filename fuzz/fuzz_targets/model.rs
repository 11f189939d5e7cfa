//! Any bytes can be a model file with a right checksum: it is refused, or it is a model that labels and saves.
#![no_main]

use unframe::{PageBytes, PageParser};
use libfuzzer_sys::fuzz_target;
use unframe::model_file::ModelFile;

const PAGE: &[u8] = b"<ul><li><a href=/>Home</a><li>About</ul><p>tea is hot";

fuzz_target!(|body: &[u8]| {
    let Ok(file) = ModelFile::decode(&unframe_fuzz::sealed(body)) else { return };
    let saved = file.encode();
    let again = ModelFile::decode(&saved).expect("what was encoded decodes");
    assert_eq!(again.encode(), saved);
    let mut compact = again.copy();
    compact.compact();
    ModelFile::decode(&compact.encode()).expect("what was encoded decodes");
    let _ = compact.merge(again);
    let sites: Vec<String> = file.sites.keys().cloned().collect();
    let models = file.into_models();
    for site in sites {
        models.label(&site, &PageParser::new().open(PageBytes::utf8(PAGE)));
    }
});
