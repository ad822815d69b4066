//! Reading queues in portions.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pressline_backoffice::queue::{
    CrossStoreQuery, ItemCount, ItemCounts, OrderQueue, OrderRef, QueueDraft, QueueService,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::memory::MemoryOrders;
use pressline_domain::order::search::{BATCH_BYTES, OrderReference};
use pressline_domain::value::{OrderId, StoreId};
use uuid::Uuid;

use super::super::fixture::*;
use super::viewer;

fn number(id: OrderId) -> u128 {
    id.as_uuid().as_u128()
}

/// A queue with an order for every id, none with a matching item. Records the first and last id of
/// each query.
struct Endless {
    store: StoreId,
    walks: Mutex<Vec<(OrderId, OrderId)>>,
}

#[async_trait]
impl OrderQueue for Endless {
    async fn page(&self, query: &CrossStoreQuery) -> Result<Vec<OrderRef>, RepositoryError> {
        let first = number(query.from);
        let ids = (first..).take(usize::try_from(query.count).unwrap());
        let ids = ids.map(|id| OrderId::new(Uuid::from_u128(id)));
        let places: Vec<OrderRef> = ids
            .map(|id| OrderRef {
                store: self.store,
                order: OrderReference { id, bytes: 1 },
            })
            .collect();
        let last = places.last().unwrap().order.id;
        self.walks.lock().unwrap().push((query.from, last));
        Ok(places)
    }

    async fn count_items(&self, _: &ItemCount) -> Result<ItemCounts, RepositoryError> {
        unreachable!("nothing is counted")
    }
}

#[tokio::test]
async fn a_page_ends_early_after_reading_very_many_orders() {
    let shop = Shop::open().await;
    let endless = Arc::new(Endless {
        store: shop.store.id,
        walks: Mutex::default(),
    });
    let queue = QueueService::new(endless.clone(), shop.orders.clone());
    let viewer = viewer(&shop, false);
    let mut draft = QueueDraft::default();
    let page = queue.search(&viewer, &draft).await.unwrap();
    assert!(page.entries.is_empty());
    let (_, end) = *endless.walks.lock().unwrap().last().unwrap();
    assert!((10_000..20_000).contains(&number(end)));

    draft.paging.cursor = page.next_cursor.unwrap().as_str().into();
    endless.walks.lock().unwrap().clear();
    let page = queue.search(&viewer, &draft).await.unwrap();
    assert!(page.next_cursor.is_some());
    assert_eq!(endless.walks.lock().unwrap()[0].0, end);
}

/// A queue whose orders are so large that each is read by itself.
struct LargeOrders(Arc<MemoryOrders>);

#[async_trait]
impl OrderQueue for LargeOrders {
    async fn page(&self, query: &CrossStoreQuery) -> Result<Vec<OrderRef>, RepositoryError> {
        let mut places = self.0.page(query).await?;
        for place in &mut places {
            place.order.bytes = BATCH_BYTES;
        }
        Ok(places)
    }

    async fn count_items(&self, count: &ItemCount) -> Result<ItemCounts, RepositoryError> {
        self.0.count_items(count).await
    }
}

#[tokio::test]
async fn the_nearest_of_large_orders_are_neighbours() {
    let shop = Shop::open().await;
    for number in 0..5 {
        shop.place(&format!("T-{number}"), vec![item("MUG-11", 1)])
            .await;
        shop.clock.advance(1);
    }
    let queue = QueueService::new(
        Arc::new(LargeOrders(shop.orders.clone())),
        shop.orders.clone(),
    );
    let (viewer, draft) = (viewer(&shop, false), QueueDraft::default());
    let page = queue.search(&viewer, &draft).await.unwrap();
    let orders: Vec<OrderId> = page
        .entries
        .iter()
        .map(|entry| entry.order.content.id)
        .collect();
    let beside = queue.queue_neighbours(&viewer, &draft, orders[2]).await;
    let beside = beside.unwrap();
    assert_eq!(beside.previous.unwrap().order.id, orders[1]);
    assert_eq!(beside.next.unwrap().order.id, orders[3]);
}
