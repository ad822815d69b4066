//! Looks up the number of an order by its id, in several stores.

use std::collections::BTreeSet;

use diesel::QueryResult;
use pressline_domain::error::Result;
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId};

use crate::cold_store::{Access, ColdStore, Db};
use crate::cold_value::Value;
use crate::corrupt::StoredRow;
use crate::json;

/// Prefix and number of an order.
type NumberRow = (String, i64);

const OF_ONE: &str = "SELECT prefix, number FROM orders WHERE store_id = :store_id AND id = :id";

impl ColdStore {
    /// Returns the service order id of the order `id`; `None` if no store in `stores` has the
    /// order. If `stores` is `None`, looks in all stores.
    pub async fn service_order_id(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        id: OrderId,
    ) -> Result<Option<ServiceOrderId>> {
        let stores = Value::from(stores.map(json::write).transpose()?);
        let id = id.to_string();
        self.call(Access::Read, move |db| {
            let values = [("stores", stores.clone()), ("id", id.clone().into())];
            let row = match db.is_distributed {
                false => db.load(db.dialect.number_of_any, &values)?.pop(),
                true => store_by_store(db, &values)?,
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
    values: &[(&'static str, Value)],
) -> QueryResult<Option<NumberRow>> {
    let is_given = db.dialect.in_texts(":stores");
    let text = format!("SELECT store_id FROM stores WHERE :stores IS NULL OR store_id {is_given}");
    for store_id in db.load::<String>(&text, values)? {
        let of_store = [("store_id", store_id.into())];
        let row = db.load(OF_ONE, &[values, &of_store].concat())?.pop();
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
