//! Runs the adapter contract on the in-memory adapters.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_backoffice::memory::MemoryAudit;
use pressline_backoffice::memory::MemoryForms;
use pressline_backoffice::memory::MemoryNotes;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::memory::MemoryOverview;
use pressline_backoffice::memory::MemoryProduction;
use pressline_backoffice::memory::MemoryRestores;
use pressline_backoffice::memory::MemoryTasks;
use pressline_backoffice::memory::MemoryUploads;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_contract::{
    Adapters, WebhookAdapters, id_source, lives, repositories, run, webhooks,
};
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::runtime::IdSource;
use pressline_domain::runtime::MonotonicIds;

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
    let operators = Arc::new(MemoryOperators::default());
    let webhooks = Arc::new(MemoryWebhooks::new(&stores, &orders));
    let production = MemoryProduction::default();
    let overview = Arc::new(MemoryOverview::new(&orders, &production));
    let statistics = overview.clone();
    let restored = MemoryRestores::new(&orders, &production, &webhooks, &operators);
    let production = Arc::new(production);
    let adapters = Adapters {
        orders: Arc::new(orders.clone()),
        queue: Arc::new(orders.clone()),
        feed: Arc::new(orders.clone()),
        add_endpoint_event: Arc::new(move |store, event| {
            let added = Ok(orders.add_endpoint_event(store, event));
            Box::pin(async { added })
        }),
        stores: Arc::new(stores),
        catalog: Arc::new(catalog.clone()),
        catalog_admin: Arc::new(catalog),
        operators: operators.clone(),
        sessions: operators.clone(),
        accounts: operators,
        audit: Arc::new(MemoryAudit::default()),
        forms: Arc::new(MemoryForms::default()),
        uploads: Arc::new(MemoryUploads::default()),
        tasks: Arc::new(MemoryTasks::default()),
        notes: Arc::new(MemoryNotes::default()),
        progress: production.clone(),
        batches: production,
        restored: Arc::new(restored),
        overview,
        statistics,
        keep: Arc::new(()),
    };
    WebhookAdapters {
        endpoints: webhooks.clone(),
        subscriptions: webhooks.clone(),
        deliveries: webhooks.clone(),
        clock: webhooks,
        adapters,
    }
}
