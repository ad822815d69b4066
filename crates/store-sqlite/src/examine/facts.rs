//! Facts about the file of a database and its folder.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::mounts::{Mount, mount_of};

/// Length of a header of a database file.
///
/// Source: <https://www.sqlite.org/fileformat2.html#the_database_header>
pub(super) const HEADER: usize = 100;

#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) path: PathBuf,
    /// `None` if the file does not exist or cannot be examined.
    pub(super) file: Option<DatabaseFile>,
    /// Mode of the folder; `None` if it does not exist.
    pub(super) folder_mode: Option<u32>,
    /// Mount of the folder, or of its nearest existing parent; `None` if the system does not say.
    pub(super) mount: Option<Mount>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct DatabaseFile {
    pub(super) mode: u32,
    pub(super) links: u64,
    pub(super) bytes: u64,
    /// Up to [`HEADER`] bytes.
    pub(super) header: Vec<u8>,
    /// True if the write-ahead log has content, which belongs to the database.
    pub(super) has_log: bool,
    /// Error of opening the file to read it, or else to write to it.
    pub(super) unusable: Option<String>,
}

pub(super) fn read(path: &Path) -> Facts {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Facts {
        path: path.to_owned(),
        file: fs::metadata(path)
            .ok()
            .filter(fs::Metadata::is_file)
            .map(|metadata| file(path, &metadata)),
        folder_mode: fs::metadata(folder).ok().map(|folder| folder.mode()),
        mount: existing(folder).and_then(|folder| mount_of(&folder)),
    }
}

fn file(path: &Path, metadata: &fs::Metadata) -> DatabaseFile {
    let header = header(path);
    let writable = || OpenOptions::new().append(true).open(path).map(drop);
    let unusable = match &header {
        Ok(_) => writable().err(),
        Err(error) => Some(io::Error::new(error.kind(), error.to_string())),
    };
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    DatabaseFile {
        mode: metadata.mode(),
        links: metadata.nlink(),
        bytes: metadata.len(),
        header: header.unwrap_or_default(),
        has_log: fs::metadata(log).is_ok_and(|log| log.len() > 0),
        unusable: unusable.map(|error| error.to_string()),
    }
}

fn header(path: &Path) -> io::Result<Vec<u8>> {
    let mut header = Vec::with_capacity(HEADER);
    let limit = u64::try_from(HEADER).unwrap_or(u64::MAX);
    File::open(path)?.take(limit).read_to_end(&mut header)?;
    Ok(header)
}

/// Returns `folder`, or its nearest parent that exists, without symbolic links.
fn existing(folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    absolute
        .ancestors()
        .find_map(|folder| folder.canonicalize().ok())
}
