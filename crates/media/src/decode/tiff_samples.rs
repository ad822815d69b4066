//! Samples of TIFF, as 8-bit samples that a canvas takes.

use std::io::{Read, Seek};

use tiff::decoder::{Decoder, DecodingResult};
use tiff::tags::{PlanarConfiguration, Tag};
use tiff::{ColorType, TiffResult};

use crate::image::{Layout, to_usize};

/// How the samples of a pixel are stored.
pub(super) struct Order {
    kind: Kind,
    bits: u8,
    samples: u16,
    /// Whether colours are multiplied by alpha.
    is_multiplied: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain(Layout),
    /// Brightness and two differences of colour.
    YCbCr,
}

/// Value of the tag `ExtraSamples` for alpha by which colours are multiplied.
const ASSOCIATED_ALPHA: u16 = 1;
const UNASSOCIATED_ALPHA: u16 = 2;

impl Order {
    /// Returns the order of a pixel's `samples`, which begin with `colour`; `extra` is the kind of
    /// the first further sample. `None` if the samples are not decoded.
    pub(super) fn of(colour: ColorType, samples: u16, extra: Option<u16>) -> Option<Self> {
        let is_alpha = matches!(extra, Some(ASSOCIATED_ALPHA | UNASSOCIATED_ALPHA));
        let (kind, bits) = match colour {
            ColorType::Gray(bits) => (Kind::Plain(Layout::Gray), bits),
            ColorType::Multiband {
                bit_depth,
                num_samples: 2,
            } if is_alpha => (Kind::Plain(Layout::GrayAlpha), bit_depth),
            ColorType::RGB(bits) => (Kind::Plain(Layout::Rgb), bits),
            ColorType::RGBA(bits) => (Kind::Plain(Layout::Rgba), bits),
            ColorType::CMYK(bits) => (Kind::Plain(Layout::Cmyk), bits),
            ColorType::CMYKA(bits) => (Kind::Plain(Layout::CmykAlpha), bits),
            ColorType::YCbCr(8) => (Kind::YCbCr, 8),
            _ => return None,
        };
        let order = Self {
            kind,
            bits,
            samples,
            is_multiplied: extra == Some(ASSOCIATED_ALPHA),
        };
        let is_whole = usize::from(samples) == order.layout().channels();
        let is_packed = bits < 8 && order.layout() != Layout::Gray;
        // Further samples, such as spot colours, would have to be left out.
        (is_whole && !is_packed).then_some(order)
    }

    pub(super) fn layout(&self) -> Layout {
        match self.kind {
            Kind::Plain(layout) => layout,
            Kind::YCbCr => Layout::Rgb,
        }
    }

    /// Returns the number of planes in which the file stores the samples.
    pub(super) fn planes<R: Read + Seek>(&self, decoder: &mut Decoder<R>) -> TiffResult<u32> {
        let planar = decoder.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)?;
        let is_planar = planar == Some(PlanarConfiguration::Planar.to_u16());
        Ok(if is_planar { self.samples.into() } else { 1 })
    }
}

/// Joins the planes of a chunk that is `width` pixels wide. Returns 8-bit samples, pixel by pixel;
/// `None` for kinds of numbers that pictures do not have.
pub(super) fn samples_of_chunk(
    parts: Vec<DecodingResult>,
    order: &Order,
    width: u32,
) -> Option<Vec<u8>> {
    let planes: Option<Vec<Vec<u8>>> = parts.into_iter().map(bytes).collect();
    let mut planes = planes?;
    let mut samples = match planes.len() {
        1 => planes.pop()?,
        _ => interleaved(&planes),
    };
    if order.bits < 8 {
        samples = unpacked(&samples, order.bits, width);
    }
    if order.kind == Kind::YCbCr {
        for pixel in samples.as_chunks_mut().0 {
            *pixel = rgb(*pixel);
        }
    }
    if order.is_multiplied && order.layout().has_alpha() {
        let channels = order.layout().channels();
        samples.chunks_exact_mut(channels).for_each(unmultiply);
    }
    Some(samples)
}

fn bytes(part: DecodingResult) -> Option<Vec<u8>> {
    let level = |value: f32| crate::image::to_byte(value.clamp(0.0, 1.0));
    match part {
        DecodingResult::U8(values) => Some(values),
        DecodingResult::U16(values) => Some(values.iter().map(|v| v.to_be_bytes()[0]).collect()),
        DecodingResult::U32(values) => Some(values.iter().map(|v| v.to_be_bytes()[0]).collect()),
        DecodingResult::F16(values) => Some(values.iter().map(|v| level(v.to_f32())).collect()),
        DecodingResult::F32(values) => Some(values.iter().map(|v| level(*v)).collect()),
        _ => None,
    }
}

fn interleaved(planes: &[Vec<u8>]) -> Vec<u8> {
    let pixels = planes.iter().map(Vec::len).min().unwrap_or_default();
    let mut samples = vec![0; pixels * planes.len()];
    for (offset, plane) in planes.iter().enumerate() {
        let places = samples.iter_mut().skip(offset).step_by(planes.len());
        for (place, value) in places.zip(plane) {
            *place = *value;
        }
    }
    samples
}

/// Expands grays of 1, 2 or 4 bits. Each row begins with a new byte.
fn unpacked(packed: &[u8], bits: u8, width: u32) -> Vec<u8> {
    let width = to_usize(width);
    let row = (width * usize::from(bits)).div_ceil(8).max(1);
    let highest = (1_u16 << bits) - 1;
    let mut samples = Vec::with_capacity(packed.len() / row * width);
    for row in packed.chunks(row) {
        let values = row.iter().flat_map(|byte| {
            (0..8 / bits).map(move |place| {
                let value = (u16::from(*byte) >> (8 - bits * (place + 1))) & highest;
                u8::try_from(value * 255 / highest).unwrap_or(u8::MAX)
            })
        });
        samples.extend(values.take(width));
    }
    samples
}

/// Converts by ITU-R BT.601 with all 256 values, as JPEG does.
fn rgb([brightness, blue, red]: [u8; 3]) -> [u8; 3] {
    let brightness = f32::from(brightness);
    let (blue, red) = (f32::from(blue) - 128.0, f32::from(red) - 128.0);
    [
        brightness + 1.402 * red,
        brightness - 0.344_136 * blue - 0.714_136 * red,
        brightness + 1.772 * blue,
    ]
    .map(|value| crate::image::to_byte(value / 255.0))
}

fn unmultiply(pixel: &mut [u8]) {
    let Some((alpha, colours)) = pixel.split_last_mut() else {
        return;
    };
    let alpha = u16::from(*alpha);
    for colour in colours {
        let value = (u16::from(*colour) * 255).checked_div(alpha).unwrap_or(0);
        *colour = u8::try_from(value).unwrap_or(u8::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_grays_are_expanded_row_by_row() {
        let packed = [0b1010_0000, 0b0100_0000];
        assert_eq!(unpacked(&packed, 1, 3), [255, 0, 255, 0, 255, 0]);
        assert_eq!(unpacked(&[0x0f, 0x80], 4, 3), [0, 255, 136]);
    }

    #[test]
    fn brightness_and_colour_differences_become_rgb() {
        assert_eq!(rgb([255, 128, 128]), [255, 255, 255]);
        assert_eq!(rgb([76, 85, 255]), [254, 0, 0]);
    }

    #[test]
    fn colours_are_divided_by_alpha() {
        let mut pixel = [50, 128, 0, 128];
        unmultiply(&mut pixel);
        assert_eq!(pixel, [99, 255, 0, 128]);
        let mut clear = [9, 9, 9, 0];
        unmultiply(&mut clear);
        assert_eq!(clear, [0, 0, 0, 0]);
    }
}
