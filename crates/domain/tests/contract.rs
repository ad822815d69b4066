//! The in-memory adapters under the contract that every adapter keeps.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_contract::{
    Adapters, WebhookAdapters, id_source, lives, repositories, run, webhooks,
};
use pressline_domain::id::MonotonicIds;
use pressline_domain::memory::{
    MemoryCatalog, MemoryNotes, MemoryOperators, MemoryOrders, MemoryStores, MemoryWebhooks,
};
use pressline_domain::runtime::IdSource;

fn main() -> ExitCode {
    let ids: Arc<dyn IdSource> = Arc::new(MonotonicIds::new());
    let fresh = || async { Ok(adapters()) };
    let cases = repositories("memory", fresh)
        .into_iter()
        .chain(lives("memory", fresh))
        .chain(webhooks("memory", || async { Ok(webhook_adapters()) }))
        .chain(id_source("monotonic", &ids));
    run(cases)
}

fn adapters() -> Adapters {
    webhook_adapters().adapters
}

fn webhook_adapters() -> WebhookAdapters {
    let (stores, catalog) = (MemoryStores::new(), MemoryCatalog::new());
    let orders = MemoryOrders::new(&stores, &catalog);
    let webhooks = Arc::new(MemoryWebhooks::new(&stores, &orders));
    let adapters = Adapters {
        orders: Arc::new(orders.clone()),
        queue: Arc::new(orders.clone()),
        feed: Arc::new(orders),
        stores: Arc::new(stores),
        catalog: Arc::new(catalog.clone()),
        catalog_admin: Arc::new(catalog),
        operators: Arc::new(MemoryOperators::new()),
        notes: Arc::new(MemoryNotes::new()),
        keep: Arc::new(()),
    };
    WebhookAdapters {
        endpoints: webhooks.clone(),
        lanes: webhooks.clone(),
        deliveries: webhooks.clone(),
        clock: webhooks,
        adapters,
    }
}
