//! Values that identify stores, orders and shipments without the order's content: for pages, due
//! orders and shipment lookups.

use std::collections::BTreeSet;

use diesel::QueryResult;
use pressline_backoffice::queue::{ItemCount, ItemCounts, OrderRef, StoreFilter};
#[cfg(doc)]
use pressline_domain::error::RepositoryError;
use pressline_domain::error::Result;
use pressline_domain::order::search::OrderReference;
use pressline_domain::order::{DueOrder, OrderIdentity, shown_order_id};
use pressline_domain::value::{ServiceOrderId, StoreId};

use super::row::source_of;
use crate::connection::Db;
use crate::corrupt::StoredRow;

impl Db<'_> {
    /// Returns the ids of the stores that `filter` includes.
    pub fn store_ids(&mut self, filter: &StoreFilter) -> QueryResult<Vec<String>> {
        let text = "SELECT store_id FROM stores WHERE (:with_test OR NOT test)";
        let values = [("with_test", filter.with_test.into())];
        let ids = self.load::<String>(text, &values)?;
        Ok(within(ids, filter.set.as_ref()))
    }

    /// Returns the ids of all stores, or of the stores in `stores` that exist.
    pub(crate) fn ids_of(
        &mut self,
        stores: Option<&BTreeSet<StoreId>>,
    ) -> QueryResult<Vec<String>> {
        Ok(within(
            self.load("SELECT store_id FROM stores", &[])?,
            stores,
        ))
    }
}

fn within(mut ids: Vec<String>, set: Option<&BTreeSet<StoreId>>) -> Vec<String> {
    if let Some(set) = set {
        ids.retain(|id| id.parse().is_ok_and(|id| set.contains(&id)));
    }
    ids
}

/// Returns the reference to the order `id`. `size` is the size of the order in bytes.
pub fn order_reference(store_id: &str, id: &str, size: i32) -> Result<OrderReference> {
    let stored = StoredRow("orders", &[store_id, id]);
    Ok(OrderReference {
        id: stored.read("id", id.parse())?,
        bytes: stored.read("size", u64::try_from(size))?,
    })
}

/// Returns the reference to the order `id` with its store. `size` is the size in bytes.
pub fn order_ref(store_id: &str, id: &str, size: i32) -> Result<OrderRef> {
    let stored = StoredRow("orders", &[store_id, id]);
    Ok(OrderRef {
        store: stored.read("store_id", store_id.parse())?,
        order: order_reference(store_id, id, size)?,
    })
}

/// Adds up `rows`, pairs of status and number of items. Leaves out statuses that `count` does not
/// ask for; `rows` contain them because an order can have items in several statuses.
pub fn item_counts(rows: &[(String, i64)], count: &ItemCount) -> Result<ItemCounts> {
    let mut counts = ItemCounts::new();
    for (status, items) in rows {
        let stored = StoredRow("order_states", &[status]);
        let items = stored.read("items", u64::try_from(*items))?;
        *counts
            .entry(stored.read("items", status.parse())?)
            .or_default() += items;
    }
    counts.retain(|status, _| count.counts(*status));
    Ok(counts)
}

/// Returns the reference to the due order `id`, from values of its row in `order_states`.
pub fn due_order(store_id: &str, id: &str) -> Result<DueOrder> {
    let stored = StoredRow("order_states", &[store_id, id]);
    Ok(DueOrder {
        store: stored.read("store_id", store_id.parse())?,
        order: stored.read("id", id.parse())?,
    })
}

/// Columns of `orders` that identify an order: id, the store's order id, source, prefix, number,
/// currency, and `true` for a test order.
pub type IdentityRow = (String, String, String, String, i64, String, bool);

/// Converts an [`IdentityRow`] of the store `store_id` to the identity of an order.
pub fn order_identity(
    store_id: &str,
    (id, order_id, source, prefix, number, currency, test): IdentityRow,
) -> Result<OrderIdentity> {
    let stored = StoredRow("orders", &[store_id, &id]);
    let source = stored.read("source", source_of(&source))?;
    let service_order_id = ServiceOrderId {
        prefix: stored.read("prefix", prefix.parse())?,
        number,
    };
    Ok(OrderIdentity {
        id: stored.read("id", id.parse())?,
        order_id: shown_order_id(source, &order_id, &service_order_id).into_owned(),
        service_order_id,
        currency: stored.read("currency", currency.parse())?,
        test,
    })
}
