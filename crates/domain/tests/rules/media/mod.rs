//! Checks of files: each code at its bounds, verdicts and messages.

mod art;
mod facts;
mod label;
mod size;
mod unusable;

use pressline_domain::catalog::{PrintArea, PrintAreaParts};
use pressline_domain::media::{
    Alpha, BoxSize, ColourModel, Depth, FileCheck, FileFacts, FileFormat, FileHash, PdfFacts,
    SvgFacts, check,
};

type AreaChange = fn(&mut PrintAreaParts);
type FactsChange = fn(&mut FileFacts);

/// An area of 4000 x 5000 pixels, with defaults in all other fields.
fn area(change: impl FnOnce(&mut PrintAreaParts)) -> PrintArea {
    let mut area = PrintAreaParts::named("front", "Front");
    (area.width, area.height) = (Some(4000), Some(5000));
    change(&mut area);
    PrintArea::new(area).unwrap()
}

/// A PNG that fits [`area`] and was read completely.
fn png(change: impl FnOnce(&mut FileFacts)) -> FileFacts {
    let mut facts = FileFacts::new(FileFormat::Png, 1_000_000, FileHash::new([7; 32]));
    facts.depth = Depth::Full;
    (facts.width, facts.height) = (Some(4000), Some(5000));
    facts.colour = Some(ColourModel::Rgb);
    facts.bits = Some(8);
    facts.alpha = Some(Alpha::Used);
    facts.blank = Some(false);
    change(&mut facts);
    facts
}

/// A PDF without images whose page has the proportions of [`area`].
fn pdf(change: impl FnOnce(&mut FileFacts, &mut PdfFacts)) -> FileFacts {
    let mut facts = FileFacts::new(FileFormat::Pdf, 1_000_000, FileHash::new([7; 32]));
    facts.depth = Depth::Full;
    facts.pages = Some(1);
    let mut pdf = PdfFacts {
        media_box: size(400.0, 500.0),
        trim_box: None,
        bleed_box: None,
        fonts_embedded: Some(true),
        lowest_image_dpi: None,
        encrypted: false,
        version: Some("1.7".to_owned()),
    };
    change(&mut facts, &mut pdf);
    facts.pdf = Some(pdf);
    facts
}

/// An SVG without images and text whose view box has the proportions of [`area`].
fn svg(change: impl FnOnce(&mut FileFacts, &mut SvgFacts)) -> FileFacts {
    let mut facts = FileFacts::new(FileFormat::Svg, 10_000, FileHash::new([7; 32]));
    facts.depth = Depth::Full;
    let mut svg = SvgFacts {
        view_box: Some(size(400.0, 500.0)),
        text: false,
        lowest_image_scale: None,
    };
    change(&mut facts, &mut svg);
    facts.svg = Some(svg);
    facts
}

fn size(width: f64, height: f64) -> BoxSize {
    BoxSize { width, height }
}

/// The verdict and the codes of a check, such as `warn: low_resolution`.
fn codes(checked: &FileCheck) -> String {
    let mut text = format!("{}:", checked.verdict.as_str());
    for problem in &checked.problems {
        text.push(' ');
        text.push_str(problem.code.as_str());
    }
    text
}

fn assert_codes(what: &str, area: &PrintArea, facts: &FileFacts, expected: &str) {
    assert_eq!(codes(&check(area, facts)), expected, "{what}");
}
