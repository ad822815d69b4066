//! Resolution, proportions and number of pixels.

use super::*;
use pressline_domain::value::Tenths;

/// Width and height of a PNG, the verdict with its codes, and the effective dpi.
type Case = ((u32, u32), &'static str, Option<u32>);

fn assert_sizes(area: &PrintArea, cases: &[Case]) {
    for ((width, height), expected, dpi) in cases {
        let facts = png(|facts| (facts.width, facts.height) = (Some(*width), Some(*height)));
        let checked = check(area, &facts);
        assert_eq!(codes(&checked), *expected, "{width} x {height}");
        assert_eq!(checked.effective_dpi, *dpi, "{width} x {height}");
    }
}

#[test]
fn resolution_is_judged_by_the_lower_of_both_sides_rounded_down() {
    assert_sizes(
        &area(|_| ()),
        &[
            ((4000, 5000), "pass:", Some(300)),
            ((3999, 5000), "warn: low_resolution", Some(299)),
            ((4000, 4999), "warn: low_resolution", Some(299)),
            ((2000, 2500), "warn: low_resolution", Some(150)),
            ((1999, 2500), "fail: very_low_resolution", Some(149)),
            ((8000, 10_000), "pass:", Some(600)),
            ((8001, 10_000), "pass: oversized", Some(600)),
            (
                (1, 1),
                "fail: very_low_resolution very_wrong_proportions",
                Some(0),
            ),
        ],
    );
}

#[test]
fn an_area_sets_both_bounds_of_the_resolution() {
    let area = area(|area| (area.dpi, area.min_dpi) = (Some(150), Some(100)));
    assert_sizes(
        &area,
        &[
            ((4000, 5000), "pass:", Some(150)),
            ((3980, 4975), "warn: low_resolution", Some(149)),
            ((2680, 3350), "warn: low_resolution", Some(100)),
            ((2640, 3300), "fail: very_low_resolution", Some(99)),
        ],
    );
}

#[test]
fn proportions_are_wrong_beyond_the_tolerance_and_very_wrong_beyond_ten_times() {
    // Sides are long enough that the resolution is right.
    assert_sizes(
        &area(|_| ()),
        &[
            ((4040, 5000), "pass:", Some(300)),
            ((4041, 5000), "warn: wrong_proportions", Some(300)),
            ((4400, 5000), "warn: wrong_proportions", Some(300)),
            ((4401, 5000), "fail: very_wrong_proportions", Some(300)),
            ((4000, 5050), "pass:", Some(300)),
            ((4000, 5051), "warn: wrong_proportions", Some(300)),
        ],
    );
    let strict = area(|area| area.aspect_tolerance = Some(Tenths::new(0)));
    assert_sizes(
        &strict,
        &[
            ((4001, 5000), "warn: wrong_proportions", Some(300)),
            ((4400, 5000), "warn: wrong_proportions", Some(300)),
            ((4401, 5000), "fail: very_wrong_proportions", Some(300)),
        ],
    );
    let lenient = area(|area| area.aspect_tolerance = Some(Tenths::new(25)));
    assert_sizes(
        &lenient,
        &[
            ((4100, 5000), "pass:", Some(300)),
            ((4101, 5000), "warn: wrong_proportions", Some(300)),
            ((5000, 5000), "warn: wrong_proportions", Some(300)),
            ((5001, 5000), "fail: very_wrong_proportions", Some(300)),
        ],
    );
}

#[test]
fn a_file_that_fits_when_turned_is_measured_as_turned() {
    assert_sizes(
        &area(|_| ()),
        &[
            ((5000, 4000), "warn: rotated", Some(300)),
            ((5050, 4000), "warn: rotated", Some(300)),
            (
                (5051, 4000),
                "fail: very_wrong_proportions low_resolution",
                Some(240),
            ),
            ((2500, 2000), "warn: low_resolution rotated", Some(150)),
            ((2490, 1992), "fail: very_low_resolution rotated", Some(149)),
        ],
    );
    // A square is not turned.
    let square = area(|area| (area.width, area.height) = (Some(900), Some(900)));
    assert_sizes(&square, &[((1000, 1000), "pass:", Some(333))]);
}

#[test]
fn without_a_size_of_area_or_file_nothing_about_size_is_checked() {
    let sizeless = area(|area| area.width = None);
    assert_sizes(&sizeless, &[((1, 9999), "pass:", None)]);
    let checked = check(&area(|_| ()), &png(|facts| facts.width = None));
    assert_eq!(
        (codes(&checked).as_str(), checked.effective_dpi),
        ("pass:", None)
    );
    let checked = check(&area(|_| ()), &png(|facts| facts.height = Some(0)));
    assert_eq!(
        (codes(&checked).as_str(), checked.effective_dpi),
        ("pass:", None)
    );
}

/// 101.6 x 127 mm are 4 x 5 inches; with the bleed 4.5 x 5.5 inches.
fn in_millimetres() -> PrintArea {
    area(|area| {
        (area.width, area.height) = (None, None);
        area.width_mm = Some(Tenths::new(1016));
        area.height_mm = Some(Tenths::new(1270));
        area.bleed_mm = Some(Tenths::new(64));
    })
}

#[test]
fn millimetres_count_with_their_bleed() {
    assert_sizes(
        &in_millimetres(),
        &[
            ((1351, 1651), "pass:", Some(300)),
            ((1350, 1651), "warn: low_resolution", Some(299)),
            (
                (1200, 1500),
                "warn: low_resolution wrong_proportions",
                Some(266),
            ),
        ],
    );
}

fn by_pixels() -> PrintArea {
    area(|_| ())
}

type PdfCase = (
    &'static str,
    fn() -> PrintArea,
    fn(&mut FileFacts, &mut PdfFacts),
    &'static str,
    Option<u32>,
);

/// Description, area, change of the file, the verdict with its codes, effective dpi.
const OF_A_PDF: [PdfCase; 9] = [
    ("no image", by_pixels, |_, _| (), "pass:", None),
    (
        // A page of 400 mm on 4000 pixels at 300 dpi: 338.67 mm.
        "an image at a smaller scale",
        by_pixels,
        |_, pdf| pdf.lowest_image_dpi = Some(254.0),
        "pass:",
        Some(300),
    ),
    (
        "rounded to the nearest number",
        by_pixels,
        |_, pdf| pdf.lowest_image_dpi = Some(253.6),
        "pass:",
        Some(300),
    ),
    (
        "too coarse",
        by_pixels,
        |_, pdf| pdf.lowest_image_dpi = Some(253.5),
        "warn: low_resolution",
        Some(299),
    ),
    (
        "much too coarse",
        by_pixels,
        |_, pdf| pdf.lowest_image_dpi = Some(72.0),
        "fail: very_low_resolution",
        Some(85),
    ),
    (
        "the trim box before the media box",
        by_pixels,
        |_, pdf| pdf.trim_box = Some(size(300.0, 500.0)),
        "fail: very_wrong_proportions",
        None,
    ),
    (
        "a trim box is the area without bleed",
        in_millimetres,
        |_, pdf| {
            pdf.trim_box = Some(size(101.6, 127.0));
            pdf.lowest_image_dpi = Some(300.0);
        },
        "pass:",
        Some(300),
    ),
    (
        "a media box with the bleed",
        in_millimetres,
        |_, pdf| {
            pdf.media_box = size(114.4, 139.8);
            pdf.lowest_image_dpi = Some(300.0);
        },
        "pass:",
        Some(300),
    ),
    (
        "turned",
        in_millimetres,
        |_, pdf| pdf.media_box = size(139.8, 114.4),
        "warn: rotated",
        None,
    ),
];

#[test]
fn a_pdf_is_judged_by_its_page_and_its_worst_image() {
    for (what, area, change, expected, dpi) in OF_A_PDF {
        let checked = check(&area(), &pdf(change));
        assert_eq!(codes(&checked), expected, "{what}");
        assert_eq!(checked.effective_dpi, dpi, "{what}");
    }
}

#[test]
fn an_svg_is_judged_by_its_view_box_and_its_worst_image() {
    type Change = fn(&mut FileFacts, &mut SvgFacts);
    let cases: [(Change, &str, Option<u32>); 4] = [
        (|_, _| (), "pass:", None),
        (
            |_, svg| svg.lowest_image_scale = Some(10.0),
            "pass:",
            Some(300),
        ),
        (
            |_, svg| svg.lowest_image_scale = Some(4.0),
            "fail: very_low_resolution",
            Some(120),
        ),
        (
            |_, svg| svg.view_box = Some(size(0.5, 0.6)),
            "warn: wrong_proportions",
            None,
        ),
    ];
    for (change, expected, dpi) in cases {
        let checked = check(&area(|_| ()), &svg(change));
        assert_eq!(
            (codes(&checked).as_str(), checked.effective_dpi),
            (expected, dpi)
        );
    }
}

#[test]
fn sizes_must_be_positive_numbers() {
    for number in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let facts = pdf(|_, pdf| pdf.media_box = size(number, 500.0));
        assert_codes("page", &area(|_| ()), &facts, "pass:");
    }
    for number in [f64::NAN, f64::INFINITY, -1.0] {
        let facts = pdf(|_, pdf| pdf.lowest_image_dpi = Some(number));
        assert_codes("image", &area(|_| ()), &facts, "pass:");
    }
}

/// Message, expected and actual value of the only problem.
fn problem(area: &PrintArea, facts: &FileFacts) -> [String; 3] {
    let [problem] = check(area, facts).problems.try_into().unwrap();
    [
        problem.message,
        problem.expected.unwrap(),
        problem.actual.unwrap(),
    ]
}

#[test]
fn messages_say_what_would_be_right() {
    let area = area(|area| (area.width, area.height) = (Some(4200), Some(4800)));
    let sized =
        |width, height| png(|facts| (facts.width, facts.height) = (Some(width), Some(height)));
    assert_eq!(
        problem(&area, &sized(2100, 2400)),
        [
            "2100 x 2400 pixels print at 150 dpi on 4200 x 4800; 300 dpi are asked for. Send at \
             least 4200 x 4800 pixels.",
            "300 dpi",
            "150 dpi",
        ]
    );
    assert_eq!(
        problem(&area, &sized(4300, 4800)),
        [
            "The proportions of 4300 x 4800 pixels are 43:48 (0.896), and the area has 7:8 \
             (0.875). Send 4200 x 4800 pixels, or the same proportions.",
            "7:8 (0.875)",
            "43:48 (0.896)",
        ]
    );
    assert_eq!(
        problem(&area, &sized(4800, 4200)),
        [
            "4800 x 4200 pixels fit the area of 4200 x 4800 pixels only if they are turned by 90 \
             degrees. Turn the file.",
            "7:8 (0.875)",
            "8:7 (1.143)",
        ]
    );
    let page = pdf(|_, pdf| pdf.media_box = size(209.903, 246.0));
    assert_eq!(
        problem(&area, &page)[0],
        "The proportions of 209.9 x 246 mm are 2099:2460 (0.853), and the area has 7:8 (0.875). \
         Send the same proportions."
    );
}
