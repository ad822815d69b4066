//! Creating orders.

use pressline_domain::check::Field;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft};
use pressline_domain::order::{OrderKind, Source};
use pressline_domain::pricing::fees::FeeType;

use super::fixture::*;

/// Returns a request with nearly all optional fields.
fn full_draft() -> OrderDraft {
    OrderDraft {
        email: "ana@example.com".into(),
        billing_address: AddressDraft {
            city: "Huế".into(),
            country: "Viet Nam".into(),
            ..Default::default()
        }
        .into(),
        line_items: items(vec![
            LineItemDraft {
                ref_id: "r-1".into(),
                name: "My mug".into(),
                file_urls: urls(&[URL]),
                mockup_images: urls(&[URL, ""]),
                ..item("MUG-11", 2)
            },
            item("TEE-M", 1),
        ]),
        ..order("T-1")
    }
}

#[tokio::test]
async fn an_order_is_stored_as_it_was_asked_for() {
    let shop = Shop::open().await;
    let placed = shop.create(&full_draft()).await.unwrap();
    assert!(!placed.replayed);
    assert_eq!(listed(&placed.warnings), []);
    assert_eq!(shop.stored("T-1").await.as_ref(), Some(&placed.order));

    let parts = placed.order.parts();
    assert_eq!(placed.order.service_order_id.to_string(), "DEMO-1");
    assert_eq!(
        (
            parts.order_id.as_str(),
            placed.order.state.version,
            parts.source
        ),
        ("T-1", 1, Source::Store)
    );
    assert_eq!(parts.kind(), OrderKind::Manual);
    assert_eq!(parts.created_at().to_string(), "2024-06-08T03:49:12.905Z");
    assert_eq!(placed.order.state.updated_at, parts.created_at());
    assert_eq!(parts.email.as_deref(), Some("ana@example.com"));
    assert_eq!(parts.customer.name(), "Ana Đỗ");
    assert_eq!(parts.production_note, None);
    let shipping = parts.shipping_address.as_ref().unwrap();
    assert_eq!(
        (
            shipping.country_code.as_deref(),
            shipping.country.as_deref()
        ),
        (Some("US"), Some("United States"))
    );
    let billing = parts.billing_address.as_ref().unwrap();
    assert_eq!(
        (billing.country_code.as_deref(), billing.country.as_deref()),
        (Some("VN"), Some("Viet Nam"))
    );

    let [mug, tee] = parts.items.as_slice() else {
        panic!("{:?}", parts.items)
    };
    assert!(mug.id < tee.id);
    assert_eq!(
        (mug.name.as_deref(), tee.name.as_deref()),
        (Some("My mug"), Some("The TEE-M"))
    );
    assert_eq!((mug.ref_id.as_deref(), mug.quantity), (Some("r-1"), 2));
    assert_eq!(mug.mockup_images, [URL]);
    let statuses = placed.order.state.item_statuses();
    // The second item has no file.
    assert_eq!(
        statuses,
        [ItemStatus::CoolingOff, ItemStatus::PendingDesign]
    );
    assert_eq!(
        tee.files()
            .iter()
            .map(|file| file.area.name.as_str())
            .collect::<Vec<_>>(),
        ["Front", "Back"]
    );
}

#[tokio::test]
async fn ids_and_numbers_grow() {
    let shop = Shop::open().await;
    let first = shop.place("T-1", vec![item("MUG-11", 1)]).await.order;
    shop.clock.advance(-5000);
    let second = shop.place("T-2", vec![item("MUG-11", 1)]).await.order;
    assert!(first.parts().id < second.parts().id);
    assert_eq!(second.service_order_id.to_string(), "DEMO-2");
}

#[tokio::test]
async fn the_country_is_completed_and_a_given_name_kept() {
    let shop = Shop::open().await;
    for (name, code, wanted_name, wanted_code) in [
        (None, Some("us"), "United States", "US"),
        (None, Some("UK"), "United Kingdom", "GB"),
        (Some("USA"), None, "USA", "US"),
        (Some("vietnam"), None, "vietnam", "VN"),
        (Some("South Korea"), None, "South Korea", "KR"),
        (Some("Kosovo"), None, "Kosovo", "XK"),
        (Some("Atlantis"), Some("US"), "Atlantis", "US"),
        (Some("  "), Some("US"), "United States", "US"),
    ] {
        let address = AddressDraft {
            country: name.into_field(),
            country_code: code.into_field(),
            ..address()
        };
        let address = AddressDraft {
            province_code: "".into(),
            province: "Somewhere".into(),
            ..address
        };
        let draft = OrderDraft {
            shipping_address: address.into(),
            ..order(&format!("{name:?} {code:?}"))
        };
        let placed = shop.create(&draft).await.unwrap();
        let stored = placed.order.parts().shipping_address.clone().unwrap();
        assert_eq!(
            (stored.country.as_deref(), stored.country_code.as_deref()),
            (Some(wanted_name), Some(wanted_code)),
            "{name:?} {code:?}"
        );
    }
}

trait IntoField {
    fn into_field(self) -> Field<String>;
}

impl IntoField for Option<&str> {
    fn into_field(self) -> Field<String> {
        self.map(str::to_owned).into()
    }
}

#[tokio::test]
async fn what_the_catalog_does_not_know_is_accepted_with_a_warning() {
    let shop = Shop::open().await;
    let unknown = vec![
        item("MUG-12", 1),
        in_class(item("MUG-11", 1), "Expres"),
        in_class(item("MUG-11", 1), "slow"),
    ];
    let placed = shop.place("T-1", unknown).await;
    assert_eq!(
        listed(&placed.warnings),
        [
            ("line_items[0].sku", "unknown_sku"),
            ("line_items[1].shipClass", "unknown_ship_class"),
            ("line_items[2].shipClass", "no_shipping_rate"),
            ("totalCost", "total_incomplete"),
        ]
    );
    assert!(
        placed.warnings[0].message.contains("`MUG-11`"),
        "{}",
        placed.warnings[0].message
    );
    assert!(
        placed.warnings[1].message.contains("`Express`"),
        "{}",
        placed.warnings[1].message
    );
    let parts = placed.order.parts();
    assert!(!placed.order.parts().is_priced());
    assert_eq!(
        (
            parts.bill.fee(FeeType::Product),
            parts.bill.fee(FeeType::Shipping)
        ),
        (None, None)
    );
    assert_eq!(parts.items[0].unit_cost, None);
    assert_eq!(
        parts.items[0]
            .areas
            .iter()
            .map(|area| area.name.as_str())
            .collect::<Vec<_>>(),
        ["Main"]
    );
    assert_eq!(parts.items[1].unit_cost, Some(usd("5")));
    assert_eq!(parts.items[1].ship_class.as_deref(), Some("Expres"));
}

#[tokio::test]
async fn a_strict_store_takes_the_same_as_errors() {
    let shop = Shop::open().await;
    let unknown = vec![
        item("MUG-12", 1),
        in_class(item("MUG-11", 1), "Expres"),
        in_class(item("MUG-11", 1), "Slow"),
    ];
    let result = shop.create_strict(&order_of("T-1", unknown)).await;
    expect(
        "strict",
        result,
        &[
            ("line_items[0].sku", "unknown_sku"),
            ("line_items[1].shipClass", "unknown_ship_class"),
            ("line_items[2].shipClass", "no_shipping_rate"),
        ],
    );
    assert_eq!(shop.stored("T-1").await, None);
    // A strict store accepts a SKU of the catalog, even without a price.
    let placed = shop
        .create_strict(&order_of("T-1", vec![item("POSTER", 1)]))
        .await
        .unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [("totalCost", "total_incomplete")]
    );
}

#[tokio::test]
async fn files_go_to_their_areas() {
    let shop = Shop::open().await;
    let placed = shop
        .place(
            "T-1",
            vec![
                with_files(item("MUG-11", 1), 3),
                with_files(item("TEE-M", 1), 3),
                LineItemDraft {
                    file_urls: urls(&["", URL]),
                    ..item("TEE-M", 1)
                },
                with_files(item("NO-SUCH-THING", 1), 2),
            ],
        )
        .await;
    let files: Vec<Vec<usize>> = placed
        .order
        .parts()
        .items
        .iter()
        .map(|item| {
            item.files()
                .iter()
                .map(|file| file.file_urls.len())
                .collect()
        })
        .collect();
    assert_eq!(files, [vec![3], vec![1, 2], vec![0, 1], vec![2]]);
    let warnings = listed(&placed.warnings);
    assert!(
        warnings.contains(&("line_items[1].fileUrls", "more_files_than_areas")),
        "{warnings:?}"
    );
    assert_eq!(
        warnings
            .iter()
            .filter(|(_, code)| *code == "more_files_than_areas")
            .count(),
        1
    );
}
