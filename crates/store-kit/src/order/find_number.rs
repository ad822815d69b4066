//! Looks up the number of an order by its id, in several stores.

use std::collections::BTreeSet;

use diesel::QueryResult;
use pressline_domain::error::Result;
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId};

use crate::cold_store::{Access, ColdStore, Db};
use crate::connection::StatementScope;
use crate::corrupt::StoredRow;
use crate::dialect::Texts;
use crate::json;

/// Prefix and number of an order.
type NumberRow = (String, i64);

/// Looks up the primary key store by store: in the stores of the JSON array `:stores`, or in all
/// stores if `:stores` is NULL.
const OF_ANY: Texts = Texts {
    postgres: include_str!("sql/number_of_any.postgres.sql"),
    sqlite: include_str!("sql/number_of_any.sqlite.sql"),
};

const OF_ONE: &str = "SELECT prefix, number FROM orders WHERE store_id = :store_id AND id = :id";

impl ColdStore {
    /// Returns the service order id of the order `id`; `None` if no store in `stores` has the
    /// order. If `stores` is `None`, looks in all stores.
    pub async fn service_order_id(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        id: OrderId,
    ) -> Result<Option<ServiceOrderId>> {
        let (stores, id) = (stores.cloned(), id.to_string());
        self.call(Access::Read, move |db| {
            let row = match db.scope {
                StatementScope::AnyStores => {
                    let list = stores.as_ref().map(json::write).transpose()?;
                    let values = [("stores", list.into()), ("id", id.as_str().into())];
                    db.first(OF_ANY, &values)?
                }
                StatementScope::OneStore => store_by_store(db, stores.as_ref(), &id)?,
            };
            let number = row.map(|row: NumberRow| restored(&id, row)).transpose();
            Ok(number?)
        })
        .await
    }
}

/// Runs one query per store, because the stores can be on different nodes.
fn store_by_store(
    db: &mut Db<'_>,
    stores: Option<&BTreeSet<StoreId>>,
    id: &str,
) -> QueryResult<Option<NumberRow>> {
    for store_id in db.ids_of(stores)? {
        let values = [("store_id", store_id.into()), ("id", id.into())];
        let row = db.first(OF_ONE, &values)?;
        if row.is_some() {
            return Ok(row);
        }
    }
    Ok(None)
}

fn restored(id: &str, (prefix, number): NumberRow) -> Result<ServiceOrderId> {
    Ok(ServiceOrderId {
        prefix: StoredRow("orders", &[id]).read("prefix", prefix.parse())?,
        number,
    })
}
