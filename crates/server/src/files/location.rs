//! Where a file is read from or written to.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::FileError;

/// Stands for standard input or standard output in place of a path.
const STANDARD: &str = "-";
/// The largest file that is read, in bytes: 256 MiB, some 100 times the catalog of a large shop.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// A header and rows, separated by commas.
    Csv,
    /// A list of objects.
    Json,
}

/// A path, or standard input or output, and the format there.
#[derive(Debug)]
pub(crate) struct Location {
    /// None for standard input and output.
    path: Option<PathBuf>,
    /// As messages name it.
    name: String,
    pub(super) format: Format,
}

impl Location {
    /// Where to import from: a path, or `-` for standard input.
    ///
    /// # Errors
    /// [`FileError::Kind`] where neither `format` nor the ending of the name gives the format.
    pub(crate) fn input(path: &Path, format: Option<Format>) -> Result<Self, FileError> {
        Self::of(path, format, "standard input")
    }

    /// Where to export to: a path, or `-` for standard output.
    ///
    /// # Errors
    /// As [`Location::input`].
    pub(crate) fn output(path: &Path, format: Option<Format>) -> Result<Self, FileError> {
        Self::of(path, format, "standard output")
    }

    fn of(path: &Path, format: Option<Format>, standard: &str) -> Result<Self, FileError> {
        let is_standard = path.as_os_str() == STANDARD;
        let name = if is_standard {
            standard.to_owned()
        } else {
            path.display().to_string()
        };
        let format = format
            .or_else(|| by_ending(path))
            .ok_or_else(|| FileError::Kind(name.clone()))?;
        Ok(Self {
            path: (!is_standard).then(|| path.to_owned()),
            name,
            format,
        })
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads the whole content.
    ///
    /// # Errors
    /// [`FileError::Size`] where there are more than 256 MiB: of a file before any of it is read,
    /// else once so much was read. [`FileError::Read`].
    pub(super) fn read(&self) -> Result<Vec<u8>, FileError> {
        let failed = |source| FileError::Read {
            path: self.name.clone(),
            source,
        };
        let bytes = match &self.path {
            None => bounded(io::stdin().lock()),
            Some(path) => {
                let file = File::open(path).map_err(failed)?;
                // Of pipes and devices the length is unknown, and 0 here.
                if file.metadata().map_err(failed)?.len() > MAX_BYTES {
                    return Err(FileError::Size(self.name.clone()));
                }
                bounded(file)
            }
        };
        bytes
            .map_err(failed)?
            .ok_or_else(|| FileError::Size(self.name.clone()))
    }

    /// Writes the whole content.
    ///
    /// # Errors
    /// [`FileError::Write`].
    pub(super) fn write(&self, text: &[u8]) -> Result<(), FileError> {
        let written = match &self.path {
            Some(path) => std::fs::write(path, text),
            None => print(text),
        };
        written.map_err(|source| FileError::Write {
            path: self.name.clone(),
            source,
        })
    }

    /// Whether this is standard input or output.
    pub(crate) fn is_standard(&self) -> bool {
        self.path.is_none()
    }
}

fn by_ending(path: &Path) -> Option<Format> {
    let ending = path.extension()?.to_str()?;
    let formats = [("csv", Format::Csv), ("json", Format::Json)];
    formats
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(ending))
        .map(|(_, format)| format)
}

/// Reads everything; `None` where there are more than [`MAX_BYTES`].
fn bounded(from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // One byte more tells a stream that is too long from one that just fits.
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_BYTES).then_some(bytes))
}

fn print(text: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        // The reader has seen enough, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
