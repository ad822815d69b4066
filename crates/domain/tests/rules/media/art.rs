//! Everything but size: format, bytes, colours, transparency, pages and text.

use super::*;
use pressline_domain::catalog::AlphaRule;
use pressline_domain::media::{PixelBounds, ProblemCode, ProblemSeverity};

const ANY: AreaChange = |_| ();

/// Description, changes of area and file, and the verdict with its codes.
const OF_A_PNG: [(&str, AreaChange, FactsChange, &str); 22] = [
    ("all is right", ANY, |_| (), "pass:"),
    ("200 MB", ANY, |f| f.bytes = 200_000_000, "pass:"),
    ("more", ANY, |f| f.bytes = 200_000_001, "fail: too_large"),
    (
        "20 MB",
        |a| a.max_mb = Some(20),
        |f| f.bytes = 20_000_000,
        "pass:",
    ),
    (
        "more",
        |a| a.max_mb = Some(20),
        |f| f.bytes = 20_000_001,
        "fail: too_large",
    ),
    (
        "a format",
        |a| a.formats = vec![FileFormat::Png],
        |_| (),
        "pass:",
    ),
    (
        "another format",
        |a| a.formats = vec![FileFormat::Pdf, FileFormat::Tiff],
        |_| (),
        "fail: wrong_format",
    ),
    (
        "CMYK",
        ANY,
        |f| f.colour = Some(ColourModel::Cmyk),
        "warn: no_profile",
    ),
    (
        "with a profile without a name",
        ANY,
        |f| (f.colour, f.icc_profile) = (Some(ColourModel::Cmyk), Some(String::new())),
        "pass:",
    ),
    (
        "a palette",
        |a| a.colours = vec![ColourModel::Rgb],
        |f| f.colour = Some(ColourModel::Indexed),
        "pass:",
    ),
    (
        "gray",
        |a| a.colours = vec![ColourModel::Rgb],
        |f| f.colour = Some(ColourModel::Gray),
        "fail: wrong_colour",
    ),
    (
        "an unknown colour model",
        |a| a.colours = vec![ColourModel::Rgb],
        |f| f.colour = None,
        "pass:",
    ),
    (
        "an alpha channel without use",
        |a| a.alpha = AlphaRule::Required,
        |f| f.alpha = Some(Alpha::Unused),
        "fail: alpha_missing",
    ),
    (
        "no alpha channel",
        |a| a.alpha = AlphaRule::Required,
        |f| f.alpha = Some(Alpha::None),
        "fail: alpha_missing",
    ),
    (
        "transparent",
        |a| a.alpha = AlphaRule::Required,
        |_| (),
        "pass:",
    ),
    (
        "transparent",
        |a| a.alpha = AlphaRule::None,
        |_| (),
        "fail: alpha_present",
    ),
    (
        "opaque",
        |a| a.alpha = AlphaRule::None,
        |f| f.alpha = Some(Alpha::Unused),
        "pass:",
    ),
    ("blank", ANY, |f| f.blank = Some(true), "fail: blank"),
    ("one page", ANY, |f| f.pages = Some(1), "pass:"),
    (
        "two pages",
        ANY,
        |f| f.pages = Some(2),
        "warn: several_pages",
    ),
    (
        "frames",
        ANY,
        |f| (f.animated, f.pages) = (Some(true), Some(12)),
        "warn: animated",
    ),
    (
        "a still picture",
        ANY,
        |f| f.animated = Some(false),
        "pass:",
    ),
];

#[test]
fn each_problem_of_a_png_begins_at_its_bound() {
    for (what, on_area, on_facts, expected) in OF_A_PNG {
        assert_codes(what, &area(on_area), &png(on_facts), expected);
    }
}

#[test]
fn art_is_small_below_a_quarter_of_the_file() {
    let content = |width, height| {
        let bounds = PixelBounds {
            x: 9,
            y: 9,
            width,
            height,
        };
        png(|facts| facts.content = Some(bounds))
    };
    for (width, height, expected) in [
        (2000, 2500, "pass:"),
        (1999, 2500, "pass: small_art"),
        (1, 1, "pass: small_art"),
        (u32::MAX, u32::MAX, "pass:"),
    ] {
        let what = format!("{width} x {height}");
        assert_codes(&what, &area(ANY), &content(width, height), expected);
    }
}

#[test]
fn a_file_whose_header_alone_was_read_is_not_accused() {
    let header = |facts: &mut FileFacts| {
        facts.depth = Depth::Header;
        (facts.alpha, facts.blank) = (None, None);
        facts.colour = Some(ColourModel::Cmyk);
    };
    let strict = area(|area| area.alpha = AlphaRule::Required);
    assert_codes(
        "unknown pixels",
        &strict,
        &png(header),
        "pass: not_fully_checked",
    );
    let no_alpha = png(|facts| {
        header(facts);
        facts.alpha = Some(Alpha::None);
    });
    assert_codes(
        "no channel",
        &strict,
        &no_alpha,
        "fail: alpha_missing not_fully_checked",
    );
}

#[test]
fn vector_files_have_problems_of_their_own() {
    let cases: [(&str, FileFacts, &str); 8] = [
        ("SVG", svg(|_, _| ()), "pass:"),
        (
            "text",
            svg(|_, svg| svg.text = true),
            "fail: text_not_outlined",
        ),
        (
            "names",
            svg(|facts, _| facts.external_reference = Some(true)),
            "fail: external_reference",
        ),
        (
            "fonts",
            pdf(|_, pdf| pdf.fonts_embedded = Some(false)),
            "fail: text_not_outlined",
        ),
        (
            "unknown fonts",
            pdf(|_, pdf| pdf.fonts_embedded = None),
            "pass:",
        ),
        (
            "CMYK, whose profile belongs to the images",
            pdf(|facts, _| facts.colour = Some(ColourModel::Cmyk)),
            "pass:",
        ),
        (
            "pages",
            pdf(|facts, _| facts.pages = Some(3)),
            "warn: several_pages",
        ),
        (
            "an empty password",
            pdf(|_, pdf| pdf.encrypted = true),
            "pass:",
        ),
    ];
    for (what, facts, expected) in cases {
        assert_codes(what, &area(ANY), &facts, expected);
    }
    // Drawn on nothing, nearly each vector file is transparent somewhere.
    for rule in [AlphaRule::Required, AlphaRule::None] {
        for alpha in Alpha::ALL {
            let facts = pdf(|facts, _| facts.alpha = Some(alpha));
            assert_codes("alpha", &area(|area| area.alpha = rule), &facts, "pass:");
        }
    }
}

#[test]
fn each_format_is_taken_or_refused() {
    for format in FileFormat::ALL {
        let facts = png(|facts| facts.format = format);
        let usual = PrintAreaParts::USUAL_FORMATS.contains(&format);
        let refused = |taken: bool| match taken {
            true => "pass:",
            false => "fail: wrong_format",
        };
        let sizeless = area(|area| area.width = None);
        assert_codes(format.as_str(), &sizeless, &facts, refused(usual));
        let all = area(|area| {
            area.width = None;
            area.formats = PrintAreaParts::POSSIBLE_FORMATS.to_vec();
        });
        let possible = PrintAreaParts::POSSIBLE_FORMATS.contains(&format);
        assert_codes(format.as_str(), &all, &facts, refused(possible));
    }
}

#[test]
fn problems_are_sorted_by_severity_and_errors_decide() {
    let facts = png(|facts| {
        facts.depth = Depth::Header;
        (facts.width, facts.height) = (Some(3000), Some(3750));
        facts.blank = Some(true);
        facts.pages = Some(2);
        facts.bytes = 300_000_000;
    });
    let checked = check(&area(ANY), &facts);
    assert_eq!(
        codes(&checked),
        "fail: too_large blank low_resolution several_pages not_fully_checked"
    );
    assert!(
        !checked.is_acceptable(),
        "a store cannot accept `too_large`"
    );
    let blank = check(&area(ANY), &png(|facts| facts.blank = Some(true)));
    assert!(blank.is_acceptable());
    assert!(
        !check(&area(ANY), &png(|_| ())).is_acceptable(),
        "nothing to accept"
    );
}

#[test]
fn values_name_what_is_asked_for() {
    let cases: [(AreaChange, FactsChange, [&str; 2]); 5] = [
        (
            ANY,
            |f| f.bytes = 200_000_001,
            ["at most 200 MB", "200.1 MB"],
        ),
        (
            |a| a.formats = vec![FileFormat::Pdf, FileFormat::Svg],
            |f| f.format = FileFormat::Gif,
            ["pdf, svg", "gif"],
        ),
        (
            |a| a.colours = vec![ColourModel::Rgb, ColourModel::Gray],
            |f| (f.colour, f.icc_profile) = (Some(ColourModel::Lab), None),
            ["rgb, gray", "lab"],
        ),
        (
            |a| a.alpha = AlphaRule::Required,
            |f| f.alpha = Some(Alpha::Unused),
            ["used", "unused"],
        ),
        (|a| a.alpha = AlphaRule::None, |_| (), ["none", "used"]),
    ];
    for (on_area, on_facts, values) in cases {
        let [problem] = check(&area(on_area), &png(on_facts))
            .problems
            .try_into()
            .unwrap();
        assert_eq!([problem.expected.unwrap(), problem.actual.unwrap()], values);
    }
}

#[test]
fn what_a_store_can_accept_is_what_can_still_be_printed() {
    let errors = ProblemCode::ALL
        .iter()
        .filter(|code| code.severity() == ProblemSeverity::Error);
    let refused = errors.filter(|code| !code.is_acceptable());
    let refused: Vec<&str> = refused.map(|code| code.as_str()).collect();
    assert_eq!(
        refused.join(" "),
        "unreachable not_a_file too_large empty_file unreadable wrong_format label_format"
    );
}
