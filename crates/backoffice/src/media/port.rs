//! Port that reads print files.

use std::error::Error;
use std::fs::File;

use async_trait::async_trait;
use pressline_domain::media::{FileFacts, FileHash};

/// Reads print files, which come from strangers. A file that cannot be read is not an error: its
/// facts say why it is unreadable.
///
/// Use [`media::check`](pressline_domain::media) to compare the facts with a print area.
#[async_trait]
pub trait FileDecoder: Send + Sync {
    /// Reads `original`, a regular file, from its start, and draws its images. `hash` is the digest
    /// of its bytes; the caller computes it while it stores them. Returns within a bounded time.
    ///
    /// # Errors
    /// [`DecodeError`] if the decoder cannot be started, whatever the file contains. A retry can
    /// help.
    async fn decode(&self, original: File, hash: FileHash) -> Result<Decoded, DecodeError>;
}

/// Facts and images of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// Facts of the file.
    pub facts: FileFacts,
    /// Image of up to [`FileImage::THUMBNAIL`] pixels; `None` if the pixels were not read.
    pub thumbnail: Option<FileImage>,
    /// Image of up to [`FileImage::PREVIEW`] pixels; `None` if the pixels were not read.
    pub preview: Option<FileImage>,
    /// Names of limits that the operating system did not apply to the decoder, such as `landlock`.
    pub missing_limits: Vec<String>,
}

/// Image that shows a file: sRGB, upright, never larger than the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileImage {
    /// Format of `bytes`.
    pub format: ImageFormat,
    /// Complete file of that format.
    pub bytes: Vec<u8>,
}

impl FileImage {
    /// Maximum width and height of a thumbnail, in pixels.
    pub const THUMBNAIL: u32 = 320;
    /// Maximum size of a thumbnail, in bytes.
    pub const THUMBNAIL_BYTES: usize = 60_000;
    /// Maximum width and height of a preview, in pixels.
    pub const PREVIEW: u32 = 1600;
    /// Maximum size of a preview, in bytes.
    pub const PREVIEW_BYTES: usize = 1_500_000;
}

/// Format of an image that shows a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// PNG, for images with transparency.
    Png,
    /// JPEG, for opaque images.
    Jpeg,
}

/// The decoder could not be started.
#[derive(Debug, thiserror::Error)]
#[error("the decoder of print files cannot be started")]
pub struct DecodeError(#[source] pub Box<dyn Error + Send + Sync>);
