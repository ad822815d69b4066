//! Estimates: the price of a cart that has only items and a destination.

mod options;

use pressline_domain::check::Field;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, LineItemDraft, OrderDraft};
use pressline_domain::order::{DryRun, DryRunOrder, OrderError, OrderParts};

use super::fixture::*;

fn to(country: &str, province: &str) -> AddressDraft {
    AddressDraft {
        country_code: country.into(),
        province_code: province.into(),
        ..AddressDraft::default()
    }
}

fn cart_of(destination: AddressDraft, list: Vec<LineItemDraft>) -> OrderDraft {
    OrderDraft {
        shipping_address: destination.into(),
        line_items: items(list),
        ..OrderDraft::default()
    }
}

async fn estimate(shop: &Shop, draft: &OrderDraft) -> Result<DryRun, OrderError> {
    shop.estimate(draft).await
}

fn priced(estimated: &DryRun) -> &OrderParts {
    match &estimated.order {
        DryRunOrder::New(cart) => &cart.content,
        other => panic!("no cart: {other:?}"),
    }
}

#[tokio::test]
async fn items_and_a_destination_are_enough() {
    let shop = Shop::open().await;
    for destination in [
        to("US", "US-IL"),
        to("CA", "ON"),
        to("VN", ""),
        // An order to Mexico needs a tax number, but an estimate does not.
        to("MX", ""),
        AddressDraft {
            country: "Vietnam".into(),
            ..AddressDraft::default()
        },
        AddressDraft {
            country: "United States".into(),
            province: "Illinois".into(),
            ..Default::default()
        },
    ] {
        let estimated = estimate(&shop, &cart_of(destination, vec![item("MUG-11", 2)]))
            .await
            .unwrap();
        let cart = priced(&estimated);
        assert_eq!(
            (cart.bill.total(), listed(&estimated.warnings)),
            (usd("15"), vec![])
        );
        let parts = cart;
        assert_eq!(
            (parts.order_id.as_str(), parts.customer.name().as_str()),
            ("", "")
        );
        assert_eq!(parts.items[0].name.as_deref(), Some("The MUG-11"));
    }
    // A blank field counts as absent.
    let blank = OrderDraft {
        order_id: " ".into(),
        customer: CustomerDraft {
            first_name: "".into(),
            ..CustomerDraft::default()
        }
        .into(),
        ..cart_of(to("VN", ""), vec![item("MUG-11", 2)])
    };
    assert_eq!(
        priced(&estimate(&shop, &blank).await.unwrap()).bill.total(),
        usd("15")
    );
}

#[tokio::test]
async fn country_province_and_items_are_required() {
    let shop = Shop::open().await;
    let mugs = || vec![item("MUG-11", 2)];
    let absent = OrderDraft {
        shipping_address: Field::Absent,
        ..cart_of(to("VN", ""), mugs())
    };
    expect(
        "no address",
        estimate(&shop, &absent).await,
        &[("shipping_address", "required")],
    );
    let none = estimate(&shop, &cart_of(AddressDraft::default(), mugs())).await;
    expect(
        "no country",
        none,
        &[("shipping_address.country_code", "required")],
    );
    for country in ["US", "CA", "AU"] {
        let refused = estimate(&shop, &cart_of(to(country, ""), mugs())).await;
        expect(
            country,
            refused,
            &[("shipping_address.province_code", "required")],
        );
    }
    let no_list = OrderDraft {
        line_items: Field::Absent,
        ..cart_of(to("VN", ""), mugs())
    };
    expect(
        "no list",
        estimate(&shop, &no_list).await,
        &[("line_items", "required")],
    );
    let empty = estimate(&shop, &cart_of(to("VN", ""), Vec::new())).await;
    expect("no items", empty, &[("line_items", "required")]);
    let bare = estimate(
        &shop,
        &cart_of(to("VN", ""), vec![LineItemDraft::default()]),
    )
    .await;
    expect(
        "an item",
        bare,
        &[
            ("line_items[0].sku", "required"),
            ("line_items[0].quantity", "required"),
        ],
    );
}

#[tokio::test]
async fn what_is_present_is_checked_as_in_create() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        order_id: "x".repeat(129).into(),
        email: wrong(),
        shipping_address: AddressDraft {
            province_code: "CA-ON".into(),
            latitude: wrong(),
            zip: "9".repeat(256).into(),
            name: wrong(),
            ..to("US", "")
        }
        .into(),
        billing_address: wrong(),
        customer: CustomerDraft {
            last_name: wrong(),
            ..CustomerDraft::default()
        }
        .into(),
        line_items: items(vec![LineItemDraft {
            file_urls: urls(&["ftp://a"]),
            ..item("MUG-11", 0)
        }]),
        dry_run: wrong(),
        ..OrderDraft::default()
    };
    let mut found = problems(estimate(&shop, &draft).await);
    found.sort_unstable();
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(field, code)| (field.as_str(), *code))
        .collect();
    assert_eq!(
        found,
        [
            ("billing_address", "wrong_type"),
            ("customer.last_name", "wrong_type"),
            ("dryRun", "wrong_type"),
            ("email", "wrong_type"),
            ("line_items[0].fileUrls[0]", "invalid_format"),
            ("line_items[0].quantity", "out_of_range"),
            ("order_id", "too_long"),
            ("shipping_address.latitude", "wrong_type"),
            ("shipping_address.name", "wrong_type"),
            ("shipping_address.province_code", "country_mismatch"),
            ("shipping_address.zip", "too_long"),
        ]
    );
    let wrong_customer = OrderDraft {
        customer: wrong(),
        ..cart_of(to("VN", ""), vec![item("MUG-11", 1)])
    };
    expect(
        "customer",
        estimate(&shop, &wrong_customer).await,
        &[("customer", "wrong_type")],
    );
}

#[tokio::test]
async fn a_label_makes_it_a_label_order_without_a_destination() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        shipping_address_label: "https://example.com/label.pdf".into(),
        line_items: items(vec![item("MUG-11", 2)]),
        ..OrderDraft::default()
    };
    let estimated = estimate(&shop, &draft).await.unwrap();
    assert_eq!(priced(&estimated).bill.total(), usd("2.50"));
    // The print shop does not ship label orders.
    assert_eq!(estimated.shipping_options, None);
    let bad = OrderDraft {
        shipping_address_label: "ftp://a".into(),
        ..draft
    };
    expect(
        "the label",
        estimate(&shop, &bad).await,
        &[("shipping_address_label", "invalid_format")],
    );
}

/// With an order id, the result is the same as that of a create request.
#[tokio::test]
async fn an_order_id_that_is_taken_is_reported() {
    let shop = Shop::open().await;
    let placed = shop.create(&order("T-1")).await.unwrap().order;
    let again = estimate(&shop, &order("T-1")).await.unwrap();
    assert_eq!(again.order, DryRunOrder::Existing(Box::new(placed)));
    assert_eq!(again.shipping_options, None);
    let cart = OrderDraft {
        order_id: "T-1".into(),
        ..cart_of(to("US", "IL"), vec![item("MUG-11", 2)])
    };
    let refused = estimate(&shop, &cart).await.unwrap_err();
    assert!(
        matches!(refused, OrderError::Duplicate { .. }),
        "{refused:?}"
    );
    let free = OrderDraft {
        order_id: "T-2".into(),
        ..cart
    };
    assert_eq!(
        priced(&estimate(&shop, &free).await.unwrap()).order_id,
        "T-2"
    );
}
