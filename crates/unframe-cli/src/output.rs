//! Output: standard output, or a file that appears only when it is complete.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use serde::Serialize;
use unframe_crawl::write::{self, CleanPage, PageWriter, Target, WriteOptions};

/// A value as a line of JSON, including the line break.
pub(crate) fn json_line(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

const BUFFER_BYTES: usize = 256 << 10;

/// Unfinished files and folders, which are removed if the program is interrupted. Shared with the thread that waits for Ctrl-C.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The destination of results.
pub(crate) struct Output {
    /// Its name in error messages.
    name: String,
    target: Target,
}

impl Output {
    /// Opens a file, or standard output for `None` and `-`.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            let stdout = BufWriter::with_capacity(BUFFER_BYTES, io::stdout());
            return Ok(Output { name: "standard output".to_owned(), target: Target::open(Box::new(stdout)) });
        };
        let name = path.display().to_string();
        let target = create_unfinished(|| {
            let target = Target::file(path)?;
            let temporary = target.unfinished().map(Path::to_owned);
            Ok((target, temporary))
        })
        .with_context(|| format!("cannot write to {name}"))?;
        Ok(Output { name, target })
    }

    /// Writes what is buffered, and gives a file its final name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let temporary = self.target.unfinished().map(Path::to_owned);
        finish_unfinished(temporary.as_deref(), || self.target.finish())
            .with_context(|| format!("cannot write to {}", self.name))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

/// Creates a folder for results, if it does not exist.
pub(crate) fn make_folder(folder: &Path) -> anyhow::Result<()> {
    check_folder(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Refuses a file where a folder is needed.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    match path.is_file() {
        true => bail!("{} is a file: name a folder", path.display()),
        false => Ok(()),
    }
}

fn unfinished<T>(change: impl FnOnce(&mut BTreeSet<PathBuf>) -> T) -> T {
    change(&mut UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Creates a file or folder that is removed if the program is interrupted. Creation and registration are atomic with regard to
/// interrupts, so that nothing is created after one.
pub(crate) fn create_unfinished<T>(
    create: impl FnOnce() -> io::Result<(T, Option<PathBuf>)>,
) -> io::Result<T> {
    unfinished(|files| {
        let (made, path) = create()?;
        files.extend(path);
        Ok(made)
    })
}

/// Completes a file or folder and gives it its final name. This is atomic with regard to interrupts, so that an interrupt never leaves something
/// incomplete under the final name.
pub(crate) fn finish_unfinished<T>(
    path: Option<&Path>,
    finish: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    unfinished(|files| {
        let made = finish()?;
        if let Some(path) = path {
            files.remove(path);
        }
        Ok(made)
    })
}

/// Removes an unfinished file or folder. Ignores failures, because the program is ending.
fn remove(unfinished: &Path) {
    // Another thread may still be creating files in the folder. Under another name of the folder, it fails at once.
    let mut aside = unfinished.as_os_str().to_owned();
    aside.push(".removed");
    let aside = PathBuf::from(aside);
    let renamed = fs::rename(unfinished, &aside).map_or(unfinished, |()| &aside);
    let _ = fs::remove_file(renamed).or_else(|_| fs::remove_dir_all(renamed));
}

/// The output of cleaned pages: standard output, or a file or folder that appears only when it is complete.
pub(crate) fn page_writer(options: WriteOptions, path: Option<&Path>) -> anyhow::Result<Pages> {
    let writer = match path.filter(|path| path.as_os_str() != "-") {
        Some(path) => create_unfinished(|| {
            let writer = write::create(options, path)?;
            let unfinished = writer.unfinished().map(Path::to_owned);
            Ok((writer, unfinished))
        })
        .with_context(|| format!("cannot write to {}", path.display()))?,
        None => {
            let stdout = BufWriter::with_capacity(BUFFER_BYTES, io::stdout());
            write::to_writer(options, Box::new(stdout))
                .context("cannot write to standard output; name a file with -o")?
        }
    };
    let temporary = writer.unfinished().map(Path::to_owned);
    Ok(Pages { writer, temporary })
}

/// A page writer whose unfinished file is removed if the program is interrupted.
pub(crate) struct Pages {
    writer: Box<dyn PageWriter>,
    temporary: Option<PathBuf>,
}

impl Pages {
    pub(crate) fn write(&mut self, page: &CleanPage) -> anyhow::Result<()> {
        self.writer.write(page).context("cannot write the pages")
    }

    pub(crate) fn finish(self) -> anyhow::Result<()> {
        finish_unfinished(self.temporary.as_deref(), || self.writer.finish())
            .context("cannot write the pages")
    }
}

/// From now on an interrupted program (Ctrl-C, SIGTERM) leaves no unfinished file.
pub(crate) fn clean_up_when_interrupted() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        unfinished(|files| {
            files.iter().for_each(|file| remove(file));
            // 130 is the exit code that shells expect after Ctrl-C. The list stays locked, so that no file is created meanwhile.
            std::process::exit(130)
        })
    })
    .context("cannot wait for Ctrl-C")
}

/// If the program is being interrupted, waits for its end. Call it before reporting an error, which the removed files may have caused.
pub(crate) fn end_if_interrupted() {
    // The thread that cleans up holds this lock until the program ends.
    unfinished(|_| ());
}

/// Ends the program immediately. Removes unfinished files, unless a thread is creating one at this moment.
pub(crate) fn leave(code: i32) -> ! {
    let files = UNFINISHED.try_lock();
    files.iter().flat_map(|files| files.iter()).for_each(|file| remove(file));
    std::process::exit(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unfinished_is_removed_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let (pages, file) = (folder.path().join("pages.part"), folder.path().join("file.part"));
        fs::create_dir_all(pages.join("a.example")).unwrap();
        for path in [&pages.join("a.example/1.html"), &file] {
            fs::write(path, "half").unwrap();
        }
        remove(&pages);
        remove(&file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(fs::write(pages.join("a.example/2.html"), "late").is_err(), "nothing can be added any more");
    }

    #[test]
    fn only_what_is_complete_is_kept() {
        let [kept, failed] = ["kept", "failed"].map(|name| PathBuf::from(format!("/nowhere/{name}.part")));
        create_unfinished(|| Ok(((), Some(kept.clone())))).unwrap();
        create_unfinished(|| Ok(((), Some(failed.clone())))).unwrap();
        finish_unfinished(Some(&kept), || Ok(())).unwrap();
        finish_unfinished(Some(&failed), || Err::<(), _>(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(unfinished(|files| (files.contains(&kept), files.contains(&failed))), (false, true));
        unfinished(|files| files.remove(&failed));
    }
}
