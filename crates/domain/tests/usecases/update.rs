//! Changing an order: what is replaced, what stays, and when nothing changes.

use std::sync::Arc;

use pressline_domain::field::Field;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, OrderDraft, UpdateDraft};
use pressline_domain::order::status::ItemStatus;
use pressline_domain::order::{OrderError, OrderRepository, OrderWrite};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::fixture::*;

fn full() -> OrderDraft {
    OrderDraft {
        email: "ana@example.com".into(),
        shipping_address: AddressDraft {
            company: "Springfield Prints".into(),
            ..address()
        }
        .into(),
        billing_address: AddressDraft {
            city: "Huế".into(),
            ..AddressDraft::default()
        }
        .into(),
        ..order("T-1")
    }
}

#[tokio::test]
async fn address_and_customer_are_replaced_whole_and_the_rest_stays() {
    let shop = Shop::open().await;
    let before = shop.create(&full()).await.unwrap().order;
    shop.clock.advance(1500);
    let draft = UpdateDraft {
        customer: CustomerDraft {
            last_name: "Smith".into(),
            ..CustomerDraft::default()
        }
        .into(),
        ..update("T-1")
    };
    let placed = shop.update(&draft).await.unwrap();
    assert!(!placed.replayed);
    let (now, was) = (placed.order.parts(), before.parts());
    assert_eq!((now.version, now.updated_at.as_millis()), (2, NOW + 1500));
    assert_eq!(now.customer.name(), "Smith");
    assert_eq!(now.shipping_address.as_ref().unwrap().company, None);
    assert_eq!(
        (&now.email, &now.billing_address),
        (&was.email, &was.billing_address)
    );
    assert_eq!((&now.items, &now.fees), (&was.items, &was.fees));
    assert_eq!(
        (now.id, now.created_at, &now.fingerprint),
        (was.id, was.created_at, &was.fingerprint)
    );
    assert_eq!(placed.order.service_order_id(), before.service_order_id());
    assert_eq!(shop.stored("T-1").await, Some(placed.order));
}

#[tokio::test]
async fn a_blank_text_or_an_empty_object_clears_and_null_leaves() {
    let shop = Shop::open().await;
    shop.create(&full()).await.unwrap();
    let noted = UpdateDraft {
        production_note: "with care".into(),
        ..update("T-1")
    };
    shop.update(&noted).await.unwrap();
    let kept = shop.update(&update("T-1")).await.unwrap().order;
    assert_eq!(kept.parts().production_note.as_deref(), Some("with care"));
    assert!(kept.parts().email.is_some() && kept.parts().billing_address.is_some());
    let cleared = UpdateDraft {
        email: " ".into(),
        production_note: "".into(),
        billing_address: AddressDraft::default().into(),
        ..update("T-1")
    };
    let cleared = shop.update(&cleared).await.unwrap().order;
    let parts = cleared.parts();
    assert_eq!(
        (&parts.email, &parts.production_note, &parts.billing_address),
        (&None, &None, &None)
    );
}

#[tokio::test]
async fn the_callers_id_comes_before_the_service_order_id() {
    let shop = Shop::open().await;
    let first = shop.create(&order("T-1")).await.unwrap().order;
    let by_number = shop.update(&update("DEMO-1")).await.unwrap().order;
    assert_eq!(by_number.parts().id, first.parts().id);
    let second = shop.create(&order("DEMO-1")).await.unwrap().order;
    let by_id = shop.update(&update("DEMO-1")).await.unwrap().order;
    assert_eq!(by_id.parts().id, second.parts().id);
    for unknown in ["T-2", "DEMO-01", "demo-1", "DEMO-99", "OTHER-1"] {
        let result = shop.update(&update(unknown)).await;
        assert!(
            matches!(result, Err(OrderError::NotFound)),
            "{unknown}: {result:?}"
        );
    }
}

#[tokio::test]
async fn another_stores_order_is_not_found() {
    let shop = Shop::open().await;
    let other = shop.add_store("OTHER", currency("USD")).await;
    let before = shop.create(&order("T-1")).await.unwrap().order;
    for id in ["T-1", "DEMO-1"] {
        let result = shop.service.update(&other, &update(id)).await;
        assert!(
            matches!(result, Err(OrderError::NotFound)),
            "{id}: {result:?}"
        );
    }
    assert_eq!(shop.stored("T-1").await, Some(before));
}

#[tokio::test]
async fn a_manual_order_needs_its_address_and_a_label_order_does_not() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let without = |order_id| UpdateDraft {
        shipping_address: Field::Absent,
        ..update(order_id)
    };
    let required = [("shipping_address", "required")];
    expect("absent", shop.update(&without("T-1")).await, &required);
    let empty = UpdateDraft {
        shipping_address: AddressDraft::default().into(),
        ..update("T-1")
    };
    expect("empty", shop.update(&empty).await, &required);
    // Together with everything else that is wrong.
    let more = UpdateDraft {
        customer: Field::Absent,
        ..without("T-1")
    };
    let both = [("customer", "required"), ("shipping_address", "required")];
    expect("absent and more", shop.update(&more).await, &both);
    let more = UpdateDraft {
        customer: Field::Absent,
        ..empty
    };
    expect("empty and more", shop.update(&more).await, &both);

    shop.create_label(&OrderDraft {
        shipping_address: address().into(),
        ..label("L-1")
    })
    .await
    .unwrap();
    let kept = shop.update(&without("L-1")).await.unwrap().order;
    assert!(kept.parts().shipping_address.is_some());
    let more = UpdateDraft {
        customer: Field::Absent,
        ..without("L-1")
    };
    expect(
        "a label order",
        shop.update(&more).await,
        &[("customer", "required")],
    );
    let cleared = UpdateDraft {
        shipping_address: AddressDraft::default().into(),
        ..update("L-1")
    };
    assert_eq!(
        shop.update(&cleared)
            .await
            .unwrap()
            .order
            .parts()
            .shipping_address,
        None
    );
    let set = shop.update(&update("L-1")).await.unwrap().order;
    assert_eq!(
        set.parts()
            .shipping_address
            .as_ref()
            .unwrap()
            .city
            .as_deref(),
        Some("Springfield")
    );
}

#[tokio::test]
async fn what_an_update_must_hold() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    type Rule = (
        &'static str,
        fn(&mut UpdateDraft),
        &'static [(&'static str, &'static str)],
    );
    let rules: [Rule; 14] = [
        (
            "no order id",
            |d| d.order_id = Field::Absent,
            &[("order_id", "required")],
        ),
        (
            "order id of another type",
            |d| d.order_id = wrong(),
            &[("order_id", "wrong_type")],
        ),
        (
            "no customer",
            |d| d.customer = Field::Absent,
            &[("customer", "required")],
        ),
        (
            "address of another type",
            |d| d.shipping_address = wrong(),
            &[("shipping_address", "wrong_type")],
        ),
        (
            "address of nobody",
            |d| {
                d.shipping_address = AddressDraft {
                    name: Field::Absent,
                    ..address()
                }
                .into()
            },
            &[("shipping_address.name", "required")],
        ),
        (
            "billing",
            |d| d.billing_address = wrong(),
            &[("billing_address", "wrong_type")],
        ),
        (
            "no items",
            |d| d.line_items = Field::Absent,
            &[("line_items", "required")],
        ),
        (
            "items of another type",
            |d| d.line_items = wrong(),
            &[("line_items", "wrong_type")],
        ),
        (
            "null among the items",
            |d| d.line_items = Field::Value(vec![Field::Absent]),
            &[("line_items[0]", "required")],
        ),
        (
            "email",
            |d| d.email = "x".into(),
            &[("email", "invalid_format")],
        ),
        (
            "note",
            |d| d.production_note = "é".repeat(2001).into(),
            &[("production_note", "too_long")],
        ),
        (
            "note of another type",
            |d| d.production_note = wrong(),
            &[("production_note", "wrong_type")],
        ),
        (
            "version",
            |d| d.version = 0.into(),
            &[("version", "out_of_range")],
        ),
        (
            "version of another type",
            |d| d.version = wrong(),
            &[("version", "wrong_type")],
        ),
    ];
    let before = shop.stored("T-1").await;
    for (what, spoil, wanted) in rules {
        let mut draft = update("T-1");
        spoil(&mut draft);
        expect(what, shop.update(&draft).await, wanted);
    }
    assert_eq!(shop.stored("T-1").await, before);
    let draft = UpdateDraft {
        production_note: "é".repeat(2000).into(),
        response_type: "full".into(),
        ..update("T-1")
    };
    let placed = shop.update(&draft).await.unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [("response_type", "unsupported_value")]
    );
}

#[tokio::test]
async fn a_version_makes_an_update_conditional() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let at = |version: i64| UpdateDraft {
        version: version.into(),
        ..noted("T-1", "with care")
    };
    assert_eq!(shop.update(&at(1)).await.unwrap().order.parts().version, 2);
    for stale in [1, 3, i64::from(u32::MAX)] {
        let result = shop.update(&at(stale)).await;
        assert!(
            matches!(result, Err(OrderError::VersionConflict { current: 2 })),
            "{stale}: {result:?}"
        );
    }
    assert_eq!(
        shop.update(&noted("T-1", "in a hurry"))
            .await
            .unwrap()
            .order
            .parts()
            .version,
        3
    );
}

#[tokio::test]
async fn an_order_in_production_cannot_be_changed() {
    let shop = Shop::open().await;
    let mut order = shop.create(&order("T-1")).await.unwrap().order;
    for (status, editable) in [
        (ItemStatus::RequestChange, true),
        (ItemStatus::OnHold, true),
        (ItemStatus::InProduction, false),
        (ItemStatus::Shipped, false),
        (ItemStatus::Cancelled, false),
    ] {
        let expected = order.parts().version;
        let mut parts = order.parts().clone();
        parts.items[0].status = Some(status);
        let moved = order.changed(parts, order.parts().updated_at).unwrap();
        let write = OrderWrite::update(moved.clone(), expected);
        order = shop.orders.write(write).await.unwrap();
        assert_eq!(order.item_statuses(), Some(vec![status]));
        match shop.update(&update("T-1")).await {
            Ok(placed) if editable => {
                // The status is production's and stays.
                assert_eq!(placed.order.parts().items[0].status, Some(status));
                order = placed.order;
            }
            Err(OrderError::NotEditable(_)) if !editable => {
                assert_eq!(shop.stored("T-1").await, Some(moved));
            }
            other => panic!("{status}: {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_updates_never_mix() {
    let shop = Arc::new(Shop::open().await);
    for round in 0..10 {
        let order_id = format!("T-{round}");
        let created = shop
            .place(&order_id, vec![item("MUG-11", 1), item("MUG-11", 1)])
            .await
            .order;
        let ids: Vec<_> = created.parts().items.iter().map(|item| item.id).collect();
        let barrier = Arc::new(Barrier::new(4));
        let mut calls = JoinSet::new();
        for call in 1..=4 {
            let (shop, barrier, order_id, ids) = (
                Arc::clone(&shop),
                Arc::clone(&barrier),
                order_id.clone(),
                ids.clone(),
            );
            calls.spawn(async move {
                let changes = ids
                    .iter()
                    .map(|id| change(*id, item("MUG-11", call)))
                    .collect();
                let draft = UpdateDraft {
                    production_note: call.to_string().into(),
                    ..update_items(&order_id, changes)
                };
                barrier.wait().await;
                shop.update(&draft).await
            });
        }
        let results = calls.join_all().await;
        let mut versions: Vec<u32> = results
            .iter()
            .map(|result| result.as_ref().unwrap().order.parts().version)
            .collect();
        versions.sort_unstable();
        assert_eq!(versions, [2, 3, 4, 5]);
        for order in results.iter().flatten().map(|placed| &placed.order) {
            let parts = order.parts();
            let note = parts.production_note.clone().unwrap();
            assert!(
                parts
                    .items
                    .iter()
                    .all(|item| item.quantity.to_string() == note),
                "{parts:?}"
            );
        }
        let last = results
            .into_iter()
            .flatten()
            .find(|placed| placed.order.parts().version == 5);
        assert_eq!(
            shop.stored(&order_id).await,
            last.map(|placed| placed.order)
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_concurrent_updates_of_one_version_one_wins() {
    let shop = Arc::new(Shop::open().await);
    shop.create(&order("T-1")).await.unwrap();
    let barrier = Arc::new(Barrier::new(16));
    let mut calls = JoinSet::new();
    for call in 0..16 {
        let (shop, barrier) = (Arc::clone(&shop), Arc::clone(&barrier));
        calls.spawn(async move {
            let note = format!("call {call}");
            let draft = UpdateDraft {
                version: 1.into(),
                production_note: note.as_str().into(),
                ..update("T-1")
            };
            barrier.wait().await;
            shop.update(&draft).await
        });
    }
    let results = calls.join_all().await;
    let won: Vec<_> = results.iter().flatten().collect();
    assert_eq!(won.len(), 1);
    let late = results
        .iter()
        .filter(|result| matches!(result, Err(OrderError::VersionConflict { current: 2 })));
    assert_eq!(late.count(), 15);
    assert_eq!(shop.stored("T-1").await.as_ref(), Some(&won[0].order));
}
