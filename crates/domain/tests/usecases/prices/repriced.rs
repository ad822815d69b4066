//! Updates that cost something else only because prices have changed.

use super::*;

/// Places an order of two mugs and a shirt with prints on both sides.
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

/// Changes the prices named by `what`.
async fn reprice(shop: &Shop, what: &str) {
    match what {
        "nothing" => {}
        "mug" => set_prices(shop, &[list_price(shop, false, NOW, "5.01")]).await,
        "rate" => set_rate(shop, 0, |rate| rate.further = usd("1.01")).await,
        "another rate" => set_rate(shop, 1, |rate| rate.further = usd("1.01")).await,
        "order" => set_fees(shop, vec![of_all_orders("1")]).await,
        "labels" => set_fees(shop, vec![handling("USD", "1")]).await,
        "shirts" => {
            let change = |rule: &mut FeeRuleParts| {
                rule.per = Per::Unit;
                rule.skus = vec!["TEE*".to_owned()];
                rule.orders = Some(OrderKind::Manual);
            };
            let rule = handling("USD", "1").changed(change).unwrap();
            set_fees(shop, vec![rule]).await;
        }
        "area" => {
            let shirt = product(
                "TEE-M",
                "USD",
                Some("7.50"),
                &[("Front", "0"), ("Back", "1.26")],
            );
            shop.import(&[shirt]).await;
        }
        other => panic!("{other}"),
    }
}

/// Returns the update named by `request`.
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
            let posters = of_sku("POSTER");
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
        // The requested change costs more in any case.
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
        let dry_run = shop.dry_run_update(&draft).await.unwrap();
        let updated = shop.update(&draft).await.unwrap();
        assert_eq!(
            is_repriced(&updated),
            said,
            "{request}, {priced}: {:?}",
            updated.order.parts().bill.lines()
        );
        assert_eq!(dry_run.warnings, updated.warnings, "{request}, {priced}");
        // Prices have not changed since the first update.
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
    shop.import(&[poster]).await;
    let updated = shop.update(&noted("T-1", "with care")).await.unwrap();
    assert_eq!(listed(&updated.warnings), [("totalCost", "repriced")]);
    // The total becomes known, but the price of the mug stays the same.
    shop.place("T-2", vec![item("NO-SUCH-THING", 1), item("MUG-11", 1)])
        .await;
    let unknown = shop.stored("T-2").await.unwrap().parts().items[0].id;
    let updated = shop
        .update_items("T-2", vec![removal(unknown)])
        .await
        .unwrap();
    assert_eq!(
        (
            listed(&updated.warnings),
            updated.order.parts().bill.total()
        ),
        (vec![], usd("9"))
    );
}

#[tokio::test]
async fn a_surcharge_that_came_to_be_known_is_not_another_price() {
    let shop = Shop::open().await;
    // The surcharge of the shirt is known as soon as the item without a price in dollars is
    // removed.
    let both = vec![
        with_files(item("BOOK", 1), 1),
        with_files(item("TEE-M", 1), 2),
    ];
    let placed = shop.place("T-2", both).await.order;
    assert_eq!(placed.parts().bill.fee(FeeType::Surcharge), None);
    let removed = update_items("T-2", vec![removal(placed.parts().items[0].id)]);
    let updated = shop.update(&removed).await.unwrap();
    assert_eq!(
        updated.order.parts().bill.fee(FeeType::Surcharge),
        Some(usd("1.25"))
    );
    assert!(!is_repriced(&updated), "{:?}", updated.warnings);
}
