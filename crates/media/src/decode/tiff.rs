//! TIFF: strip by strip and tile by tile.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, ErrorKind};

use pressline_backoffice::media::FileImage;
use pressline_domain::media::{ColourModel, FileFacts, UnreadableReason};
use tiff::decoder::ifd::Value;
use tiff::decoder::{ChunkType, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError, TiffResult};

use super::job::{Job, complete, damaged, set_profile, set_size};
use super::tiff_samples::{Order, samples_of_chunk};
use crate::exif;
use crate::image::{Canvas, Picture, to_usize};
use crate::profile::PROFILE_BYTES;

/// Maximum number of strips and tiles: one for each row of 100,000.
const CHUNKS: u32 = 100_000;
/// Maximum size of a decoded strip or tile, in bytes; one is in memory at a time.
const CHUNK_BYTES: u64 = 256 * 1024 * 1024;
/// Maximum number of counted pages.
const PAGES: usize = 1000;

type Decoder = tiff::decoder::Decoder<BufReader<File>>;

pub(super) fn decode(
    job: Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    let opened = Decoder::new(job.file);
    let mut limits = Limits::default();
    limits.ifd_value_size = PROFILE_BYTES;
    let mut decoder = match opened {
        Ok(decoder) => decoder.with_limits(limits),
        Err(TiffError::UnsupportedError(_)) => return Ok(None),
        Err(error) => return Err(refused(error)),
    };
    let order = read_header(&mut decoder, facts)?;
    let (width, height) = decoder.dimensions().map_err(refused)?;
    set_size(facts, width, height, job.bounds)?;
    let profile = decoder.get_tag_u8_vec(Tag::IccProfile).ok();
    let profile = set_profile(facts, profile.as_deref());
    let canvas = match order {
        Some(order) => read_pixels(&mut decoder, &order, (width, height)),
        None => Ok(None),
    };
    match canvas {
        Ok(Some(canvas)) => {
            let picture = canvas.finish(facts, profile.as_ref());
            complete(facts, picture)
        }
        // Palettes, newer compressions, rare kinds of samples: the file may well be good.
        Ok(None) | Err(TiffError::UnsupportedError(_)) => Ok(None),
        Err(error) => Err(refused(error)),
    }
}

/// Returns the order of the samples; `None` if they are not decoded.
fn read_header(
    decoder: &mut Decoder,
    facts: &mut FileFacts,
) -> Result<Option<Order>, UnreadableReason> {
    facts.pages = Some(pages(decoder)?);
    let number = |decoder: &mut Decoder, tag| decoder.find_tag_unsigned::<u16>(tag).ok().flatten();
    let orientation = number(decoder, Tag::Orientation).and_then(|value| u8::try_from(value).ok());
    facts.orientation = orientation.filter(|value| (1..=8).contains(value));
    let unit = number(decoder, Tag::ResolutionUnit).unwrap_or(2);
    let horizontal = resolution(decoder, Tag::XResolution);
    let vertical = resolution(decoder, Tag::YResolution);
    facts.embedded_dpi = exif::dpi(horizontal, vertical, unit);
    let bits = decoder.find_tag_unsigned_vec::<u8>(Tag::BitsPerSample);
    let bits = bits.ok().flatten().and_then(|bits| bits.first().copied());
    facts.bits = Some(bits.unwrap_or(1));
    facts.colour = match number(decoder, Tag::PhotometricInterpretation) {
        Some(0 | 1) => Some(ColourModel::Gray),
        Some(2 | 6) => Some(ColourModel::Rgb),
        Some(3) => Some(ColourModel::Indexed),
        Some(5) => Some(ColourModel::Cmyk),
        Some(8..=10) => Some(ColourModel::Lab),
        _ => None,
    };
    let extra = decoder.find_tag_unsigned_vec::<u16>(Tag::ExtraSamples);
    let extra = extra
        .ok()
        .flatten()
        .and_then(|extra| extra.first().copied());
    let samples = number(decoder, Tag::SamplesPerPixel).unwrap_or(1);
    let colour: Option<ColorType> = decoder.colortype().ok();
    Ok(colour.and_then(|colour| Order::of(colour, samples, extra)))
}

/// Counts the pages: directories of the main chain that are not smaller copies of another page.
fn pages(decoder: &mut Decoder) -> Result<u32, UnreadableReason> {
    let mut pages = 0;
    let mut seen = HashSet::new();
    let mut pointer = decoder.ifd_pointer();
    while let Some(next) = pointer
        && seen.len() < PAGES
    {
        if !seen.insert(next.0) {
            return Err(damaged("the directories form a circle"));
        }
        let directory = decoder.read_directory(next).map_err(refused)?;
        let mut tags = decoder.read_directory_tags(&directory);
        let kind = tags.find_tag_unsigned::<u32>(Tag::NewSubfileType);
        let is_copy = kind.ok().flatten().is_some_and(|kind| kind & 1 == 1);
        pages += u32::from(!is_copy);
        pointer = directory.next();
    }
    Ok(pages.max(1))
}

fn resolution(decoder: &mut Decoder, tag: Tag) -> Option<f64> {
    match decoder.find_tag(tag).ok().flatten()? {
        Value::Rational(numerator, denominator) if denominator > 0 => {
            Some(f64::from(numerator) / f64::from(denominator))
        }
        Value::Float(value) => Some(value.into()),
        Value::Double(value) => Some(value),
        _ => None,
    }
}

/// Returns `None` if the strips or tiles are too large to be decoded.
fn read_pixels(
    decoder: &mut Decoder,
    order: &Order,
    (width, height): (u32, u32),
) -> TiffResult<Option<Canvas>> {
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let chunks = match decoder.get_chunk_type() {
        ChunkType::Strip => decoder.strip_count()?,
        ChunkType::Tile => decoder.tile_count()?,
    };
    if chunks > CHUNKS {
        return Err(TiffError::LimitsExceeded);
    }
    let layout = decoder.image_chunk_buffer_layout(0)?;
    let planes = order.planes(decoder)?;
    let bytes = u64::try_from(layout.len).unwrap_or(u64::MAX);
    if bytes.saturating_mul(u64::from(planes)) > CHUNK_BYTES {
        return Ok(None);
    }
    let mut canvas = Canvas::new(width, height, order.layout(), FileImage::PREVIEW);
    let across = width.div_ceil(chunk_width.max(1));
    let per_plane = chunks / planes;
    for index in 0..per_plane {
        let size = decoder.chunk_data_dimensions(index);
        let mut parts = Vec::new();
        for plane in 0..planes {
            let part = decoder.read_chunk(index + plane * per_plane)?;
            parts.push(part);
        }
        let Some(samples) = samples_of_chunk(parts, order, size.0) else {
            return Ok(None);
        };
        let left = (index % across) * chunk_width;
        let top = (index / across).saturating_mul(chunk_height);
        let row = to_usize(size.0) * order.layout().channels();
        for (y, row) in (top..height).zip(samples.chunks(row.max(1))) {
            canvas.add_row(y, left, 1, row);
        }
    }
    Ok(Some(canvas))
}

fn refused(error: TiffError) -> UnreadableReason {
    match error {
        TiffError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            damaged("the file ends early")
        }
        TiffError::LimitsExceeded => damaged("the file has too many or too large strips or tiles"),
        error => damaged(error),
    }
}
