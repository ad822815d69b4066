//! Decoders, one for each format. They run in the child process only.

mod job;

mod jpeg_header;
mod pdf_content;
#[cfg(feature = "pdf")]
mod pdf_picture;
mod svg_content;
mod tiff_samples;

mod jpeg;
mod pdf;
mod png;
mod psd;
mod svg;
mod tiff;
mod webp;

use pressline_domain::media::{FileFacts, FileFormat, UnreadableReason};

use crate::image::Picture;

pub(crate) use job::Job;

/// Reads the file of `job`, and adds what it learns to `facts`, step by step: the header first.
/// Returns a picture of at most preview size; `None` if only the header was read.
///
/// # Errors
/// The reason why the file is unreadable. The facts that were found before stay.
pub(crate) fn decode(
    job: Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    match facts.format {
        FileFormat::Png => png::decode(job, facts),
        FileFormat::Jpeg => jpeg::decode(job, facts),
        FileFormat::Tiff => tiff::decode(job, facts),
        FileFormat::Webp => webp::decode(job, facts),
        FileFormat::Svg => svg::decode(job, facts),
        FileFormat::Pdf => pdf::decode(job, facts),
        FileFormat::Psd => psd::decode(&job, facts),
        // The first bytes of all others tell the format and no more.
        _ => Ok(None),
    }
}
