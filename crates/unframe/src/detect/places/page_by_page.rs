//! The default method page by page: each page is compared with the state that the pages before it left; the first one is a single page.

use super::Places;
use super::blocks::PageBlocks;
use super::decide::{Judge, Verdict};
use super::record::{self, Record};
use super::single_page::{SinglePage, SinglePageScores};
use super::state::SiteState;
use super::weights::WEIGHTS;
use super::{label, table_of};
use crate::detect::{Labels, Own, PageByPage, PreparedPage, Visit};
use crate::model::Model;
use crate::page::{Change, PageId};
use crate::parsed::ParsedPage;

/// A page with its single-page scores, before it is compared with its site.
struct ReadPage {
    blocks: PageBlocks,
    single_page: SinglePageScores,
}

// The state of a site is a `SiteState`. The state of another method has none, and is treated as empty.
impl PageByPage for Places {
    fn begin(&self) -> Own {
        Own::new(SiteState::default())
    }

    fn begin_with(&self, model: &Model) -> Option<Own> {
        table_of(model).map(|table| Own::new(SiteState::of_table(table)))
    }

    fn prepare(&self, page: &ParsedPage<'_>) -> PreparedPage {
        let blocks = PageBlocks::of(page.document());
        let single_page = SinglePage::of(&blocks, &WEIGHTS).without_page();
        let mut pieces = Vec::new();
        record::write(&blocks, single_page.kinds, &single_page.scores, &mut pieces);
        PreparedPage::new(pieces, ReadPage { blocks, single_page })
    }

    fn take(&self, state: &mut Own, page: PageId, pieces: &[u64]) -> Visit {
        let change =
            state.get_mut().map_or(Change::New, |state: &mut SiteState| state.take(page, Record(pieces)));
        Visit { change, became: Vec::new(), ended: Vec::new() }
    }

    fn model_for(&self, state: &Own, pieces: &[u64]) -> Model {
        let Some(state) = state.get::<SiteState>() else { return Model::default() };
        model_of(state, |state| state.table_for(Record(pieces)))
    }

    fn label(&self, model: &Model, _page: &ParsedPage<'_>, prepared: &PreparedPage) -> Labels {
        let Some(ReadPage { blocks, single_page }) = prepared.own() else { return Labels::default() };
        let judged = Judge::with_scores(blocks, table_of(model), &WEIGHTS, single_page).judge(self.certainty);
        let texts = |is_kept: bool| {
            let verdicts = blocks.blocks.iter().zip(&judged.verdicts);
            let mut texts: Vec<u64> = verdicts
                .filter(|(_, verdict)| (**verdict == Verdict::Content) == is_kept)
                .map(|(block, _)| block.text)
                .collect();
            texts.sort_unstable();
            texts.dedup();
            texts
        };
        let regions = label::regions(blocks, &judged);
        Labels { regions, kept: texts(true), removed: texts(false) }
    }

    fn pages(&self, state: &Own) -> u64 {
        state.get().map_or(0, |state: &SiteState| u64::from(state.pages()))
    }

    fn len(&self, state: &Own) -> usize {
        state.get().map_or(0, SiteState::len)
    }

    fn model(&self, state: &Own) -> Model {
        state.get().map_or_else(Model::default, |state| model_of(state, SiteState::table))
    }

    fn memory(&self, state: &Own) -> usize {
        state.get().map_or(0, SiteState::memory)
    }

    fn encode(&self, state: &Own) -> Vec<u8> {
        state.get().map(SiteState::encode).unwrap_or_default()
    }

    fn decode(&self, bytes: &[u8]) -> Option<Own> {
        SiteState::decode(bytes).map(Own::new)
    }
}

/// The model of a site, with a table if there are pages to compare.
fn model_of(state: &SiteState, table: impl Fn(&SiteState) -> super::SiteTable) -> Model {
    let pages = state.pages();
    let model = Model::new(u64::from(pages), pages as usize, Default::default());
    // A single page has nothing to be compared with.
    if pages > 1 { model.with_own(Own::new(table(state))) } else { model }
}
