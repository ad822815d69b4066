//! Validation of line items.

use super::*;

const OF_LINE_ITEMS: &[Rule] = &[
    (
        "no list",
        |d| d.line_items = Field::Absent,
        &[("line_items", "required")],
    ),
    (
        "no list but something else",
        |d| d.line_items = wrong(),
        &[("line_items", "wrong_type")],
    ),
    (
        "an empty list",
        |d| d.line_items = Field::Value(Vec::new()),
        &[("line_items", "required")],
    ),
    (
        "null in the list",
        |d| d.line_items = Field::Value(vec![Field::Absent]),
        &[("line_items[0]", "required")],
    ),
    (
        "a number in the list",
        |d| d.line_items = Field::Value(vec![wrong()]),
        &[("line_items[0]", "wrong_type")],
    ),
    (
        "an empty item",
        |d| d.line_items = items(vec![item("MUG-11", 1), LineItemDraft::default()]),
        &[
            ("line_items[1].sku", "required"),
            ("line_items[1].quantity", "required"),
        ],
    ),
    (
        "100 items",
        |d| d.line_items = items(vec![item("MUG-11", 1); 100]),
        &[],
    ),
    (
        "101 items and nothing else right",
        |d| {
            *d = OrderDraft {
                line_items: items(vec![LineItemDraft::default(); 101]),
                ..OrderDraft::default()
            }
        },
        &[("line_items", "too_long")],
    ),
    (
        "blank sku",
        |d| first(d).sku = " ".into(),
        &[("line_items[0].sku", "required")],
    ),
    (
        "sku as a number",
        |d| first(d).sku = wrong(),
        &[("line_items[0].sku", "wrong_type")],
    ),
    (
        "sku too long",
        |d| first(d).sku = text(256),
        &[("line_items[0].sku", "too_long")],
    ),
    (
        "none",
        |d| first(d).quantity = 0.into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    (
        "less than none",
        |d| first(d).quantity = (-1).into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    ("1000 units", |d| first(d).quantity = 1000.into(), &[]),
    (
        "1001 units",
        |d| first(d).quantity = 1001.into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    (
        "far too many",
        |d| first(d).quantity = i64::MAX.into(),
        &[("line_items[0].quantity", "out_of_range")],
    ),
    (
        "quantity as a text",
        |d| first(d).quantity = wrong(),
        &[("line_items[0].quantity", "wrong_type")],
    ),
    (
        "name too long",
        |d| first(d).name = text(256),
        &[("line_items[0].name", "too_long")],
    ),
    (
        "ship class too long",
        |d| first(d).ship_class = text(256),
        &[("line_items[0].shipClass", "too_long")],
    ),
    (
        "ref id too long",
        |d| first(d).ref_id = text(256),
        &[("line_items[0].refId", "too_long")],
    ),
    ("20 files", |d| first(d).file_urls = urls(&[URL; 20]), &[]),
    (
        "21 files",
        |d| first(d).file_urls = urls(&[URL; 21]),
        &[("line_items[0].fileUrls", "too_long")],
    ),
    (
        "21 images",
        |d| first(d).mockup_images = urls(&[URL; 21]),
        &[("line_items[0].mockupImages", "too_long")],
    ),
    (
        "files as a text",
        |d| first(d).file_urls = wrong(),
        &[("line_items[0].fileUrls", "wrong_type")],
    ),
    (
        "one of the files",
        |d| {
            first(d).file_urls = urls(&[
                URL,
                "",
                "https://user:pw@example.com/a",
                "file:///etc/passwd",
            ])
        },
        &[
            ("line_items[0].fileUrls[2]", "invalid_format"),
            ("line_items[0].fileUrls[3]", "invalid_format"),
        ],
    ),
    (
        "a number among the images",
        |d| first(d).mockup_images = Field::Value(vec![URL.into(), wrong()]),
        &[("line_items[0].mockupImages[1]", "wrong_type")],
    ),
    (
        "a URL of 2048 characters",
        |d| {
            first(d).file_urls = urls(&[&format!("https://example.com/{}", "ä".repeat(2028))]);
        },
        &[],
    ),
    (
        "a URL of 2049 characters",
        |d| {
            first(d).file_urls = urls(&[&format!("https://example.com/{}", "ä".repeat(2029))]);
        },
        &[("line_items[0].fileUrls[0]", "too_long")],
    ),
];

#[tokio::test]
async fn line_items() {
    check(OF_LINE_ITEMS).await;
}
