//! Changing, adding and removing the items of an order.

mod strict;

use pressline_domain::check::Field;
use pressline_domain::order::request::{ItemChange, LineItemDraft, OrderDraft, UpdateDraft};
use pressline_domain::order::{Order, OrderError};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::ItemId;

use super::fixture::*;

/// Places an order of two mugs and a shirt.
async fn placed(shop: &Shop) -> Order {
    let mug = LineItemDraft {
        name: "My mug".into(),
        ref_id: "r-1".into(),
        file_urls: urls(&[URL]),
        mockup_images: urls(&[URL]),
        ..in_class(item("MUG-11", 2), "Express")
    };
    shop.place("T-1", vec![mug, item("TEE-M", 1)]).await.order
}

fn ids(order: &Order) -> Vec<ItemId> {
    order.parts().items.iter().map(|item| item.id).collect()
}

fn unknown(result: Result<impl std::fmt::Debug, OrderError>) -> Vec<String> {
    match result {
        Err(OrderError::UnknownItem(violations)) => {
            assert!(
                violations
                    .iter()
                    .all(|one| one.code.as_str() == "unknown_item")
            );
            violations.into_iter().map(|one| one.field).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn at_version(version: i64, draft: UpdateDraft) -> UpdateDraft {
    UpdateDraft {
        version: version.into(),
        ..draft
    }
}

#[tokio::test]
async fn a_field_that_is_present_replaces_and_an_absent_one_stays() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let changes = vec![change(ids(&before)[0], quantity_of(5))];
    let after = shop.update_items("T-1", changes).await.unwrap().order;
    let mut wanted = before.parts().items.clone();
    wanted[0].quantity = 5;
    assert_eq!(after.parts().items, wanted);
    // Products 5 x 5 + 7.50, Express 9 + 4 x 2.50, Standard 4.
    assert_eq!(after.parts().bill.total(), usd("55.50"));

    let other = LineItemDraft {
        sku: "TEE-M".into(),
        name: "My shirt".into(),
        file_urls: urls(&[URL, URL]),
        mockup_images: urls(&[]),
        ..LineItemDraft::default()
    };
    let after = shop
        .update_items("T-1", vec![change(ids(&before)[0], other)])
        .await
        .unwrap()
        .order;
    let item = &after.parts().items[0];
    assert_eq!(
        (item.sku.as_str(), item.name.as_deref(), item.quantity),
        ("TEE-M", Some("My shirt"), 5)
    );
    assert_eq!((item.areas.len(), item.unit_cost), (2, Some(usd("7.50"))));
    assert_eq!(
        (item.mockup_images.len(), item.ref_id.as_deref()),
        (0, Some("r-1"))
    );
    assert_eq!(
        after.parts().bill.fee(FeeType::Surcharge),
        Some(usd("6.25"))
    );
}

#[tokio::test]
async fn a_blank_text_clears_what_is_optional() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let blank = LineItemDraft {
        name: "".into(),
        ref_id: " ".into(),
        ship_class: "".into(),
        file_urls: urls(&[]),
        ..LineItemDraft::default()
    };
    let after = shop
        .update_items("T-1", vec![change(ids(&before)[0], blank)])
        .await
        .unwrap()
        .order;
    let item = &after.parts().items[0];
    // Without a name from the store, the item has the product's name again.
    assert_eq!(
        (item.name.as_deref(), &item.ref_id, &item.ship_class),
        (Some("The MUG-11"), &None, &None)
    );
    assert_eq!(item.file_urls.len(), 0);
    assert_eq!(after.parts().bill.fee(FeeType::Shipping), Some(usd("6")));
    let sku = of_sku(" ");
    let result = shop
        .update_items("T-1", vec![change(ids(&before)[0], sku)])
        .await;
    expect(
        "a SKU cannot be cleared",
        result,
        &[("line_items[0].sku", "required")],
    );
}

#[tokio::test]
async fn an_item_is_taken_out_and_one_stays_at_least() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let [mug, tee] = ids(&before)[..] else {
        panic!()
    };
    let result = shop
        .update_items("T-1", vec![removal(mug), removal(tee)])
        .await;
    expect("nothing left", result, &[("line_items", "out_of_range")]);
    assert_eq!(shop.stored("T-1").await.as_ref(), Some(&before));
    let after = shop
        .update_items("T-1", vec![removal(mug)])
        .await
        .unwrap()
        .order;
    assert_eq!(ids(&after), [tee]);
    assert_eq!(after.parts().bill.total(), usd("11.50"));
    // A second removal is an error.
    assert_eq!(
        unknown(shop.update_items("T-1", vec![removal(mug)]).await),
        ["line_items[0].appItemId"]
    );
    let result = shop.update_items("T-1", vec![removal(tee)]).await;
    expect("the last one", result, &[("line_items", "out_of_range")]);
    let nothing = ItemChange {
        remove: true.into(),
        ..ItemChange::default()
    };
    let result = shop.update_items("T-1", vec![nothing]).await;
    expect(
        "which one",
        result,
        &[("line_items[0].appItemId", "required")],
    );
}

#[tokio::test]
async fn a_removal_that_is_false_is_none() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let kept = ItemChange {
        remove: false.into(),
        ..removal(ids(&before)[0])
    };
    let after = shop.update_items("T-1", vec![kept]).await.unwrap().order;
    assert_eq!(after.parts().items, before.parts().items);
    let odd = ItemChange {
        remove: wrong(),
        ..removal(ids(&before)[0])
    };
    let result = shop.update_items("T-1", vec![odd]).await;
    expect(
        "of another type",
        result,
        &[("line_items[0].remove", "wrong_type")],
    );
}

#[tokio::test]
async fn a_new_item_needs_the_version() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let new = new_item("POSTER");
    let draft = update_items("T-1", vec![new]);
    expect(
        "without version",
        shop.update(&draft).await,
        &[("line_items[0].appItemId", "required")],
    );
    let after = shop
        .update(&at_version(1, draft.clone()))
        .await
        .unwrap()
        .order;
    let items = &after.parts().items;
    assert_eq!(
        items
            .iter()
            .map(|item| item.sku.as_str())
            .collect::<Vec<_>>(),
        ["MUG-11", "TEE-M", "POSTER"]
    );
    assert_eq!(ids(&after)[..2], ids(&before)[..]);
    assert!(items[2].id > items[1].id);
    // The version prevents a repeated update from adding the item twice.
    let again = shop.update(&at_version(1, draft)).await;
    assert!(
        matches!(again, Err(OrderError::VersionConflict { current: 2 })),
        "{again:?}"
    );
    // A new item has the same required fields as in a create request.
    let empty = at_version(2, update_items("T-1", vec![ItemChange::default()]));
    let wanted = [
        ("line_items[0].sku", "required"),
        ("line_items[0].quantity", "required"),
    ];
    expect("an empty one", shop.update(&empty).await, &wanted);
    assert_eq!(shop.stored("T-1").await, Some(after));
}

#[tokio::test]
async fn an_order_has_a_hundred_items_at_most() {
    let shop = Shop::open().await;
    let before = shop.place("T-1", vec![item("MUG-11", 1); 99]).await.order;
    let new = new_item("MUG-11");
    let two = at_version(1, update_items("T-1", vec![new.clone(), new.clone()]));
    expect(
        "101 items",
        shop.update(&two).await,
        &[("line_items", "too_long")],
    );
    let exchanged = update_items(
        "T-1",
        vec![new.clone(), removal(ids(&before)[7]), new.clone()],
    );
    let after = shop.update(&at_version(1, exchanged)).await.unwrap().order;
    assert_eq!(after.parts().items.len(), 100);
    let many = at_version(2, update_items("T-1", vec![new; 101]));
    expect(
        "101 entries",
        shop.update(&many).await,
        &[("line_items", "too_long")],
    );
}

#[tokio::test]
async fn an_unknown_item_changes_nothing() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let others = shop.place("T-2", vec![item("MUG-11", 1)]).await.order;
    let named = |id: &str| ItemChange {
        app_item_id: id.into(),
        ..ItemChange::default()
    };
    let draft = UpdateDraft {
        production_note: "not stored".into(),
        ..update_items(
            "T-1",
            vec![
                change(ids(&before)[0], item("TEE-M", 9)),
                named("17"),
                change(ids(&others)[0], item("TEE-M", 9)),
            ],
        )
    };
    let fields = unknown(shop.update(&draft).await);
    assert_eq!(
        fields,
        ["line_items[1].appItemId", "line_items[2].appItemId"]
    );
    assert_eq!(shop.stored("T-1").await, Some(before));
    assert_eq!(shop.stored("T-2").await, Some(others));
}

#[tokio::test]
async fn a_repeated_item_is_refused() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let id = ids(&before)[0];
    let shouted = ItemChange {
        app_item_id: id.to_string().to_uppercase().into(),
        ..removal(id)
    };
    for second in [change(id, item("MUG-11", 4)), removal(id), shouted] {
        let draft = update_items("T-1", vec![change(id, item("MUG-11", 3)), second]);
        expect(
            "twice",
            shop.update(&draft).await,
            &[("line_items[1].appItemId", "repeated")],
        );
    }
    assert_eq!(shop.stored("T-1").await.as_ref(), Some(&before));
    // An id in upper case names the same item.
    let shouted = ItemChange {
        app_item_id: id.to_string().to_uppercase().into(),
        ..change(id, item("MUG-11", 3))
    };
    assert_eq!(
        shop.update_items("T-1", vec![shouted])
            .await
            .unwrap()
            .order
            .parts()
            .items[0]
            .quantity,
        3
    );
}

#[tokio::test]
async fn problems_of_all_items_are_reported_at_once() {
    let shop = Shop::open().await;
    let before = placed(&shop).await;
    let [mug, tee] = ids(&before)[..] else {
        panic!()
    };
    let draft = UpdateDraft {
        email: wrong(),
        ..update_items(
            "T-1",
            vec![
                change(
                    mug,
                    LineItemDraft {
                        file_urls: urls(&[URL, "ftp://a"]),
                        ..item("MUG-11", 0)
                    },
                ),
                ItemChange {
                    app_item_id: wrong(),
                    ..change(tee, LineItemDraft::default())
                },
                new_item(""),
            ],
        )
    };
    expect(
        "all at once",
        shop.update(&draft).await,
        &[
            ("email", "wrong_type"),
            ("line_items[0].quantity", "out_of_range"),
            ("line_items[0].fileUrls[1]", "invalid_format"),
            ("line_items[1].appItemId", "wrong_type"),
            ("line_items[2].appItemId", "required"),
            ("line_items[2].sku", "required"),
        ],
    );
}
