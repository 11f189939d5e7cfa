//! Writes the pages into one folder per cluster.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use unframe::Page;
use unframe::fingerprint::cluster::Names;
use unframe_crawl::write::UnfinishedFolder;

use super::name;
use super::pending::PendingPages;
use crate::args::ClusterArgs;
use crate::inputs::Inputs;
use crate::output::{create_unfinished, finish_unfinished};

/// The output folder, which appears under its name when it is complete. It contains `CLUSTER/NUMBER.html` for each page, where the number
/// is that of the page in the input, and `pages.jsonl` with a line for each file.
pub(super) struct Folders {
    /// Its name in error messages.
    name: String,
    folder: UnfinishedFolder,
}

impl Folders {
    pub(super) fn create(path: &Path) -> anyhow::Result<Folders> {
        let name = path.display().to_string();
        if fs::symlink_metadata(path).is_ok() {
            bail!("{name} is there already: name a new folder");
        }
        let folder = create_unfinished(|| {
            let folder = UnfinishedFolder::create(path)?;
            let temporary = folder.path().to_owned();
            Ok((folder, Some(temporary)))
        })
        .with_context(|| format!("cannot write to {name}"))?;
        Ok(Folders { name, folder })
    }

    /// Reads the input again and writes every page into the folder of its cluster.
    pub(super) fn fill(
        self,
        inputs: &Inputs,
        args: &ClusterArgs,
        pending: &mut PendingPages,
        names: &Names,
    ) -> anyhow::Result<()> {
        let temporary = self.folder.path().to_owned();
        let mut clusters = pending.pages()?;
        let list = File::create_new(temporary.join("pages.jsonl")).context("cannot write the pages")?;
        let mut list = BufWriter::new(list);
        let mut number = 0u64;
        let mut reading = inputs.reading(&args.reading);
        // The first pass has reported all problems.
        reading.problems = None;
        reading.quiet = true;
        reading.run(
            || |page: Page| page,
            |page: Page| {
                let known = clusters.next().transpose()?.filter(|known| known.url == page.url);
                let known = known.context("the input changed while it was read")?;
                number += 1;
                let cluster = name(names, known.entry)?;
                let file = format!("{cluster}/{number:08}.html");
                let folder = temporary.join(&cluster);
                // The parent is not created: after an interrupt has removed it, it must not appear again.
                let made = match fs::create_dir(&folder) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                    made => made,
                };
                made.and_then(|()| fs::write(temporary.join(&file), &page.payload))
                    .context("cannot write the pages")?;
                let line = Line { file: &file, url: &page.url, site: &page.site, cluster: &cluster };
                serde_json::to_writer(&mut list, &line)?;
                list.write_all(b"\n").context("cannot write the pages")
            },
        )?;
        if clusters.next().is_some() {
            bail!("the second pass over the input found fewer pages than the first, so nothing was written");
        }
        list.flush().context("cannot write the pages")?;
        finish_unfinished(Some(&temporary), || self.folder.finish())
            .with_context(|| format!("cannot write to {}", self.name))
    }
}

/// A line of the list.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    url: &'a str,
    site: &'a str,
    cluster: &'a str,
}
