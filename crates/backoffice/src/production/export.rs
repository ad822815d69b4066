//! The export of parcels to send, for shipping programs: a row for each order, in columns that an import of shipments
//! reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::batches::{READ_AT_ONCE, orders_of};
use super::known::place_of;
use super::port::BatchRepository;
use super::stop::held_back;
use super::{BatchNameDraft, ItemRef, ProductionError};
use crate::queue::{QueueDraft, QueueService};
use crate::rows::LIST_SEPARATOR;
use pressline_domain::error::RepositoryError;
use pressline_domain::field::Field;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::limits;
use pressline_domain::money::Amount;
use pressline_domain::order::{Address, LineItem, Order, OrderKind, OrderService};
use pressline_domain::report::{IssueCode, Path, Report};
use pressline_domain::store::StoreDirectory;
use pressline_domain::store::StoreSet;

/// Which parcels to send are exported, as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShipmentExportDraft {
    /// Number of the batch to export; absent to export orders of the queue.
    pub batch: Field<String>,
    /// Filters of the queue, with the cursor of an earlier part.
    pub queue: QueueDraft,
}

/// A part of the parcels to send.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportedParcels {
    /// Cells of [`PARCEL_COLUMNS`](crate::import::shipment::PARCEL_COLUMNS), up to [`limits::EXPORTED_PARCELS`] rows: of a batch by
    /// store, else the oldest orders first.
    pub rows: Vec<Vec<String>>,
    /// Leads to the next part; `None` for the last one.
    pub next_cursor: Option<String>,
}

/// Exports parcels to send: of each order all units that are ready or in production and not shipped. Orders that must
/// not go out, and label orders, are left out.
#[derive(Clone)]
pub struct ShipmentExport {
    ports: ShipmentExportPorts,
}

/// What [`ShipmentExport`] is made of.
#[derive(Clone)]
pub struct ShipmentExportPorts {
    /// Finds orders.
    pub queue: QueueService,
    /// Keeps batches.
    pub batches: Arc<dyn BatchRepository>,
    /// Knows the weights of products.
    pub orders: OrderService,
    /// Knows the names of stores.
    pub stores: Arc<dyn StoreDirectory>,
}

type Names = BTreeMap<StoreId, String>;
/// Weight of a unit in grams, by store and SKU. Unknown weights are left out.
type Weights = BTreeMap<(StoreId, String), u32>;

impl ShipmentExport {
    /// Creates an export over `ports`.
    pub fn new(ports: ShipmentExportPorts) -> Self {
        Self { ports }
    }

    /// Returns parcels of orders of the stores `within`.
    ///
    /// # Errors
    /// [`ProductionError::BatchNotFound`] if there is no such batch, or it has an item of another store;
    /// [`ProductionError::Order`] if the draft is invalid or the repository fails.
    #[pressline_kit::boxed]
    pub async fn export(
        &self,
        within: &StoreSet,
        draft: &ShipmentExportDraft,
    ) -> Result<ExportedParcels, ProductionError> {
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

    async fn of_queue(
        &self,
        within: &StoreSet,
        draft: &QueueDraft,
    ) -> Result<ExportedParcels, ProductionError> {
        let (mut query, filter, window) = draft.cross_store_query(within)?;
        let names = self.names().await?;
        let mut rows = Vec::new();
        loop {
            // Bounds the number of orders in memory.
            let limit = (limits::EXPORTED_PARCELS - rows.len()).min(READ_AT_ONCE);
            let found = self
                .ports
                .queue
                .first_orders(&query, &filter, limit)
                .await?;
            rows.extend(self.rows(&found.orders, &names).await?);
            let Some(last) = found.last else {
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

    async fn of_batch(
        &self,
        within: &StoreSet,
        draft: &BatchNameDraft,
    ) -> Result<ExportedParcels, ProductionError> {
        let found = self.ports.batches.find(draft.check()?).await?;
        let batch = found.ok_or(ProductionError::BatchNotFound)?;
        let is_within = |store: &StoreId| within.as_ref().is_none_or(|set| set.contains(store));
        if !batch.items.iter().all(|item| is_within(&item.store)) {
            return Err(ProductionError::BatchNotFound);
        }
        let names = self.names().await?;
        let places: BTreeSet<ItemRef> = batch.items.iter().copied().collect();
        let mut rows = Vec::new();
        for (store, ids) in orders_of(&batch.items) {
            for ids in ids.chunks(READ_AT_ONCE) {
                let mut orders = self.ports.queue.read_of_store(store, ids.to_vec()).await?;
                orders.retain(|order| {
                    let mut at_work = order.state.items.iter();
                    at_work.any(|state| {
                        state.status.is_at_work() && places.contains(&place_of(order, state))
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
        let records = self.ports.stores.list().await?.into_iter();
        let named = records.map(|record| (record.store.id, record.store.name));
        Ok(named.collect())
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
            skus.sort_unstable();
            skus.dedup();
            for (sku, grams) in self.ports.orders.weights(store, &skus).await? {
                weights.insert((store, sku), grams);
            }
        }
        let rows = parcels.iter().map(|parcel| parcel.row(names, &weights));
        Ok(rows.collect())
    }
}

/// The units of an order that can be sent now.
struct Parcel<'a> {
    order: &'a Order,
    /// Line items with their numbers of units, at least one.
    units: Vec<(&'a LineItem, u32)>,
}

impl<'a> Parcel<'a> {
    /// Returns `None` if nothing of the order can be sent, or its label exists already.
    fn new(order: &'a Order) -> Option<Self> {
        if order.content.kind() == OrderKind::Label || held_back(order).is_some() {
            return None;
        }
        let pairs = order.content.items.iter().zip(&order.state.items);
        let at_work = pairs.filter(|(_, state)| state.status.is_at_work());
        let units = at_work.map(|(line, _)| (line, order.unshipped(line.id)));
        let units: Vec<(&LineItem, u32)> = units.filter(|(_, units)| *units > 0).collect();
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

    /// Returns SKUs with their numbers of units, such as `MUG-11=2|TEE-M=1`.
    fn skus(&self) -> String {
        let skus = self
            .units
            .iter()
            .map(|(line, units)| format!("{}={units}", line.sku));
        skus.collect::<Vec<_>>().join(&LIST_SEPARATOR.to_string())
    }

    /// Returns the weight in grams; `None` if the weight of a product is not known.
    fn grams(&self, weights: &Weights) -> Option<u64> {
        let store = self.order.content.store_id;
        let of_units = self.units.iter().map(|(line, units)| {
            let grams = weights.get(&(store, line.sku.clone()))?;
            Some(u64::from(*grams) * u64::from(*units))
        });
        of_units.sum()
    }

    /// Returns what the units cost the store; `None` if the cost of a product is not known.
    fn value(&self) -> Option<Amount> {
        let mut costs = self
            .units
            .iter()
            .map(|(line, units)| line.unit_cost?.times(*units).ok());
        costs.try_fold(Amount::ZERO, |sum, cost| sum.plus(cost?).ok())
    }
}

/// Returns `CA` for `US-CA`: shipping programs have another field for the country.
fn province_code(address: &Address) -> Option<String> {
    let code = address.province_code.as_deref()?;
    let country = address.country_code.as_deref().unwrap_or_default();
    let rest = code
        .strip_prefix(country)
        .and_then(|rest| rest.strip_prefix('-'));
    Some(rest.unwrap_or(code).to_owned())
}
