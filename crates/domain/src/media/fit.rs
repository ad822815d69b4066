//! How a file fits the size of a print area: resolution, proportions and number of pixels.

use super::code::ProblemCode;
use super::extent::Extent;
use super::facts::{BoxSize, FileFacts};
use super::problem::FileProblem;
use crate::catalog::{PrintArea, PrintAreaParts};
use crate::value::{FileFormat, Tenths};

const MM_OF_INCH: f64 = 25.4;
/// Proportions are very wrong beyond this many times the tolerance, and beyond [`VERY_WRONG`].
const VERY_WRONG_TOLERANCES: u32 = 10;
/// Tenths of a percent.
const VERY_WRONG: u32 = 100;
/// A file with more than this many times the required pixels is oversized.
const OVERSIZED: u64 = 4;

/// Size that a file should have.
struct Target {
    /// Proportions.
    extent: Extent,
    pixels: (u32, u32),
    /// Printed width and height.
    inches: (f64, f64),
    dpi: u32,
}

/// Size that a file has.
struct Size {
    extent: Extent,
    kind: Kind,
    turned: bool,
}

enum Kind {
    /// Raster file.
    Pixels(u32, u32),
    /// Box of a vector file.
    Vector {
        size: BoxSize,
        unit: &'static str,
        /// Lowest resolution of an image in pixels per unit; `None` without images.
        scale: Option<f64>,
    },
}

/// Returns the effective dpi, and the problems with resolution, proportions and number of pixels.
/// Nothing is wrong with a file of unknown size, or for an area of unknown size.
pub(super) fn fit(area: &PrintArea, facts: &FileFacts) -> (Option<u32>, Vec<FileProblem>) {
    let (Some(target), Some(upright)) = (target(area, facts), size(facts)) else {
        return (None, Vec::new());
    };
    let tolerance = area.proportion_tolerance().tenths();
    let is_wrong = upright.extent.differs(target.extent, tolerance);
    let fits_turned = !upright.extent.turned().differs(target.extent, tolerance);
    let size = Size {
        turned: is_wrong && fits_turned,
        ..upright
    };
    let effective = effective_dpi(&target, &size);
    let problems = [
        effective.and_then(|dpi| resolution(&target, &size, dpi, area.lowest_dpi())),
        is_wrong.then(|| proportions(&target, &size, tolerance)),
        oversized(&target, &size),
    ];
    (effective, problems.into_iter().flatten().collect())
}

/// A trim box excludes the bleed, so it is compared with the area without bleed, if the area states
/// that size. All other files should fill the area with its bleed.
fn target(area: &PrintAreaParts, facts: &FileFacts) -> Option<Target> {
    let pixels = area.required_pixels()?;
    let dpi = area.asked_dpi();
    let states_pixels = area.width.is_some() && area.height.is_some();
    let has_trim_box = facts.pdf.as_ref().is_some_and(|pdf| pdf.trim_box.is_some());
    let trimmed = area
        .millimetres()
        .filter(|_| has_trim_box && !states_pixels);
    let (extent, inches) = match trimmed {
        Some((width, height)) => {
            let inches = |length: Tenths| length.as_f64() / MM_OF_INCH;
            let extent = Extent::new(width.tenths(), height.tenths())?;
            (extent, (inches(width), inches(height)))
        }
        None => {
            let inches = |length: u32| f64::from(length) / f64::from(dpi);
            let extent = Extent::new(pixels.0, pixels.1)?;
            (extent, (inches(pixels.0), inches(pixels.1)))
        }
    };
    Some(Target {
        extent,
        pixels,
        inches,
        dpi,
    })
}

fn size(facts: &FileFacts) -> Option<Size> {
    let (extent, kind) = if facts.format.is_raster() {
        let (width, height) = (facts.width?, facts.height?);
        (Extent::new(width, height)?, Kind::Pixels(width, height))
    } else {
        let (size, unit, scale) = vector(facts)?;
        (Extent::of_box(size)?, Kind::Vector { size, unit, scale })
    };
    Some(Size {
        extent,
        kind,
        turned: false,
    })
}

/// Returns box, unit of the box, and lowest resolution of an image in pixels per unit.
fn vector(facts: &FileFacts) -> Option<(BoxSize, &'static str, Option<f64>)> {
    if facts.format == FileFormat::Pdf {
        let pdf = facts.pdf.as_ref()?;
        let page = pdf.trim_box.unwrap_or(pdf.media_box);
        let scale = pdf.lowest_image_dpi.map(|dpi| dpi / MM_OF_INCH);
        return Some((page, "mm", scale));
    }
    let svg = facts.svg.as_ref()?;
    Some((svg.view_box?, "units", svg.lowest_image_scale))
}

fn effective_dpi(target: &Target, size: &Size) -> Option<u32> {
    let swap = size.turned;
    match size.kind {
        Kind::Pixels(width, height) => {
            let (width, height) = if swap {
                (height, width)
            } else {
                (width, height)
            };
            let dpi = |length: u32, required: u32| {
                u64::from(length) * u64::from(target.dpi) / u64::from(required.max(1))
            };
            let lower = dpi(width, target.pixels.0).min(dpi(height, target.pixels.1));
            Some(u32::try_from(lower).unwrap_or(u32::MAX))
        }
        Kind::Vector { size, scale, .. } => {
            let (width, height) = match swap {
                true => (size.height, size.width),
                false => (size.width, size.height),
            };
            let scale = scale?;
            let lower = (width * scale / target.inches.0).min(height * scale / target.inches.1);
            // Boxes have decimals: an image of 300 dpi on a page of 209.9 mm has 299.86 on A4.
            rounded(lower)
        }
    }
}

/// Returns the nearest whole number; `None` if `number` is negative or no number.
fn rounded(number: f64) -> Option<u32> {
    let whole = number.round();
    if !(0.0..=f64::from(u32::MAX)).contains(&whole) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is in the range of u32"
    )]
    let dpi = whole as u32;
    Some(dpi)
}

fn resolution(target: &Target, size: &Size, dpi: u32, lowest: u32) -> Option<FileProblem> {
    if dpi >= target.dpi {
        return None;
    }
    let code = match dpi < lowest {
        true => ProblemCode::VeryLowResolution,
        false => ProblemCode::LowResolution,
    };
    let asked = target.dpi;
    let message = match size.kind {
        Kind::Pixels(width, height) => {
            let (required_width, required_height) = target.pixels;
            let turned = if size.turned { ", turned," } else { "" };
            format!(
                "{width} x {height} pixels{turned} print at {dpi} dpi on {required_width} x \
                 {required_height}; {asked} dpi are asked for. Send at least {required_width} x \
                 {required_height} pixels."
            )
        }
        Kind::Vector { .. } => format!(
            "An image in the file prints at {dpi} dpi; {asked} dpi are asked for. Use images with \
             more pixels."
        ),
    };
    let problem = FileProblem::new(code, message);
    Some(problem.values(format_args!("{asked} dpi"), format_args!("{dpi} dpi")))
}

fn proportions(target: &Target, size: &Size, tolerance: u32) -> FileProblem {
    let (required_width, required_height) = target.pixels;
    let file = match size.kind {
        Kind::Pixels(width, height) => format!("{width} x {height} pixels"),
        Kind::Vector { size, unit, .. } => {
            let tenths = |length: f64| (length * 10.0).round() / 10.0;
            format!("{} x {} {unit}", tenths(size.width), tenths(size.height))
        }
    };
    let very_wrong = tolerance
        .saturating_mul(VERY_WRONG_TOLERANCES)
        .max(VERY_WRONG);
    let (expected, actual) = (target.extent, size.extent);
    let (code, message) = if size.turned {
        let message = format!(
            "{file} fit the area of {required_width} x {required_height} pixels only if they are \
             turned by 90 degrees. Turn the file."
        );
        (ProblemCode::Rotated, message)
    } else {
        let code = match actual.differs(expected, very_wrong) {
            true => ProblemCode::VeryWrongProportions,
            false => ProblemCode::WrongProportions,
        };
        let right = match size.kind {
            Kind::Pixels(..) => format!("Send {required_width} x {required_height} pixels, or the"),
            Kind::Vector { .. } => "Send the".to_owned(),
        };
        let message = format!(
            "The proportions of {file} are {actual}, and the area has {expected}. {right} same \
             proportions."
        );
        (code, message)
    };
    FileProblem::new(code, message).values(expected, actual)
}

fn oversized(target: &Target, size: &Size) -> Option<FileProblem> {
    let Kind::Pixels(width, height) = size.kind else {
        return None;
    };
    let (required_width, required_height) = target.pixels;
    let required = u64::from(required_width) * u64::from(required_height);
    if u64::from(width) * u64::from(height) <= required.saturating_mul(OVERSIZED) {
        return None;
    }
    let message = format!(
        "{width} x {height} pixels are more than {OVERSIZED} times as many as the area needs; \
         {required_width} x {required_height} are enough."
    );
    let problem = FileProblem::new(ProblemCode::Oversized, message);
    Some(problem.values(
        format_args!("{required_width} x {required_height} pixels"),
        format_args!("{width} x {height} pixels"),
    ))
}
