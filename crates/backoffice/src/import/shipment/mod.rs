//! Import of shipments from the rows of a file.
//!
//! All rows are checked first; if any row is invalid, nothing is written. Then the orders are
//! written one by one, each parcel as one change. They do not share a transaction, because it would
//! lock up to 100,000 orders of many stores for the whole import. A shared transaction is not
//! needed either: parcels that are already recorded are recognised, so an interrupted import is
//! completed by running it again. If an order changes between check and write so that a parcel no
//! longer fits, the parcel is reported and all others are written.

mod decide;
mod name;
mod problems;
mod rows;

use std::collections::{BTreeSet, HashMap};
use std::mem::take;
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::import::catalog::{Mode, Progress};
use crate::import::confirm::confirm_skus;
use crate::rows::FileRows;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, Decision, ItemStatus};
use pressline_domain::order::{
    Order, OrderError, OrderPricing, OrderReader, OrderScope, OrderService, OrderShipper,
};
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::store::{StoreDirectory, StoreSet, StoresByPrefix};
use pressline_domain::value::{OrderId, ServiceOrderId, ShipmentId};

use name::named_by_id;
use rows::{OrderRows, Parcel, Reader};

pub(in crate::import) use problems::Problems;
pub use problems::RowProblem;
pub use rows::{PARCEL_COLUMNS, SHIPMENT_COLUMNS};

/// A concurrent change of the parcel's order makes an attempt fail.
const ATTEMPTS: usize = 64;
/// Concurrent writes are faster, because they share database commits.
const CONCURRENT_WRITES: usize = 16;

/// Summary of a parcel in an imported file; an import report lists only the first parcels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedParcel {
    /// Line number of the parcel's first row, counted from 1.
    pub line: u64,
    /// Service order id of the parcel's order, such as `DEMO-17`.
    pub order: ServiceOrderId,
    /// Name of the carrier; `None` if the file has none.
    pub carrier: Option<String>,
    /// Tracking number, else the reference in column `ref`. Never `None` in a report.
    pub number: Option<String>,
    /// Shipped units of the order before and after this parcel; equal if it was already recorded.
    pub shipped: (u32, u32),
    /// Number of units of the order, without the units of items that are `cancelled`.
    pub units: u32,
}

/// Result of a shipment import: counts, problems and the first parcels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShipmentImportReport {
    /// Number of rows in the file, without the header.
    pub rows: usize,
    /// Number of shipments created by this import. In a dry run, the number it would create.
    pub created: usize,
    /// Number of shipments that were already recorded with the same content.
    pub unchanged: usize,
    /// `true` if the import was a dry run.
    pub dry_run: bool,
    /// Errors, sorted by line. If the check finds errors, nothing is written and `created` is 0.
    pub problems: Vec<RowProblem>,
    /// First valid parcels of the file, sorted by line; up to [`ShipmentImport::MAX_PARCELS`].
    pub parcels: Vec<ImportedParcel>,
}

/// Checks the rows of shipment files, and records their parcels as shipments.
#[derive(Clone)]
pub struct ShipmentImport {
    orders: OrderReader,
    shipper: OrderShipper,
    pricing: OrderPricing,
    by_prefix: Arc<StoresByPrefix>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

struct Run<'a> {
    import: &'a ShipmentImport,
    scope: &'a StoreSet,
    caller: Caller,
    progress: Option<Progress>,
}

impl ShipmentImportReport {
    /// Keeps only the [`ShipmentImport::MAX_PARCELS`] parcels with the lowest lines.
    fn list(&mut self, parcels: Vec<ImportedParcel>) {
        self.parcels.extend(parcels);
        self.parcels.sort_by_key(|parcel| parcel.line);
        self.parcels.truncate(ShipmentImport::MAX_PARCELS);
    }
}

impl Parcel {
    fn imported(&self, before: &Order, after: &Order) -> ImportedParcel {
        let values = &self.values;
        let number = values.tracking_number.as_ref();
        ImportedParcel {
            line: self.line,
            order: before.service_order_id.clone(),
            carrier: values.carrier.clone(),
            number: number.or(values.reference.as_ref()).cloned(),
            shipped: (shipped_units(before), shipped_units(after)),
            units: live_units(before),
        }
    }
}

fn shipped_units(order: &Order) -> u32 {
    let parcels = order.shipments.iter().filter(|shipment| shipment.counts());
    let units = parcels.flat_map(|shipment| &shipment.items);
    units.map(|units| units.quantity).sum()
}

fn live_units(order: &Order) -> u32 {
    let lines = order.content.items.iter().zip(&order.state.items);
    let live = lines.filter(|(_, state)| state.status != ItemStatus::Cancelled);
    live.map(|(line, _)| line.quantity).sum()
}

impl ShipmentImport {
    /// Creates an import that records shipments with `orders`, for all stores in `stores`.
    pub fn new(
        orders: OrderService,
        stores: Arc<dyn StoreDirectory>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        Self {
            orders: orders.read,
            shipper: orders.ship,
            pricing: orders.pricing,
            by_prefix: Arc::new(StoresByPrefix::new(stores, Arc::clone(&clock))),
            clock,
            ids,
        }
    }

    /// Maximum number of parcels in [`ShipmentImportReport::parcels`].
    pub const MAX_PARCELS: usize = 100;

    /// Checks all rows of `file` and, if all are valid and `mode` is [`Mode::Apply`], records their
    /// shipments in the name of `actor`. Orders of stores outside `scope` are reported as unknown.
    /// `progress` is called after each order, in the check and again while writing. Shipments
    /// written before an error remain.
    pub async fn import(
        &self,
        scope: &StoreSet,
        mut file: FileRows,
        mode: Mode,
        actor: Actor,
        progress: Option<Progress>,
    ) -> Result<ShipmentImportReport> {
        let rows = file.len();
        let mut reader = Reader::new(self.numbers(scope, &file).await?);
        reader.problems.add_findings(take(&mut file.findings));
        confirm_skus(&mut file, &self.pricing).await?;
        // With an order number, the store's own id is not read.
        file.skip("order_id", |row| row.given("number").text().is_some());
        file.each(|row, damages| reader.read(row, damages));
        let Reader {
            mut problems,
            orders,
            ..
        } = reader;
        let run = Run {
            import: self,
            scope,
            caller: Caller {
                actor,
                request_id: None,
            },
            progress,
        };
        let mut report = run.each(&orders, Mode::DryRun, &mut problems).await?;
        if !problems.is_empty() {
            // A single invalid row prevents all shipments.
            report.created = 0;
        // If everything is already recorded, the check has given the result.
        } else if mode == Mode::Apply && report.created > 0 {
            report = run.each(&orders, Mode::Apply, &mut problems).await?;
        }
        Ok(ShipmentImportReport {
            rows,
            dry_run: mode == Mode::DryRun,
            problems: problems.sorted(),
            ..report
        })
    }

    /// Returns the numbers of the orders that `file` names by their ids, so that the rows of an order
    /// belong together however they name it.
    async fn numbers(
        &self,
        scope: &StoreSet,
        file: &FileRows,
    ) -> Result<HashMap<OrderId, ServiceOrderId>> {
        let ids: BTreeSet<OrderId> = file.rows().filter_map(named_by_id).collect();
        let orders = &self.orders;
        let numbers = stream::iter(ids)
            .map(|id| async move {
                let number = orders.service_order_id(scope, id).await?;
                Ok(number.map(|number| (id, number)))
            })
            .buffer_unordered(CONCURRENT_WRITES);
        let known = numbers.try_filter_map(|number| async move { Ok(number) });
        known.try_collect().await
    }
}

impl Run<'_> {
    async fn each(
        &self,
        orders: &[OrderRows],
        mode: Mode,
        problems: &mut Problems,
    ) -> Result<ShipmentImportReport> {
        let total = orders.len();
        let running = stream::iter(orders).map(|rows| self.order(rows, mode));
        // The order does not matter: problems and parcels are sorted by line.
        let mut outcomes = running.buffer_unordered(CONCURRENT_WRITES);
        let (mut all, mut done_count) = (ShipmentImportReport::default(), 0);
        while let Some(outcome) = outcomes.next().await {
            let outcome = outcome?;
            all.created += outcome.created;
            all.unchanged += outcome.unchanged;
            problems.extend(outcome.problems);
            all.list(outcome.parcels);
            done_count += 1;
            if let Some(progress) = &self.progress {
                progress(done_count, total);
            }
        }
        Ok(all)
    }

    async fn order(&self, rows: &OrderRows, mode: Mode) -> Result<ShipmentImportReport> {
        let mut outcome = ShipmentImportReport::default();
        let mut order = match self.stored(rows).await? {
            Ok(order) => order,
            Err(problem) => {
                outcome.problems.push(problem);
                return Ok(outcome);
            }
        };
        for parcel in &rows.parcels {
            match self.parcel(&order, parcel, rows, mode).await? {
                Ok(None) => {
                    outcome.unchanged += 1;
                    outcome.parcels.push(parcel.imported(&order, &order));
                }
                Ok(Some(changed)) => {
                    outcome.created += 1;
                    outcome.parcels.push(parcel.imported(&order, &changed));
                    // The next parcel of the order builds on this change, also in a dry run.
                    order = changed;
                }
                Err(problems) => outcome.problems.extend(problems),
            }
        }
        Ok(outcome)
    }

    /// Returns the changed order; `None` if the parcel is already recorded.
    async fn parcel(
        &self,
        order: &Order,
        parcel: &Parcel,
        rows: &OrderRows,
        mode: Mode,
    ) -> Result<Result<Option<Order>, Vec<RowProblem>>> {
        // Time and id are the same in all attempts.
        let now = self.import.clock.now();
        let id = ShipmentId::new(self.import.ids.next(now));
        let mut order = order.clone();
        for _ in 0..ATTEMPTS {
            let change = match parcel.decide(&order, id, &self.caller.at(now)) {
                Ok(Decision::Changed(change)) => *change,
                Ok(Decision::Unchanged) => return Ok(Ok(None)),
                Err(problems) => return Ok(Err(problems)),
            };
            // The decision alone contains the changed order.
            if mode == Mode::DryRun {
                return Ok(Ok(Some(change.order)));
            }
            match self.import.shipper.write(change).await {
                Ok(order) => return Ok(Ok(Some(order))),
                // Another call has changed the order: read it again and decide anew.
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error),
            }
            if let Ok(stored) = self.stored(rows).await? {
                order = stored;
            }
        }
        Err(RepositoryError::too_many_changes())
    }

    async fn stored(&self, rows: &OrderRows) -> Result<Result<Order, RowProblem>> {
        let scope = OrderScope::Stores {
            set: self.scope,
            by_prefix: &self.import.by_prefix,
            own_ids: rows.own_ids,
        };
        let number = rows.order.to_string();
        let problem = |code, message: String| RowProblem::new(rows.line, "order_id", code, message);
        match self.import.orders.reached(scope, &number).await {
            Ok(order) => Ok(Ok(order)),
            Err(OrderError::Repository(error)) => Err(error),
            Err(OrderError::Ambiguous { candidates }) => {
                let ids: Vec<String> = candidates.iter().map(|one| one.id.to_string()).collect();
                let message = format!(
                    "{number} is the number of one order and the store's order_id of another; name \
                     the order by its id: {}",
                    ids.join(" or ")
                );
                Ok(Err(problem("ambiguous_order_id", message)))
            }
            // An order outside the scope is reported like an unknown order.
            Err(_) => {
                let message = format!("there is no order {number}");
                Ok(Err(problem("order_not_found", message)))
            }
        }
    }
}
