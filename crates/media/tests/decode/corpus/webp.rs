//! WebP: lossless with and without alpha; a file of 38 bytes with 99 megapixels.

use image_webp::{ColorType, WebPEncoder};

use super::case::{BLUE, CLEAR, Case, RED};
use super::png::row;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::shown(
            "rgb.webp",
            lossless(ColorType::Rgb8, &[&RED[..3], &BLUE[..3]]),
            r#"{"format": "webp", "depth": "full", "width": 64, "height": 32, "colour": "rgb",
                "alpha": "none", "animated": false, "pages": 1, "blank": false}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "alpha.webp",
            lossless(ColorType::Rgba8, &[&CLEAR, &BLUE]),
            r#"{"alpha": "used", "content": {"x": 32, "y": 0, "width": 32, "height": 32}}"#,
            [CLEAR, BLUE],
        ),
        Case::header(
            "99-megapixels.webp",
            claim(9_950, 9_950),
            r#"{"depth": "header", "width": 9950, "height": 9950, "unreadable": null}"#,
        ),
        Case::unreadable(
            "truncated.webp",
            lossless(ColorType::Rgb8, &[&RED[..3], &BLUE[..3]])[..40].to_vec(),
            r#"{"format": "webp", "unreadable": {"reason": "damaged"}}"#,
        ),
    ]
}

fn lossless(kind: ColorType, colours: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixels = row(64, colours).repeat(32);
    let encoder = WebPEncoder::new(&mut bytes);
    encoder.encode(&pixels, 64, 32, kind).unwrap();
    bytes
}

/// Header of a lossless picture.
pub(crate) fn claim(width: u32, height: u32) -> Vec<u8> {
    let size = (width - 1) | (height - 1) << 14;
    let content = [&[0x2f], size.to_le_bytes().as_slice(), &[0; 13]].concat();
    let length = u32::try_from(content.len()).unwrap();
    [
        b"RIFF".as_slice(),
        &(length + 12).to_le_bytes(),
        b"WEBPVP8L",
        &length.to_le_bytes(),
        &content,
    ]
    .concat()
}
