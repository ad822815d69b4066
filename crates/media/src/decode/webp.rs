//! WebP: the first frame as a whole, because its decoder has no rows.

use image_webp::WebPDecoder;
use pressline_backoffice::media::FileImage;
use pressline_domain::media::{ColourModel, FileFacts, UnreadableReason};

use super::job::{Job, complete, damaged, set_profile, set_size};
use crate::exif::Exif;
use crate::image::{Canvas, Layout, Picture, to_usize};
use crate::profile::PROFILE_BYTES;

/// Maximum size of a file whose pixels are read: 99 megapixels take 683 MB, from 38 bytes.
const PIXELS: u64 = 64_000_000;

pub(super) fn decode(
    job: Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    let mut decoder = WebPDecoder::new(job.file).map_err(damaged)?;
    // Of profiles and metadata; pixels are bounded below.
    decoder.set_memory_limit(PROFILE_BYTES);
    let exif = decoder.exif_metadata().ok().flatten();
    let exif = exif.as_deref().map(Exif::read).unwrap_or_default();
    facts.orientation = exif.orientation;
    facts.embedded_dpi = exif.dpi;
    facts.colour = Some(ColourModel::Rgb);
    facts.bits = Some(8);
    facts.animated = Some(decoder.is_animated());
    facts.pages = Some(decoder.num_frames().max(1));
    let (width, height) = decoder.dimensions();
    set_size(facts, width, height, job.bounds)?;
    let profile = decoder.icc_profile().ok().flatten();
    let profile = set_profile(facts, profile.as_deref());
    if u64::from(width) * u64::from(height) > PIXELS {
        return Ok(None);
    }
    let layout = match decoder.has_alpha() {
        true => Layout::Rgba,
        false => Layout::Rgb,
    };
    let row = to_usize(width) * layout.channels();
    let mut samples = vec![0; row * to_usize(height)];
    decoder.read_image(&mut samples).map_err(damaged)?;
    let mut canvas = Canvas::new(width, height, layout, FileImage::PREVIEW);
    for (y, row) in (0..height).zip(samples.chunks(row.max(1))) {
        canvas.add_row(y, 0, 1, row);
    }
    let picture = canvas.finish(facts, profile.as_ref());
    complete(facts, picture)
}
