//! The pages themselves, sorted into a folder for each cluster.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use tempfile::TempDir;
use unframe::Page;
use unframe::fingerprint::cluster::Names;

use super::name;
use super::pending::PendingPages;
use crate::args::ClusterArgs;
use crate::inputs::Inputs;
use crate::output::{create_unfinished, mark_finished};

/// A folder that appears under its name when it is complete: `CLUSTER/NUMBER.html`, the number of the page in the input, and
/// `pages.jsonl` with a line for each file.
pub(super) struct Folders {
    path: PathBuf,
    temporary: TempDir,
}

impl Folders {
    pub(super) fn create(path: &Path) -> anyhow::Result<Folders> {
        if fs::symlink_metadata(path).is_ok() {
            bail!("{} is there already: name a new folder", path.display());
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".unframe-").suffix(".part");
        #[cfg(unix)]
        {
            // As the user's mask allows, like any other folder.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let temporary = create_unfinished(|| {
            let temporary = builder.tempdir_in(parent)?;
            let path = temporary.path().to_owned();
            Ok((temporary, Some(path)))
        })
        .with_context(|| format!("cannot write to {}", path.display()))?;
        Ok(Folders { path: path.to_owned(), temporary })
    }

    /// Reads the input again and writes every page into the folder of its cluster.
    pub(super) fn fill(
        self,
        inputs: &Inputs,
        args: &ClusterArgs,
        pending: &mut PendingPages,
        names: &Names,
    ) -> anyhow::Result<()> {
        let mut clusters = pending.pages()?;
        let list =
            File::create_new(self.temporary.path().join("pages.jsonl")).context("cannot write the pages")?;
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
                let folder = self.temporary.path().join(&cluster);
                // Not its parent: once an interrupted program has removed it, it must not be created anew.
                let made = match fs::create_dir(&folder) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                    made => made,
                };
                made.and_then(|()| fs::write(self.temporary.path().join(&file), &page.payload))
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
        fs::rename(self.temporary.path(), &self.path)
            .with_context(|| format!("cannot write to {}", self.path.display()))?;
        // There is nothing left to remove.
        mark_finished(&self.temporary.keep());
        Ok(())
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
