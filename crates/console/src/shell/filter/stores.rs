//! Stores that an operator has access to, and the filter by store.

use pressline_backoffice::queue::StoresDraft;
use pressline_backoffice::store::StoreError;
use pressline_domain::store::Store;

use crate::shell::form::{Fields, FormField};
use crate::shell::request::SignedInRequest;

pub(crate) async fn reached_stores(visit: &SignedInRequest) -> Result<Vec<Store>, StoreError> {
    let records = visit.services().stores.list().await?;
    let stores = records.into_iter().map(|record| record.store);
    Ok(stores
        .filter(|store| visit.operator().reaches(store.id))
        .collect())
}

pub(crate) fn named(store: &Store) -> String {
    format!("{} ({})", store.name, store.prefix)
}

/// Returns ids and names of the stores that the operator has access to.
pub(crate) async fn stores(visit: &SignedInRequest) -> Result<Vec<(String, String)>, StoreError> {
    let stores = reached_stores(visit).await?.into_iter();
    let named = stores.map(|store| (store.id.to_string(), named(&store)));
    Ok(named.collect())
}

pub(crate) fn stores_draft(query: &Fields) -> StoresDraft {
    StoresDraft {
        ids: query.texts("stores"),
        test: query.flag("test"),
    }
}

pub(crate) fn store_question(query: &Fields, stores: &[(String, String)]) -> FormField {
    let all = [(String::new(), "All stores".to_owned())];
    let options = all.into_iter().chain(stores.iter().cloned());
    FormField::choice("stores", "Store", query.get("stores"), options)
}
