//! The in-memory adapters under the contract that every adapter keeps.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_contract::{Adapters, id_source, repositories, run};
use pressline_domain::id::MonotonicIds;
use pressline_domain::memory::{
    MemoryCatalog, MemoryNotes, MemoryOperators, MemoryOrders, MemoryStores,
};
use pressline_domain::runtime::IdSource;

fn main() -> ExitCode {
    let ids: Arc<dyn IdSource> = Arc::new(MonotonicIds::new());
    let memory = repositories("memory", || async {
        let (stores, catalog) = (MemoryStores::new(), MemoryCatalog::new());
        Ok(Adapters {
            orders: Arc::new(MemoryOrders::new(&stores, &catalog)),
            stores: Arc::new(stores),
            catalog: Arc::new(catalog.clone()),
            catalog_admin: Arc::new(catalog),
            operators: Arc::new(MemoryOperators::new()),
            notes: Arc::new(MemoryNotes::new()),
            keep: Arc::new(()),
        })
    });
    run(memory.into_iter().chain(id_source("monotonic", &ids)))
}
