//! Width and height in any unit, and comparing their proportions exactly.

use std::fmt;

use super::facts::BoxSize;

/// Width and height in the same unit, both positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    width: u64,
    height: u64,
}

/// Largest number in the text of proportions that is written exactly.
const LONGEST: u64 = 9_999;

impl Extent {
    /// Returns `None` if width or height is 0.
    pub(super) fn new(width: u32, height: u32) -> Option<Self> {
        let (width, height) = (u64::from(width), u64::from(height));
        (width > 0 && height > 0).then_some(Self { width, height })
    }

    /// Returns a size with three decimals. `None` if width or height is not a positive number, or
    /// larger than any box of a file.
    pub(super) fn of_box(size: BoxSize) -> Option<Self> {
        let width = thousandths(size.width)?;
        let height = thousandths(size.height)?;
        Some(Self { width, height })
    }

    pub(super) fn turned(self) -> Self {
        Self {
            width: self.height,
            height: self.width,
        }
    }

    /// Returns whether the quotient of both proportions differs from 1 by more than `tenths` tenths
    /// of a percent. The order of the two does not matter.
    pub(super) fn differs(self, other: Self, tenths: u32) -> bool {
        let one = u128::from(self.width) * u128::from(other.height);
        let two = u128::from(self.height) * u128::from(other.width);
        let (small, large) = (one.min(two), one.max(two));
        (large - small) * 1000 > small * u128::from(tenths)
    }
}

/// The proportions and their quotient, such as `7:8 (0.875)`.
impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = self.reduced();
        let shown = match exact.width.max(exact.height) {
            ..=LONGEST => exact,
            _ => exact.rounded().reduced(),
        };
        let quotient = self.width as f64 / self.height as f64;
        write!(f, "{}:{} ({quotient:.3})", shown.width, shown.height)
    }
}

impl Extent {
    fn reduced(self) -> Self {
        let (mut divisor, mut rest) = (self.width, self.height);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Self {
            width: self.width / divisor,
            height: self.height / divisor,
        }
    }

    /// Returns the size in a unit that is a hundred times as large.
    fn rounded(self) -> Self {
        let hundreds = |length: u64| (length.saturating_add(50) / 100).max(1);
        Self {
            width: hundreds(self.width),
            height: hundreds(self.height),
        }
    }
}

/// Also bounds the products of lengths.
const LARGEST_BOX: f64 = 1e9;

fn thousandths(length: f64) -> Option<u64> {
    // The comparisons are false for NaN.
    if !(0.001..=LARGEST_BOX).contains(&length) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the length is positive and at most LARGEST_BOX"
    )]
    let thousandths = (length * 1000.0).round() as u64;
    Some(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(width: u32, height: u32) -> Extent {
        Extent::new(width, height).unwrap()
    }

    #[test]
    fn proportions_differ_beyond_the_tolerance_in_both_directions() {
        let square = extent(1000, 1000);
        for (width, tenths, differs) in [
            (1000, 0, false),
            (1001, 0, true),
            (1010, 10, false),
            (1011, 10, true),
            (1500, 500, false),
            (1501, 500, true),
        ] {
            let wide = extent(width, 1000);
            for (one, two) in [
                (wide, square),
                (square, wide),
                (wide.turned(), square),
                (square, wide.turned()),
            ] {
                assert_eq!(one.differs(two, tenths), differs, "{width} {tenths}");
            }
        }
    }

    #[test]
    fn proportions_are_shown_in_lowest_terms() {
        let mm = |width, height| Extent::of_box(BoxSize { width, height }).unwrap();
        assert_eq!(extent(4200, 4800).to_string(), "7:8 (0.875)");
        assert_eq!(extent(1201, 1400).to_string(), "1201:1400 (0.858)");
        assert_eq!(extent(100_003, 50_000).to_string(), "2:1 (2.000)");
        assert_eq!(mm(210.0, 297.0).to_string(), "70:99 (0.707)");
        assert_eq!(mm(209.903, 297.039).to_string(), "2099:2970 (0.707)");
    }

    #[test]
    fn only_positive_numbers_are_lengths() {
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 2e9] {
            let size = BoxSize {
                width: wrong,
                height: 1.0,
            };
            assert_eq!(Extent::of_box(size), None, "{wrong}");
        }
        assert_eq!(Extent::new(0, 1), None);
    }
}
