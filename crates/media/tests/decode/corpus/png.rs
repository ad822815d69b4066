//! PNG: kinds of colour, interlacing, metadata; bombs.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use png::{BitDepth, ColorType, Encoder};

use super::case::{BLUE, CLEAR, Case, RED, WHITE, joined};

pub(super) fn cases() -> Vec<Case> {
    joined([kinds(), bombs()])
}

/// Kinds of colour, in rows and interlaced.
fn kinds() -> Vec<Case> {
    vec![
        Case::shown(
            "rgb.png",
            plain(64, 32, ColorType::Rgb, &[&RED[..3], &BLUE[..3]]),
            r#"{"format": "png", "depth": "full", "width": 64, "height": 32, "colour": "rgb", "bits": 8,
                "alpha": "none", "blank": false, "pages": 1, "animated": false, "orientation": null,
                "iccProfile": null, "content": {"x": 0, "y": 0, "width": 64, "height": 32}}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "alpha.png",
            plain(64, 32, ColorType::Rgba, &[&CLEAR, &BLUE]),
            r#"{"alpha": "used", "blank": false, "content": {"x": 32, "y": 0, "width": 32, "height": 32}}"#,
            [CLEAR, BLUE],
        ),
        Case::shown(
            "large.png",
            plain(4000, 2000, ColorType::Rgba, &[&CLEAR, &RED]),
            r#"{"width": 4000, "height": 2000, "depth": "full",
                "content": {"x": 2000, "y": 0, "width": 2000, "height": 2000}}"#,
            [CLEAR, RED],
        ),
        Case::shown(
            "gray-alpha.png",
            plain(
                64,
                32,
                ColorType::GrayscaleAlpha,
                &[&[128, 255], &[255, 255]],
            ),
            r#"{"colour": "gray", "alpha": "unused", "blank": false}"#,
            [[128, 128, 128, 255], WHITE],
        ),
        Case::shown(
            "white.png",
            plain(64, 32, ColorType::Grayscale, &[&[255]]),
            r#"{"colour": "gray", "blank": true, "alpha": "none"}"#,
            [WHITE, WHITE],
        ),
        Case::shown(
            "interlaced.png",
            interlaced(),
            r#"{"width": 9, "height": 9, "depth": "full", "alpha": "none", "blank": false}"#,
            [[0, 0, 0, 255], WHITE],
        ),
        Case::shown(
            "palette.png",
            palette(),
            r#"{"colour": "indexed", "bits": 1, "alpha": "used", "embeddedDpi": 300.0, "orientation": 6,
                "width": 32, "height": 64, "content": {"x": 0, "y": 32, "width": 32, "height": 32}}"#,
            // Upright, the transparent half is the upper half.
            [RED, RED],
        ),
    ]
}

/// Files that claim or contain more than they should.
fn bombs() -> Vec<Case> {
    vec![
        Case::shown(
            "text-bomb.png",
            with_chunk(b"zTXt", &bomb(b"Comment\0\0")),
            r#"{"depth": "full", "unreadable": null}"#,
            [RED, RED],
        ),
        Case::shown(
            "profile-bomb.png",
            with_chunk(b"iCCP", &bomb(b"sRGB\0\0")),
            r#"{"depth": "full", "unreadable": null}"#,
            [RED, RED],
        ),
        Case::unreadable(
            "gigapixels.png",
            claim(50_000, 50_000),
            r#"{"format": "png", "width": 50000, "height": 50000, "depth": "header",
                "unreadable": {"reason": "megapixels", "limit": 400}}"#,
        ),
        Case::unreadable(
            "endless-row.png",
            claim(400_000_000, 1),
            r#"{"unreadable": {"reason": "memory", "limit": 64}}"#,
        ),
        Case::unreadable(
            "truncated.png",
            plain(64, 32, ColorType::Rgb, &[&RED[..3]])[..60].to_vec(),
            r#"{"width": 64, "height": 32, "depth": "header", "unreadable": {"reason": "damaged"}}"#,
        ),
        Case::unreadable(
            "page.png",
            [b"\x89PNG\r\n\x1a\n".as_slice(), b"<html>"].concat(),
            r#"{"format": "png", "unreadable": {"reason": "damaged"}}"#,
        ),
    ]
}

/// Returns a picture with `colours` from left to right.
pub(super) fn plain(width: u32, height: u32, kind: ColorType, colours: &[&[u8]]) -> Vec<u8> {
    let row = row(width, colours);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(kind);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer
        .write_image_data(&row.repeat(usize::try_from(height).unwrap()))
        .unwrap();
    writer.finish().unwrap();
    bytes
}

/// Returns `width` pixels, divided into `colours`.
pub(super) fn row(width: u32, colours: &[&[u8]]) -> Vec<u8> {
    let parts = u32::try_from(colours.len()).unwrap();
    let colour = |x: u32| usize::try_from(x * parts / width).unwrap();
    (0..width)
        .flat_map(|x| colours[colour(x)].to_vec())
        .collect()
}

/// A palette of a transparent and a red colour, 300 dpi, turned by a camera.
fn palette() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 64, 32);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::One);
    encoder.set_palette([0, 0, 0, 255, 0, 0].as_slice());
    encoder.set_trns([0, 255].as_slice());
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: 11811,
        yppu: 11811,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header().unwrap();
    let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    writer.write_chunk(png::chunk::eXIf, exif).unwrap();
    writer
        .write_image_data(&[0, 0, 0, 0, 255, 255, 255, 255].repeat(32))
        .unwrap();
    writer.finish().unwrap();
    bytes
}

/// Black and white halves in the seven passes of Adam7, one byte for each pixel. The middle column
/// is white.
fn interlaced() -> Vec<u8> {
    let side = 9_u32;
    let passes = [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ];
    let mut rows = Vec::new();
    for (left, top, across, down) in passes {
        for _ in (top..side).step_by(down) {
            rows.push(0);
            let columns = (left..side).step_by(across);
            rows.extend(columns.map(|x| if x < 4 { 0 } else { 255 }));
        }
    }
    let header = [9_u32.to_be_bytes(), 9_u32.to_be_bytes()].concat();
    let header = [header, vec![8, 0, 0, 0, 1]].concat();
    file(&[
        (b"IHDR", &header),
        (b"IDAT", &deflated(&rows)),
        (b"IEND", &[]),
    ])
}

/// A header that claims a size, with 20 kB of data.
fn claim(width: u32, height: u32) -> Vec<u8> {
    let header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    let header = [header, vec![8, 6, 0, 0, 0]].concat();
    let data = deflated(&vec![0; 20_000_000]);
    file(&[(b"IHDR", &header), (b"IDAT", &data), (b"IEND", &[])])
}

/// A red pixel behind a chunk of `kind`.
fn with_chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let header = [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0];
    let data = deflated(&[0, 255, 0, 0]);
    file(&[
        (b"IHDR", &header),
        (kind, content),
        (b"IDAT", &data),
        (b"IEND", &[]),
    ])
}

/// A gigabyte of zeros, compressed to a megabyte, behind `prefix`.
fn bomb(prefix: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(prefix.to_vec(), Compression::fast());
    let zeros = vec![0; 1024 * 1024];
    encoder.write_all(&zeros).unwrap();
    encoder.flush().unwrap();
    let start = encoder.get_ref().len();
    encoder.write_all(&zeros).unwrap();
    encoder.flush().unwrap();
    // The same block again and again is what compressing all zeros would give, only sooner.
    let mut bytes = encoder.get_ref().clone();
    let block = bytes[start..].to_vec();
    bytes.extend(block.repeat(1022));
    bytes
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn file(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in chunks {
        let length = u32::try_from(content.len()).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(kind.as_slice());
        crc.update(content);
        bytes.extend(length.to_be_bytes());
        bytes.extend(kind.as_slice());
        bytes.extend(*content);
        bytes.extend(crc.sum().to_be_bytes());
    }
    bytes
}
