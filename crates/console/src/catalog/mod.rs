//! Catalog: what can be ordered and what it costs, as it is stored, and the price of a cart.

mod check;
mod import;
mod product;
mod routes;
mod sheet;
mod tab;

pub(crate) use routes::ROUTES;

use pressline_domain::store::{Store, StoreError};

use crate::visit::Visit;

async fn reached_stores(visit: &Visit) -> Result<Vec<Store>, StoreError> {
    let records = visit.services().stores.list().await?;
    let stores = records.into_iter().map(|record| record.store);
    Ok(stores
        .filter(|store| visit.operator().reaches(store.id))
        .collect())
}

fn named(store: &Store) -> String {
    format!("{} ({})", store.name, store.prefix)
}
