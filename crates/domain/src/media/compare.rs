//! The check of a file against a print area.

use super::code::ProblemCode;
use super::facts::{Alpha, Depth, FileFacts};
use super::fit::fit;
use super::problem::{FileCheck, FileProblem};
use super::unusable::unusable;
use crate::catalog::{AlphaRule, PrintArea};
use crate::value::{ColourModel, FileFormat};

/// Compares the facts of a print file with the rules of its print area.
///
/// The result depends on nothing else, so compute it whenever it is shown. A file that is empty or
/// cannot be read has no other problem; all other problems are reported together. A fact that is
/// not known is not a problem.
///
/// Use [`check_label`](super::check_label) for a prepared label, and
/// [`not_fetched`](super::not_fetched) without facts.
///
/// ```
/// use pressline_domain::catalog::{PrintArea, PrintAreaParts};
/// use pressline_domain::media::{FileFacts, FileFormat, FileHash, Verdict, check};
///
/// let mut area = PrintAreaParts::named("front", "Front");
/// (area.width, area.height) = (Some(4200), Some(4800));
/// let mut facts = FileFacts::new(FileFormat::Png, 812_345, FileHash::new([7; 32]));
/// (facts.width, facts.height) = (Some(1200), Some(1400));
///
/// let checked = check(&PrintArea::new(area)?, &facts);
/// assert_eq!(checked.verdict, Verdict::Fail);
/// assert_eq!(checked.effective_dpi, Some(85));
/// assert_eq!(
///     checked.problems[0].message,
///     "1200 x 1400 pixels print at 85 dpi on 4200 x 4800; 300 dpi are asked for. \
///      Send at least 4200 x 4800 pixels."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(area: &PrintArea, facts: &FileFacts) -> FileCheck {
    if let Some(problem) = unusable(facts) {
        return FileCheck::new(None, vec![problem]);
    }
    let (effective_dpi, mut problems) = fit(area, facts);
    let others = [
        too_large(area, facts),
        wrong_format(area, facts),
        alpha(area, facts),
        wrong_colour(area, facts),
        blank(facts),
        several(facts),
        text_not_outlined(facts),
        external_reference(facts),
        no_profile(facts),
        small_art(facts),
        not_fully_checked(facts),
    ];
    problems.extend(others.into_iter().flatten());
    FileCheck::new(effective_dpi, problems)
}

fn too_large(area: &PrintArea, facts: &FileFacts) -> Option<FileProblem> {
    let limit = area.max_bytes();
    if facts.bytes <= limit {
        return None;
    }
    // Rounded up, so that the file's size is never shown as the limit.
    let tenths = facts.bytes.div_ceil(100_000);
    let (file, limit) = (
        format!("{}.{} MB", tenths / 10, tenths % 10),
        format!("{} MB", limit / 1_000_000),
    );
    let message = format!("The file has {file}, and the area takes {limit}. Send a smaller file.");
    Some(
        FileProblem::new(ProblemCode::TooLarge, message)
            .values(format_args!("at most {limit}"), file),
    )
}

fn wrong_format(area: &PrintArea, facts: &FileFacts) -> Option<FileProblem> {
    let accepted = area.accepted_formats();
    if accepted.contains(&facts.format) {
        return None;
    }
    let names: Vec<&str> = accepted.iter().map(|format| format.as_str()).collect();
    let (expected, actual) = (names.join(", "), facts.format.as_str());
    let file = match facts.format {
        FileFormat::Other => "The format of the file is not known".to_owned(),
        _ => format!("The format of the file is {actual}"),
    };
    let message = format!("{file}, and the area takes {expected}. Save the file in such a format.");
    Some(FileProblem::new(ProblemCode::WrongFormat, message).values(expected, actual))
}

/// Vector files are not judged: drawn on nothing, nearly each of them is transparent somewhere,
/// which says nothing about its background.
fn alpha(area: &PrintArea, facts: &FileFacts) -> Option<FileProblem> {
    let alpha = facts.alpha.filter(|_| facts.format.is_raster())?;
    let (code, message) = match (area.alpha, alpha) {
        (AlphaRule::Required, Alpha::None | Alpha::Unused) => (
            ProblemCode::AlphaMissing,
            "No pixel of the file is transparent, and the area needs a transparent background. \
             Remove the background, and save the file with transparency, for example as PNG.",
        ),
        (AlphaRule::None, Alpha::Used) => (
            ProblemCode::AlphaPresent,
            "The file has transparent pixels, and the area takes none. Put the design on a \
             background.",
        ),
        _ => return None,
    };
    let expected = match area.alpha {
        AlphaRule::Required => Alpha::Used,
        AlphaRule::None | AlphaRule::Any => Alpha::None,
    };
    Some(FileProblem::new(code, message).values(expected.as_str(), alpha.as_str()))
}

fn wrong_colour(area: &PrintArea, facts: &FileFacts) -> Option<FileProblem> {
    let given = facts.colour?;
    let counted = match given {
        ColourModel::Indexed => ColourModel::Rgb,
        other => other,
    };
    if area.colours.is_empty() || area.colours.contains(&counted) {
        return None;
    }
    let names: Vec<&str> = area.colours.iter().map(|colour| colour.as_str()).collect();
    let (expected, actual) = (names.join(", "), given.as_str());
    let message = format!(
        "The colours of the file are {actual}, and the area takes {expected}. Convert the file."
    );
    Some(FileProblem::new(ProblemCode::WrongColour, message).values(expected, actual))
}

/// Returns the problem of a file without a design.
pub(super) fn blank(facts: &FileFacts) -> Option<FileProblem> {
    facts.blank.filter(|is_blank| *is_blank)?;
    Some(FileProblem::new(
        ProblemCode::Blank,
        "The file is blank: all its pixels are transparent, or have one colour. Send the design.",
    ))
}

fn several(facts: &FileFacts) -> Option<FileProblem> {
    let pages = facts.pages.unwrap_or(1);
    if facts.animated == Some(true) {
        let message = "The file is an animation; its first frame is used. Send a still picture.";
        return Some(FileProblem::new(ProblemCode::Animated, message));
    }
    if pages <= 1 {
        return None;
    }
    let message = format!(
        "The file has {pages} pages; only the first page is used. Send one page for each print area."
    );
    let problem = FileProblem::new(ProblemCode::SeveralPages, message);
    Some(problem.values("1 page", format_args!("{pages} pages")))
}

fn text_not_outlined(facts: &FileFacts) -> Option<FileProblem> {
    let svg_has_text = facts.svg.as_ref().is_some_and(|svg| svg.text);
    let pdf_lacks_fonts = facts.pdf.as_ref().and_then(|pdf| pdf.fonts_embedded) == Some(false);
    let message = match (svg_has_text, pdf_lacks_fonts) {
        (true, _) => "The SVG has text, whose font is not known here. Convert text to outlines.",
        (_, true) => {
            "The PDF has text in fonts that it does not contain. Embed the fonts, or convert text \
             to outlines."
        }
        (false, false) => return None,
    };
    Some(FileProblem::new(ProblemCode::TextNotOutlined, message))
}

fn external_reference(facts: &FileFacts) -> Option<FileProblem> {
    facts.external_reference.filter(|is_named| *is_named)?;
    Some(FileProblem::new(
        ProblemCode::ExternalReference,
        "The file names files elsewhere, which are not loaded. Embed them.",
    ))
}

/// Only raster files are judged whose profile was looked for. The profiles of a PDF belong to its
/// images, and its colours can be meant for a press.
fn no_profile(facts: &FileFacts) -> Option<FileProblem> {
    let is_judged = facts.format.is_raster() && facts.depth == Depth::Full;
    let is_cmyk = facts.colour == Some(ColourModel::Cmyk);
    (is_judged && is_cmyk && facts.icc_profile.is_none()).then(|| {
        FileProblem::new(
            ProblemCode::NoProfile,
            "The file is CMYK without an ICC profile, so its colours are a guess. Save it with \
             its profile.",
        )
    })
}

/// Content covers less than a quarter of the area if it covers less than a quarter of the file,
/// because the file fills the area.
fn small_art(facts: &FileFacts) -> Option<FileProblem> {
    let content = facts.content?;
    let all = u64::from(facts.width?) * u64::from(facts.height?);
    let covered = u64::from(content.width) * u64::from(content.height);
    if facts.blank == Some(true)
        || covered
            .checked_mul(4)
            .is_none_or(|quadruple| quadruple >= all)
    {
        return None;
    }
    let percent = covered.saturating_mul(100) / all;
    let message = format!(
        "The design covers {percent} % of the file; the rest is transparent. Enlarge it, if it is \
         meant to fill the area."
    );
    let problem = FileProblem::new(ProblemCode::SmallArt, message);
    Some(problem.values("at least 25 %", format_args!("{percent} %")))
}

fn not_fully_checked(facts: &FileFacts) -> Option<FileProblem> {
    (facts.depth == Depth::Header).then(|| {
        FileProblem::new(
            ProblemCode::NotFullyChecked,
            "Only the header of the file was read, so that its pixels were not checked.",
        )
    })
}
