//! The serialised form of facts, which is stored and shown to stores.

use super::*;
use pressline_domain::media::{PixelBounds, UnreadableReason};
use serde_json::{Value, json};

fn assert_form(facts: &FileFacts, form: Value) {
    assert_eq!(serde_json::to_value(facts).unwrap(), form);
    let read: FileFacts = serde_json::from_value(form).unwrap();
    assert_eq!(read, *facts);
}

#[test]
fn facts_that_do_not_apply_are_absent() {
    let facts = FileFacts::new(FileFormat::Other, 5, FileHash::new([0xab; 32]));
    assert_form(
        &facts,
        json!({ "factsVersion": 1, "format": "other", "bytes": 5, "sha256": "ab".repeat(32), "depth": "header" }),
    );
}

#[test]
fn each_fact_has_its_name_and_is_read_back() {
    let raster = png(|facts| {
        facts.orientation = Some(6);
        facts.pages = Some(1);
        facts.animated = Some(false);
        facts.icc_profile = Some("sRGB".to_owned());
        facts.embedded_dpi = Some(72.5);
        facts.content = Some(PixelBounds {
            x: 1,
            y: 2,
            width: 3,
            height: 4,
        });
    });
    assert_form(
        &raster,
        json!({
            "factsVersion": 1, "format": "png", "bytes": 1_000_000, "sha256": "07".repeat(32), "depth": "full",
            "width": 4000, "height": 5000, "orientation": 6, "pages": 1, "animated": false, "colour": "rgb",
            "iccProfile": "sRGB", "bits": 8, "alpha": "used",
            "content": { "x": 1, "y": 2, "width": 3, "height": 4 }, "blank": false, "embeddedDpi": 72.5
        }),
    );
    let page = pdf(|facts, pdf| {
        facts.external_reference = Some(false);
        pdf.trim_box = Some(size(390.5, 490.0));
        pdf.bleed_box = Some(size(396.5, 496.0));
        pdf.lowest_image_dpi = Some(243.8);
    });
    assert_form(
        &page,
        json!({
            "factsVersion": 1, "format": "pdf", "bytes": 1_000_000, "sha256": "07".repeat(32), "depth": "full",
            "pages": 1, "externalReference": false,
            "pdf": {
                "mediaBox": { "width": 400.0, "height": 500.0 }, "trimBox": { "width": 390.5, "height": 490.0 },
                "bleedBox": { "width": 396.5, "height": 496.0 }, "fontsEmbedded": true, "lowestImageDpi": 243.8,
                "encrypted": false, "version": "1.7"
            }
        }),
    );
    let drawing = svg(|facts, svg| {
        facts.unreadable = Some(UnreadableReason::Bytes { limit: 20_000_000 });
        svg.lowest_image_scale = Some(2.0);
    });
    assert_form(
        &drawing,
        json!({
            "factsVersion": 1, "format": "svg", "bytes": 10_000, "sha256": "07".repeat(32), "depth": "full",
            "unreadable": { "reason": "bytes", "limit": 20_000_000 },
            "svg": { "viewBox": { "width": 400.0, "height": 500.0 }, "text": false, "lowestImageScale": 2.0 }
        }),
    );
}

#[test]
fn each_reason_has_a_name() {
    let limit = 7;
    let reasons = [
        (
            UnreadableReason::Damaged {
                detail: "x".to_owned(),
            },
            json!({ "reason": "damaged", "detail": "x" }),
        ),
        (
            UnreadableReason::PasswordRequired,
            json!({ "reason": "password_required" }),
        ),
        (
            UnreadableReason::Megapixels { limit },
            json!({ "reason": "megapixels", "limit": 7 }),
        ),
        (
            UnreadableReason::Memory { limit },
            json!({ "reason": "memory", "limit": 7 }),
        ),
        (
            UnreadableReason::Time { limit },
            json!({ "reason": "time", "limit": 7 }),
        ),
        (UnreadableReason::Crashed, json!({ "reason": "crashed" })),
    ];
    for (reason, form) in reasons {
        assert_eq!(serde_json::to_value(&reason).unwrap(), form);
        assert_eq!(
            serde_json::from_value::<UnreadableReason>(form).unwrap(),
            reason
        );
    }
}
