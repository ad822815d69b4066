//! Orders after their creation: commands of the store, due orders, and history.

use pressline_domain::check::Field;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::request::{CommandDraft, ItemNameDraft, LineItemDraft, UpdateDraft};
use pressline_domain::order::{GetDraft, HistoryDraft, Order, OrderError, Placed};
use pressline_domain::pricing::fees::Bill;
use pressline_domain::store::StoreSettings;
use pressline_domain::value::OrderId;

use super::fixture::*;

const HOUR: i64 = 60 * 60 * 1000;

async fn placed(shop: &Shop, order_id: &str) -> Order {
    let mug = || LineItemDraft {
        file_urls: urls(&[URL]),
        ..item("MUG-11", 1)
    };
    shop.place(order_id, vec![mug(), mug()]).await.order
}

fn about(order_id: &str) -> CommandDraft {
    CommandDraft {
        order_id: order_id.into(),
        ..CommandDraft::default()
    }
}

/// Returns a command about a single item, at index `place`.
fn about_item(order: &Order, place: usize) -> CommandDraft {
    let name = ItemNameDraft {
        app_item_id: order.state.items[place].id.to_string().as_str().into(),
    };
    CommandDraft {
        line_items: Field::Value(vec![Field::Value(name)]),
        ..about(&order.content.order_id)
    }
}

impl Shop {
    async fn cancel(&self, draft: &CommandDraft) -> Result<Placed, OrderError> {
        self.service
            .moves
            .cancel(&self.store, draft, &caller())
            .await
    }

    /// Processes the due orders and returns the number of changes.
    async fn settle(&self) -> u32 {
        let mut changes = 0;
        for due in self.service.due.take_due(100).await.unwrap() {
            let orders = self
                .service
                .due
                .load_due(due.store, &mut &[due.order][..])
                .await;
            for order in orders.unwrap() {
                changes += self.service.due.move_due(order).await.unwrap();
            }
        }
        changes
    }
}

#[tokio::test]
async fn a_cancelled_item_is_not_charged_and_a_repeated_cancel_changes_nothing() {
    let shop = Shop::open().await;
    let order = placed(&shop, "T-1").await;
    // Two mugs for 5 each, shipping 4 + 1.
    assert_eq!(order.bill().unwrap().total(), usd("15"));
    let first = about_item(&order, 0);
    let one = shop.cancel(&first).await.unwrap();
    assert!(!one.replayed);
    assert_eq!(one.order.bill().unwrap().total(), usd("9"));
    assert_eq!(
        one.order.state.item_statuses(),
        [ItemStatus::Cancelled, ItemStatus::CoolingOff]
    );
    let again = shop.cancel(&first).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.order, one.order);
    let all = shop.cancel(&about("T-1")).await.unwrap().order;
    assert_eq!(all.state.item_statuses(), [ItemStatus::Cancelled]);
    assert_eq!(all.bill().unwrap().total(), usd("0"));
    assert!(all.is_priced());
    assert_eq!(shop.stored("T-1").await, Some(all));
}

#[tokio::test]
async fn commands_are_refused_with_their_reasons() {
    let shop = Shop::open().await;
    let order = placed(&shop, "T-1").await;
    let other = placed(&shop, "T-2").await;
    let unknown = CommandDraft {
        order_id: "T-1".into(),
        ..about_item(&other, 0)
    };
    let refused = shop.cancel(&unknown).await;
    assert!(
        matches!(&refused, Err(OrderError::UnknownItem(named)) if named[0].field == "line_items[0].appItemId"),
        "{refused:?}"
    );
    let nowhere = shop.cancel(&about("T-9")).await;
    assert!(matches!(nowhere, Err(OrderError::NotFound)), "{nowhere:?}");
    let stale = CommandDraft {
        version: 7.into(),
        ..about("T-1")
    };
    let stale = shop.cancel(&stale).await;
    assert!(
        matches!(stale, Err(OrderError::VersionConflict { current: 1 })),
        "{stale:?}"
    );
    let empty = CommandDraft {
        line_items: Field::Value(Vec::new()),
        ..about("T-1")
    };
    let empty = shop.cancel(&empty).await;
    assert!(
        matches!(empty, Err(OrderError::Invalid { .. })),
        "{empty:?}"
    );
    shop.cancel(&about("T-1")).await.unwrap();
    let done = shop
        .service
        .moves
        .hold(&shop.store, &about_item(&order, 1), &caller())
        .await;
    assert!(
        matches!(
            &done,
            Err(OrderError::IllegalTransition { from: ItemStatus::Cancelled, items, .. })
                if *items == [order.state.items[1].id]
        ),
        "{done:?}"
    );
}

#[tokio::test]
async fn items_become_ready_when_their_window_ends() {
    let mut shop = Shop::open().await;
    placed(&shop, "T-1").await;
    shop.store.settings = StoreSettings {
        cooling_off_seconds: Some(2 * 3600),
        ..StoreSettings::default()
    };
    let later = placed(&shop, "T-2").await;
    shop.store.settings.cooling_off_seconds = Some(0);
    let at_once = placed(&shop, "T-3").await;
    assert_eq!(at_once.state.item_statuses(), [ItemStatus::Ready]);
    assert_eq!(shop.settle().await, 0);
    shop.clock.advance(HOUR);
    assert_eq!(shop.settle().await, 1);
    let first = shop.stored("T-1").await.unwrap();
    assert_eq!(first.state.item_statuses(), [ItemStatus::Ready]);
    assert_eq!(shop.stored("T-2").await.unwrap(), later);
    // A repetition does nothing.
    assert_eq!(shop.settle().await, 0);
    shop.clock.advance(HOUR);
    assert_eq!(shop.settle().await, 1);
}

#[tokio::test]
async fn a_hold_ends_by_itself_and_the_window_goes_on_meanwhile() {
    let shop = Shop::open().await;
    let order = placed(&shop, "T-1").await;
    let hold = CommandDraft {
        until: (NOW + 2 * HOUR).into(),
        ..about("T-1")
    };
    let held = shop.service.moves.hold(&shop.store, &hold, &caller()).await;
    assert_eq!(
        held.unwrap().order.state.item_statuses(),
        [ItemStatus::OnHold]
    );
    shop.clock.advance(HOUR);
    assert_eq!(shop.settle().await, 0);
    shop.clock.advance(HOUR);
    assert_eq!(shop.settle().await, 1);
    let free = shop.stored("T-1").await.unwrap();
    assert_eq!(free.state.item_statuses(), [ItemStatus::Ready]);
    assert_eq!(free.content, order.content);
}

#[tokio::test]
async fn a_server_that_ends_leaves_what_it_has_taken_to_others() {
    let shop = Shop::open().await;
    placed(&shop, "T-1").await;
    shop.clock.advance(HOUR);
    assert_eq!(shop.service.due.take_due(100).await.unwrap().len(), 1);
    assert_eq!(shop.settle().await, 0);
    shop.clock.advance(60_000);
    assert_eq!(shop.settle().await, 1);
}

#[tokio::test]
async fn a_store_asks_for_another_item_of_an_order_at_work() {
    let shop = Shop::open().await;
    let order = placed(&shop, "T-1").await;
    let (now, by) = (about("T-1"), caller());
    let ready = shop.service.moves.process_now(&shop.store, &now, &by);
    let ready = ready.await.unwrap().order;
    let added = |sku: &str| UpdateDraft {
        version: i64::from(ready.state.version).into(),
        ..update_items("T-1", vec![new_item(sku)])
    };
    let asked = shop.update(&added("TEE-M")).await.unwrap();
    assert!(asked.order.state.pending.is_some());
    assert_eq!(asked.order.content.items, order.content.items);
    // A change that could never be approved is refused immediately.
    shop.service
        .change
        .withdraw_change(&shop.store, &about("T-1"), &caller())
        .await
        .unwrap();
    let strict = shop.strict();
    let unknown = UpdateDraft {
        version: Field::Value(4),
        ..added("NO-SUCH-SKU")
    };
    let refused = shop
        .service
        .change
        .update(&strict, &unknown, &caller())
        .await;
    assert!(
        matches!(refused, Err(OrderError::Invalid { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn an_order_of_which_only_cancelled_items_are_left_has_no_fees() {
    let shop = Shop::open().await;
    let mug = LineItemDraft {
        file_urls: urls(&[URL]),
        ..item("MUG-11", 1)
    };
    let draft = order_of("T-1", vec![mug.clone(), mug]);
    let order = shop.create(&draft).await.unwrap().order;
    shop.cancel(&about_item(&order, 0)).await.unwrap();
    let removed = update_items("T-1", vec![removal(order.state.items[1].id)]);
    let removed = shop.update(&removed).await.unwrap();
    assert_eq!(removed.order.content.bill, Bill::default());
    assert!(removed.order.is_priced());
    // An order with only cancelled items lacks no fee.
    assert_eq!(removed.warnings, []);
    assert_eq!(shop.create(&draft).await.unwrap().warnings, []);
}

fn history(order_id: &str, size: i64) -> HistoryDraft {
    HistoryDraft {
        order_id: order_id.into(),
        size: size.into(),
        cursor: Field::Absent,
    }
}

#[tokio::test]
async fn the_history_of_an_order_is_read_page_by_page() {
    let shop = Shop::open().await;
    placed(&shop, "T-1").await;
    placed(&shop, "T-2").await;
    let (hold, release) = (about("T-1"), about("T-1"));
    for _ in 0..2 {
        let held = shop.service.moves.hold(&shop.store, &hold, &caller()).await;
        held.unwrap();
        let free = shop
            .service
            .moves
            .release(&shop.store, &release, &caller())
            .await;
        free.unwrap();
    }
    let mut kinds = Vec::new();
    let mut draft = history("T-1", 2);
    loop {
        let page = shop
            .service
            .read
            .history(&shop.store, &draft)
            .await
            .unwrap()
            .page;
        kinds.extend(page.entries.iter().map(|event| event.event.kind));
        let Some(cursor) = page.next_cursor else {
            break;
        };
        draft.cursor = Field::Value(cursor);
    }
    let (held, free) = (EventType::OrderHeld, EventType::OrderReleased);
    assert_eq!(kinds, [free, held, free, held, EventType::OrderCreated]);
    // A cursor is only valid for its own order.
    draft.order_id = "T-2".into();
    let refused = shop.service.read.history(&shop.store, &draft).await;
    assert!(
        matches!(refused, Err(OrderError::Invalid { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn an_order_is_read_as_it_was() {
    let shop = Shop::open().await;
    let created = placed(&shop, "T-1").await;
    shop.clock.advance(1000);
    let noted = shop.update(&noted("T-1", "with care")).await.unwrap().order;
    shop.clock.advance(1000);
    let cancelled = shop.cancel(&about("T-1")).await.unwrap().order;
    let get = |as_of: Option<i64>, at_version: Option<i64>| GetDraft {
        order_id: "DEMO-1".into(),
        as_of: as_of.map_or(Field::Absent, Field::Value),
        at_version: at_version.map_or(Field::Absent, Field::Value),
    };
    for (draft, wanted) in [
        (get(None, None), &cancelled),
        (get(None, Some(3)), &cancelled),
        (get(None, Some(2)), &noted),
        (get(None, Some(1)), &created),
        (get(Some(NOW), None), &created),
        (get(Some(NOW + 999), None), &created),
        (get(Some(NOW + 1000), None), &noted),
        (get(Some(NOW + 9999), None), &cancelled),
    ] {
        let found = shop.service.read.get(&shop.store, &draft).await.unwrap();
        assert_eq!(found.order, *wanted, "{draft:?}");
    }
    let before = shop
        .service
        .read
        .get(&shop.store, &get(Some(NOW - 1), None))
        .await;
    assert!(matches!(before, Err(OrderError::NotFound)), "{before:?}");
    for wrong in [
        get(Some(NOW), Some(1)),
        get(None, Some(4)),
        get(None, Some(0)),
    ] {
        let refused = shop.service.read.get(&shop.store, &wrong).await;
        assert!(
            matches!(refused, Err(OrderError::Invalid { .. })),
            "{wrong:?}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn orders_are_loaded_once_each_also_if_one_no_longer_exists() {
    let shop = Shop::open().await;
    let (one, other) = (placed(&shop, "T-1").await, placed(&shop, "T-2").await);
    let ids = [one.content.id, OrderId::LOWEST, other.content.id];
    for bytes in [1, u64::MAX] {
        let (mut rest, mut loaded) = (&ids[..], Vec::new());
        while !rest.is_empty() {
            let orders = &shop.service.read;
            let next = orders.load_next(shop.store.id, &mut rest, bytes).await;
            loaded.extend(next.unwrap());
        }
        assert_eq!(loaded, [one.clone(), other.clone()]);
    }
    let mut unknown = &[OrderId::LOWEST][..];
    let orders = &shop.service.read;
    let next = orders.load_next(shop.store.id, &mut unknown, 1).await;
    assert_eq!((next.unwrap(), unknown.len()), (Vec::new(), 0));
}
