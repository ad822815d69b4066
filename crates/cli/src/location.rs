//! Files of imports and exports: location, format and errors.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pressline_backoffice::import::catalog::{Content, Findings, Rows, Sheet};
use pressline_backoffice::rows::FileRows;
use pressline_tabular::Format;

use crate::stdout::write_out;

const STANDARD: &str = "-";
/// Maximum size of a file, in bytes: 256 MiB, some 100 times the catalog of a large print shop.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{path}: cannot be read")]
    Read {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error("{path}: cannot be written")]
    Write {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error("{0}: larger than 256 MiB; split it")]
    Size(String),
    #[error("{0}: add --format csv or --format json, as the name ends in neither .csv nor .json")]
    Kind(String),
    #[error("{path}: {}; nothing was imported", counted(findings.count()))]
    Bad { path: String, findings: Findings },
    #[error(
        "{path}: {} with orders that changed during the import; the other {created} shipments were imported",
        counted(findings.count())
    )]
    Overtaken {
        path: String,
        created: usize,
        findings: Findings,
    },
}

fn counted(problems: usize) -> String {
    if problems == 1 {
        "1 problem".to_owned()
    } else {
        format!("{problems} problems")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FileFormat {
    /// A header and rows, separated by commas.
    Csv,
    /// A list of objects.
    Json,
}

impl From<FileFormat> for Format {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::Csv => Self::Csv,
            FileFormat::Json => Self::Json,
        }
    }
}

/// Standard input or output if `path` is `None`.
#[derive(Debug)]
pub(crate) struct Location {
    path: Option<PathBuf>,
    name: String,
    format: FileFormat,
}

impl Location {
    pub(crate) fn input(path: &Path, format: Option<FileFormat>) -> Result<Self, FileError> {
        Self::new(path, format, "standard input")
    }

    pub(crate) fn output(path: &Path, format: Option<FileFormat>) -> Result<Self, FileError> {
        Self::new(path, format, "standard output")
    }

    fn new(path: &Path, format: Option<FileFormat>, standard: &str) -> Result<Self, FileError> {
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

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn rows(&self, content: Content) -> Result<Rows, FileError> {
        pressline_tabular::read(&self.read()?, self.format.into(), content)
            .map_err(|findings| self.bad(findings))
    }

    pub(crate) fn shipments(&self) -> Result<FileRows, FileError> {
        Ok(pressline_tabular::read_shipments(&self.read()?))
    }

    pub(crate) fn bad(&self, findings: Findings) -> FileError {
        FileError::Bad {
            path: self.name.clone(),
            findings,
        }
    }

    pub(crate) fn save(&self, sheet: &Sheet) -> Result<(), FileError> {
        self.save_text(pressline_tabular::write(sheet, self.format.into()))
    }

    /// Returns an error in `text` as [`FileError::Write`].
    pub(crate) fn save_text(&self, text: io::Result<Vec<u8>>) -> Result<(), FileError> {
        // A pipe leads to a program, which would take the mark for a part of the first column.
        let is_for_people = self.format == FileFormat::Csv && !self.is_standard();
        let text = match is_for_people {
            true => text.map(pressline_tabular::for_spreadsheets),
            false => text,
        };
        let written = text.and_then(|text| self.write(&text));
        written.map_err(|source| FileError::Write {
            path: self.name.clone(),
            source,
        })
    }

    /// Returns [`FileError::Size`] if the file has more than [`MAX_BYTES`].
    fn read(&self) -> Result<Vec<u8>, FileError> {
        let failed = |source| FileError::Read {
            path: self.name.clone(),
            source,
        };
        let bytes = match &self.path {
            None => bounded(io::stdin().lock()),
            Some(path) => {
                let file = File::open(path).map_err(failed)?;
                // The length of pipes and devices is unknown, and 0 here.
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

    fn write(&self, text: &[u8]) -> io::Result<()> {
        match &self.path {
            Some(path) => std::fs::write(path, text),
            None => write_out(text).map(drop),
        }
    }

    pub(crate) fn is_standard(&self) -> bool {
        self.path.is_none()
    }
}

fn by_ending(path: &Path) -> Option<FileFormat> {
    let ending = path.extension()?.to_str()?;
    let formats = [("csv", FileFormat::Csv), ("json", FileFormat::Json)];
    formats
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(ending))
        .map(|(_, format)| format)
}

/// Returns `None` if `from` has more than [`MAX_BYTES`].
fn bounded(from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // One byte above the limit shows that a stream is too long.
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_BYTES).then_some(bytes))
}
