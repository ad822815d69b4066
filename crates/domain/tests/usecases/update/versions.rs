//! Versions, production, and concurrent updates.

use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{
    Caller, CancelCommand, Context, Decision, Refusal, cancel, due,
};
use pressline_domain::order::Order;
use pressline_domain::order::request::LineItemDraft;
use pressline_domain::runtime::Clock;
use pressline_domain::value::{ChangeId, CorrectionId, OperatorId};
use uuid::Uuid;

use super::*;

#[tokio::test]
async fn a_version_makes_an_update_conditional() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let at = |version: i64| UpdateDraft {
        version: version.into(),
        ..noted("T-1", "with care")
    };
    assert_eq!(shop.update(&at(1)).await.unwrap().order.state.version, 2);
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
            .state
            .version,
        3
    );
}

/// Writes a decision and returns the changed order.
async fn decided(shop: &Shop, decision: Result<Decision, Refusal>) -> Order {
    let Ok(Decision::Changed(change)) = decision else {
        panic!("{decision:?}")
    };
    let write = OrderWrite::change(*change);
    shop.orders.write(write).await.unwrap()
}

fn operator(shop: &Shop) -> Context {
    let caller = Caller::new(Actor::Operator(OperatorId::new(Uuid::from_u128(2))));
    Context {
        reason: Some("because".to_owned()),
        ..caller.at(shop.clock.now())
    }
}

#[tokio::test]
async fn an_update_of_an_item_at_work_is_kept_for_the_shop() {
    let shop = Shop::open().await;
    let mug = LineItemDraft {
        file_urls: urls(&[URL]),
        ..item("MUG-11", 1)
    };
    let placed = shop.place("T-1", vec![mug]).await.order;
    shop.clock.advance(60 * 60 * 1000);
    let now = Caller::new(Actor::Service);
    let ready = decided(&shop, due(&placed, &now.at(shop.clock.now()))).await;
    assert_eq!(ready.state.item_statuses(), [ItemStatus::Ready]);
    let asked = shop.update(&noted("T-1", "with care")).await.unwrap().order;
    assert_eq!(asked.content, ready.content);
    assert_eq!(asked.state.item_statuses(), [ItemStatus::RequestChange]);
    let pending = asked.state.pending.as_ref().unwrap();
    assert_eq!(pending.changes[0].path, "productionNote");
    // A repeated request returns the same order; a different request is refused.
    let again = shop.update(&noted("T-1", "with care")).await.unwrap();
    assert_eq!(again.order, asked);
    let other = shop.update(&noted("T-1", "in a hurry")).await;
    assert!(
        matches!(&other, Err(OrderError::ChangePending { items }) if items.len() == 1),
        "{other:?}"
    );
}

#[tokio::test]
async fn an_order_that_is_done_cannot_be_changed() {
    let shop = Shop::open().await;
    let placed = shop.create(&order("T-1")).await.unwrap().order;
    let command = CancelCommand {
        items: None,
        keep_fees: false,
        change: ChangeId::new(Uuid::nil()),
    };
    let no_line = || CorrectionId::new(Uuid::nil());
    let cancelled = decided(&shop, cancel(&placed, &command, &no_line, &operator(&shop))).await;
    let refused = shop.update(&noted("T-1", "with care")).await;
    assert!(
        matches!(&refused, Err(OrderError::NotEditable { items, .. }) if items.len() == 1),
        "{refused:?}"
    );
    assert_eq!(shop.stored("T-1").await, Some(cancelled));
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
            .map(|result| result.as_ref().unwrap().order.state.version)
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
            .find(|placed| placed.order.state.version == 5);
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
