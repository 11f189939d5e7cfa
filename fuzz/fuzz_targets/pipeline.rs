//! The whole way of a page, with every method: bytes to regions, and regions to all that reads them.
#![no_main]

use encoding_rs::{Encoding, GBK, UTF_8, UTF_16LE, WINDOWS_1252};
use libfuzzer_sys::fuzz_target;
use unframe::{PageBytes, PageParser, ParsedPage, Region};
use unframe::aggregate::Aggregator;
use unframe::detect::METHODS;
use unframe::fingerprint::method::METHODS as METHODS_OF_STRUCTURE;
use unframe::fingerprint::{Settings, SignatureMaker};
use unframe::learn::Learner;
use unframe::model_file::ModelFile;
use unframe::select::{Candidates, Check, Tally, candidates};
use unframe::render;
use unframe::text::content;

/// Pages of a site stand behind each other in the input, with this byte between them.
const END_OF_PAGE: u8 = 0x0c;

fuzz_target!(|input: &[u8]| {
    let Some((choice, bytes)) = input.split_first() else { return };
    const ENCODINGS: [&Encoding; 4] = [UTF_8, WINDOWS_1252, GBK, UTF_16LE];
    let encoding = ENCODINGS[usize::from(*choice >> 4) % ENCODINGS.len()];
    let (name, make) = METHODS[usize::from(*choice) % METHODS.len()];
    // Three equal pages more, so that something repeats in most inputs.
    let mut pages: Vec<&[u8]> = bytes.split(|byte| *byte == END_OF_PAGE).take(12).collect();
    pages.extend([pages[0]; 3]);
    let pages: Vec<_> = pages.into_iter().map(|payload| PageBytes { payload, encoding }).collect();

    let mut parser = PageParser::new();
    let learner = Learner::new(make(), 0);
    for (number, page) in pages.iter().enumerate() {
        learner.observe("a.example", &format!("http://a.example/{number}"), &parser.open(*page));
    }
    let saved = ModelFile::from_learner(&learner).encode();
    let again = ModelFile::decode(&saved).expect("what was encoded decodes").into_models();
    let models = learner.models();
    let labelled: Vec<Vec<Region>> =
        pages.iter().map(|page| models.label("a.example", &parser.open(*page))).collect();
    for (page, regions) in pages.iter().zip(&labelled) {
        check(name, page.payload, regions);
        assert_eq!(regions, &again.label("a.example", &parser.open(*page)), "{name}: saved and read again");
        read(&parser.open(*page), regions);
        check(name, page.payload, &models.label("unknown.example", &parser.open(*page)));
    }
    templates(&pages, &labelled, &mut parser);
    for (_, method) in METHODS_OF_STRUCTURE {
        SignatureMaker::new(&Settings::new(*method)).make(pages[0].payload, encoding);
    }
});

/// Regions are sorted, do not overlap, and lie in the page.
fn check(method: &str, payload: &[u8], regions: &[Region]) {
    let mut end = 0;
    for region in regions {
        let (start, stop) = (region.span.start as usize, region.span.end as usize);
        assert!(start >= end && start < stop && stop <= payload.len(), "{method}: {regions:?}");
        end = stop;
    }
}

fn read(page: &ParsedPage<'_>, regions: &[Region]) {
    let content = content::extract(page, regions);
    for share in [content.volume.html, content.volume.text, content.volume.links] {
        assert!(share.template <= share.total, "{:?}", content.volume);
    }
    render::html(page, regions);
    let options = render::RenderOptions::default();
    render::markdown(page, regions, "https://example.com/a/b", options);
    render::simple_html(page, regions, "https://example.com/a/b", options);
}

fn templates(pages: &[PageBytes<'_>], labelled: &[Vec<Region>], parser: &mut PageParser) {
    let mut aggregator = Aggregator::default();
    let mut found = Candidates::default();
    for (page, regions) in pages.iter().zip(labelled) {
        aggregator.add_page(regions);
        found.add(candidates(&parser.open(*page), regions));
    }
    let check = Check::new(found);
    let mut tally = Tally::default();
    for (page, regions) in pages.iter().zip(labelled) {
        tally.add(check.page(&parser.open(*page), regions));
    }
    for template in aggregator.finish().templates {
        for hash in template.hashes {
            check.found(hash, &tally).selectors.iter().for_each(|selector| {
                selector.css();
                selector.xpath();
            });
        }
    }
}
