//! Any bytes can be a file of clusters or of known templates with a right checksum.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unframe::fingerprint::{Classifier, Clusters, SignatureMaker};

const PAGE: &[u8] = b"<ul class=a><li><a href=/>Home</a><li>About</ul><p>tea is hot";

fuzz_target!(|body: &[u8]| {
    let file = unframe_fuzz::sealed(body);
    if let Ok(mut clusters) = Clusters::decode(&file) {
        let signature = SignatureMaker::new(clusters.settings()).make(PAGE, encoding_rs::UTF_8);
        let entry = clusters.add(0, &signature).expect("there is room");
        assert!(clusters.names().of(entry).is_some());
        Clusters::decode(&clusters.encode().expect("it was read from a file")).expect("what was encoded decodes");
    }
    if let Ok(mut classifier) = Classifier::decode(&file) {
        let signature = SignatureMaker::new(classifier.settings()).make(PAGE, encoding_rs::UTF_8);
        classifier.matches(&signature);
        classifier.answer(&signature);
        classifier.set_best_split();
        classifier.learn_thresholds(|| false);
        Classifier::decode(&classifier.encode().expect("it was read from a file")).expect("what was encoded decodes");
    }
});
