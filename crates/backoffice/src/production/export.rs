//! Export of parcels to send, for shipping programs: a row per order, in columns that the import of
//! shipments reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::batches::{READ_AT_ONCE, find_batch, orders_of};
use super::port::BatchRepository;
#[cfg(doc)]
use super::service::ProductionError;
use super::service::Result;
use super::stop::held_back;
use super::{BatchNameDraft, ItemRef};
use crate::limits;
use crate::queue::{QueueDraft, QueueService};
use crate::rows::LIST_SEPARATOR;
use pressline_domain::check::{Field, IssueCode, Path, Report};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Address, LineItem, Order, OrderKind, OrderPricing};
use pressline_domain::store::{StoreDirectory, StoreSet};
use pressline_domain::value::{Amount, OrderId, StoreId};

/// Unchecked request for an export of parcels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShipmentExportDraft {
    /// Number of the batch to export; if absent, orders of the queue are exported.
    pub batch: Field<String>,
    /// Filters of the queue, and the cursor that the previous part of the export returned. Must be
    /// empty if `batch` is given.
    pub queue: QueueDraft,
}

/// A part of an export of parcels, and the cursor of the next part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportedParcels {
    /// Up to [`limits::EXPORTED_PARCELS`] parcels, with the cells of
    /// [`PARCEL_COLUMNS`](crate::import::shipment::PARCEL_COLUMNS). Parcels of a batch are sorted
    /// by store, parcels of the queue by order, oldest first.
    pub rows: Vec<Vec<String>>,
    /// Cursor of the next part; `None` after the last part.
    pub next_cursor: Option<String>,
}

/// Service that exports parcels to send. A parcel has all unshipped units of an order's items that
/// are ready or in production. Orders with a label from the store, and orders that must not go out
/// now, have no parcel.
#[derive(Clone)]
pub struct ShipmentExport {
    /// Finds the orders to export.
    pub queue: QueueService,
    /// Finds batches by number.
    pub batches: Arc<dyn BatchRepository>,
    /// Reads the weights of products.
    pub products: OrderPricing,
    /// Reads the names of stores.
    pub stores: Arc<dyn StoreDirectory>,
}

type Names = BTreeMap<StoreId, String>;
/// Grams per unit. SKUs without a known weight are missing.
type Weights = BTreeMap<(StoreId, String), u32>;

impl ShipmentExport {
    /// Returns the parcels of the batch that `draft` names. If it names no batch, returns the
    /// parcels of the queue orders that `draft.queue` selects. Exports only orders of stores in
    /// `within`.
    ///
    /// # Errors
    /// [`ProductionError::BatchNotFound`] if the batch does not exist or has an item of a store
    /// outside `within`; [`ProductionError::Order`] if `draft` is invalid or the query fails.
    #[pressline_kit::boxed]
    pub async fn export(
        &self,
        within: &StoreSet,
        draft: &ShipmentExportDraft,
    ) -> Result<ExportedParcels> {
        if draft.batch.is_absent() {
            return self.of_queue(within, &draft.queue).await;
        }
        if draft.queue != QueueDraft::default() {
            let mut report = Report::default();
            let message = "send either `batch` or filters of the queue";
            report.violation(&Path::Root.key("batch"), IssueCode::Conflict, message);
            return Err(report.into());
        }
        let batch = BatchNameDraft {
            batch: draft.batch.clone(),
        };
        self.of_batch(within, &batch).await
    }

    async fn of_queue(&self, within: &StoreSet, draft: &QueueDraft) -> Result<ExportedParcels> {
        let (mut query, filter, window) = draft.cross_store_query(within)?;
        let names = self.names().await?;
        let mut rows = Vec::new();
        loop {
            // Bounds the number of orders in memory.
            let limit = (limits::EXPORTED_PARCELS - rows.len()).min(READ_AT_ONCE);
            let (orders, last) = self.queue.first_orders(&query, &filter, limit).await?;
            rows.extend(self.rows(&orders, &names).await?);
            let Some(last) = last else {
                return Ok(ExportedParcels {
                    rows,
                    next_cursor: None,
                });
            };
            if rows.len() >= limits::EXPORTED_PARCELS {
                let next_cursor = window.page(Vec::<()>::new(), Some(&last)).next_cursor;
                return Ok(ExportedParcels { rows, next_cursor });
            }
            query.from = last.next().unwrap_or(OrderId::HIGHEST);
        }
    }

    async fn of_batch(&self, within: &StoreSet, draft: &BatchNameDraft) -> Result<ExportedParcels> {
        let batch = find_batch(&*self.batches, within, draft).await?;
        let names = self.names().await?;
        let places: BTreeSet<ItemRef> = batch.items.iter().copied().collect();
        let mut rows = Vec::new();
        for (store, ids) in orders_of(&batch.items) {
            for ids in ids.chunks(READ_AT_ONCE) {
                let mut orders = self.queue.read_of_store(store, ids.to_vec()).await?;
                // An order is exported as a whole if one of its batch items is in production.
                orders.retain(|order| {
                    let mut at_work = order.state.items.iter();
                    at_work.any(|state| {
                        state.status.is_at_work() && places.contains(&ItemRef::new(order, state.id))
                    })
                });
                rows.extend(self.rows(&orders, &names).await?);
            }
        }
        Ok(ExportedParcels {
            rows,
            next_cursor: None,
        })
    }

    async fn names(&self) -> Result<Names, RepositoryError> {
        let records = self.stores.list().await?.into_iter();
        Ok(records
            .map(|record| (record.store.id, record.store.name))
            .collect())
    }

    async fn rows(
        &self,
        orders: &[Order],
        names: &Names,
    ) -> Result<Vec<Vec<String>>, RepositoryError> {
        let parcels: Vec<Parcel<'_>> = orders.iter().filter_map(Parcel::new).collect();
        let mut skus: BTreeMap<StoreId, Vec<&str>> = BTreeMap::new();
        for parcel in &parcels {
            let of_store = skus.entry(parcel.order.content.store_id).or_default();
            of_store.extend(parcel.units.iter().map(|(line, _)| line.sku.as_str()));
        }
        let mut weights = Weights::new();
        for (store, mut skus) in skus {
            // Each weight is read once, however many parcels contain the SKU.
            skus.sort_unstable();
            skus.dedup();
            for (sku, grams) in self.products.weights(store, &skus).await? {
                weights.insert((store, sku), grams);
            }
        }
        let rows = parcels.iter().map(|parcel| parcel.row(names, &weights));
        Ok(rows.collect())
    }
}

struct Parcel<'a> {
    order: &'a Order,
    /// Line items, each with its number of unshipped units, at least 1.
    units: Vec<(&'a LineItem, u32)>,
}

impl<'a> Parcel<'a> {
    /// Returns `None` without a unit to send, for a held-back order, and for a label order.
    fn new(order: &'a Order) -> Option<Self> {
        if order.content.kind() == OrderKind::Label || held_back(order).is_some() {
            return None;
        }
        let pairs = order.content.items.iter().zip(&order.state.items);
        let at_work = pairs.filter(|(_, state)| state.status.is_at_work());
        let unshipped = at_work.map(|(line, _)| (line, order.unshipped(line.id)));
        let units: Vec<(&LineItem, u32)> = unshipped.filter(|(_, units)| *units > 0).collect();
        (!units.is_empty()).then_some(Self { order, units })
    }

    fn row(&self, names: &Names, weights: &Weights) -> Vec<String> {
        let (order, content) = (self.order, &self.order.content);
        let address = content.shipping_address.clone().unwrap_or_default();
        let name = address.full_name();
        let province_code = province_code(&address);
        let cells = [
            Some(order.service_order_id.to_string()),
            Some(order.shown_order_id().into_owned()),
            names.get(&content.store_id).cloned(),
            name,
            address.company,
            address.address1,
            address.address2,
            address.city,
            address.zip,
            address.province,
            province_code,
            address.country_code,
            address.phone,
            address.email.or_else(|| content.email.clone()),
            Some(self.ship_classes()),
            self.grams(weights).map(|grams| grams.to_string()),
            Some(
                self.units
                    .iter()
                    .map(|(_, units)| units)
                    .sum::<u32>()
                    .to_string(),
            ),
            Some(self.skus()),
            self.value().map(|value| value.to_fixed(content.currency)),
            Some(content.currency.to_string()),
            address.tax_number,
            // Carrier and tracking number, which whoever sends the parcel fills in.
            None,
            None,
        ];
        cells.map(Option::unwrap_or_default).into()
    }

    fn ship_classes(&self) -> String {
        let mut classes: Vec<&str> = Vec::new();
        for (line, _) in &self.units {
            let class = line.ship_class_or_standard();
            if !classes
                .iter()
                .any(|other| other.eq_ignore_ascii_case(class))
            {
                classes.push(class);
            }
        }
        classes.join(&LIST_SEPARATOR.to_string())
    }

    /// Returns the SKUs of the parcel with their numbers of units, such as `MUG-11=2|TEE-M=1`.
    fn skus(&self) -> String {
        let skus = self
            .units
            .iter()
            .map(|(line, units)| format!("{}={units}", line.sku));
        skus.collect::<Vec<_>>().join(&LIST_SEPARATOR.to_string())
    }

    /// Returns `None` if the weight of any product is unknown.
    fn grams(&self, weights: &Weights) -> Option<u64> {
        let store = self.order.content.store_id;
        let of_units = self.units.iter().map(|(line, units)| {
            let grams = weights.get(&(store, line.sku.clone()))?;
            Some(u64::from(*grams) * u64::from(*units))
        });
        of_units.sum()
    }

    /// Returns the store's price of all units; `None` if any unit cost is unknown.
    fn value(&self) -> Option<Amount> {
        let mut costs = self
            .units
            .iter()
            .map(|(line, units)| line.unit_cost?.times(*units).ok());
        costs.try_fold(Amount::ZERO, |sum, cost| sum.plus(cost?).ok())
    }
}

/// Returns `CA` for `US-CA`: shipping programs have a separate field for the country.
fn province_code(address: &Address) -> Option<String> {
    let code = address.province_code.as_deref()?;
    let country = address.country_code.as_deref().unwrap_or_default();
    let rest = code
        .strip_prefix(country)
        .and_then(|rest| rest.strip_prefix('-'));
    Some(rest.unwrap_or(code).to_owned())
}
