//! Blank texts and null in updates.

use super::*;

#[tokio::test]
async fn in_an_update_blank_texts_clear_and_null_leaves() {
    let shop = Shop::open().await;
    let full = LineItemDraft {
        name: "Cup".into(),
        ref_id: "r".into(),
        ship_class: "Express".into(),
        ..item("MUG-11", 1)
    };
    let placed = shop.place("T-1", vec![full]).await;
    let id = placed.order.parts().items[0].id.to_string();
    let change = |item: LineItemDraft| UpdateDraft {
        line_items: Field::Value(vec![
            ItemChange {
                app_item_id: format!(" {id}\n").as_str().into(),
                item,
                ..ItemChange::default()
            }
            .into(),
        ]),
        ..update(" T-1 ")
    };
    let kept = shop
        .update(&change(LineItemDraft::default()))
        .await
        .unwrap()
        .order;
    assert_eq!(kept.parts().items[0].ref_id.as_deref(), Some("r"));
    for blank in ["", " \t\n"] {
        let cleared = LineItemDraft {
            ref_id: blank.into(),
            ship_class: blank.into(),
            ..LineItemDraft::default()
        };
        let order = shop.update(&change(cleared)).await.unwrap().order;
        let item = &order.parts().items[0];
        assert_eq!((&item.ref_id, &item.ship_class), (&None, &None));
        let back = LineItemDraft {
            ref_id: "r".into(),
            ship_class: "Express".into(),
            ..LineItemDraft::default()
        };
        shop.update(&change(back)).await.unwrap();
        let no_sku = LineItemDraft {
            sku: blank.into(),
            ..LineItemDraft::default()
        };
        expect(
            "no SKU",
            shop.update(&change(no_sku)).await,
            &[("line_items[0].sku", "required")],
        );
    }
}
