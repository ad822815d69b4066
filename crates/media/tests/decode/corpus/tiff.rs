//! TIFF: strips, tiles, planes, kinds of samples and compression; endless structures.

use std::io::Write;

use super::case::{BLUE, CLEAR, Case, RED, WHITE, joined};
use super::jpeg::Jpeg;
use super::png::row;

pub(super) fn cases() -> Vec<Case> {
    joined([kinds(), codings(), headers(), refused()])
}

/// Kinds of colour, in strips, tiles and planes.
fn kinds() -> Vec<Case> {
    let red_blue = row(64, &[&RED[..3], &BLUE[..3]]);
    vec![
        Case::shown(
            "rgb.tif",
            Tiff::new(64, 32, 2, 3).strips(&red_blue, 5).bytes(),
            r#"{"format": "tiff", "depth": "full", "width": 64, "height": 32, "colour": "rgb", "bits": 8,
                "alpha": "none", "blank": false, "pages": 1, "embeddedDpi": null}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "alpha.tif",
            Tiff::new(64, 32, 2, 4)
                .with(338, &[2])
                .strips(&row(64, &[&CLEAR, &BLUE]), 32)
                .bytes(),
            r#"{"alpha": "used", "content": {"x": 32, "y": 0, "width": 32, "height": 32}}"#,
            [CLEAR, BLUE],
        ),
        Case::shown(
            "multiplied.tif",
            Tiff::new(64, 32, 2, 4)
                .with(338, &[1])
                .strips(&row(64, &[&[128, 0, 0, 128], &BLUE]), 32)
                .bytes(),
            r#"{"alpha": "used"}"#,
            [[255, 0, 0, 128], BLUE],
        ),
        Case::shown(
            "tiles.tif",
            tiles(),
            r#"{"colour": "cmyk", "width": 40, "height": 40, "depth": "full"}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "planes.tif",
            planes(),
            r#"{"colour": "rgb", "depth": "full"}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "bilevel.tif",
            Tiff::new(64, 32, 0, 1)
                .with(258, &[1])
                .strips(&[0, 0, 0, 0, 255, 255, 255, 255], 32)
                .bytes(),
            r#"{"colour": "gray", "bits": 1}"#,
            // White is zero.
            [WHITE, [0, 0, 0, 255]],
        ),
    ]
}

/// Kinds of numbers and of compression.
fn codings() -> Vec<Case> {
    let red_blue = row(64, &[&RED[..3], &BLUE[..3]]);
    vec![
        Case::shown(
            "gray16.tif",
            Tiff::new(64, 32, 1, 1)
                .with(258, &[16])
                .strips(&row(64, &[&[0xff, 0x80], &[0xff, 0xff]]), 32)
                .bytes(),
            r#"{"colour": "gray", "bits": 16}"#,
            [[128, 128, 128, 255], WHITE],
        ),
        Case::shown(
            "ycbcr.tif",
            Tiff::new(64, 32, 6, 3)
                .with(530, &[1, 1])
                .strips(&row(64, &[&[76, 85, 255], &[29, 255, 107]]), 32)
                .bytes(),
            r#"{"colour": "rgb"}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "jpeg.tif",
            Tiff::new(64, 32, 6, 3)
                .with(259, &[7])
                .chunk(Jpeg::new(64, 32, &[[76, 85, 255], [29, 255, 107]]).bytes())
                .bytes(),
            r#"{"colour": "rgb", "depth": "full"}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "deflate.tif",
            Tiff::new(64, 32, 2, 3)
                .with(259, &[8])
                .chunk(deflated(&red_blue.repeat(32)))
                .bytes(),
            r#"{"depth": "full"}"#,
            [RED, BLUE],
        ),
    ]
}

/// Header only.
fn headers() -> Vec<Case> {
    vec![
        Case::header(
            "palette.tif",
            Tiff::new(64, 32, 3, 1)
                .with(320, &[0; 768])
                .strips(&[1; 64], 32)
                .bytes(),
            r#"{"colour": "indexed", "depth": "header", "width": 64, "unreadable": null}"#,
        ),
        Case::header(
            "lab.tif",
            Tiff::new(64, 32, 8, 3).strips(&[1; 192], 32).bytes(),
            r#"{"colour": "lab", "depth": "header", "unreadable": null}"#,
        ),
        Case::header(
            "zstd.tif",
            Tiff::new(64, 32, 2, 3)
                .with(259, &[50_000])
                .chunk(vec![1, 2, 3])
                .bytes(),
            r#"{"depth": "header", "width": 64, "height": 32, "unreadable": null}"#,
        ),
        Case::header(
            "one-strip-of-1200-megabytes.tif",
            Tiff::new(20_000, 20_000, 2, 3).chunk(vec![0; 100]).bytes(),
            r#"{"depth": "header", "unreadable": null}"#,
        ),
    ]
}

/// Structures without end, and lies about sizes.
fn refused() -> Vec<Case> {
    let red_blue = row(64, &[&RED[..3], &BLUE[..3]]);
    vec![
        Case::unreadable(
            "many-strips.tif",
            Tiff::new(8, 1_000_000, 1, 1)
                .with(278, &[1])
                .many_chunks(1_000_000)
                .bytes(),
            r#"{"unreadable": {"reason": "damaged"}}"#,
        ),
        Case::unreadable(
            "circle.tif",
            Tiff::new(64, 32, 2, 3)
                .strips(&red_blue, 32)
                .circular()
                .bytes(),
            r#"{"unreadable": {"reason": "damaged"}}"#,
        ),
        Case::unreadable(
            "far-offset.tif",
            Tiff::new(64, 32, 2, 3).many_chunks(1).bytes(),
            r#"{"unreadable": {"reason": "damaged", "detail": "the file ends early"}}"#,
        ),
        Case::unreadable(
            "gigapixels.tif",
            Tiff::new(50_000, 50_000, 2, 3).chunk(vec![0; 100]).bytes(),
            r#"{"unreadable": {"reason": "megapixels", "limit": 400}}"#,
        ),
    ]
}

/// CMYK in tiles of 16 x 16, which extend beyond the picture; red and blue.
fn tiles() -> Vec<u8> {
    let mut tiff = Tiff::new(40, 40, 5, 4).with(322, &[16]).with(323, &[16]);
    tiff.is_tiled = true;
    for tile in 0..9 {
        let pixels = (0..256_u32).flat_map(|index| {
            let x = tile % 3 * 16 + index % 16;
            if x < 20 {
                [0, 255, 255, 0]
            } else {
                [255, 255, 0, 0]
            }
        });
        tiff = tiff.chunk(pixels.collect());
    }
    tiff.bytes()
}

fn planes() -> Vec<u8> {
    let plane = |values: [u8; 2]| row(64, &[&values[..1], &values[1..]]).repeat(32);
    Tiff::new(64, 32, 2, 3)
        .with(284, &[2])
        .chunk(plane([255, 0]))
        .chunk(plane([0, 0]))
        .chunk(plane([0, 255]))
        .bytes()
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Little-endian file with one directory. All values are 32 bits long.
struct Tiff {
    entries: Vec<(u16, Vec<u32>)>,
    chunks: Vec<Vec<u8>>,
    /// Number of further chunks behind the end of the file.
    missing: usize,
    is_tiled: bool,
    is_circular: bool,
}

impl Tiff {
    fn new(width: u32, height: u32, photometric: u32, samples: u32) -> Self {
        let entries = [
            (256, width),
            (257, height),
            (258, 8),
            (259, 1),
            (262, photometric),
            (277, samples),
            (278, height),
        ];
        Self {
            entries: entries.map(|(tag, value)| (tag, vec![value])).to_vec(),
            chunks: Vec::new(),
            missing: 0,
            is_tiled: false,
            is_circular: false,
        }
    }

    fn with(mut self, tag: u16, values: &[u32]) -> Self {
        self.entries.retain(|(other, _)| *other != tag);
        self.entries.push((tag, values.to_vec()));
        self
    }

    fn chunk(mut self, bytes: Vec<u8>) -> Self {
        self.chunks.push(bytes);
        self
    }

    fn many_chunks(mut self, count: usize) -> Self {
        self.missing = count;
        self
    }

    fn circular(mut self) -> Self {
        self.is_circular = true;
        self
    }

    /// Repeats `row` in all rows, in strips of up to `rows` rows.
    fn strips(mut self, row: &[u8], rows: u32) -> Self {
        let height = self.entries[1].1[0];
        for top in (0..height).step_by(usize::try_from(rows).unwrap()) {
            let rows = rows.min(height - top);
            self.chunks.push(row.repeat(usize::try_from(rows).unwrap()));
        }
        self.with(278, &[rows])
    }

    fn bytes(mut self) -> Vec<u8> {
        let mut bytes = b"II*\0\0\0\0\0".to_vec();
        let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
        for chunk in &self.chunks {
            offsets.push(length(&bytes));
            lengths.push(length(chunk));
            bytes.extend(chunk);
        }
        offsets.extend(vec![0x7fff_0000; self.missing]);
        lengths.extend(vec![8; self.missing]);
        let (offsets_tag, lengths_tag) = if self.is_tiled {
            (324, 325)
        } else {
            (273, 279)
        };
        self.entries.push((offsets_tag, offsets));
        self.entries.push((lengths_tag, lengths));
        if self.is_tiled {
            self.entries.retain(|(tag, _)| *tag != 278);
        }
        self.entries.sort();
        let mut places = Vec::new();
        for (_, values) in &self.entries {
            places.push(length(&bytes));
            if values.len() > 1 {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
        }
        let directory = length(&bytes);
        bytes.extend(u16::try_from(self.entries.len()).unwrap().to_le_bytes());
        for ((tag, values), place) in self.entries.iter().zip(places) {
            let value = if values.len() == 1 { values[0] } else { place };
            bytes.extend(tag.to_le_bytes());
            // The decoder takes numbers of 32 bits for all tags but that of further samples.
            let kind = if *tag == 338 { 3_u16 } else { 4 };
            bytes.extend(kind.to_le_bytes());
            bytes.extend(u32::try_from(values.len()).unwrap().to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        let next = if self.is_circular { directory } else { 0 };
        bytes.extend(next.to_le_bytes());
        bytes[4..8].copy_from_slice(&directory.to_le_bytes());
        bytes
    }
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap()
}
