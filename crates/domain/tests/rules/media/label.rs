//! Checks of prepared labels.

use super::*;
use pressline_domain::media::{UnreadableReason, check_label};

fn page(width: f64, height: f64) -> FileFacts {
    pdf(|_, pdf| pdf.media_box = size(width, height))
}

#[test]
fn usual_sizes_may_differ_by_five_percent_and_lie_on_their_side() {
    const INCH: f64 = 25.4;
    let usual = [
        (100.0, 150.0),
        (4.0 * INCH, 6.0 * INCH),
        (105.0, 148.0),
        (148.0, 210.0),
        (8.5 * INCH, 11.0 * INCH),
        (95.0, 142.5),
        (226.6, 293.3),
    ];
    for (width, height) in usual {
        for facts in [page(width, height), page(height, width)] {
            assert_eq!(
                codes(&check_label(&facts, false)),
                "pass:",
                "{width} x {height}"
            );
        }
    }
    for (width, height) in [
        (94.9, 150.0),
        (100.0, 100.0),
        (227.0, 279.4),
        (210.0, 297.0),
    ] {
        let checked = check_label(&page(width, height), false);
        assert_eq!(codes(&checked), "warn: label_size", "{width} x {height}");
    }
}

#[test]
fn a_png_is_judged_by_its_resolution_or_else_by_its_proportions() {
    let label = |width, height, dpi| {
        png(|facts| {
            (facts.width, facts.height) = (Some(width), Some(height));
            facts.embedded_dpi = dpi;
        })
    };
    for (facts, expected) in [
        (label(812, 1218, Some(203.0)), "pass:"),
        (label(812, 1218, Some(72.0)), "warn: label_size"),
        (label(812, 1218, None), "pass:"),
        (label(1218, 812, Some(0.0)), "pass:"),
        (label(900, 900, None), "warn: label_size"),
        (label(0, 900, None), "pass:"),
    ] {
        assert_eq!(codes(&check_label(&facts, false)), expected);
    }
}

#[test]
fn a_label_has_one_page_in_a_known_format_and_belongs_to_one_order() {
    let cases: [(FactsChange, bool, &str); 7] = [
        (|_| (), false, "pass:"),
        (|_| (), true, "fail: label_reused"),
        (|f| f.pages = Some(2), false, "warn: label_pages"),
        (|f| f.pages = Some(0), false, "warn: label_pages"),
        (|f| f.blank = Some(true), false, "fail: blank"),
        (|f| f.bytes = 0, true, "fail: empty_file"),
        (
            |f| f.unreadable = Some(UnreadableReason::PasswordRequired),
            true,
            "fail: unreadable",
        ),
    ];
    for (change, reused, expected) in cases {
        let mut facts = page(100.0, 150.0);
        change(&mut facts);
        assert_eq!(codes(&check_label(&facts, reused)), expected);
    }
    let jpeg = png(|facts| {
        facts.format = FileFormat::Jpeg;
        (facts.width, facts.height) = (Some(1200), Some(1800));
    });
    assert_eq!(codes(&check_label(&jpeg, false)), "fail: label_format");
}
