//! Thumbnails and previews as files.

use std::error::Error;

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use png::{BitDepth, ColorType, Encoder};
use pressline_backoffice::media::{FileImage, ImageFormat};

use super::canvas::{Canvas, Layout};
use super::cells::to_usize;
use super::picture::Picture;

/// Qualities of JPEG to try until an image fits. Noise in all pixels fits with the lowest quality.
const QUALITIES: [u8; 6] = [82, 70, 55, 40, 25, 10];

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Returns `picture` in up to `longest` pixels and `limit` bytes. An image with transparency is a
/// PNG; if that is too large, a PNG with fewer colours; if that is too large as well, a JPEG on
/// white ground. An opaque one is a JPEG.
pub(crate) fn encoded(picture: &Picture, longest: u32, limit: usize) -> Result<FileImage> {
    if picture.width.max(picture.height) > longest {
        return encoded(&shrunk(picture, longest), longest, limit);
    }
    if !picture.is_opaque() {
        for pixels in [picture.pixels.clone(), with_fewer_colours(&picture.pixels)] {
            let bytes = png(picture, &pixels)?;
            if bytes.len() <= limit {
                let format = ImageFormat::Png;
                return Ok(FileImage { format, bytes });
            }
        }
    }
    let rgb = on_white(&picture.pixels);
    let mut bytes = Vec::new();
    for quality in QUALITIES {
        bytes.clear();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        encoder.encode(&rgb, picture.width, picture.height, ExtendedColorType::Rgb8)?;
        if bytes.len() <= limit {
            break;
        }
    }
    let format = ImageFormat::Jpeg;
    Ok(FileImage { format, bytes })
}

fn shrunk(picture: &Picture, longest: u32) -> Picture {
    let mut canvas = Canvas::new(picture.width, picture.height, Layout::Rgba, longest);
    let rows = picture.pixels.chunks(to_usize(picture.width).max(1));
    for (y, row) in (0..).zip(rows) {
        canvas.add_row(y, 0, 1, row.as_flattened());
    }
    canvas.picture(None)
}

fn png(picture: &Picture, pixels: &[[u8; 4]]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels.as_flattened())?;
    writer.finish()?;
    Ok(bytes)
}

/// Returns `pixels` with 16 levels a channel, which a PNG stores in half the space or less.
fn with_fewer_colours(pixels: &[[u8; 4]]) -> Vec<[u8; 4]> {
    // 17 is 255 / 15, so that black, white and opaque stay what they are.
    let level = |value: u8| (value.saturating_add(8) / 17) * 17;
    pixels.iter().map(|pixel| pixel.map(level)).collect()
}

fn on_white(pixels: &[[u8; 4]]) -> Vec<u8> {
    let flat = pixels.iter().map(|[red, green, blue, alpha]| {
        [*red, *green, *blue].map(|value| {
            let (value, alpha) = (u32::from(value), u32::from(*alpha));
            let mixed = (value * alpha + 255 * (255 - alpha) + 127) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        })
    });
    flat.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise, which no format compresses.
    fn noise(side: u32, alpha: impl Fn(u32) -> u8) -> Picture {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let pixels = (0..side * side).map(|index| [next(), next(), next(), alpha(index)]);
        Picture::new(side, side, pixels.collect())
    }

    #[test]
    fn images_fit_their_bounds_whatever_they_show() {
        let limit = FileImage::THUMBNAIL_BYTES;
        let table = [
            (noise(320, |_| 255), ImageFormat::Jpeg),
            (
                noise(320, |index| index.to_be_bytes()[3]),
                ImageFormat::Jpeg,
            ),
            (noise(100, |index| index.to_be_bytes()[3]), ImageFormat::Png),
            (
                noise(640, |index| u8::from(index > 9) * 255),
                ImageFormat::Jpeg,
            ),
        ];
        for (picture, format) in table {
            let image = encoded(&picture, FileImage::THUMBNAIL, limit).unwrap();
            assert_eq!(image.format, format, "{}", picture.width);
            assert!(image.bytes.len() <= limit, "{}", image.bytes.len());
        }
    }

    #[test]
    fn what_is_transparent_becomes_white_or_stays_transparent() {
        let pixels = vec![[0, 0, 0, 0], [10, 20, 30, 255], [0, 0, 0, 127]];
        assert_eq!(
            on_white(&pixels),
            [255, 255, 255, 10, 20, 30, 128, 128, 128]
        );
        let few = with_fewer_colours(&[[0, 255, 100, 0], [7, 8, 9, 255]]);
        assert_eq!(few, [[0, 255, 102, 0], [0, 0, 17, 255]]);
    }
}
