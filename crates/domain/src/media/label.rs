//! The check of a prepared label.

use super::code::ProblemCode;
use super::compare::blank;
use super::extent::Extent;
use super::facts::{BoxSize, FileFacts};
use super::problem::{FileCheck, FileProblem};
use super::unusable::unusable;
use crate::value::FileFormat;

/// Width and height of usual labels in millimetres, with their names.
const SIZES: [(&str, f64, f64); 5] = [
    ("100 x 150 mm", 100.0, 150.0),
    ("4 x 6 in", 101.6, 152.4),
    ("A6", 105.0, 148.0),
    ("A5", 148.0, 210.0),
    ("letter", 215.9, 279.4),
];
/// Tolerance for each side of a label.
const TOLERANCE: f64 = 0.05;
/// The same tolerance for proportions, in tenths of a percent.
const PROPORTION_TOLERANCE: u32 = 50;
const MM_OF_INCH: f64 = 25.4;

/// Checks the file with the prepared label of a label order. `reused` states whether another order
/// of the store, not cancelled, has a label with the same bytes.
///
/// A PNG that does not state its resolution is judged by its proportions.
///
/// ```
/// use pressline_domain::media::{FileFacts, FileFormat, FileHash, Verdict, check_label};
///
/// let mut facts = FileFacts::new(FileFormat::Png, 20_000, FileHash::new([7; 32]));
/// (facts.width, facts.height) = (Some(1200), Some(1800));
/// assert_eq!(check_label(&facts, false).verdict, Verdict::Pass);
/// assert_eq!(check_label(&facts, true).verdict, Verdict::Fail);
/// ```
pub fn check_label(facts: &FileFacts, reused: bool) -> FileCheck {
    if let Some(problem) = unusable(facts) {
        return FileCheck::new(None, vec![problem]);
    }
    let problems = [
        format(facts),
        pages(facts),
        size(facts),
        blank(facts),
        reused.then(label_reused),
    ];
    FileCheck::new(None, problems.into_iter().flatten().collect())
}

fn format(facts: &FileFacts) -> Option<FileProblem> {
    if matches!(facts.format, FileFormat::Pdf | FileFormat::Png) {
        return None;
    }
    let actual = facts.format.as_str();
    let message = format!("The format of the label is {actual}. Send it as PDF or PNG.");
    Some(FileProblem::new(ProblemCode::LabelFormat, message).values("pdf, png", actual))
}

fn pages(facts: &FileFacts) -> Option<FileProblem> {
    let pages = facts.pages.filter(|pages| *pages != 1)?;
    let message = format!("The label has {pages} pages. Send a file with the label alone.");
    let problem = FileProblem::new(ProblemCode::LabelPages, message);
    Some(problem.values("1 page", format_args!("{pages} pages")))
}

fn size(facts: &FileFacts) -> Option<FileProblem> {
    let (is_usual, actual) = match millimetres(facts) {
        Some(label) => (
            SIZES
                .iter()
                .any(|(_, width, height)| is_near(label, *width, *height)),
            format!("{:.0} x {:.0} mm", label.width, label.height),
        ),
        None => {
            let (width, height) = (facts.width?, facts.height?);
            let label = Extent::new(width, height)?;
            (
                SIZES
                    .iter()
                    .any(|(_, width, height)| has_proportions(label, *width, *height)),
                format!("{width} x {height} pixels"),
            )
        }
    };
    if is_usual {
        return None;
    }
    let names = SIZES.map(|(name, _, _)| name).join(", ");
    let message = format!("The label has {actual}. Send one of the sizes {names}.");
    Some(FileProblem::new(ProblemCode::LabelSize, message).values(names, actual))
}

/// Returns the page size of a PDF, or the printed size of a PNG that states its resolution.
fn millimetres(facts: &FileFacts) -> Option<BoxSize> {
    if let Some(pdf) = &facts.pdf {
        return Some(pdf.media_box);
    }
    let dpi = facts.embedded_dpi.filter(|dpi| *dpi > 0.0)?;
    let length = |pixels: u32| f64::from(pixels) / dpi * MM_OF_INCH;
    Some(BoxSize {
        width: length(facts.width?),
        height: length(facts.height?),
    })
}

/// Upright or turned.
fn is_near(label: BoxSize, width: f64, height: f64) -> bool {
    let near = |length: f64, usual: f64| (length - usual).abs() <= usual * TOLERANCE;
    near(label.width, width) && near(label.height, height)
        || near(label.width, height) && near(label.height, width)
}

/// Upright or turned.
fn has_proportions(label: Extent, width: f64, height: f64) -> bool {
    Extent::of_box(BoxSize { width, height }).is_some_and(|usual| {
        !label.differs(usual, PROPORTION_TOLERANCE)
            || !label.turned().differs(usual, PROPORTION_TOLERANCE)
    })
}

fn label_reused() -> FileProblem {
    FileProblem::new(
        ProblemCode::LabelReused,
        "Another order of this store has the same label, and carriers accept a label once. Buy a \
         label for each order.",
    )
}
