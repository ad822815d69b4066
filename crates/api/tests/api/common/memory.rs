//! The in-memory adapters of a test, and the services over them.

use std::sync::Arc;

use pressline_api::{EventWatch, JsonEvents, Services};
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::sandbox::SandboxService;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ProductService};
use pressline_domain::event::EventService;
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::{OrderRepository, OrderService};
use pressline_domain::runtime::FixedClock;
use pressline_domain::store::{MasterKeyId, Store, StoreDirectory, StoreKey, StoreRecord};
use pressline_domain::value::Timestamp;

use super::{CountedIds, KEY, NOW, Shop, webhook_services};

/// Maximum number of calls that wait for events.
const WAITING: usize = 2;

pub(crate) struct Memory {
    pub(crate) stores: MemoryStores,
    pub(crate) orders: MemoryOrders,
    pub(crate) catalog: MemoryCatalog,
    pub(crate) webhooks: MemoryWebhooks,
    pub(crate) clock: Arc<FixedClock>,
}

impl Memory {
    /// Creates adapters with the store, the catalog and the tariff of `shop`.
    pub(crate) async fn filled(shop: &Shop) -> Self {
        let stores = MemoryStores::new();
        stores.add(&record(shop.store.clone())).await.unwrap();
        let catalog = MemoryCatalog::new();
        catalog
            .import(&shop.variants, &ImportOptions::default())
            .await
            .unwrap();
        catalog.set_shipping(&shop.tariff.shipping).await.unwrap();
        catalog
            .set_fees(&[(None, Some(&shop.tariff.fees))])
            .await
            .unwrap();
        let orders = MemoryOrders::new(&stores, &catalog);
        Self {
            webhooks: MemoryWebhooks::new(&stores, &orders),
            clock: Arc::new(FixedClock::at(Timestamp::from_millis(NOW))),
            stores,
            orders,
            catalog,
        }
    }

    /// Returns the services for stores. They read and write orders through `repository`.
    pub(crate) fn services(&self, repository: Arc<dyn OrderRepository>) -> Services {
        let (catalog, clock) = (Arc::new(self.catalog.clone()), self.clock.clone());
        let feed = Arc::new(self.orders.clone());
        let watch = EventWatch::new(feed.clone(), WAITING);
        let orders = OrderService::new(
            repository.clone(),
            catalog.clone(),
            clock.clone(),
            Arc::new(CountedIds::default()),
        )
        .observed_by(Arc::new(watch.clone()));
        Services {
            webhooks: webhook_services(&self.webhooks, &self.stores, &self.orders, &clock),
            sandbox: SandboxService::new(orders.clone(), Arc::new(self.webhooks.clone())),
            orders,
            products: ProductService::new(catalog, clock),
            events: EventService::new(
                feed,
                repository.clone(),
                Arc::new(self.stores.clone()),
                Arc::new(JsonEvents),
            ),
            watch,
            repository,
        }
    }
}

pub(crate) fn record(store: Store) -> StoreRecord {
    let key = StoreKey {
        id: KEY.parse().unwrap(),
        sealed: vec![1],
        sealed_with: MasterKeyId::new([1; 8]),
        created_at: store.created_at,
        last_used_at: None,
    };
    StoreRecord {
        store,
        keys: vec![key],
        version: 1,
    }
}
