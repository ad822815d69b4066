//! Looks up shipments in several stores.

use std::collections::BTreeSet;

use diesel::QueryResult;
use pressline_domain::error::Result;
use pressline_domain::order::{ShipmentLookup, ShipmentMatch};
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId};

use crate::cold_store::{Access, ColdStore, Db};
use crate::connection::StatementScope;
use crate::corrupt::StoredRow;
use crate::dialect::{Database, Texts};
use crate::failure::restore_all;
use crate::json;
use crate::sql::Value;

/// Store id, order id, prefix and number of the order, and JSON document of a shipment.
type MatchRow = (String, String, String, i64, String);

/// Statements that look up shipments by a key, the parameter `:wanted`. They return up to `:count`
/// rows, newest order first.
struct Lookup {
    /// Reads the stores in the JSON array `:stores`, or all stores if `:stores` is NULL.
    of_any_in_postgres: &'static str,
    /// The same in SQLite; `None` if reading store by store is faster.
    of_any_in_sqlite: Option<&'static str>,
    /// Reads the store `:store_id`. May leave out orders with ids below `:from_id`, because the
    /// caller does not need them.
    of_store: Texts,
}

const BY_ID: Lookup = Lookup {
    of_any_in_postgres: include_str!("sql/shipments_by_id.postgres.sql"),
    of_any_in_sqlite: Some(include_str!("sql/shipments_by_id.sqlite.sql")),
    of_store: Texts {
        postgres: include_str!("sql/shipments_by_id_of_store.sql"),
        sqlite: include_str!("sql/shipments_by_id_of_store.sql"),
    },
};

const BY_NUMBER: Lookup = Lookup {
    of_any_in_postgres: include_str!("sql/shipments_by_number.postgres.sql"),
    of_any_in_sqlite: Some(include_str!("sql/shipments_by_number.sqlite.sql")),
    of_store: Texts {
        postgres: include_str!("sql/shipments_by_number_of_store.sql"),
        sqlite: include_str!("sql/shipments_by_number_of_store.sql"),
    },
};

/// SQLite has no index of the shipments of all stores by order.
const OF_ORDERS_BEFORE: Lookup = Lookup {
    of_any_in_postgres: include_str!("sql/shipments_before.postgres.sql"),
    of_any_in_sqlite: None,
    of_store: Texts {
        postgres: include_str!("sql/shipments_before_of_store.postgres.sql"),
        sqlite: include_str!("sql/shipments_before_of_store.sqlite.sql"),
    },
};

impl ColdStore {
    /// Returns up to `count` matching shipments, newest order first. `None` searches all stores.
    pub async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>> {
        let (texts, wanted) = match lookup {
            ShipmentLookup::Id(id) => (&BY_ID, id.to_string()),
            ShipmentLookup::TrackingNumber(number) => (&BY_NUMBER, number.to_string()),
            ShipmentLookup::OfOrdersBefore(order) => (&OF_ORDERS_BEFORE, order.to_string()),
        };
        let stores = stores.cloned();
        self.call(Access::Read, move |db| {
            let of_any = match db.dialect.database {
                Database::Postgres if db.scope == StatementScope::OneStore => None,
                Database::Postgres => Some(texts.of_any_in_postgres),
                Database::Sqlite => texts.of_any_in_sqlite,
            };
            let values = [("wanted", wanted.as_str().into()), ("count", count.into())];
            let rows = match of_any {
                Some(text) => {
                    let document = stores.as_ref().map(json::write).transpose()?;
                    let list = [("stores", document.into())];
                    db.load::<MatchRow>(text, &[&list[..], &values].concat())?
                }
                None => store_by_store(db, texts.of_store, stores.as_ref(), &values, count)?,
            };
            restore_all(rows, restored)
        })
        .await
    }
}

/// Runs one query per store. Returns up to `count` rows, newest order first.
fn store_by_store(
    db: &mut Db<'_>,
    text: Texts,
    stores: Option<&BTreeSet<StoreId>>,
    values: &[(&'static str, Value<'_>)],
    count: u32,
) -> QueryResult<Vec<MatchRow>> {
    let limit = usize::try_from(count).unwrap_or(usize::MAX);
    let mut from_id = OrderId::LOWEST.to_string();
    let mut rows: Vec<MatchRow> = Vec::new();
    for store_id in db.ids_of(stores)? {
        let of_store = [
            ("store_id", store_id.into()),
            ("from_id", from_id.clone().into()),
        ];
        rows.extend(db.load::<MatchRow>(text, &[values, &of_store].concat())?);
        // By the id of the order. The sort is stable: shipments of an order are already sorted.
        rows.sort_by(|a, b| b.1.cmp(&a.1));
        rows.truncate(limit);
        // A full list needs no older orders of the other stores.
        if let Some(last) = rows.last().filter(|_| rows.len() == limit) {
            from_id.clone_from(&last.1);
        }
    }
    Ok(rows)
}

fn restored((store_id, order, prefix, number, document): MatchRow) -> Result<ShipmentMatch> {
    let key = [store_id.as_str(), order.as_str()];
    let (of_order, of_shipment) = (StoredRow("orders", &key), StoredRow("shipments", &key));
    Ok(ShipmentMatch {
        store: of_order.read("store_id", store_id.parse())?,
        order: of_order.read("id", order.parse())?,
        service_order_id: ServiceOrderId {
            prefix: of_order.read("prefix", prefix.parse())?,
            number,
        },
        shipment: of_shipment.read("document", serde_json::from_str(&document))?,
    })
}
