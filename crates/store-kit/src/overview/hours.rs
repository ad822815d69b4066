//! Counts what happened in each of the last hours.

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::{BigInt, Integer, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::OrderId;
use pressline_domain::order::queue::AskedStores;
use pressline_domain::overview::{HourCounts, Hours};

use super::orders::{counting, no_rows, read_shipment};
use super::{Given, OverviewReader, OverviewTexts};
use crate::cold::{Cold, Value, load};

/// An hour, and the number of its orders.
type PlacedSql = (Integer, BigInt);
type PlacedRow = (i32, i64);

/// The store of a shipment, its id and its document.
type ParcelSql = (Text, Text, Text);
type ParcelRow = (String, String, String);

/// The parameters with the ids where the hours begin, and with the one where the last of them ends. Names of parameters
/// have no digits.
const BOUNDS: [&str; Hours::COUNT + 1] = [
    "hour_a", "hour_b", "hour_c", "hour_d", "hour_e", "hour_f", "hour_g", "hour_h", "hour_i",
    "hour_j", "hour_k", "hour_l", "hour_m", "hour_n", "hour_o", "hour_p", "hour_q", "hour_r",
    "hour_s", "hour_t", "hour_u", "hour_v", "hour_w", "hour_x", "hour_y",
];

fn bounds(hours: Hours) -> impl Iterator<Item = (&'static str, Value)> {
    let ids = hours.id_bounds().map(|id| Value::Text(id.to_string()));
    BOUNDS.into_iter().zip(ids)
}

impl OverviewTexts {
    /// Returns the statement that counts the orders of given stores by hour: one range of each store's key, of which the
    /// index has all that is read.
    fn placed(self) -> String {
        let (given, store) = ((self.rows)(&[("store_id", "TEXT")]), self.store());
        let hours = BOUNDS.iter().enumerate().take(Hours::COUNT).rev();
        // The latest hour first, as a new row is compared until one fits.
        let cases = hours.map(|(hour, bound)| format!("WHEN orders.id >= :{bound} THEN {hour}"));
        let cases: Vec<String> = cases.collect();
        format!(
            "SELECT CASE {} END, count(*)
             FROM {given}
             JOIN orders
                 ON orders.store_id = {store}
                 AND orders.id >= :hour_a
                 AND orders.id < :hour_y
             GROUP BY 1",
            cases.join(" ")
        )
    }

    /// Returns the statement that reads the shipments of given stores that were recorded in these hours.
    fn parcels(self) -> String {
        let (given, store) = ((self.rows)(&[("store_id", "TEXT")]), self.store());
        format!(
            "SELECT given.store_id, shipments.id, shipments.document
             FROM {given}
             JOIN shipments
                 ON shipments.store_id = {store}
                 AND shipments.id >= :hour_a
                 AND shipments.id < :hour_y"
        )
    }
}

/// Returns the statement that counts orders by hour, for tests that look at its plan.
#[must_use]
pub fn overview_placed(texts: OverviewTexts, hours: Hours) -> Cold<PlacedSql> {
    let values: Vec<_> = no_rows().into_iter().chain(bounds(hours)).collect();
    Cold::new(&texts.placed(), &values)
}

/// Returns the statement that reads the shipments of the hours, for tests that look at its plan.
#[must_use]
pub fn overview_parcels(texts: OverviewTexts, hours: Hours) -> Cold<ParcelSql> {
    let values: Vec<_> = no_rows().into_iter().chain(bounds(hours)).collect();
    Cold::new(&texts.parcels(), &values)
}

impl<C, F> OverviewReader<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<Text>: LoadQuery<'q, C, String>,
    for<'q> Cold<PlacedSql>: LoadQuery<'q, C, PlacedRow>,
    for<'q> Cold<ParcelSql>: LoadQuery<'q, C, ParcelRow>,
{
    /// Counts what happened in the stores in each hour.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn hours(&mut self, stores: &AskedStores, hours: Hours) -> Result<Vec<HourCounts>, F> {
        let mut counts = hours.empty();
        let asked = self.asked(stores)?;
        let (placed, parcels) = (self.texts.placed(), self.texts.parcels());
        for mut values in self.texts.parameters(asked)? {
            values.extend(bounds(hours));
            let rows = load::<PlacedSql, PlacedRow, _>(self.connection, &placed, &values)?;
            for (hour, orders) in rows {
                let hour = usize::try_from(hour).ok();
                if let Some(counts) = hour.and_then(|hour| counts.get_mut(hour)) {
                    counts.orders += u64::try_from(orders).unwrap_or_default();
                }
            }
            let rows = load::<ParcelSql, ParcelRow, _>(self.connection, &parcels, &values)?;
            for row in rows {
                add_units(&mut counts, hours, &row)?;
            }
        }
        Ok(counts)
    }

    /// Returns the ids of the stores that a call is about.
    fn asked(&mut self, stores: &AskedStores) -> Result<Vec<Given>, F> {
        let text = "SELECT store_id FROM stores WHERE (:with_test OR NOT test)";
        let values = [("with_test", Value::Bool(stores.with_test))];
        let mut ids = load::<Text, String, _>(self.connection, text, &values)?;
        if let Some(set) = &stores.set {
            ids.retain(|id| id.parse().is_ok_and(|id| set.contains(&id)));
        }
        let given = ids.into_iter().map(|store_id| Given { store_id, id: None });
        Ok(given.collect())
    }
}

fn add_units(
    counts: &mut [HourCounts],
    hours: Hours,
    (store_id, id, document): &ParcelRow,
) -> Result<(), RepositoryError> {
    let shipment = read_shipment(store_id, id, document)?;
    let hour = hours.position(OrderId::new(*shipment.id.as_uuid()));
    if let Some(counts) = hour.and_then(|hour| counts.get_mut(hour)) {
        let units = counting(&shipment).map(|units| u64::from(units.quantity));
        counts.units += units.sum::<u64>();
    }
    Ok(())
}
