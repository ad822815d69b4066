//! Facts about pixels, gathered while rows arrive.

use pressline_domain::media::{Alpha, PixelBounds};

/// Two pixels look the same if no channel differs by more than this, of 255: the noise of JPEG.
const TOLERANCE: u8 = 2;

/// Common properties of an image's pixels.
pub(crate) struct Survey {
    size: (u32, u32),
    /// Lowest and highest value of each channel, alpha last if there is one. Colours of transparent
    /// pixels do not count. At most four inks and alpha.
    ranges: [Range; 5],
    has_alpha: bool,
    is_transparent: bool,
    /// Left, top, right and bottom of the visible pixels, inclusive.
    visible: Option<[u32; 4]>,
}

#[derive(Clone, Copy)]
struct Range {
    low: u8,
    high: u8,
}

impl Range {
    const EMPTY: Self = Self { low: 255, high: 0 };

    fn add(&mut self, value: u8) {
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    fn is_wide(self) -> bool {
        self.high.saturating_sub(self.low) > TOLERANCE
    }
}

impl Survey {
    pub(crate) fn new(width: u32, height: u32, has_alpha: bool) -> Self {
        Self {
            size: (width, height),
            ranges: [Range::EMPTY; 5],
            has_alpha,
            is_transparent: false,
            visible: None,
        }
    }

    /// Adds `pixels` of row `y`, which are at `start`, `start + step` and so on.
    pub(crate) fn add_row<const N: usize>(
        &mut self,
        y: u32,
        start: u32,
        step: u32,
        pixels: &[[u8; N]],
    ) {
        if self.has_alpha {
            self.add_alpha(y, start, step, pixels);
        }
        // One wide range decides, which saves time for nearly all images.
        if self.has_wide_range() {
            return;
        }
        let mut previous = None;
        for pixel in pixels {
            // Designs have long runs of one colour.
            if previous.replace(pixel) == Some(pixel) {
                continue;
            }
            let is_hidden = self.has_alpha && pixel.last() == Some(&0);
            let skipped = if is_hidden { N - 1 } else { 0 };
            for (range, value) in self.ranges.iter_mut().zip(pixel).skip(skipped) {
                range.add(*value);
            }
        }
    }

    fn add_alpha<const N: usize>(&mut self, y: u32, start: u32, step: u32, pixels: &[[u8; N]]) {
        let is_visible = |pixel: &[u8; N]| pixel.last().is_some_and(|alpha| *alpha > 0);
        if !self.is_transparent {
            let mut alphas = pixels.iter().filter_map(|pixel| pixel.last());
            self.is_transparent = alphas.any(|alpha| *alpha < 255);
        }
        let first = pixels.iter().position(is_visible);
        let last = pixels.iter().rposition(is_visible);
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let column = |index: usize| {
            let offset = u32::try_from(index)
                .unwrap_or(u32::MAX)
                .saturating_mul(step);
            start.saturating_add(offset)
        };
        let row = [column(first), y, column(last), y];
        self.visible = Some(match self.visible {
            None => row,
            Some([left, top, right, bottom]) => [
                left.min(column(first)),
                top.min(y),
                right.max(column(last)),
                bottom.max(y),
            ],
        });
    }

    fn has_wide_range(&self) -> bool {
        self.ranges.iter().any(|range| range.is_wide())
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        self.size
    }

    pub(crate) fn alpha(&self) -> Alpha {
        match (self.has_alpha, self.is_transparent) {
            (false, _) => Alpha::None,
            (true, false) => Alpha::Unused,
            (true, true) => Alpha::Used,
        }
    }

    /// Returns the bounds of the visible pixels; `None` if all are transparent.
    pub(crate) fn content(&self) -> Option<PixelBounds> {
        if !self.has_alpha {
            let (width, height) = self.size;
            return Some(PixelBounds {
                x: 0,
                y: 0,
                width,
                height,
            });
        }
        self.visible.map(|[left, top, right, bottom]| PixelBounds {
            x: left,
            y: top,
            width: right - left + 1,
            height: bottom - top + 1,
        })
    }

    /// Returns whether all pixels are transparent, or look the same.
    pub(crate) fn is_blank(&self) -> bool {
        self.content().is_none() || !self.has_wide_range()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(rows: &[&[[u8; 4]]]) -> Survey {
        let mut survey = Survey::new(3, 2, true);
        for (y, row) in (0..).zip(rows) {
            survey.add_row(y, 0, 1, row);
        }
        survey
    }

    #[test]
    fn blank_files_are_transparent_or_of_one_colour() {
        let (clear, red, almost) = ([9, 9, 9, 0], [200, 0, 0, 255], [202, 1, 2, 255]);
        let table: [(&[[u8; 4]], Alpha, bool); 5] = [
            (&[clear, [0; 4], [0; 4]], Alpha::Used, true),
            (&[red, almost, red], Alpha::Unused, true),
            (&[red, [203, 0, 0, 255], red], Alpha::Unused, false),
            // A shape of one colour on a transparent ground.
            (&[clear, red, red], Alpha::Used, false),
            // Equally translucent everywhere.
            (&[[7, 7, 7, 100]; 3], Alpha::Used, true),
        ];
        for (row, alpha, blank) in table {
            let survey = survey(&[row, row]);
            assert_eq!(
                (survey.alpha(), survey.is_blank()),
                (alpha, blank),
                "{row:?}"
            );
        }
    }

    #[test]
    fn content_is_what_is_visible() {
        let (clear, faint) = ([0; 4], [0, 0, 0, 1]);
        let bounds = survey(&[&[clear, faint, clear], &[clear, clear, faint]]).content();
        let expected = PixelBounds {
            x: 1,
            y: 0,
            width: 2,
            height: 2,
        };
        assert_eq!(bounds, Some(expected));
        assert_eq!(survey(&[&[clear; 3], &[clear; 3]]).content(), None);
    }
}
