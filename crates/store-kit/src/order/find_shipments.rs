//! Looks up shipments in several stores.

use std::collections::BTreeSet;

use diesel::QueryResult;
use pressline_domain::error::Result;
use pressline_domain::order::{ShipmentLookup, ShipmentMatch};
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId};

use crate::cold_store::{Access, ColdStore, Db};
use crate::cold_value::Value;
use crate::corrupt::StoredRow;
use crate::dialect::ShipmentKey;
use crate::failure::restore_all;
use crate::json;

/// Store id, order id, prefix and number of the order, and JSON document of a shipment.
type MatchRow = (String, String, String, i64, String);

impl ColdStore {
    /// Returns up to `count` matching shipments, newest order first. `None` searches all stores.
    pub async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>> {
        let stores = Value::from(stores.map(json::write).transpose()?);
        let (key, wanted) = match lookup {
            ShipmentLookup::Id(id) => (ShipmentKey::Id, id.to_string()),
            ShipmentLookup::TrackingNumber(number) => {
                (ShipmentKey::TrackingNumber, number.to_string())
            }
            ShipmentLookup::OfOrdersBefore(order) => {
                (ShipmentKey::OfOrdersBefore, order.to_string())
            }
        };
        self.call(Access::Read, move |db| {
            let of_any = (db.dialect.shipments.of_any)(key).filter(|_| !db.is_distributed);
            let values = [
                ("stores", stores.clone()),
                ("wanted", wanted.clone().into()),
                ("count", count.into()),
            ];
            let rows = match of_any {
                Some(text) => db.load::<MatchRow>(&text, &values)?,
                None => store_by_store(db, key, &values, count)?,
            };
            restore_all(rows, restored)
        })
        .await
    }
}

/// Runs one query per store. Returns up to `count` rows, newest order first.
fn store_by_store(
    db: &mut Db<'_>,
    key: ShipmentKey,
    values: &[(&'static str, Value)],
    count: u32,
) -> QueryResult<Vec<MatchRow>> {
    let is_given = db.dialect.in_texts(":stores");
    let text = format!("SELECT store_id FROM stores WHERE :stores IS NULL OR store_id {is_given}");
    let text_of_one = (db.dialect.shipments.of_one)(key);
    let limit = usize::try_from(count).unwrap_or(usize::MAX);
    let mut from_id = OrderId::LOWEST.to_string();
    let mut rows: Vec<MatchRow> = Vec::new();
    for store_id in db.load::<String>(&text, values)? {
        let of_store = [
            ("store_id", store_id.into()),
            ("from_id", from_id.clone().into()),
        ];
        rows.extend(db.load::<MatchRow>(&text_of_one, &[values, &of_store].concat())?);
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
