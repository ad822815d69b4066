//! Rules of a print area for its print files: format, size, resolution, proportions and colours.
//!
//! Fields of [`PrintAreaParts`] are empty or `None` for a default. The methods here return the
//! value in force.

use super::area::{AreaError, PrintAreaParts};
use crate::check::checked::rules_broken;
use crate::check::limits;
use crate::value::{ColourModel, FileFormat, Tenths};

/// Tenths of a millimetre in an inch.
const TENTHS_OF_INCH: u64 = 254;

impl PrintAreaParts {
    /// Formats that an area can ask for.
    pub const POSSIBLE_FORMATS: [FileFormat; 9] = [
        FileFormat::Png,
        FileFormat::Jpeg,
        FileFormat::Tiff,
        FileFormat::Webp,
        FileFormat::Svg,
        FileFormat::Pdf,
        FileFormat::Psd,
        FileFormat::Ai,
        FileFormat::Eps,
    ];
    /// Default of `formats`: all formats whose content is checked, and not only their header.
    pub const USUAL_FORMATS: [FileFormat; 6] = [
        FileFormat::Png,
        FileFormat::Jpeg,
        FileFormat::Tiff,
        FileFormat::Webp,
        FileFormat::Svg,
        FileFormat::Pdf,
    ];
    /// Colour models that an area can ask for. A palette ([`ColourModel::Indexed`]) is RGB.
    pub const POSSIBLE_COLOURS: [ColourModel; 3] =
        [ColourModel::Rgb, ColourModel::Cmyk, ColourModel::Gray];
    /// Default of `dpi`.
    pub const USUAL_DPI: u32 = 300;
    /// Default of `aspect_tolerance`: 1 percent.
    pub const USUAL_ASPECT_TOLERANCE: Tenths = Tenths::whole(1);

    /// Returns the formats that a print file can have.
    pub fn accepted_formats(&self) -> &[FileFormat] {
        match self.formats.as_slice() {
            [] => &Self::USUAL_FORMATS,
            formats => formats,
        }
    }

    /// Returns the maximum size of a print file, in bytes.
    pub fn max_bytes(&self) -> u64 {
        u64::from(self.max_mb.unwrap_or(limits::PRINT_FILE_MB)) * 1_000_000
    }

    /// Returns the resolution in which the area should be printed, in dots per inch.
    pub fn asked_dpi(&self) -> u32 {
        self.dpi.unwrap_or(Self::USUAL_DPI)
    }

    /// Returns the resolution below which a print file is unfit, in dots per inch. Half of an odd
    /// number is rounded down.
    pub fn lowest_dpi(&self) -> u32 {
        self.min_dpi.unwrap_or(self.asked_dpi() / 2)
    }

    /// Returns the tolerance for the proportions of a print file, in percent.
    pub fn proportion_tolerance(&self) -> Tenths {
        self.aspect_tolerance
            .unwrap_or(Self::USUAL_ASPECT_TOLERANCE)
    }

    /// Returns width and height that a print file should have, in pixels: `width` and `height`,
    /// else the millimetres with bleed on each side at the resolution that the area asks for,
    /// rounded to whole pixels. `None` if the area states neither pair: then nothing about the size
    /// of a file can be checked.
    ///
    /// ```
    /// use pressline_domain::catalog::PrintAreaParts;
    /// use pressline_domain::value::Tenths;
    ///
    /// let mut area = PrintAreaParts::named("print", "Print");
    /// assert_eq!(area.required_pixels(), None);
    /// area.width_mm = Some(Tenths::whole(210));
    /// area.height_mm = Some(Tenths::whole(297));
    /// area.bleed_mm = Some(Tenths::whole(3));
    /// assert_eq!(area.required_pixels(), Some((2551, 3579)));
    /// ```
    pub fn required_pixels(&self) -> Option<(u32, u32)> {
        if let (Some(width), Some(height)) = (self.width, self.height) {
            return Some((width, height));
        }
        let (width, height) = self.millimetres()?;
        let bleed = u64::from(self.bleed_mm.unwrap_or_default().tenths());
        let pixels = |length: Tenths| {
            let tenths = u64::from(length.tenths()) + 2 * bleed;
            let pixels = tenths * u64::from(self.asked_dpi());
            // Half of the divisor more rounds to the nearest pixel.
            let rounded = (pixels + TENTHS_OF_INCH / 2) / TENTHS_OF_INCH;
            u32::try_from(rounded.max(1)).unwrap_or(u32::MAX)
        };
        Some((pixels(width), pixels(height)))
    }

    /// Returns width and height without bleed; `None` unless both are known.
    pub(crate) fn millimetres(&self) -> Option<(Tenths, Tenths)> {
        Some((self.width_mm?, self.height_mm?))
    }

    pub(super) fn broken_file_rules(&self) -> Vec<AreaError> {
        let is_length = |length: Option<Tenths>| {
            let range = Tenths::whole(1)..=Tenths::whole(limits::AREA_MM);
            length.is_none_or(|length| range.contains(&length))
        };
        let is_up_to = |number: Option<Tenths>, limit| {
            number.is_none_or(|number| number <= Tenths::whole(limit))
        };
        let is_size =
            |mb: Option<u32>| mb.is_none_or(|mb| (1..=limits::PRINT_FILE_MB).contains(&mb));
        let is_dpi = |dpi: Option<u32>| {
            dpi.is_none_or(|dpi| (limits::LOWEST_DPI..=limits::HIGHEST_DPI).contains(&dpi))
        };
        let asked = self.asked_dpi();
        let is_lowest = |dpi: Option<u32>| dpi.is_none_or(|dpi| (1..=asked).contains(&dpi));
        rules_broken([
            (
                !are_among(&self.formats, &Self::POSSIBLE_FORMATS),
                AreaError::Formats,
            ),
            (!is_size(self.max_mb), AreaError::MaxMb),
            (!is_length(self.width_mm), AreaError::WidthMm),
            (!is_length(self.height_mm), AreaError::HeightMm),
            (!is_dpi(self.dpi), AreaError::Dpi),
            (!is_lowest(self.min_dpi), AreaError::MinDpi(asked)),
            (
                !is_up_to(self.aspect_tolerance, limits::ASPECT_TOLERANCE),
                AreaError::AspectTolerance,
            ),
            (
                !are_among(&self.colours, &Self::POSSIBLE_COLOURS),
                AreaError::Colours,
            ),
            (
                !is_up_to(self.bleed_mm, limits::BLEED_MM),
                AreaError::BleedMm,
            ),
        ])
    }
}

/// Returns whether `values` has only values of `possible`, each at most once.
fn are_among<T: PartialEq>(values: &[T], possible: &[T]) -> bool {
    // The length is checked first: comparing each value with all others takes quadratic time.
    values.len() <= possible.len()
        && values.iter().enumerate().all(|(position, value)| {
            let mut earlier = values.iter().take(position);
            possible.contains(value) && earlier.all(|other| other != value)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::checked::Rules;

    fn area(change: impl FnOnce(&mut PrintAreaParts)) -> PrintAreaParts {
        let mut area = PrintAreaParts::named("front", "Front");
        change(&mut area);
        area
    }

    #[test]
    fn each_rule_holds_at_its_bounds_and_is_broken_beyond() {
        type Case = (fn(&mut PrintAreaParts, u32), [u32; 2], Vec<u32>, AreaError);
        let cases: [Case; 7] = [
            (
                |a, n| a.max_mb = Some(n),
                [1, 200],
                vec![0, 201],
                AreaError::MaxMb,
            ),
            (
                |a, n| a.width_mm = Some(Tenths::new(n)),
                [10, 100_000],
                vec![0, 9, 100_001],
                AreaError::WidthMm,
            ),
            (
                |a, n| a.height_mm = Some(Tenths::new(n)),
                [10, 100_000],
                vec![0, 9, 100_001],
                AreaError::HeightMm,
            ),
            (
                |a, n| a.dpi = Some(n),
                [36, 2400],
                vec![0, 35, 2401],
                AreaError::Dpi,
            ),
            (
                |a, n| (a.dpi, a.min_dpi) = (Some(150), Some(n)),
                [1, 150],
                vec![0, 151],
                AreaError::MinDpi(150),
            ),
            (
                |a, n| a.aspect_tolerance = Some(Tenths::new(n)),
                [0, 500],
                vec![501],
                AreaError::AspectTolerance,
            ),
            (
                |a, n| a.bleed_mm = Some(Tenths::new(n)),
                [0, 500],
                vec![501],
                AreaError::BleedMm,
            ),
        ];
        for (set, bounds, beyond, rule) in cases {
            for number in bounds {
                assert_eq!(area(|a| set(a, number)).broken(), [], "{rule:?} {number}");
            }
            for number in beyond {
                assert_eq!(area(|a| set(a, number)).broken(), [rule], "{number}");
            }
        }
        // Half of the lowest resolution is below the lowest value of `dpi`.
        assert_eq!(area(|a| a.dpi = Some(37)).lowest_dpi(), 18);
    }

    #[test]
    fn lists_have_each_possible_value_at_most_once() {
        use FileFormat::{Gif, Png};
        let formats = |formats: &[FileFormat]| area(|a| a.formats = formats.to_vec()).broken();
        assert_eq!(formats(&PrintAreaParts::POSSIBLE_FORMATS), []);
        assert_eq!(formats(&[Png, Png]), [AreaError::Formats]);
        assert_eq!(formats(&[Gif]), [AreaError::Formats]);
        let colours = |colours: &[ColourModel]| area(|a| a.colours = colours.to_vec()).broken();
        assert_eq!(colours(&PrintAreaParts::POSSIBLE_COLOURS), []);
        assert_eq!(colours(&[ColourModel::Lab]), [AreaError::Colours]);
        assert_eq!(colours(&[ColourModel::Rgb; 2]), [AreaError::Colours]);
    }

    #[test]
    fn required_pixels_are_those_stated_or_follow_from_the_millimetres() {
        let mm = |a: &mut PrintAreaParts, width, height| {
            a.width_mm = Some(Tenths::new(width));
            a.height_mm = Some(Tenths::new(height));
        };
        type Case = (&'static str, PrintAreaParts, Option<(u32, u32)>);
        let cases: [Case; 6] = [
            ("nothing", area(|_| ()), None),
            ("one length", area(|a| a.width = Some(10)), None),
            ("an inch", area(|a| mm(a, 254, 254)), Some((300, 300))),
            (
                "bleed on both sides, at 72 dpi",
                area(|a| {
                    mm(a, 254, 2540);
                    (a.dpi, a.bleed_mm) = (Some(72), Some(Tenths::new(127)));
                }),
                Some((144, 792)),
            ),
            (
                "rounded to the nearest: 11.81 and 35.43",
                area(|a| mm(a, 10, 30)),
                Some((12, 35)),
            ),
            (
                "pixels before millimetres",
                area(|a| {
                    mm(a, 254, 254);
                    (a.width, a.height) = (Some(7), Some(9));
                }),
                Some((7, 9)),
            ),
        ];
        for (what, area, pixels) in cases {
            assert_eq!(area.required_pixels(), pixels, "{what}");
        }
    }
}
