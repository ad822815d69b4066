//! JPEG: scaled to at least preview size while it is decoded.

use std::io::{ErrorKind, Seek};

use jpeg_decoder::{Decoder, Error, PixelFormat};
use pressline_backoffice::media::FileImage;
use pressline_domain::media::{ColourModel, FileFacts, PixelBounds, UnreadableReason};

use super::job::{Job, complete, damaged, set_profile, set_size};
use super::jpeg_header::{Header, Process};
use crate::exif::{self, Exif};
use crate::image::{Canvas, Layout, Picture, to_usize};

/// Maximum size of a progressive JPEG whose pixels are read: 119 megapixels take 412 MB.
const PROGRESSIVE_PIXELS: u64 = 120_000_000;

pub(super) fn decode(
    mut job: Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    let header = Header::read(&mut job.file)?;
    let exif = header.exif.as_deref().map(Exif::read).unwrap_or_default();
    facts.orientation = exif.orientation;
    let (horizontal, vertical, unit) = header.density.unwrap_or_default();
    // JFIF counts 1 for inches and 2 for centimetres, EXIF one more.
    let jfif = exif::dpi(Some(horizontal.into()), Some(vertical.into()), unit + 1);
    facts.embedded_dpi = jfif.or(exif.dpi);
    facts.bits = Some(header.bits);
    facts.colour = match header.components {
        1 => Some(ColourModel::Gray),
        3 => Some(ColourModel::Rgb),
        4 => Some(ColourModel::Cmyk),
        _ => None,
    };
    let (width, height) = (header.width.into(), header.height.into());
    // Files whose height comes after the pixels state 0; they are rare, and not decoded.
    if height == 0 {
        return Ok(None);
    }
    set_size(facts, width, height, job.bounds)?;
    let data = header.profile.as_deref();
    let profile = set_profile(facts, data);
    let pixels = u64::from(width) * u64::from(height);
    let is_decoded = match header.process {
        Process::Sequential => true,
        Process::Progressive => pixels <= PROGRESSIVE_PIXELS,
        Process::Other => false,
    };
    if !is_decoded {
        return Ok(None);
    }
    job.file.rewind().map_err(damaged)?;
    let Some(canvas) = read_pixels(job.file)? else {
        return Ok(None);
    };
    let picture = canvas.finish(facts, profile.as_ref());
    // The canvas has the bounds of the scaled pixels; without transparency they are all content.
    facts.content = facts
        .width
        .zip(facts.height)
        .map(|(width, height)| PixelBounds {
            x: 0,
            y: 0,
            width,
            height,
        });
    complete(facts, picture)
}

/// Returns `None` if the decoder does not know this kind of JPEG.
fn read_pixels(file: impl std::io::Read) -> Result<Option<Canvas>, UnreadableReason> {
    let mut decoder = Decoder::new(file);
    let side = u16::try_from(FileImage::PREVIEW).unwrap_or(u16::MAX);
    // Decodes by 1/2, 1/4 or 1/8, as long as the longer side keeps the size of a preview.
    let scaled = match decoder.scale(side, side) {
        Err(Error::Unsupported(_)) => return Ok(None),
        scaled => scaled.map_err(refused)?,
    };
    let samples = match decoder.decode() {
        Err(Error::Unsupported(_)) => return Ok(None),
        samples => samples.map_err(refused)?,
    };
    let layout = match decoder.info().map(|info| info.pixel_format) {
        Some(PixelFormat::L8) => Layout::Gray,
        Some(PixelFormat::RGB24) => Layout::Rgb,
        // The decoder inverts the values, so that they are amounts of ink.
        Some(PixelFormat::CMYK32) => Layout::Cmyk,
        Some(PixelFormat::L16) | None => return Ok(None),
    };
    let (width, height) = (u32::from(scaled.0), u32::from(scaled.1));
    let mut canvas = Canvas::new(width, height, layout, FileImage::PREVIEW);
    let row = to_usize(width) * layout.channels();
    for (y, samples) in (0..height).zip(samples.chunks(row.max(1))) {
        canvas.add_row(y, 0, 1, samples);
    }
    Ok(Some(canvas))
}

fn refused(error: Error) -> UnreadableReason {
    match error {
        Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            damaged("the file ends in the middle of the picture")
        }
        error => damaged(error),
    }
}
