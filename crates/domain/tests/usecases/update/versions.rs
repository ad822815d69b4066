//! Versions, production and updates at once.

use super::*;

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
        (ItemStatus::Fulfilled, false),
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
