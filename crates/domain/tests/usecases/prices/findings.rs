//! Findings of pricing about variants, ship classes, weights and areas.

use pressline_domain::value::Amount;

use super::*;

#[tokio::test]
async fn retired_variants_are_found_out() {
    let shop = Shop::open().await;
    shop.place("T-0", vec![item("MUG-11", 1)]).await;
    let mug = product("MUG-11", "USD", Some("5"), &[("Front", "0")]);
    let retired = mug.changed(|mug| mug.retired = true).unwrap();
    shop.import(&[retired]).await;
    let placed = shop
        .place("T-1", vec![item("TEE-M", 1), item("MUG-11", 1)])
        .await;
    assert_eq!(
        listed(&placed.warnings),
        [("line_items[1].sku", "retired_sku")]
    );
    assert_eq!(
        placed.order.parts().bill.fee(FeeType::Product),
        Some(usd("12.50"))
    );
    let strict = shop
        .create_strict(&order_of("T-2", vec![item("MUG-11", 1)]))
        .await;
    expect("strict", strict, &[("line_items[0].sku", "retired_sku")]);
    // For items that are already ordered, the finding is only a warning.
    let updated = shop
        .update_strict(&noted("T-0", "with care"))
        .await
        .unwrap();
    assert_eq!(listed(&updated.warnings), [("line_items", "retired_sku")]);
}

#[tokio::test]
async fn classes_that_a_variant_is_not_sent_in_are_found_out() {
    let shop = Shop::open().await;
    let rug = product("MUG-11", "USD", Some("5"), &[("Front", "0")]);
    let classes = vec!["express".to_owned(), "Freight".to_owned()];
    let rug = rug.changed(|rug| rug.ship_classes = classes).unwrap();
    shop.import(&[rug]).await;
    let of_class = |class: &str| vec![in_class(item("MUG-11", 1), class)];
    let field = "line_items[0].shipClass";
    let not_offered = (field, "ship_class_not_offered");
    let no_rate = (field, "no_shipping_rate");
    let incomplete = ("totalCost", "total_incomplete");
    let unknown = (field, "unknown_ship_class");
    for (order_id, class, codes, shipping) in [
        ("T-1", "EXPRESS", vec![], Some("9")),
        ("T-2", "Standard", vec![not_offered], Some("4")),
        // The variant offers Freight, so its missing rate is not replaced by the rate of Standard.
        ("T-3", "freight", vec![no_rate, incomplete], None),
        ("T-4", "Freigt", vec![unknown], Some("4")),
    ] {
        let placed = shop.place(order_id, of_class(class)).await;
        assert_eq!(listed(&placed.warnings), codes, "{class}");
        assert_eq!(
            placed.order.parts().bill.fee(FeeType::Shipping),
            shipping.map(usd),
            "{class}"
        );
        if let (Some((_, code)), false) = (codes.first(), codes.is_empty()) {
            let draft = OrderDraft {
                order_id: "STRICT".into(),
                ..order_of("", of_class(class))
            };
            let strict = shop.create_strict(&draft).await;
            expect(class, strict, &[(field, *code)]);
        }
    }
    let warned = shop.place("T-5", of_class("Freigt")).await.warnings;
    assert!(
        warned[0].message.contains("did you mean `Freight`?"),
        "{}",
        warned[0].message
    );
    // An item without a class is sent as Standard.
    let placed = shop.place("T-6", vec![item("MUG-11", 1)]).await;
    assert_eq!(listed(&placed.warnings), [not_offered]);
}

/// Creates an order to `address` and returns its shipping fee.
async fn shipping_to(shop: &Shop, order_id: &str, address: AddressDraft) -> Option<Amount> {
    let draft = OrderDraft {
        shipping_address: address.into(),
        ..order(order_id)
    };
    let placed = shop.create(&draft).await.unwrap();
    placed.order.parts().bill.fee(FeeType::Shipping)
}

/// Puerto Rico is a country of ISO 3166-1 and a subdivision of the United States.
#[tokio::test]
async fn a_territory_is_one_place_however_it_is_written() {
    let shop = Shop::open().await;
    for (place, name) in [("PR", "a"), ("US-PR", "b")] {
        let remote = rate_to("Remote", "Standard", "USD", "20", "1");
        let of_zones = [tariff().shipping.rates(), &[remote]].concat();
        let shipping = rates(vec![zone("Remote", &[place])], of_zones);
        shop.catalog.set_shipping(&shipping).await.unwrap();
        for (i, (country, province)) in [("PR", ""), ("US", "PR"), ("US", "US-PR"), ("US", "us-pr")]
            .into_iter()
            .enumerate()
        {
            let address = AddressDraft {
                country_code: country.into(),
                province_code: province.into(),
                zip: "00901".into(),
                ..address()
            };
            let fee = shipping_to(&shop, &format!("T-{name}-{i}"), address).await;
            assert_eq!(fee, Some(usd("21")), "{name} {country} {province}");
        }
        // The code of Delaware, `DE`, does not mean Germany here.
        let delaware = AddressDraft {
            province_code: "DE".into(),
            zip: "19901".into(),
            ..address()
        };
        let fee = shipping_to(&shop, &format!("D-{name}"), delaware).await;
        assert_eq!(fee, Some(usd("5")));
    }
}

#[tokio::test]
async fn a_weight_that_counts_and_is_not_known_is_said() {
    let shop = Shop::open().await;
    let step = WeightStep {
        above_grams: 100,
        extra: usd("2"),
    };
    // The first rate is the rate of Standard.
    set_rate(&shop, 0, |rate| rate.steps.push(step)).await;
    let placed = shop
        .place(
            "T-1",
            vec![item("MUG-11", 1), in_class(item("MUG-11", 1), "Express")],
        )
        .await;
    assert_eq!(
        listed(&placed.warnings),
        [("line_items[0].sku", "weight_unknown")]
    );
    let strict = shop.create_strict(&order("T-2")).await;
    expect("strict", strict, &[("line_items[0].sku", "weight_unknown")]);
}

#[tokio::test]
async fn an_area_whose_fee_is_in_another_currency_is_named() {
    let shop = Shop::open().await;
    let placed = shop
        .place("T-1", vec![item("BOOK", 1), with_files(item("BOOK", 1), 1)])
        .await;
    assert!(
        listed(&placed.warnings).contains(&("line_items[1].sku", "no_area_price")),
        "{:?}",
        placed.warnings
    );
    assert!(!listed(&placed.warnings).contains(&("line_items[0].sku", "no_area_price")));
    assert_eq!(placed.order.parts().bill.fee(FeeType::Surcharge), None);
}

#[tokio::test]
async fn near_skus_are_looked_up_for_the_first_unknown_ones() {
    let shop = Shop::open().await;
    let items = (0..12)
        .map(|i| item(&format!("MUG-1{}", char::from(b'A' + i)), 1))
        .collect();
    let placed = shop.place("T-1", items).await;
    let unknown: Vec<_> = placed
        .warnings
        .iter()
        .filter(|warning| warning.code.as_str() == "unknown_sku")
        .collect();
    let near: Vec<bool> = unknown
        .iter()
        .map(|warning| warning.message.contains("MUG-11"))
        .collect();
    assert_eq!(near, [vec![true; 10], vec![false; 2]].concat());
}
