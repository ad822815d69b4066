//! Reads thumbnails and previews back.

use std::io::Cursor;

use pressline_backoffice::media::{FileImage, ImageFormat};

pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Red, green, blue and alpha.
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Returns the colours in the middle of the left and of the right half.
    pub(crate) fn halves(&self) -> [[u8; 4]; 2] {
        [1, 3].map(|quarter| {
            let index = (self.height / 2) * self.width + self.width * quarter / 4;
            self.pixels[usize::try_from(index).unwrap()]
        })
    }
}

pub(crate) fn read(image: &FileImage) -> Picture {
    match image.format {
        ImageFormat::Jpeg => {
            let mut decoder = jpeg_decoder::Decoder::new(image.bytes.as_slice());
            let rgb = decoder.decode().unwrap();
            let info = decoder.info().unwrap();
            let (pixels, _) = rgb.as_chunks();
            Picture {
                width: info.width.into(),
                height: info.height.into(),
                pixels: pixels.iter().map(|[r, g, b]| [*r, *g, *b, 255]).collect(),
            }
        }
        ImageFormat::Png => {
            let decoder = png::Decoder::new(Cursor::new(&image.bytes));
            let mut reader = decoder.read_info().unwrap();
            let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut rgba).unwrap();
            let (pixels, _) = rgba.as_chunks();
            Picture {
                width: info.width,
                height: info.height,
                pixels: pixels.to_vec(),
            }
        }
    }
}
