//! PNG: row by row, also if it is interlaced.

use std::io::{BufRead, Seek};

use png::{ColorType, Decoder, DecodingError, Info, Limits, Reader, Transformations, Unit};
use pressline_backoffice::media::FileImage;
use pressline_domain::media::{ColourModel, FileFacts, UnreadableReason};

use super::job::{Job, complete, damaged, set_profile, set_size};
use crate::exif::{self, Exif};
use crate::image::{Canvas, Layout, Picture, to_usize};

/// Memory of the decoder, in megabytes: a row, and a profile while it is inflated.
const MEMORY_MB: u32 = 64;

pub(super) fn decode(
    job: Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    let bytes = to_usize(MEMORY_MB) * 1024 * 1024;
    let mut decoder = Decoder::new_with_limits(job.file, Limits { bytes });
    // Text is not needed, and could inflate without end.
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let header = decoder.read_header_info().map_err(refused)?;
    let (width, height) = header.size();
    set_size(facts, width, height, job.bounds)?;
    let mut reader = decoder.read_info().map_err(refused)?;
    read_header(reader.info(), facts);
    // Again, because the orientation is known only now.
    set_size(facts, width, height, job.bounds)?;
    let profile = set_profile(facts, reader.info().icc_profile.as_deref());
    let layout = match reader.output_color_type().0 {
        ColorType::Grayscale => Layout::Gray,
        ColorType::GrayscaleAlpha => Layout::GrayAlpha,
        ColorType::Rgb | ColorType::Indexed => Layout::Rgb,
        ColorType::Rgba => Layout::Rgba,
    };
    let mut canvas = Canvas::new(width, height, layout, FileImage::PREVIEW);
    let passes: &[Pass] = match reader.info().interlaced {
        false => &[Pass(0, 0, 1, 1)],
        true => &ADAM7,
    };
    for pass in passes {
        read_pass(&mut reader, &mut canvas, pass, (width, height))?;
    }
    let picture = canvas.finish(facts, profile.as_ref());
    complete(facts, picture)
}

fn read_header(info: &Info<'_>, facts: &mut FileFacts) {
    facts.bits = Some(info.bit_depth as u8);
    facts.colour = Some(match info.color_type {
        ColorType::Grayscale | ColorType::GrayscaleAlpha => ColourModel::Gray,
        ColorType::Rgb | ColorType::Rgba => ColourModel::Rgb,
        ColorType::Indexed => ColourModel::Indexed,
    });
    let frames = info
        .animation_control
        .map_or(1, |control| control.num_frames);
    facts.pages = Some(frames);
    facts.animated = Some(frames > 1);
    let exif = Exif::read(info.exif_metadata.as_deref().unwrap_or_default());
    facts.orientation = exif.orientation;
    let stated = info.pixel_dims.filter(|pixels| pixels.unit == Unit::Meter);
    let per_cm = |per_meter: u32| Some(f64::from(per_meter) / 100.0);
    let stated = stated.and_then(|pixels| exif::dpi(per_cm(pixels.xppu), per_cm(pixels.yppu), 3));
    facts.embedded_dpi = stated.or(exif.dpi);
}

/// First column and row, and distances of columns and rows.
struct Pass(u32, u32, u32, u32);

/// Passes of an interlaced PNG, by section 8.1 of its specification.
const ADAM7: [Pass; 7] = [
    Pass(0, 0, 8, 8),
    Pass(4, 0, 8, 8),
    Pass(0, 4, 4, 8),
    Pass(2, 0, 4, 4),
    Pass(0, 2, 2, 4),
    Pass(1, 0, 2, 2),
    Pass(0, 1, 1, 2),
];

fn read_pass<R: BufRead + Seek>(
    reader: &mut Reader<R>,
    canvas: &mut Canvas,
    Pass(left, top, across, down): &Pass,
    (width, height): (u32, u32),
) -> Result<(), UnreadableReason> {
    // A pass without columns has no rows in the file.
    let top = if *left < width { *top } else { height };
    for y in (top..height).step_by(to_usize(*down)) {
        let row = reader.next_row().map_err(refused)?;
        let row = row.ok_or_else(|| damaged("the file has too few rows"))?;
        canvas.add_row(y, *left, *across, row.data());
    }
    Ok(())
}

fn refused(error: DecodingError) -> UnreadableReason {
    match error {
        DecodingError::LimitsExceeded => UnreadableReason::Memory { limit: MEMORY_MB },
        error => damaged(error),
    }
}
