//! Files and folders that appear under their name only when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::{Builder, NamedTempFile, TempDir};

const BUFFER_BYTES: usize = 256 << 10;

/// A file that appears under its name when it is complete, or an open stream.
pub struct Target(Kind);

enum Kind {
    /// Standard output, a pipe or a device.
    Open(Box<dyn Write + Send>),
    /// A temporary file in the folder of the final file.
    File { temporary: BufWriter<NamedTempFile>, path: PathBuf },
    /// A target that is compressed with gzip.
    Gzip(GzEncoder<Box<Target>>),
}

impl Target {
    /// An open stream, such as standard output.
    pub fn open(writer: Box<dyn Write + Send>) -> Target {
        Target(Kind::Open(writer))
    }

    /// A file. A device or a pipe is opened for writing instead.
    pub fn file(path: &Path) -> io::Result<Target> {
        let path = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            // A device or a pipe must be opened for writing, not replaced.
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(path)?;
                return Ok(Target::open(Box::new(BufWriter::with_capacity(BUFFER_BYTES, file))));
            }
            // A symbolic link stays, and its target is replaced.
            Ok(_) => fs::canonicalize(path)?,
            Err(_) => path.to_owned(),
        };
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            // Temporary files are private by default; this one gets the permissions that the umask allows.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder_of(&path)?)?;
        let temporary = BufWriter::with_capacity(BUFFER_BYTES, temporary);
        Ok(Target(Kind::File { temporary, path }))
    }

    /// Compresses this target with gzip.
    pub(super) fn compressed(self) -> Target {
        Target(Kind::Gzip(GzEncoder::new(Box::new(self), Compression::default())))
    }

    /// Writes buffered data, and gives a file its name.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Kind::Open(mut writer) => writer.flush(),
            Kind::File { temporary, path } => {
                temporary.into_inner()?.persist(path)?;
                Ok(())
            }
            Kind::Gzip(encoder) => encoder.finish()?.finish(),
        }
    }

    /// The temporary file, for callers that are interrupted and want to remove it.
    pub fn unfinished(&self) -> Option<&Path> {
        match &self.0 {
            Kind::Open(_) => None,
            Kind::File { temporary, .. } => Some(temporary.get_ref().path()),
            Kind::Gzip(encoder) => encoder.get_ref().unfinished(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Open(writer) => writer.write(bytes),
            Kind::File { temporary, .. } => temporary.write(bytes),
            Kind::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Open(writer) => writer.flush(),
            Kind::File { temporary, .. } => temporary.flush(),
            Kind::Gzip(encoder) => encoder.flush(),
        }
    }
}

/// A folder that appears under its name when it is complete.
pub struct UnfinishedFolder {
    temporary: TempDir,
    path: PathBuf,
}

impl UnfinishedFolder {
    /// A temporary folder next to the final one, which must be new or empty.
    pub fn create(path: &Path) -> io::Result<UnfinishedFolder> {
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder"));
        }
        if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "the folder is not empty"));
        }
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            // Gives the folder the permissions that the umask allows, like any other folder.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let temporary = builder.tempdir_in(folder_of(path)?)?;
        Ok(UnfinishedFolder { temporary, path: path.to_owned() })
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives the folder its name.
    pub fn finish(self) -> io::Result<()> {
        fs::rename(self.temporary.path(), &self.path)?;
        // There is nothing left to remove.
        let _ = self.temporary.keep();
        Ok(())
    }
}

/// The prefix and the suffix of the names of unfinished files and folders.
const PREFIX: &str = ".unframe-";
const SUFFIX: &str = ".part";

/// The parent folder of a path, which must exist. Without this check, the error would name the temporary file.
fn folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(io::Error::new(error.kind(), format!("there is no folder {}", folder.display())))
        }
        _ => Ok(folder),
    }
}
