//! Picture in memory, small enough for a preview.

use super::cells::to_usize;

/// Pixels in sRGB with 8 bits a channel and alpha, not multiplied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<[u8; 4]>,
}

impl Picture {
    pub(crate) fn new(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Self {
        Self {
            width,
            height,
            pixels,
        }
    }

    pub(crate) fn is_opaque(&self) -> bool {
        self.pixels.iter().all(|[.., alpha]| *alpha == 255)
    }

    /// Returns the picture as it is to be seen, if a camera held it in `orientation` of EXIF.
    pub(crate) fn upright(self, orientation: u8) -> Self {
        if !(2..=8).contains(&orientation) {
            return self;
        }
        let is_turned = orientation >= 5;
        let (width, height) = match is_turned {
            true => (self.height, self.width),
            false => (self.width, self.height),
        };
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for y in 0..height {
            for x in 0..width {
                let (right, bottom) = (width - 1 - x, height - 1 - y);
                let (source_x, source_y) = match orientation {
                    2 => (right, y),
                    3 => (right, bottom),
                    4 => (x, bottom),
                    5 => (y, x),
                    6 => (y, right),
                    7 => (bottom, right),
                    _ => (bottom, x),
                };
                let index = to_usize(source_y) * to_usize(self.width) + to_usize(source_x);
                pixels.push(self.pixels.get(index).copied().unwrap_or_default());
            }
        }
        Self::new(width, height, pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_orientation_is_turned_upright() {
        // The letters a to f in 2 rows of 3, as the sensor saw them.
        let table = [
            (1, 3, "abcdef"),
            (2, 3, "cbafed"),
            (3, 3, "fedcba"),
            (4, 3, "defabc"),
            (5, 2, "adbecf"),
            (6, 2, "daebfc"),
            (7, 2, "fcebda"),
            (8, 2, "cfbead"),
        ];
        for (orientation, width, expected) in table {
            let pixels = "abcdef".bytes().map(|letter| [letter, 0, 0, 255]).collect();
            let upright = Picture::new(3, 2, pixels).upright(orientation);
            let letters: String = upright
                .pixels
                .iter()
                .map(|[letter, ..]| char::from(*letter))
                .collect();
            assert_eq!(
                (upright.width, letters.as_str()),
                (width, expected),
                "{orientation}"
            );
        }
    }
}
