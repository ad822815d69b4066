//! JPEG: sequential and progressive, gray, colour and inks; damaged ones.

use super::bits::Bits;
use super::case::{BLUE, Case, RED, WHITE, joined};

pub(super) fn cases() -> Vec<Case> {
    joined([kinds(), refused()])
}

/// Kinds of colour and of coding.
fn kinds() -> Vec<Case> {
    let red_blue = [[76, 85, 255], [29, 255, 107]];
    vec![
        Case::shown(
            "colour.jpg",
            Jpeg::new(64, 32, &red_blue).bytes(),
            r#"{"format": "jpeg", "depth": "full", "width": 64, "height": 32, "colour": "rgb", "bits": 8,
                "alpha": "none", "blank": false, "embeddedDpi": null, "orientation": null,
                "content": {"x": 0, "y": 0, "width": 64, "height": 32}}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "turned.jpg",
            Jpeg::new(64, 32, &red_blue).with(0xe1, CAMERA).bytes(),
            r#"{"width": 32, "height": 64, "orientation": 8, "embeddedDpi": 300.0,
                "content": {"x": 0, "y": 0, "width": 32, "height": 64}}"#,
            // Upright, red is below blue; the middle is between them.
            [RED, RED],
        ),
        Case::shown(
            "jfif.jpg",
            Jpeg::new(64, 32, &[[255, 128, 128]])
                .with(0xe0, JFIF)
                .bytes(),
            r#"{"embeddedDpi": 254.0, "blank": true}"#,
            [WHITE, WHITE],
        ),
        Case::shown(
            "gray.jpg",
            Jpeg::new(64, 32, &[[128], [255]]).bytes(),
            r#"{"colour": "gray"}"#,
            [[128, 128, 128, 255], WHITE],
        ),
        Case::shown(
            "scaled.jpg",
            Jpeg::new(4096, 2048, &red_blue).bytes(),
            r#"{"width": 4096, "height": 2048, "depth": "full",
                "content": {"x": 0, "y": 0, "width": 4096, "height": 2048}}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "progressive.jpg",
            Jpeg::new(64, 32, &red_blue).progressive().bytes(),
            r#"{"depth": "full", "width": 64}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "cmyk.jpg",
            // Stored inverted, as all programs do: no cyan, all magenta and yellow; all cyan and magenta.
            Jpeg::new(64, 32, &[[255, 0, 0, 255], [0, 0, 255, 255]]).bytes(),
            r#"{"colour": "cmyk", "iccProfile": null}"#,
            [RED, BLUE],
        ),
    ]
}

/// Header only, or refused.
fn refused() -> Vec<Case> {
    let red_blue = [[76, 85, 255], [29, 255, 107]];
    vec![
        Case::header(
            "progressive-121-megapixels.jpg",
            Jpeg::new(11_008, 11_008, &red_blue[..0])
                .progressive()
                .bytes(),
            r#"{"depth": "header", "width": 11008, "height": 11008, "unreadable": null, "blank": null}"#,
        ),
        Case::header(
            "arithmetic.jpg",
            Jpeg::new(64, 32, &red_blue).of_kind(0xc9).bytes(),
            r#"{"depth": "header", "width": 64, "height": 32, "unreadable": null}"#,
        ),
        Case::unreadable(
            "gigapixels.jpg",
            Jpeg::new(65_000, 65_000, &red_blue[..0]).bytes(),
            r#"{"unreadable": {"reason": "megapixels", "limit": 400}}"#,
        ),
        Case::unreadable(
            "truncated.jpg",
            truncated(&Jpeg::new(640, 320, &red_blue).bytes()),
            r#"{"depth": "header", "width": 640, "unreadable":
                {"reason": "damaged", "detail": "the file ends in the middle of the picture"}}"#,
        ),
        Case::unreadable(
            "segments.jpg",
            [b"\xff\xd8".to_vec(), b"\xff\xfe\0\x02".repeat(100_000)].concat(),
            r#"{"unreadable": {"reason": "damaged", "detail": "the header has too many segments"}}"#,
        ),
        Case::unreadable(
            "header-only.jpg",
            b"\xff\xd8\xff\xe0\xff\xff".to_vec(),
            r#"{"unreadable": {"reason": "damaged", "detail": "the file ends in its header"}}"#,
        ),
    ]
}

/// EXIF: orientation 8, 300 dpi.
const CAMERA: &[u8] = b"Exif\0\0II*\0\x08\0\0\0\x02\0\
    \x12\x01\x03\0\x01\0\0\0\x08\0\0\0\
    \x1a\x01\x05\0\x01\0\0\0\x26\0\0\0\
    \0\0\0\0\x2c\x01\0\0\x01\0\0\0";

/// 100 pixels per centimetre.
const JFIF: &[u8] = b"JFIF\0\x01\x02\x02\0\x64\0\x64\0\0";

fn truncated(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() * 3 / 4].to_vec()
}

/// Picture with colours from left to right, in blocks of 8 x 8 pixels.
pub(super) struct Jpeg {
    size: (u16, u16),
    colours: Vec<Vec<u8>>,
    frame: u8,
    segments: Vec<u8>,
}

impl Jpeg {
    pub(super) fn new<const N: usize>(width: u16, height: u16, colours: &[[u8; N]]) -> Self {
        let colours = match colours {
            [] => vec![vec![128; 3]],
            colours => colours.iter().map(|colour| colour.to_vec()).collect(),
        };
        Self {
            size: (width, height),
            colours,
            frame: 0xc0,
            segments: Vec::new(),
        }
    }

    fn progressive(self) -> Self {
        self.of_kind(0xc2)
    }

    fn of_kind(mut self, frame: u8) -> Self {
        self.frame = frame;
        self
    }

    fn with(mut self, marker: u8, content: &[u8]) -> Self {
        self.segments.extend(segment(marker, content));
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let components = u8::try_from(self.colours[0].len()).unwrap();
        let (width, height) = (self.size.0.to_be_bytes(), self.size.1.to_be_bytes());
        let mut frame = vec![8, height[0], height[1], width[0], width[1], components];
        let mut scan = vec![components];
        for component in 1..=components {
            frame.extend([component, 0x11, 0]);
            scan.extend([component, 0]);
        }
        let is_progressive = self.frame == 0xc2;
        scan.extend([0, if is_progressive { 0 } else { 63 }, 0]);
        [
            b"\xff\xd8".to_vec(),
            self.segments.clone(),
            // All steps are 8, so that the mean of a block is its first value.
            segment(0xdb, &[&[0], [8; 64].as_slice()].concat()),
            segment(self.frame, &frame),
            // Twelve codes of 4 bits for the sizes of differences; one code of 1 bit: end of block.
            segment(0xc4, b"\0\0\0\0\x0c\0\0\0\0\0\0\0\0\0\0\0\0\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b"),
            segment(0xc4, b"\x10\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
            segment(0xda, &scan),
            self.scan(is_progressive),
            b"\xff\xd9".to_vec(),
        ]
        .concat()
    }

    fn scan(&self, is_progressive: bool) -> Vec<u8> {
        let (width, height) = (self.size.0.div_ceil(8), self.size.1.div_ceil(8));
        let mut bits = Bits::default();
        // What is refused or not read by its header needs no pixels.
        if u32::from(width) * u32::from(height) > 1_000_000 {
            return bits.finish();
        }
        let mut previous = vec![0; self.colours[0].len()];
        for _ in 0..height {
            for x in 0..usize::from(width) {
                let colour = &self.colours[x * self.colours.len() / usize::from(width)];
                for (previous, value) in previous.iter_mut().zip(colour) {
                    let value = i32::from(*value) - 128;
                    difference(&mut bits, value - *previous);
                    *previous = value;
                    if !is_progressive {
                        bits.write(0, 1);
                    }
                }
            }
        }
        bits.finish()
    }
}

/// Writes the number of bits of `difference`, and the bits. Negative numbers are reduced by one.
fn difference(bits: &mut Bits, difference: i32) {
    let length = 32 - difference.unsigned_abs().leading_zeros();
    bits.write(length, 4);
    let coded = if difference < 0 {
        difference - 1
    } else {
        difference
    };
    bits.write(u32::from_ne_bytes(coded.to_ne_bytes()), length);
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&[0xff, marker], length.as_slice(), content].concat()
}
