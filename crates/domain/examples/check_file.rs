//! A print file is checked against its print area with nothing but facts: no order, no database, no
//! decoder.

use std::error::Error;

use pressline_domain::catalog::{PrintArea, PrintAreaParts};
use pressline_domain::media::{
    Alpha, ColourModel, Depth, FileFacts, FileFormat, FileHash, NotFetched, Verdict, check,
    not_fetched,
};
use pressline_domain::value::Tenths;

fn main() -> Result<(), Box<dyn Error>> {
    // What the print shop asks for: 14 x 16 inches at 300 dpi, at most 100 MB.
    let front = PrintArea::new(PrintAreaParts {
        width_mm: Some(Tenths::new(3556)),
        height_mm: Some(Tenths::new(4064)),
        max_mb: Some(100),
        ..PrintAreaParts::named("front", "Front")
    })?;
    assert_eq!(front.required_pixels(), Some((4200, 4800)));

    // What your own decoder, or the header of the file, says about the artwork.
    let mut facts = FileFacts::new(FileFormat::Png, 812_345, FileHash::new([7; 32]));
    facts.depth = Depth::Full;
    (facts.width, facts.height) = (Some(2100), Some(2400));
    facts.colour = Some(ColourModel::Rgb);
    facts.alpha = Some(Alpha::Used);

    let checked = check(&front, &facts);
    assert_eq!(checked.verdict, Verdict::Warn);
    let [problem] = checked.problems.as_slice() else {
        return Err("only the resolution is too low".into());
    };
    assert_eq!(
        problem.message,
        "2100 x 2400 pixels print at 150 dpi on 4200 x 4800; 300 dpi are asked for. Send at least \
         4200 x 4800 pixels."
    );

    // A file that cannot be fetched has no facts, but a verdict.
    let missing = not_fetched(NotFetched::Status(404));
    assert_eq!(missing.verdict, Verdict::Fail);
    assert!(
        !missing.is_acceptable(),
        "nobody can print what is not there"
    );
    Ok(())
}
