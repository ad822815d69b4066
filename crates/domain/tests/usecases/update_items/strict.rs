//! Items that a strict store refuses, and items of label orders.

use super::*;

/// Places an order with an unknown SKU and a known SKU. Returns the ids of the items.
async fn placed(shop: &Shop) -> [ItemId; 2] {
    let list = vec![item("MUG-12", 1), item("MUG-11", 1)];
    let order = shop.place("T-1", list).await.order;
    ids(&order).try_into().unwrap()
}

#[tokio::test]
async fn in_a_strict_store_what_was_accepted_before_may_stay() {
    let shop = Shop::open().await;
    let [unknown, _] = placed(&shop).await;
    let strict = shop.strict();
    let note = UpdateDraft {
        production_note: "with care".into(),
        ..update("T-1")
    };
    let placed = shop
        .service
        .change
        .update(&strict, &note, &caller())
        .await
        .unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [
            ("line_items", "unknown_sku"),
            ("totalCost", "total_incomplete")
        ]
    );
    let more = change(unknown, quantity_of(2));
    let placed = shop
        .service
        .change
        .update(&strict, &update_items("T-1", vec![more]), &caller())
        .await
        .unwrap();
    assert_eq!(
        listed(&placed.warnings)[0],
        ("line_items[0].sku", "unknown_sku")
    );
    // The unknown SKU was accepted before, so sending it back is accepted too.
    let echo = change(
        unknown,
        LineItemDraft {
            ship_class: "".into(),
            ..item("MUG-12", 3)
        },
    );
    let placed = shop
        .service
        .change
        .update(&strict, &update_items("T-1", vec![echo]), &caller())
        .await
        .unwrap();
    assert_eq!(
        listed(&placed.warnings)[0],
        ("line_items[0].sku", "unknown_sku")
    );
}

#[tokio::test]
async fn a_strict_store_refuses_what_the_update_names() {
    let shop = Shop::open().await;
    let [_, known] = placed(&shop).await;
    let strict = shop.strict();
    let other = change(known, of_sku("MUG-13"));
    let result = shop
        .service
        .change
        .update(&strict, &update_items("T-1", vec![other]), &caller())
        .await;
    expect(
        "a new unknown SKU",
        result,
        &[("line_items[0].sku", "unknown_sku")],
    );
    let class = change(
        known,
        LineItemDraft {
            ship_class: "Slow".into(),
            ..LineItemDraft::default()
        },
    );
    let result = shop
        .service
        .change
        .update(&strict, &update_items("T-1", vec![class]), &caller())
        .await;
    expect(
        "a class without a rate",
        result,
        &[("line_items[0].shipClass", "no_shipping_rate")],
    );
    let new = new_item("MUG-13");
    let result = shop
        .service
        .change
        .update(
            &strict,
            &at_version(1, update_items("T-1", vec![new])),
            &caller(),
        )
        .await;
    expect(
        "a new item",
        result,
        &[("line_items[0].sku", "unknown_sku")],
    );
}

#[tokio::test]
async fn items_of_a_label_order_change_alike() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        line_items: items(vec![item("MUG-11", 1)]),
        ..label("L-1")
    };
    let order = shop.create_label(&draft).await.unwrap().order;
    let changes = vec![change(ids(&order)[0], quantity_of(7))];
    let update = UpdateDraft {
        shipping_address: Field::Absent,
        ..update_items("L-1", changes)
    };
    let after = shop.update(&update).await.unwrap().order;
    assert_eq!(
        (after.parts().items[0].quantity, after.parts().bill.total()),
        (7, usd("2.50"))
    );
}
