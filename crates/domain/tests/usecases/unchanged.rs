//! Updates that change nothing: the order keeps its prices and version.

use pressline_domain::check::Field;
use pressline_domain::order::request::{
    AddressDraft, ItemChange, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::{DryRunOrder, OrderError};
use proptest::prelude::*;

use super::fixture::*;

fn full() -> OrderDraft {
    let shipping_address = AddressDraft {
        latitude: 0.0.into(),
        ..address()
    };
    OrderDraft {
        shipping_address: shipping_address.into(),
        ..full_order_of("T-1", vec![my_mugs(), item("NO-SUCH", 1)])
    }
}

fn my_mugs() -> LineItemDraft {
    LineItemDraft {
        name: "My mug".into(),
        ref_id: "r-1".into(),
        mockup_images: urls(&[URL]),
        ..with_files(in_class(item("MUG-11", 2), "Express"), 1)
    }
}

/// Returns an update with all present values of the order.
fn echo(shop_items: &[pressline_domain::order::LineItem]) -> UpdateDraft {
    let OrderDraft {
        email,
        shipping_address,
        billing_address,
        ..
    } = full();
    let changes = vec![
        change(shop_items[0].id, my_mugs()),
        ItemChange {
            remove: false.into(),
            ..change(shop_items[1].id, item("NO-SUCH", 1))
        },
    ];
    let shipping_address = match shipping_address {
        // -0 is the same position as 0.
        Field::Value(address) => AddressDraft {
            latitude: (-0.0).into(),
            ..address
        }
        .into(),
        other => other,
    };
    UpdateDraft {
        email,
        shipping_address,
        billing_address,
        ..update_items("T-1", changes)
    }
}

#[tokio::test]
async fn a_request_that_changes_nothing_changes_nothing() {
    let shop = Shop::open().await;
    let before = shop.create(&full()).await.unwrap().order;
    // Neither later times nor other prices are a change of the request.
    shop.clock.advance(60_000);
    let mug = product("MUG-11", "USD", Some("6"), &[("Front", "0")]);
    shop.import(&[mug]).await;
    let echoed = echo(&before.parts().items);
    let nothing = UpdateDraft {
        line_items: Field::Value(Vec::new()),
        ..echoed.clone()
    };
    let versioned = UpdateDraft {
        version: 1.into(),
        ..echoed.clone()
    };
    let cleared_anyway = UpdateDraft {
        production_note: "".into(),
        ..echoed.clone()
    };
    for (what, draft) in [
        ("echo", echoed),
        ("nothing", nothing),
        ("version", versioned),
        ("cleared", cleared_anyway),
    ] {
        let dry_run = shop.dry_run_update(&draft).await.unwrap();
        assert_eq!(
            dry_run.order,
            DryRunOrder::Existing(Box::new(before.clone())),
            "{what}"
        );
        let placed = shop.update(&draft).await.unwrap();
        assert_eq!(placed.order, before, "{what}");
        // A cost is still missing, but changed prices do not affect the stored order.
        assert_eq!(
            listed(&placed.warnings),
            [("totalCost", "total_incomplete")],
            "{what}"
        );
        assert_eq!(dry_run.warnings, placed.warnings);
        assert_eq!(shop.stored("T-1").await.as_ref(), Some(&before), "{what}");
    }
    // A real change takes up the new prices.
    let changed = shop.update(&noted("T-1", "with care")).await.unwrap();
    assert_eq!(changed.order.state.version, 2);
    assert_eq!(changed.order.parts().items[0].unit_cost, Some(usd("6")));
}

#[tokio::test]
async fn it_still_has_to_be_a_right_one() {
    let shop = Shop::open().await;
    let before = shop.create(&order("T-1")).await.unwrap().order;
    let stale = shop
        .update(&UpdateDraft {
            version: 2.into(),
            ..update("T-1")
        })
        .await;
    assert!(
        matches!(stale, Err(OrderError::VersionConflict { current: 1 })),
        "{stale:?}"
    );
    let unknown = ItemChange {
        app_item_id: "17".into(),
        ..ItemChange::default()
    };
    let unknown = shop.update_items("T-1", vec![unknown]).await;
    assert!(
        matches!(unknown, Err(OrderError::UnknownItem(_))),
        "{unknown:?}"
    );
    let warned = UpdateDraft {
        response_type: "full".into(),
        ..update("T-1")
    };
    let placed = shop.update(&warned).await.unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [("response_type", "unsupported_value")]
    );
    assert_eq!(shop.stored("T-1").await, Some(before));
}

#[tokio::test]
async fn each_single_change_is_one_version() {
    let shop = Shop::open().await;
    let before = shop.create(&full()).await.unwrap().order;
    let items = before.parts().items.clone();
    type Change = (&'static str, fn(&mut UpdateDraft));
    let changes: [Change; 7] = [
        ("email", |draft| draft.email = "bo@example.com".into()),
        ("note", |draft| draft.production_note = "with care".into()),
        ("billing address", |draft| {
            draft.billing_address = AddressDraft::default().into()
        }),
        ("customer", |draft| {
            draft.customer = pressline_domain::order::request::CustomerDraft {
                first_name: "Bo".into(),
                ..Default::default()
            }
            .into()
        }),
        ("coordinates", |draft| {
            draft.shipping_address = address().into()
        }),
        ("class", |draft| {
            draft.line_items = class_of(draft, "EXPRESS")
        }),
        ("name", |draft| draft.line_items = name_of(draft, "Mine")),
    ];
    for (what, spoil) in changes {
        let version = shop.stored("T-1").await.unwrap().state.version;
        let mut draft = echo(&items);
        spoil(&mut draft);
        let changed = shop.update(&draft).await.unwrap().order;
        assert_eq!(changed.state.version, version + 1, "{what}");
        // A repetition changes nothing.
        assert_eq!(shop.update(&draft).await.unwrap().order, changed, "{what}");
        let restored = UpdateDraft {
            production_note: "".into(),
            ..echo(&items)
        };
        shop.update(&restored).await.unwrap();
    }
}

fn first_item(
    draft: &UpdateDraft,
    edit: impl FnOnce(&mut LineItemDraft),
) -> Field<Vec<Field<ItemChange>>> {
    let mut entries = draft.line_items.clone();
    if let Field::Value(list) = &mut entries
        && let Some(Field::Value(first)) = list.first_mut()
    {
        edit(&mut first.item);
    }
    entries
}

fn class_of(draft: &UpdateDraft, class: &str) -> Field<Vec<Field<ItemChange>>> {
    first_item(draft, |item| item.ship_class = class.into())
}

fn name_of(draft: &UpdateDraft, name: &str) -> Field<Vec<Field<ItemChange>>> {
    first_item(draft, |item| item.name = name.into())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    /// A repeated update changes nothing, whatever it contains.
    #[test]
    fn the_second_of_two_same_updates_changes_nothing(
        quantity in 1_i64..4,
        sku in proptest::sample::select(vec!["MUG-11", "TEE-M", "NO-SUCH", "POSTER"]),
        name in proptest::sample::select(vec![Field::Absent, "".into(), "Mine".into(), "The MUG-11".into()]),
        files in 0_usize..3,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let shop = Shop::open().await;
            let placed = shop.place("T-1", vec![item("MUG-11", 2)]).await.order;
            let values = LineItemDraft { name, ..with_files(item(sku, quantity), files) };
            let draft = update_items("T-1", vec![change(placed.parts().items[0].id, values)]);
            let first = shop.update(&draft).await.unwrap().order;
            shop.clock.advance(1);
            let second = shop.update(&draft).await.unwrap().order;
            prop_assert_eq!(first, second);
            Ok(())
        })?;
    }
}
