//! Creating label orders.

use pressline_domain::check::Field;
use pressline_domain::order::OrderKind;
use pressline_domain::order::request::{AddressDraft, OrderDraft};

use super::fixture::*;

#[tokio::test]
async fn a_label_order_costs_the_handling_fee() {
    let shop = Shop::open().await;
    let placed = shop.create_label(&label("L-1")).await.unwrap();
    let parts = placed.order.parts();
    assert_eq!(
        parts.label_url.as_deref(),
        Some("https://example.com/label.pdf")
    );
    assert_eq!(parts.kind().as_str(), "label");
    assert_eq!(parts.shipping_address, None);
    // Product, shipping, surcharge, handling, and the other fees.
    assert_eq!(
        parts.bill.fees(),
        [None, None, None, Some(usd("2.50")), None, None]
    );
    assert_eq!(placed.order.parts().bill.total(), usd("2.50"));
    assert!(placed.order.parts().is_priced());
    assert_eq!(listed(&placed.warnings), []);
    assert_eq!(parts.items[0].unit_cost, Some(usd("5")));
}

#[tokio::test]
async fn a_store_in_another_currency_needs_a_fee_of_its_own() {
    let mut shop = Shop::with(tariff(), currency("EUR")).await;
    let result = shop.create_label(&label("L-1")).await;
    expect(
        "no fee in euros",
        result,
        &[("shipping_address_label", "no_fee")],
    );
    assert_eq!(shop.stored("L-1").await, None);
    let mut tariff = tariff();
    tariff.fees = schedule([tariff.fees.rules(), &[handling("EUR", "2.20")]].concat());
    shop.service = shop.repriced(tariff).await;
    let placed = shop.create_label(&label("L-1")).await.unwrap();
    assert_eq!(placed.order.parts().bill.total(), amount("2.20", "EUR"));
}

#[tokio::test]
async fn the_label_is_an_http_url() {
    let shop = Shop::open().await;
    let path = "shipping_address_label";
    for (url, code) in [
        (Field::Absent, "required"),
        ("  ".into(), "required"),
        (wrong(), "wrong_type"),
        ("ftp://example.com/label.pdf".into(), "invalid_format"),
        (
            "https://user:secret@example.com/label.pdf".into(),
            "invalid_format",
        ),
        (
            format!("https://example.com/{}", "a".repeat(2029)).into(),
            "too_long",
        ),
    ] {
        let draft = OrderDraft {
            shipping_address_label: url,
            ..label("L-1")
        };
        expect("label", shop.create_label(&draft).await, &[(path, code)]);
    }
}

#[tokio::test]
async fn a_shipping_address_is_optional_and_then_checked() {
    let shop = Shop::open().await;
    let with = |address: AddressDraft| OrderDraft {
        shipping_address: address.into(),
        ..label("L-1")
    };
    let incomplete = AddressDraft {
        city: Field::Absent,
        ..address()
    };
    expect(
        "no city",
        shop.create_label(&with(incomplete)).await,
        &[("shipping_address.city", "required")],
    );
    let placed = shop.create_label(&with(address())).await.unwrap();
    assert!(placed.order.parts().shipping_address.is_some());
    // Like an empty form.
    let blank = AddressDraft {
        name: "".into(),
        city: " ".into(),
        ..AddressDraft::default()
    };
    for (order_id, empty) in [("L-2", AddressDraft::default()), ("L-3", blank)] {
        let draft = OrderDraft {
            order_id: order_id.into(),
            ..with(empty)
        };
        assert_eq!(
            shop.create_label(&draft)
                .await
                .unwrap()
                .order
                .parts()
                .shipping_address,
            None
        );
    }
}

#[tokio::test]
async fn a_manual_order_reads_no_label() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        shipping_address_label: "not a URL".into(),
        ..order("T-1")
    };
    assert_eq!(
        shop.create(&draft).await.unwrap().order.parts().kind(),
        OrderKind::Manual
    );
}

#[tokio::test]
async fn unknown_products_are_warned_about() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        line_items: items(vec![item("MUG-12", 1)]),
        ..label("L-1")
    };
    let placed = shop.create_label(&draft).await.unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [("line_items[0].sku", "unknown_sku")]
    );
    assert!(placed.order.parts().is_priced());
    let draft = OrderDraft {
        order_id: "L-2".into(),
        ..draft
    };
    let result = shop.create_label_strict(&draft).await;
    expect("strict", result, &[("line_items[0].sku", "unknown_sku")]);
}

#[tokio::test]
async fn unknown_ship_classes_are_warned_about_though_nothing_is_shipped() {
    let shop = Shop::open().await;
    let slow = in_class(item("MUG-11", 1), "Standrd");
    let draft = OrderDraft {
        line_items: items(vec![slow]),
        ..label("L-1")
    };
    let placed = shop.create_label(&draft).await.unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [("line_items[0].shipClass", "unknown_ship_class")]
    );
    let draft = OrderDraft {
        order_id: "L-2".into(),
        ..draft
    };
    let result = shop.create_label_strict(&draft).await;
    expect(
        "strict",
        result,
        &[("line_items[0].shipClass", "unknown_ship_class")],
    );
}
