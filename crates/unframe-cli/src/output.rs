//! Output: standard output, or a file that appears only when it is complete.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use serde::Serialize;
use tempfile::NamedTempFile;
use unframe_crawl::write::{self, CleanPage, PageWriter, WriteOptions};

/// A value as a line of JSON, line break and all.
pub(crate) fn json_line(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

const BUFFER_BYTES: usize = 256 << 10;

/// Unfinished files, to be removed if the program is interrupted: the only state shared with the thread that
/// waits for Ctrl-C.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The destination of results.
pub(crate) struct Output {
    /// Its name in error messages.
    name: String,
    target: Target,
}

enum Target {
    /// Standard output, or a special file, such as a pipe.
    Direct(BufWriter<Box<dyn Write>>),
    /// A temporary file in the folder of the final file.
    File { temporary: BufWriter<NamedTempFile>, path: PathBuf },
}

impl Output {
    /// Opens a file, or standard output for `None` and `-`.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Output { name: "standard output".to_owned(), target: direct(Box::new(io::stdout())) });
        };
        let name = path.display().to_string();
        let target = match fs::metadata(path) {
            // A device or a pipe must be written to, not replaced.
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
                File::options().write(true).open(path).map(|file| direct(Box::new(file)))
            }
            // A symbolic link stays: its target is replaced.
            Ok(_) => fs::canonicalize(path).and_then(temporary_next_to),
            Err(_) => temporary_next_to(path.to_owned()),
        };
        let target = target.with_context(|| format!("cannot write to {name}"))?;
        Ok(Output { name, target })
    }

    /// Writes what is buffered, and gives a file its final name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.flush().with_context(|| format!("cannot write to {}", self.name))?;
        if let Target::File { temporary, path } = self.target {
            let temporary =
                temporary.into_inner().with_context(|| format!("cannot write to {}", self.name))?;
            let temporary_path = temporary.path().to_owned();
            temporary.persist(&path).with_context(|| format!("cannot write to {}", self.name))?;
            mark_finished(&temporary_path);
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Direct(writer) => writer.write(bytes),
            Target::File { temporary, .. } => temporary.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Direct(writer) => writer.flush(),
            Target::File { temporary, .. } => temporary.flush(),
        }
    }
}

fn direct(writer: Box<dyn Write>) -> Target {
    Target::Direct(BufWriter::with_capacity(BUFFER_BYTES, writer))
}

fn temporary_next_to(path: PathBuf) -> io::Result<Target> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if fs::metadata(folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        // Otherwise the error would name the temporary file.
        let message = format!("there is no folder {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".unframe-").suffix(".part");
    #[cfg(unix)]
    {
        // Temporary files are private by default; this one gets the permissions that the umask allows.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let temporary = create_unfinished(|| {
        let temporary = builder.tempfile_in(folder)?;
        let path = temporary.path().to_owned();
        Ok((temporary, Some(path)))
    })?;
    Ok(Target::File { temporary: BufWriter::with_capacity(BUFFER_BYTES, temporary), path })
}

fn unfinished<T>(change: impl FnOnce(&mut BTreeSet<PathBuf>) -> T) -> T {
    change(&mut UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Creates a file or folder that is removed if the program is interrupted. Nothing is created after an interrupt: creating it and
/// registering it are one step.
pub(crate) fn create_unfinished<T>(
    create: impl FnOnce() -> io::Result<(T, Option<PathBuf>)>,
) -> io::Result<T> {
    unfinished(|files| {
        let (made, path) = create()?;
        files.extend(path);
        Ok(made)
    })
}

/// From now on, an interrupt does not remove the file or folder.
pub(crate) fn mark_finished(path: &Path) {
    unfinished(|files| files.remove(path));
}

/// Removes an unfinished file or folder. A failure cannot be reported any more.
fn remove(unfinished: &Path) {
    // Another thread may be putting files into the folder. Once it is gone, that fails, so a few attempts are enough.
    for _ in 0..100 {
        if fs::remove_file(unfinished).or_else(|_| fs::remove_dir_all(unfinished)).is_ok()
            || !unfinished.exists()
        {
            return;
        }
    }
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
        self.writer.finish().context("cannot write the pages")?;
        if let Some(temporary) = &self.temporary {
            mark_finished(temporary);
        }
        Ok(())
    }
}

/// From now on an interrupted program (Ctrl-C, SIGTERM) leaves no unfinished file.
pub(crate) fn clean_up_when_interrupted() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        unfinished(|files| {
            files.iter().for_each(|file| remove(file));
            // The exit code that shells expect after Ctrl-C. The list stays locked, so that no file is created meanwhile.
            std::process::exit(130)
        })
    })
    .context("cannot wait for Ctrl-C")
}

/// Waits for the end of the program if it is being interrupted: an error at that time is due to the removed files.
pub(crate) fn end_if_interrupted() {
    // The thread that cleans up holds this lock until the end.
    unfinished(|_| ());
}

/// Ends the program at once, and removes unfinished files unless this thread itself is creating one.
pub(crate) fn leave(code: i32) -> ! {
    let files = UNFINISHED.try_lock();
    files.iter().flat_map(|files| files.iter()).for_each(|file| remove(file));
    std::process::exit(code)
}
