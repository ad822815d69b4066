//! Shrinking by averages: each cell of the result is the mean of the pixels that it covers.

/// Sums of pixels in a grid of cells that covers a larger source. Rows may come in any order, and
/// with gaps that later rows fill, so an interlaced file needs no complete source in memory.
pub(crate) struct Cells {
    source: (u32, u32),
    size: (u32, u32),
    /// Sums of the row that is being added, `channels` for each column.
    line: Vec<f32>,
    /// Sums of all cells, row by row.
    sums: Vec<f32>,
}

impl Cells {
    /// Returns empty cells for a source of `width` x `height` pixels, so many that the longer side
    /// has up to `longest` cells, and no more cells than pixels.
    pub(crate) fn new(width: u32, height: u32, channels: usize, longest: u32) -> Self {
        let size = fit(width, height, longest);
        let columns = to_usize(size.0) * channels;
        Self {
            source: (width, height),
            size,
            line: vec![0.0; columns],
            sums: vec![0.0; columns * to_usize(size.1)],
        }
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns the mean of each cell, `channels` values for each, row by row.
    pub(crate) fn means(&self) -> &[f32] {
        &self.sums
    }

    /// Adds `pixels` of row `y`, which are at `start`, `start + step` and so on. `N` is the number
    /// of channels. Pixels outside of the source are ignored.
    pub(crate) fn add_row<const N: usize>(
        &mut self,
        y: u32,
        start: u32,
        step: u32,
        pixels: impl Iterator<Item = [f32; N]>,
    ) {
        self.line.fill(0.0);
        let (line, _) = self.line.as_chunks_mut::<N>();
        let mut spans = Spans::new(self.source.0, self.size.0, start, step);
        let whole = spans.whole();
        // Most pixels lie in one cell: they are summed first, and weighted once for each cell.
        let mut sum = [0.0; N];
        let mut cell = spans.cell;
        for pixel in pixels {
            let span = spans.next_span();
            if span.cell != cell {
                put(line, cell, &sum, whole);
                (cell, sum) = (span.cell, [0.0; N]);
            }
            if span.first == 1.0 {
                add(&mut sum, &pixel, 1.0);
            } else {
                add(&mut sum, &pixel, span.first);
                put(line, cell, &sum, whole);
                (cell, sum) = (cell + 1, [0.0; N]);
                add(&mut sum, &pixel, 1.0 - span.first);
            }
        }
        put(line, cell, &sum, whole);
        let mut spans = Spans::new(self.source.1, self.size.1, y, 1);
        let (span, whole) = (spans.next_span(), spans.whole());
        let mut rows = self.sums.chunks_exact_mut(self.line.len()).skip(span.cell);
        for share in [span.first, 1.0 - span.first] {
            if let Some(row) = rows.next()
                && share > 0.0
            {
                add(row, &self.line, share * whole);
            }
        }
    }
}

fn add(sums: &mut [f32], values: &[f32], share: f32) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value * share;
    }
}

/// Adds `sum` to a cell of `line`; a cell beyond its end gets nothing.
fn put<const N: usize>(line: &mut [[f32; N]], cell: usize, sum: &[f32; N], share: f32) {
    if let Some(cell) = line.get_mut(cell) {
        add(cell, sum, share);
    }
}

/// Returns the largest size with the proportions of `width` x `height` in which neither side is
/// above `longest`; never larger than the source, and at least 1 x 1.
fn fit(width: u32, height: u32, longest: u32) -> (u32, u32) {
    let longer = u64::from(width.max(height));
    if longer <= u64::from(longest) {
        return (width.max(1), height.max(1));
    }
    let scaled = |side: u32| {
        let rounded = (u64::from(side) * u64::from(longest) + longer / 2) / longer;
        u32::try_from(rounded).unwrap_or(longest).max(1)
    };
    (scaled(width), scaled(height))
}

/// The cell that a pixel begins in, and the share of the pixel in it; the rest is in the next cell.
/// A pixel is never larger than a cell.
struct Span {
    cell: usize,
    first: f32,
}

/// Spans of pixels at regular distances along one axis, in integers of 1 / (`source` x `cells`), so
/// that rounding errors do not add up.
struct Spans {
    source: u64,
    cells: u64,
    position: u64,
    step: u64,
    cell: usize,
    end: u64,
}

impl Spans {
    fn new(source: u32, cells: u32, start: u32, step: u32) -> Self {
        let (source, cells) = (u64::from(source.max(1)), u64::from(cells));
        let position = u64::from(start) * cells;
        let cell = position / source;
        Self {
            source,
            cells,
            position,
            step: u64::from(step) * cells,
            cell: usize::try_from(cell).unwrap_or(usize::MAX),
            end: (cell + 1) * source,
        }
    }

    fn next_span(&mut self) -> Span {
        while self.position >= self.end {
            self.end += self.source;
            self.cell += 1;
        }
        let left = self.end - self.position;
        let first = match left >= self.cells {
            true => 1.0,
            false => ratio(left, self.cells),
        };
        self.position += self.step;
        Span {
            cell: self.cell,
            first,
        }
    }

    /// Returns the part of a cell that a pixel fills.
    fn whole(&self) -> f32 {
        ratio(self.cells, self.source)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an error of 1 / 2^24 is invisible"
)]
fn ratio(part: u64, whole: u64) -> f32 {
    part as f32 / whole as f32
}

pub(crate) fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_fit_and_keep_their_proportions() {
        let table = [
            ((100, 50), (100, 50)),
            ((4200, 4800), (1400, 1600)),
            ((400_000_000, 1), (1600, 1)),
            ((1, 3200), (1, 1600)),
            ((1601, 1600), (1600, 1599)),
        ];
        for ((width, height), size) in table {
            assert_eq!(fit(width, height, 1600), size, "{width} x {height}");
        }
    }

    #[test]
    fn a_cell_is_the_mean_of_its_pixels_in_any_order_of_rows() {
        // 5 x 3 pixels in 3 x 2 cells.
        let rows = [
            [0.0, 3.0, 6.0, 9.0, 12.0],
            [1.0; 5],
            [0.0, 0.0, 15.0, 0.0, 0.0],
        ];
        let mut cells = Cells::new(5, 3, 1, 3);
        assert_eq!(cells.size(), (3, 2));
        for y in [2_u32, 0, 1] {
            // Even columns first, as an interlaced file does.
            for start in [0_u32, 1] {
                let row = rows[to_usize(y)].iter().skip(to_usize(start));
                cells.add_row(y, start, 2, row.step_by(2).map(|value| [*value]));
            }
        }
        // The first cell has columns 0 and 2/3 of 1, rows 0 and half of 1.
        let expected = [
            (2.0 * (3.0 * 2.0 / 3.0) / (5.0 / 3.0) + 1.0) / 3.0,
            (2.0 * (3.0 / 3.0 + 6.0 + 9.0 / 3.0) / (5.0 / 3.0) + 1.0) / 3.0,
            (2.0 * (9.0 * 2.0 / 3.0 + 12.0) / (5.0 / 3.0) + 1.0) / 3.0,
            1.0 / 3.0,
            (2.0 * 15.0 / (5.0 / 3.0) + 1.0) / 3.0,
            1.0 / 3.0,
        ];
        for (mean, expected) in cells.means().iter().zip(expected) {
            assert!((mean - expected).abs() < 1e-5, "{mean} {expected}");
        }
    }
}
