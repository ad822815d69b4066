//! Fees of orders.

use pressline_domain::check::Field;
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft};
use pressline_domain::pricing::fees::Bill;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::Tariff;
use pressline_domain::value::{Amount, Currency, MAX_MINOR_UNITS};

use super::fixture::*;

async fn fees(shop: &Shop, order_id: &str, items: Vec<LineItemDraft>) -> (Bill, Amount) {
    let order = shop.place(order_id, items).await.order;
    let bill = order.parts().bill.clone();
    (bill.clone(), bill.total())
}

#[tokio::test]
async fn a_manual_order_costs_products_shipping_and_surcharges() {
    let shop = Shop::open().await;
    let (found, total) = fees(
        &shop,
        "T-1",
        vec![item("MUG-11", 2), with_files(item("TEE-M", 3), 2)],
    )
    .await;
    // Products; five units in the same class; the backs of three shirts.
    let wanted = ["32.50", "8", "3.75"].map(|fee| Some(usd(fee)));
    assert_eq!(found.fees()[..3], wanted);
    assert_eq!((&found.fees()[3..], total), (&[None; 3][..], usd("44.25")));
}

#[tokio::test]
async fn an_area_without_a_file_costs_nothing() {
    let shop = Shop::open().await;
    for (order_id, files, surcharge) in [
        ("T-0", 0, "0"),
        ("T-1", 1, "0"),
        ("T-2", 2, "1.25"),
        ("T-3", 4, "1.25"),
    ] {
        let (found, _) = fees(&shop, order_id, vec![with_files(item("TEE-M", 1), files)]).await;
        assert_eq!(
            found.fee(FeeType::Surcharge),
            Some(usd(surcharge)),
            "{files} files"
        );
    }
    let back_only = LineItemDraft {
        file_urls: urls(&["", URL]),
        ..item("TEE-M", 2)
    };
    assert_eq!(
        fees(&shop, "T-4", vec![back_only])
            .await
            .0
            .fee(FeeType::Surcharge),
        Some(usd("2.50"))
    );
}

#[tokio::test]
async fn each_ship_class_has_its_own_first_unit() {
    let shop = Shop::open().await;
    let mixed = vec![
        in_class(item("MUG-11", 2), "Express"),
        item("MUG-11", 1),
        in_class(item("MUG-11", 1), "eXPRESS"),
        in_class(item("MUG-11", 2), "standard"),
        in_class(item("MUG-11", 1), "Unheard-of"),
    ];
    // Three Express: 9 + 2 x 2.50; four Standard: 4 + 3 x 1.
    assert_eq!(
        fees(&shop, "T-1", mixed).await.0.fee(FeeType::Shipping),
        Some(usd("21"))
    );
}

#[tokio::test]
async fn what_is_not_known_is_null_and_never_counted_as_nothing() {
    let shop = Shop::open().await;
    let placed = shop
        .place("T-1", vec![item("MUG-11", 1), item("POSTER", 1)])
        .await;
    let fees = placed.order.parts().bill.fees();
    assert_eq!(fees[..3], [None, Some(usd("5")), Some(Amount::ZERO)]);
    assert_eq!(placed.order.parts().bill.total(), usd("5"));
    assert!(!placed.order.parts().is_priced());
    assert_eq!(
        listed(&placed.warnings),
        [("totalCost", "total_incomplete")]
    );
    assert!(placed.warnings[0].message.contains("productCost"));

    let bare = shop
        .repriced(Tariff::default())
        .await
        .place
        .create(&shop.store, &order("T-2"), &caller())
        .await
        .unwrap();
    assert_eq!(
        (
            bare.order.parts().bill.fee(FeeType::Shipping),
            bare.order.parts().bill.total()
        ),
        (None, usd("10"))
    );
    let warnings = [
        ("line_items[0].shipClass", "no_shipping_rate"),
        ("totalCost", "total_incomplete"),
    ];
    assert_eq!(listed(&bare.warnings), warnings);
}

#[tokio::test]
async fn a_price_in_another_currency_is_not_used() {
    let shop = Shop::open().await;
    let placed = shop
        .place("T-1", vec![with_files(item("BOOK", 1), 1)])
        .await;
    let fees = placed.order.parts().bill.fees();
    assert_eq!((fees[0], fees[2]), (None, None));
    assert_eq!(placed.order.parts().items[0].unit_cost, None);
    assert!(!placed.order.parts().is_priced());
}

#[tokio::test]
async fn currencies_with_no_and_with_three_decimals() {
    for (code, sku, first, further, total) in [
        ("JPY", "BOOK", "500", "100", "2700"),
        ("KWD", "RUG", "0.5", "0.25", "3.228"),
    ] {
        let shipping = rates(Vec::new(), vec![rate("Standard", code, first, further)]);
        let tariff = Tariff {
            shipping,
            ..Tariff::default()
        };
        let shop = Shop::with(tariff, currency(code)).await;
        let order = shop
            .place("T-1", vec![with_files(item(sku, 2), 1)])
            .await
            .order;
        assert_eq!(
            order
                .parts()
                .bill
                .total()
                .decimal(currency(code))
                .to_string(),
            total,
            "{code}"
        );
        assert_eq!(order.parts().currency, currency(code));
        assert!(order.parts().is_priced());
    }
}

#[tokio::test]
async fn a_sum_that_does_not_fit_is_an_error_and_stores_nothing() {
    let limit = Amount::from_minor(MAX_MINOR_UNITS).unwrap();
    let mut dear = tariff();
    edit_rate(&mut dear.shipping, 0, |rate| rate.first = limit);
    let mut shop = Shop::open().await;
    // The fees for products and for shipping fit, but not their sum.
    shop.service = shop.repriced(dear.clone()).await;
    expect(
        "the sum",
        shop.create(&order("T-1")).await,
        &[("line_items", "out_of_range")],
    );
    // The fee of a single unit fits, but not the fee of all units.
    edit_rate(&mut dear.shipping, 0, |rate| {
        (rate.first, rate.further) = (Amount::ZERO, limit);
    });
    shop.service = shop.repriced(dear).await;
    let many = order_of("T-1", vec![item("MUG-11", 3)]);
    expect(
        "the units",
        shop.create(&many).await,
        &[("line_items", "out_of_range")],
    );
    assert_eq!(shop.stored("T-1").await, None);
    // A single unit still fits: 5 dollars, without shipping.
    let one = shop
        .create(&order_of("T-1", vec![item("MUG-11", 1)]))
        .await
        .unwrap();
    assert_eq!(
        one.order.parts().bill.total(),
        Amount::parse("5", Currency::USD).unwrap()
    );
}

#[tokio::test]
async fn an_update_prices_again_in_the_currency_of_the_order() {
    let shop = Shop::open().await;
    let first = shop.place("T-1", vec![item("MUG-11", 1)]).await.order;
    assert_eq!(first.parts().bill.total(), usd("9"));
    let mut dearer = tariff();
    edit_rate(&mut dearer.shipping, 0, |rate| rate.first = usd("6"));
    let euros = pressline_domain::store::Store {
        currency: currency("EUR"),
        ..shop.store.clone()
    };
    let updated = shop
        .repriced(dearer)
        .await
        .change
        .update(&euros, &noted("T-1", "with care"), &caller())
        .await
        .unwrap()
        .order;
    assert_eq!(
        (updated.parts().bill.total(), updated.parts().currency),
        (usd("11"), Currency::USD)
    );
}

/// Returns an order of two mugs in the ship class `class` to `country`.
fn order_to(id: &str, country: &str, class: &str) -> OrderDraft {
    let province = match country {
        "US" => "CA".into(),
        _ => Field::Absent,
    };
    OrderDraft {
        line_items: items(vec![in_class(item("MUG-11", 2), class)]),
        shipping_address: AddressDraft {
            country_code: country.into(),
            country: Field::Absent,
            province: Field::Absent,
            province_code: province,
            ..address()
        }
        .into(),
        ..order(id)
    }
}

#[tokio::test]
async fn a_rate_for_the_destination_comes_before_the_one_for_all() {
    let zones = vec![
        zone("North America", &["US", "CA"]),
        zone("States", &["US"]),
    ];
    let of_zones = vec![
        rate("Standard", "USD", "9", "3"),
        rate_to("North America", "Standard", "USD", "4", "1"),
        rate_to("States", "Express", "USD", "20", "5"),
    ];
    let shipping = rates(zones, of_zones);
    let shop = Shop::with(
        Tariff {
            shipping,
            ..Tariff::default()
        },
        Currency::USD,
    )
    .await;
    let fee = async |id, code, class| {
        let placed = shop.create(&order_to(id, code, class)).await.unwrap();
        let codes: Vec<&str> = placed
            .warnings
            .iter()
            .map(|warning| warning.code.as_str())
            .collect();
        (
            placed.order.parts().bill.fee(FeeType::Shipping),
            codes.contains(&"no_shipping_rate"),
        )
    };
    assert_eq!(fee("A", "US", "Standard").await, (Some(usd("5")), false));
    assert_eq!(fee("B", "VN", "Standard").await, (Some(usd("12")), false));
    assert_eq!(fee("C", "US", "Express").await, (Some(usd("25")), false));
    assert_eq!(fee("D", "VN", "Express").await, (None, true));
}

#[tokio::test]
async fn places_without_a_file_are_no_surplus() {
    let shop = Shop::open().await;
    let files = |given: &[&str]| {
        items(vec![LineItemDraft {
            file_urls: urls(given),
            ..item("TEE-M", 1)
        }])
    };
    let draft = OrderDraft {
        line_items: files(&[URL, URL, ""]),
        ..order("A")
    };
    assert_eq!(listed(&shop.create(&draft).await.unwrap().warnings), []);
    let draft = OrderDraft {
        line_items: files(&["", "", URL]),
        ..order("B")
    };
    let placed = shop.create(&draft).await.unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [("line_items[0].fileUrls", "more_files_than_areas")]
    );
}
