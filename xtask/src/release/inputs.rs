//! Inputs of a release, and the folder of its artefacts.

use std::path::PathBuf;

/// Inputs and names of the artefacts.
pub(super) struct Release {
    pub(super) version: String,
    /// Binary of the Debian package; needs glibc.
    pub(super) binary: PathBuf,
    /// Binary of the tarball; needs no library of the system.
    pub(super) portable: PathBuf,
    /// Seconds since 1970: the timestamp of every file, so that equal sources make equal packages.
    pub(super) epoch: String,
    /// Folder of the artefacts.
    pub(super) folder: PathBuf,
    /// Whether to compress as well as possible, which takes minutes for a large binary.
    pub(super) small: bool,
}
