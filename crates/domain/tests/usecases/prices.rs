//! Which price counts, and when an update says that prices have changed.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ListPrice};
use pressline_domain::id::{ItemId, OrderId};
use pressline_domain::order::OrderKind;
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft, UpdateDraft};
use pressline_domain::order::{NewOrder, OrderRepository as _, OrderWrite, Placed};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, Per, Place, ShippingRate, ShippingRates, WeightStep, Zone,
};
use pressline_domain::time::Timestamp;
use pressline_kit::geo::Country;

use super::fixture::*;

fn list_price(shop: &Shop, own: bool, from: i64, price: &str) -> ListPrice {
    ListPrice {
        store: own.then_some(shop.store.id),
        sku: "MUG-11".to_owned(),
        currency: shop.store.currency,
        valid_from: Timestamp::from_millis(from),
        amount: usd(price),
    }
}

async fn set_prices(shop: &Shop, prices: &[ListPrice]) {
    shop.catalog
        .set_prices(prices, &ImportOptions::default())
        .await
        .unwrap();
}

async fn set_fees(shop: &Shop, rules: Vec<FeeRule>) {
    shop.catalog
        .set_fees(&[(None, Some(&FeeSchedule { rules }))])
        .await
        .unwrap();
}

async fn set_shipping(shop: &Shop, change: impl Fn(&mut ShippingRates)) {
    let mut shipping = tariff().shipping;
    change(&mut shipping);
    shop.catalog.set_shipping(&shipping).await.unwrap();
}

/// What a mug costs in an order placed now.
async fn mug(shop: &Shop, order_id: &str) -> String {
    let placed = shop.place(order_id, vec![item("MUG-11", 1)]).await;
    let cost = placed.order.parts().items[0].unit_cost.unwrap();
    assert_eq!(placed.order.parts().fees.product, Some(cost));
    cost.to_decimal(shop.store.currency)
}

#[tokio::test]
async fn the_stores_list_comes_before_the_services_and_that_before_the_catalog() {
    let shop = Shop::open().await;
    assert_eq!(mug(&shop, "T-1").await, "5");
    set_prices(&shop, &[list_price(&shop, false, NOW - 10, "4.50")]).await;
    assert_eq!(mug(&shop, "T-2").await, "4.5");
    // The store's own holds, though the service's has a later one.
    set_prices(&shop, &[list_price(&shop, true, NOW - 20, "4.80")]).await;
    assert_eq!(mug(&shop, "T-3").await, "4.8");
    let euros = ListPrice {
        currency: currency("EUR"),
        ..list_price(&shop, true, NOW - 1, "1")
    };
    let of_other = ListPrice {
        store: Some(shop.add_store("OTHER", currency("USD")).await.id),
        ..euros.clone()
    };
    let of_other = ListPrice {
        currency: currency("USD"),
        ..of_other
    };
    set_prices(&shop, &[euros, of_other]).await;
    assert_eq!(mug(&shop, "T-4").await, "4.8");
    let lines = shop.stored("T-4").await.unwrap().parts().fee_lines.clone();
    assert_eq!(
        lines[0].rule,
        "MUG-11: 1 x 4.80 USD by the store's price list, valid from 2024-06-08T03:49:12.885Z"
    );
}

#[tokio::test]
async fn a_price_counts_from_its_millisecond_on_without_an_import() {
    let shop = Shop::open().await;
    let prices = [
        list_price(&shop, false, NOW + 1000, "6"),
        list_price(&shop, false, NOW + 2000, "7"),
        list_price(&shop, true, NOW + 3000, "3"),
    ];
    set_prices(&shop, &prices).await;
    for (number, (at, price)) in [
        (0, "5"),
        (999, "5"),
        (1000, "6"),
        (1999, "6"),
        (2000, "7"),
        (2999, "7"),
        (3000, "3"),
        (9_000_000, "3"),
    ]
    .into_iter()
    .enumerate()
    {
        shop.clock.set(Timestamp::from_millis(NOW + at));
        assert_eq!(
            mug(&shop, &format!("T-{number}")).await,
            price,
            "after {at} ms"
        );
    }
}

#[tokio::test]
async fn a_stored_order_keeps_its_prices() {
    let shop = Shop::open().await;
    set_fees(
        &shop,
        vec![FeeRule {
            orders: None,
            ..handling("USD", "0.50")
        }],
    )
    .await;
    let placed = shop
        .place(
            "T-1",
            vec![item("MUG-11", 2), with_files(item("TEE-M", 1), 2)],
        )
        .await
        .order;
    set_prices(&shop, &[list_price(&shop, false, NOW, "9")]).await;
    set_fees(&shop, Vec::new()).await;
    set_shipping(&shop, |shipping| shipping.rates[0].first = usd("40")).await;
    let dearer = product("TEE-M", "USD", Some("70"), &[("Front", "9"), ("Back", "9")]);
    shop.catalog
        .import(&[dearer], &ImportOptions::default())
        .await
        .unwrap();
    shop.clock.set(Timestamp::from_millis(NOW + 1));
    assert_eq!(shop.stored("T-1").await.as_ref(), Some(&placed));
    let replayed = shop
        .place(
            "T-1",
            vec![item("MUG-11", 2), with_files(item("TEE-M", 1), 2)],
        )
        .await;
    assert_eq!((replayed.order, replayed.replayed), (placed.clone(), true));
    // An update prices the order again, at the prices of that moment.
    let updated = shop.update(&noted("T-1", "with care")).await.unwrap();
    let (before, after) = (placed.parts(), updated.order.parts());
    assert_eq!(
        (before.priced_at.as_millis(), after.priced_at.as_millis()),
        (NOW, NOW + 1)
    );
    assert_eq!(
        (before.fees.handle, after.fees.handle),
        (Some(usd("0.50")), None)
    );
    assert_eq!(
        (after.fees.product, after.fees.shipping),
        (Some(usd("88")), Some(usd("42")))
    );
    assert_eq!(after.items[1].areas[0].extra_fee, usd("9"));
    assert_eq!(listed(&updated.warnings), [("totalCost", "repriced")]);
}

/// Two mugs and a shirt that is printed on both sides.
async fn ordered(shop: &Shop) -> [ItemId; 2] {
    let placed = shop
        .place(
            "T-1",
            vec![item("MUG-11", 2), with_files(item("TEE-M", 1), 2)],
        )
        .await;
    let items = &placed.order.parts().items;
    [items[0].id, items[1].id]
}

fn is_repriced(placed: &Placed) -> bool {
    placed
        .warnings
        .iter()
        .any(|warning| warning.code.as_str() == "repriced")
}

/// What changes the prices of an order that [`ordered`] placed.
async fn reprice(shop: &Shop, what: &str) {
    match what {
        "nothing" => {}
        "mug" => set_prices(shop, &[list_price(shop, false, NOW, "5.01")]).await,
        "rate" => set_shipping(shop, |shipping| shipping.rates[0].further = usd("1.01")).await,
        "another rate" => {
            set_shipping(shop, |shipping| shipping.rates[1].further = usd("1.01")).await
        }
        "order" => {
            set_fees(
                shop,
                vec![FeeRule {
                    orders: None,
                    ..handling("USD", "1")
                }],
            )
            .await
        }
        "labels" => set_fees(shop, vec![handling("USD", "1")]).await,
        "shirts" => {
            let skus = vec!["TEE*".to_owned()];
            let rule = FeeRule {
                per: Per::Unit,
                skus,
                orders: Some(OrderKind::Manual),
                ..handling("USD", "1")
            };
            set_fees(shop, vec![rule]).await;
        }
        "area" => {
            let shirt = product(
                "TEE-M",
                "USD",
                Some("7.50"),
                &[("Front", "0"), ("Back", "1.26")],
            );
            shop.catalog
                .import(&[shirt], &ImportOptions::default())
                .await
                .unwrap();
        }
        other => panic!("{other}"),
    }
}

/// What an update of such an order asks for.
fn asked(request: &str, mugs: ItemId, shirts: ItemId) -> UpdateDraft {
    let some = |quantity: i64| LineItemDraft {
        quantity: quantity.into(),
        ..LineItemDraft::default()
    };
    match request {
        "note" => noted("T-1", "with care"),
        "more mugs" => update_items("T-1", vec![change(mugs, some(9))]),
        "more shirts" => update_items("T-1", vec![change(shirts, some(9))]),
        "no mugs" => update_items("T-1", vec![removal(mugs)]),
        "posters for mugs" => {
            let posters = LineItemDraft {
                sku: "POSTER".into(),
                ..LineItemDraft::default()
            };
            update_items("T-1", vec![change(mugs, posters)])
        }
        "one more" => {
            let new = pressline_domain::order::request::ItemChange {
                item: item("MUG-11", 1),
                ..Default::default()
            };
            UpdateDraft {
                version: 1.into(),
                ..update_items("T-1", vec![new])
            }
        }
        "elsewhere" => {
            let address = AddressDraft {
                province_code: "US-CA".into(),
                ..address()
            };
            UpdateDraft {
                shipping_address: address.into(),
                ..update("T-1")
            }
        }
        "same place" => {
            let address = AddressDraft {
                name: "Ana".into(),
                address1: "2 Main St".into(),
                ..address()
            };
            UpdateDraft {
                shipping_address: address.into(),
                ..update("T-1")
            }
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn an_update_says_that_what_it_left_alone_costs_something_else() {
    for (request, priced, said) in [
        ("note", "nothing", false),
        ("note", "mug", true),
        ("note", "rate", true),
        ("note", "another rate", false),
        ("note", "order", true),
        ("note", "labels", false),
        ("note", "shirts", true),
        ("note", "area", true),
        ("more mugs", "nothing", false),
        ("more mugs", "mug", true),
        ("more mugs", "shirts", true),
        ("more mugs", "area", true),
        ("more shirts", "nothing", false),
        ("more shirts", "mug", true),
        // What was asked for costs more anyway.
        ("more shirts", "shirts", false),
        ("no mugs", "nothing", false),
        ("no mugs", "mug", false),
        ("no mugs", "area", true),
        ("posters for mugs", "nothing", false),
        ("posters for mugs", "mug", false),
        ("posters for mugs", "shirts", true),
        ("one more", "nothing", false),
        ("one more", "mug", true),
        ("elsewhere", "nothing", false),
        ("elsewhere", "rate", false),
        ("elsewhere", "mug", true),
        ("same place", "rate", true),
        ("same place", "nothing", false),
    ] {
        let shop = Shop::open().await;
        let [mugs, shirts] = ordered(&shop).await;
        reprice(&shop, priced).await;
        let draft = asked(request, mugs, shirts);
        let quoted = shop
            .service
            .quote_update(&shop.store, &draft)
            .await
            .unwrap();
        let updated = shop.update(&draft).await.unwrap();
        assert_eq!(
            is_repriced(&updated),
            said,
            "{request}, {priced}: {:?}",
            updated.order.parts().fee_lines
        );
        assert_eq!(quoted.warnings, updated.warnings, "{request}, {priced}");
        // The second time nothing has changed since.
        let again = shop.update(&noted("T-1", "once more")).await.unwrap();
        assert!(
            !is_repriced(&again),
            "{request}, {priced}, and nothing more"
        );
    }
}

#[tokio::test]
async fn a_price_that_came_to_be_known_is_another_one() {
    let shop = Shop::open().await;
    shop.place("T-1", vec![item("POSTER", 1), item("MUG-11", 1)])
        .await;
    let poster = product("POSTER", "USD", Some("3"), &[("Main", "0")]);
    shop.catalog
        .import(&[poster], &ImportOptions::default())
        .await
        .unwrap();
    let updated = shop.update(&noted("T-1", "with care")).await.unwrap();
    assert_eq!(listed(&updated.warnings), [("totalCost", "repriced")]);
    // That the mug's cost counts now is no change of its price.
    shop.place("T-2", vec![item("NO-SUCH-THING", 1), item("MUG-11", 1)])
        .await;
    let unknown = shop.stored("T-2").await.unwrap().parts().items[0].id;
    let updated = shop
        .update(&update_items("T-2", vec![removal(unknown)]))
        .await
        .unwrap();
    assert_eq!(
        (listed(&updated.warnings), updated.order.total()),
        (vec![], usd("9"))
    );
}

/// An order that was priced before fees had lines of their items.
async fn unexplained(shop: &Shop) -> [ItemId; 2] {
    let items = ordered(shop).await;
    let mut parts = shop.stored("T-1").await.unwrap().parts().clone();
    parts.id = OrderId::new(uuid::Uuid::from_u128(1));
    parts.order_id = "OLD".to_owned();
    parts.fee_lines = parts.fees.unexplained();
    shop.orders
        .write(OrderWrite::create(NewOrder::new(parts).unwrap()))
        .await
        .unwrap();
    items
}

#[tokio::test]
async fn fees_whose_parts_are_not_known_are_not_compared_by_part() {
    let shop = Shop::open().await;
    let [mugs, _] = unexplained(&shop).await;
    let more = LineItemDraft {
        quantity: 9.into(),
        ..LineItemDraft::default()
    };
    let updated = shop
        .update(&update_items("OLD", vec![change(mugs, more)]))
        .await
        .unwrap();
    assert!(!is_repriced(&updated), "{:?}", updated.warnings);
    // The extra fees of the shirt's areas count once the one that nobody knows in dollars is gone.
    let both = vec![
        with_files(item("BOOK", 1), 1),
        with_files(item("TEE-M", 1), 2),
    ];
    let placed = shop.place("T-2", both).await.order;
    assert_eq!(placed.parts().fees.surcharge, None);
    let removed = update_items("T-2", vec![removal(placed.parts().items[0].id)]);
    let updated = shop.update(&removed).await.unwrap();
    assert_eq!(updated.order.parts().fees.surcharge, Some(usd("1.25")));
    assert!(!is_repriced(&updated), "{:?}", updated.warnings);
}

#[tokio::test]
async fn retired_variants_are_found_out() {
    let shop = Shop::open().await;
    shop.place("T-0", vec![item("MUG-11", 1)]).await;
    let mut retired = product("MUG-11", "USD", Some("5"), &[("Front", "0")]);
    retired.retired = true;
    shop.catalog
        .import(&[retired], &ImportOptions::default())
        .await
        .unwrap();
    let placed = shop
        .place("T-1", vec![item("TEE-M", 1), item("MUG-11", 1)])
        .await;
    assert_eq!(
        listed(&placed.warnings),
        [("line_items[1].sku", "retired_sku")]
    );
    assert_eq!(placed.order.parts().fees.product, Some(usd("12.50")));
    let strict = shop
        .service
        .create(&shop.strict(), &order_of("T-2", vec![item("MUG-11", 1)]))
        .await;
    expect("strict", strict, &[("line_items[0].sku", "retired_sku")]);
    // Of what was ordered before the update only tells.
    let updated = shop
        .service
        .update(&shop.strict(), &noted("T-0", "with care"))
        .await
        .unwrap();
    assert_eq!(listed(&updated.warnings), [("line_items", "retired_sku")]);
}

#[tokio::test]
async fn classes_that_a_variant_is_not_sent_in_are_found_out() {
    let shop = Shop::open().await;
    let mut rug = product("MUG-11", "USD", Some("5"), &[("Front", "0")]);
    rug.ship_classes = vec!["express".to_owned(), "Freight".to_owned()];
    shop.catalog
        .import(&[rug], &ImportOptions::default())
        .await
        .unwrap();
    let of_class = |class: &str| vec![in_class(item("MUG-11", 1), class)];
    let field = "line_items[0].shipClass";
    for (order_id, class, codes, shipping) in [
        ("T-1", "EXPRESS", vec![], Some("9")),
        (
            "T-2",
            "Standard",
            vec![(field, "ship_class_not_offered")],
            Some("4"),
        ),
        // The variant knows it, so it is no other name of Standard.
        (
            "T-3",
            "freight",
            vec![
                (field, "no_shipping_rate"),
                ("totalCost", "total_incomplete"),
            ],
            None,
        ),
        (
            "T-4",
            "Freigt",
            vec![(field, "unknown_ship_class")],
            Some("4"),
        ),
    ] {
        let placed = shop.place(order_id, of_class(class)).await;
        assert_eq!(listed(&placed.warnings), codes, "{class}");
        assert_eq!(
            placed.order.parts().fees.shipping,
            shipping.map(usd),
            "{class}"
        );
        if let (Some((_, code)), false) = (codes.first(), codes.is_empty()) {
            let draft = OrderDraft {
                order_id: "STRICT".into(),
                ..order_of("", of_class(class))
            };
            let strict = shop.service.create(&shop.strict(), &draft).await;
            expect(class, strict, &[(field, *code)]);
        }
    }
    let warned = shop.place("T-5", of_class("Freigt")).await.warnings;
    assert!(
        warned[0].message.contains("did you mean `Freight`?"),
        "{}",
        warned[0].message
    );
    // A class that is not named is Standard.
    let placed = shop.place("T-6", vec![item("MUG-11", 1)]).await;
    assert_eq!(
        listed(&placed.warnings),
        [(field, "ship_class_not_offered")]
    );
}

/// Puerto Rico is a country of ISO 3166-1 and a subdivision of the United States: one place,
/// however it is written.
#[tokio::test]
async fn a_territory_is_one_place_however_it_is_written() {
    let shop = Shop::open().await;
    let place = |country: &str, province: Option<&str>| Place {
        country: Country::from_code(country).unwrap(),
        province: province.map(str::to_owned),
    };
    for (zone, name) in [(place("PR", None), "a"), (place("US", Some("PR")), "b")] {
        set_shipping(&shop, |rates| {
            let remote = ShippingRate {
                zone: "Remote".to_owned(),
                ..rate("Standard", "USD", "20", "1")
            };
            rates.zones.push(Zone {
                name: "Remote".to_owned(),
                places: vec![zone.clone()],
            });
            rates.rates.push(remote);
        })
        .await;
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
            let draft = OrderDraft {
                shipping_address: address.into(),
                ..order(&format!("T-{name}-{i}"))
            };
            let placed = shop.create(&draft).await.unwrap();
            assert_eq!(
                placed.order.parts().fees.shipping,
                Some(usd("21")),
                "{name} {country} {province}"
            );
        }
        // Delaware shares its code with Germany, and is none of it.
        let draft = OrderDraft {
            shipping_address: AddressDraft {
                province_code: "DE".into(),
                zip: "19901".into(),
                ..address()
            }
            .into(),
            ..order(&format!("D-{name}"))
        };
        assert_eq!(
            shop.create(&draft)
                .await
                .unwrap()
                .order
                .parts()
                .fees
                .shipping,
            Some(usd("5"))
        );
    }
}

#[tokio::test]
async fn a_weight_that_counts_and_is_not_known_is_said() {
    let shop = Shop::open().await;
    set_shipping(&shop, |rates| {
        for rate in rates
            .rates
            .iter_mut()
            .filter(|rate| rate.ship_class == "Standard")
        {
            rate.steps.push(WeightStep {
                above_grams: 100,
                extra: usd("2"),
            });
        }
    })
    .await;
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
    let strict = shop.service.create(&shop.strict(), &order("T-2")).await;
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
    assert_eq!(placed.order.parts().fees.surcharge, None);
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
