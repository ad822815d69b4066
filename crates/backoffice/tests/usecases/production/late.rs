//! Ship-by times and overdue items.

use pressline_backoffice::production::{due_at, is_late};
use pressline_backoffice::queue::{QueueDraft, QueueService};
use pressline_domain::fulfilment::{ItemState, ItemStatus};
use pressline_domain::store::StoreSettings;
use pressline_domain::value::Timestamp;

use super::floor::Floor;
use crate::fixture::*;

const DAY: i64 = 24 * 60 * 60 * 1000;

fn promised(days: Option<u32>) -> StoreSettings {
    StoreSettings {
        ship_by_seconds: days.map(|days| days * 24 * 60 * 60),
        ..StoreSettings::default()
    }
}

async fn ready_item() -> ItemState {
    let floor = Floor::open().await;
    let order = floor.ready("T-1", &[1]).await;
    order.state.items[0].clone()
}

#[tokio::test]
async fn an_unfinished_item_is_overdue_after_its_ship_by_time() {
    let item = ready_item().await;
    let at = |millis: i64| Timestamp::from_millis(NOW + millis);
    // Without a setting, items are due after 3 days; 0 disables ship-by times.
    for (settings, due) in [
        (promised(None), Some(3 * DAY)),
        (promised(Some(1)), Some(DAY)),
        (promised(Some(0)), None),
    ] {
        assert_eq!(due_at(&item, &settings), due.map(at));
        let due = due.unwrap_or(100 * DAY);
        assert!(!is_late(&item, &settings, at(due - 1)));
        let is_promised = settings.ship_by_seconds != Some(0);
        assert_eq!(is_late(&item, &settings, at(due)), is_promised);
    }
    for status in ItemStatus::ALL {
        let item = ItemState {
            status,
            ..item.clone()
        };
        // Items of other statuses, such as on hold or shipped, are not overdue.
        let counts = matches!(status, ItemStatus::Ready | ItemStatus::InProduction);
        let is_late = is_late(&item, &promised(None), at(4 * DAY));
        assert_eq!(is_late, counts, "{status}");
    }
    let never_ready = ItemState {
        ready_at: None,
        advanced_millis: 0,
        ..item
    };
    assert_eq!(due_at(&never_ready, &promised(None)), None);
}

#[tokio::test]
async fn queue_items_have_progress_batch_and_overdue_mark() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    floor.ready("T-2", &[2]).await;
    floor.record("DEMO-2-1", "print", Some(1)).await.unwrap();
    floor.make_batch(&["DEMO-2-1"]).await.unwrap();
    let clock = &floor.shop.clock;
    clock.set(Timestamp::from_millis(NOW + 3 * DAY));
    let orders = floor.shop.orders.clone();
    let queue = QueueService::new(orders.clone(), orders);
    let draft = QueueDraft::default();
    let found = queue.search(&floor.desk.operator, &draft).await.unwrap();
    let page = floor.production.of_queue(found).await.unwrap();
    let shown = page.entries.iter().map(|entry| {
        let known = &entry.production;
        let batch = known.batch.map(|batch| batch.to_string());
        (known.units.done()[0], batch, known.is_late)
    });
    let expected = [(0, None, true), (1, Some("BATCH-1".to_owned()), true)];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}
