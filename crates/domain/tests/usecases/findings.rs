//! Findings about items that the catalog does not offer: their wording, order, and severity.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions};
use pressline_domain::check::{Violation, Warning};
use pressline_domain::order::OrderError;
use pressline_domain::order::request::{LineItemDraft, OrderDraft, UpdateDraft};

use super::fixture::*;

fn violations<T: std::fmt::Debug>(result: Result<T, OrderError>) -> Vec<Violation> {
    match result {
        Err(OrderError::Invalid { violations, .. }) => violations,
        other => panic!("not refused as invalid: {other:?}"),
    }
}

/// Adds a retired product, a product that is only sent as Freight, and a product with areas priced
/// in yen.
async fn shop() -> Shop {
    let shop = Shop::open().await;
    let old = product("OLD", "USD", Some("5"), &[("Front", "0")]);
    let retired = old.changed(|old| old.retired = true).unwrap();
    let rug = product("RUG-2", "USD", Some("5"), &[("Front", "0")]);
    let freight = vec!["Freight".to_owned()];
    let rug = rug.changed(|rug| rug.ship_classes = freight).unwrap();
    shop.catalog
        .import(&[retired, rug], &ImportOptions::default())
        .await
        .unwrap();
    shop
}

fn all_findings() -> Vec<LineItemDraft> {
    vec![
        in_class(item("MUG-11", 1), "Slow"),
        in_class(item("MUG-11", 1), "Expres"),
        item("RUG-2", 1),
        with_files(item("BOOK", 1), 1),
        item("OLD", 1),
        in_class(item("MUG-12", 1), "Teleport"),
    ]
}

/// Warnings for [`all_findings`]: field and message.
const WARNINGS: [(&str, &str); 8] = [
    (
        "line_items[0].shipClass",
        "ship class `Slow` has no rate to United States in USD; the shipping fee is unknown",
    ),
    (
        "line_items[1].shipClass",
        "`Expres` is not a known ship class; priced as `Standard`; did you mean `Express`?",
    ),
    (
        "line_items[2].shipClass",
        "`RUG-2` is not sent as `Standard`; it is sent as Freight",
    ),
    (
        "line_items[3].sku",
        "printing `Cover` of `BOOK` has a fee in JPY and none in USD; the surcharge is unknown",
    ),
    (
        "line_items[4].sku",
        "`OLD` is retired; it may not be made any more",
    ),
    (
        "line_items[5].sku",
        "`MUG-12` is not in the catalog; its cost is unknown; did you mean `MUG-11`?",
    ),
    (
        "line_items[5].shipClass",
        "`Teleport` is not a known ship class; priced as `Standard`; \
         known are Standard, Express, Slow",
    ),
    (
        "totalCost",
        "productCost, shippingFee, surchargeFee not known, so totalCost is not the whole price",
    ),
];

/// Errors of a strict store for the same request.
const ERRORS: [(&str, &str); 7] = [
    (
        "line_items[0].shipClass",
        "ship class `Slow` has no rate to United States in USD",
    ),
    (
        "line_items[1].shipClass",
        "`Expres` is not a known ship class; did you mean `Express`?",
    ),
    (
        "line_items[2].shipClass",
        "`RUG-2` is not sent as `Standard`; it is sent as Freight",
    ),
    (
        "line_items[3].sku",
        "printing `Cover` of `BOOK` has a fee in JPY and none in USD",
    ),
    ("line_items[4].sku", "`OLD` is retired"),
    (
        "line_items[5].sku",
        "`MUG-12` is not in the catalog; did you mean `MUG-11`?",
    ),
    (
        "line_items[5].shipClass",
        "`Teleport` is not a known ship class; known are Standard, Express, Slow",
    ),
];

#[tokio::test]
async fn each_finding_has_a_text_for_warnings_and_one_for_errors() {
    let shop = shop().await;
    let texts = |issues: &[Warning]| -> Vec<(String, String)> {
        let text = |one: &Warning| (one.field.clone(), one.message.clone());
        issues.iter().map(text).collect()
    };
    let owned = |texts: &[(&str, &str)]| -> Vec<(String, String)> {
        let text = |(field, message): &(&str, &str)| (field.to_string(), message.to_string());
        texts.iter().map(text).collect()
    };
    let warnings = shop.place("T-1", all_findings()).await.warnings;
    assert_eq!(texts(&warnings), owned(&WARNINGS));
    let strict = order_of("T-2", all_findings());
    let refused = violations(shop.create_strict(&strict).await);
    assert_eq!(texts(&refused), owned(&ERRORS));
}

#[tokio::test]
async fn findings_follow_the_items_of_the_request() {
    let shop = shop().await;
    let placed = shop
        .place(
            "T-1",
            vec![item("MUG-11", 1), item("OLD", 1), item("MUG-11", 1)],
        )
        .await
        .order;
    let [first, _, third] = placed
        .parts()
        .items
        .iter()
        .map(|item| item.id)
        .collect::<Vec<_>>()[..]
    else {
        panic!()
    };
    // The request lists the items in reverse and leaves out the second item.
    let changes = vec![
        change(third, of_sku("MUG-13")),
        change(first, in_class(of_sku("MUG-12"), "Expres")),
    ];
    let updated = shop.update_items("T-1", changes.clone()).await.unwrap();
    let wanted = [
        ("line_items[0].sku", "unknown_sku"),
        ("line_items[1].sku", "unknown_sku"),
        ("line_items[1].shipClass", "unknown_ship_class"),
        ("line_items", "retired_sku"),
        ("totalCost", "total_incomplete"),
    ];
    assert_eq!(listed(&updated.warnings), wanted);
    let unnamed = &updated.warnings[3].message;
    assert_eq!(
        unnamed,
        "an item this request does not name: `OLD` is retired; it may not be made any more"
    );
    let other = vec![
        change(third, of_sku("MUG-14")),
        change(first, in_class(of_sku("MUG-15"), "Expres")),
    ];
    let refused = shop.update_strict(&update_items("T-1", other)).await;
    expect("strict", refused, &wanted[..3]);
}

#[tokio::test]
async fn label_orders_get_no_messages_about_the_prices_of_classes() {
    let shop = shop().await;
    let draft = OrderDraft {
        line_items: items(all_findings()),
        ..label("L-1")
    };
    let placed = shop.create_label(&draft).await.unwrap();
    let wanted = [
        ("line_items[1].shipClass", "unknown_ship_class"),
        ("line_items[4].sku", "retired_sku"),
        ("line_items[5].sku", "unknown_sku"),
        ("line_items[5].shipClass", "unknown_ship_class"),
    ];
    assert_eq!(listed(&placed.warnings), wanted);
    let of_class = &placed.warnings[0].message;
    assert_eq!(
        of_class,
        "`Expres` is not a known ship class; did you mean `Express`?"
    );
    // The label decides how the product is sent, so no class is missing.
    let rug = OrderDraft {
        line_items: items(vec![item("RUG-2", 1)]),
        ..label("L-2")
    };
    let placed = shop.create_label_strict(&rug).await.unwrap();
    assert_eq!(listed(&placed.warnings), []);
    let note = UpdateDraft {
        shipping_address: Default::default(),
        ..noted("L-2", "with care")
    };
    let updated = shop.update_strict(&note).await.unwrap();
    assert_eq!(listed(&updated.warnings), []);
}
