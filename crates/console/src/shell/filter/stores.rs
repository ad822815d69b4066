//! Stores that an operator has access to, and the filter by store.

use pressline_backoffice::queue::StoresDraft;
use pressline_backoffice::store::StoreError;
use pressline_domain::store::Store;
use pressline_domain::value::StoreId;

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

/// Id and name of each store that the operator has access to.
#[derive(Clone)]
pub(crate) struct StoreNames(Vec<(String, String)>);

impl StoreNames {
    pub(crate) async fn new(visit: &SignedInRequest) -> Result<Self, StoreError> {
        let stores = reached_stores(visit).await?.into_iter();
        Ok(Self(
            stores
                .map(|store| (store.id.to_string(), named(&store)))
                .collect(),
        ))
    }

    /// Returns the name of `store`, or its id if the operator has no access to the store.
    pub(crate) fn get(&self, store: StoreId) -> String {
        let id = store.to_string();
        self.0
            .iter()
            .find(|(other, _)| *other == id)
            .map_or(id, |(_, name)| name.clone())
    }

    pub(crate) fn options(&self) -> impl Iterator<Item = (String, String)> {
        self.0.iter().cloned()
    }
}

pub(crate) fn stores_draft(query: &Fields) -> StoresDraft {
    StoresDraft {
        ids: query.texts("stores"),
        test: query.flag("test"),
    }
}

pub(crate) fn store_question(query: &Fields, stores: &StoreNames) -> FormField {
    let all = [(String::new(), "All stores".to_owned())];
    let options = all.into_iter().chain(stores.options());
    FormField::choice("stores", "Store", query.get("stores"), options)
}
