//! Counts placed orders and shipped units per hour, for the last 24 hours.

use async_trait::async_trait;
use pressline_backoffice::overview::{HourCounts, Hours, OpenOrder, Overview};
use pressline_backoffice::queue::{OrderRef, StoreFilter};
use pressline_domain::error::Result;
use pressline_domain::fulfilment::Shipment;
use pressline_domain::value::OrderId;

use super::orders::open_orders;
use super::texts::{OverviewInput, OverviewTexts};
use crate::cold_store::{Access, ColdStore};
use crate::corrupt::StoredRow;
use crate::dialect::Texts;
use crate::sql::Value;

/// Names of the parameters with the first order id of each hour, followed by the parameter with the
/// id at which the last hour ends. Parameter names cannot contain digits.
const BOUNDS: [&str; Hours::COUNT + 1] = [
    "hour_a", "hour_b", "hour_c", "hour_d", "hour_e", "hour_f", "hour_g", "hour_h", "hour_i",
    "hour_j", "hour_k", "hour_l", "hour_m", "hour_n", "hour_o", "hour_p", "hour_q", "hour_r",
    "hour_s", "hour_t", "hour_u", "hour_v", "hour_w", "hour_x", "hour_y",
];

const ORDERS: OverviewTexts = OverviewTexts {
    of_any: Texts {
        postgres: include_str!("sql/hour_orders.postgres.sql"),
        sqlite: include_str!("sql/hour_orders.sqlite.sql"),
    },
    of_store: include_str!("sql/hour_orders_of_store.postgres.sql"),
};

const SHIPMENTS: OverviewTexts = OverviewTexts {
    of_any: Texts {
        postgres: include_str!("sql/hour_shipments.postgres.sql"),
        sqlite: include_str!("sql/hour_shipments.sqlite.sql"),
    },
    of_store: include_str!("sql/hour_shipments_of_store.postgres.sql"),
};

#[async_trait]
impl Overview for ColdStore {
    #[tracing::instrument(name = "db.overview.orders", level = "debug", skip_all)]
    async fn orders(&self, places: &[OrderRef]) -> Result<Vec<OpenOrder>> {
        let places = places.to_vec();
        self.call(Access::Read, move |db| open_orders(db, &places))
            .await
    }

    #[tracing::instrument(name = "db.overview.hours", level = "debug", skip_all)]
    async fn hours(&self, stores: &StoreFilter, hours: Hours) -> Result<Vec<HourCounts>> {
        let stores = stores.clone();
        self.call(Access::Read, move |db| {
            let mut counts = hours.empty();
            // Without an order id, a row asks for all orders of its store.
            let asked = db
                .store_ids(&stores)?
                .into_iter()
                .map(|store_id| OverviewInput { store_id, id: None });
            for mut values in db.overview_parameters(asked.collect())? {
                values.extend(BOUNDS.into_iter().zip(hours.id_bounds().map(Value::from)));
                for (hour, orders) in db.load_overview::<(i32, i64)>(&ORDERS, &values)? {
                    let hour = usize::try_from(hour).ok();
                    if let Some(counts) = hour.and_then(|hour| counts.get_mut(hour)) {
                        counts.orders += u64::try_from(orders).unwrap_or_default();
                    }
                }
                let rows = db.load_overview::<(String, String, String)>(&SHIPMENTS, &values)?;
                for (store_id, id, document) in rows {
                    let stored = StoredRow("shipments", &[&store_id, &id]);
                    let shipment: Shipment =
                        stored.read("document", serde_json::from_str(&document))?;
                    let position = hours.position(OrderId::new(*shipment.id.as_uuid()));
                    // Void shipments do not count.
                    let hour = position.filter(|_| shipment.counts());
                    if let Some(counts) = hour.and_then(|hour| counts.get_mut(hour)) {
                        let units = shipment.items.iter().map(|units| u64::from(units.quantity));
                        counts.units += units.sum::<u64>();
                    }
                }
            }
            Ok(counts)
        })
        .await
    }
}
