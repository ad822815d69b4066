//! The import of shipments from the rows of a file.
//!
//! Everything is checked first: nothing is written if any row is wrong. Then the orders are written one
//! after the other, each parcel as one change. They are not written in one transaction, because that would
//! keep up to 100,000 orders of many stores locked for as long as the import takes. It is not needed either:
//! a row that is imported already is recognised, so an import that was interrupted is completed by running it
//! again. An order that changes between check and write, so that a parcel no longer fits, is reported then;
//! all other parcels are written.

mod decide;
mod problems;
mod rows;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::{StreamExt, stream};

use crate::import::catalog::{Mode, Progress};
use crate::rows::{Findings, Record};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, Decision, ItemStatus};
use pressline_domain::id::{Prefix, ServiceOrderId, ShipmentId, StoreId};
use pressline_domain::order::{Lookup, Order, OrderService, OrderWrite};
use pressline_domain::store::StoreDirectory;

use rows::{OrderRows, Parcel, Reader};

pub(in crate::import) use problems::Problems;
pub use problems::RowProblem;
pub use rows::{PARCEL_COLUMNS, SHIPMENT_COLUMNS};

/// Attempts to record a parcel while other calls change its order.
const ATTEMPTS: usize = 64;
/// Orders that are checked or written at the same time: enough that their writes share commits.
const AT_ONCE: usize = 16;

/// The rows of a file of shipments.
#[derive(Debug, Default)]
pub struct ShipmentRows {
    /// The rows, in the order of the file, with the cells of [`SHIPMENT_COLUMNS`].
    pub records: Vec<Record>,
    /// What is wrong with the form of the file.
    pub findings: Findings,
}

/// What an import makes of one of the first parcels of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedParcel {
    /// The line of its first row, from 1.
    pub line: u64,
    /// Its order.
    pub order: ServiceOrderId,
    /// The carrier and the carrier's number.
    pub carrier: Option<String>,
    /// The carrier's number of the parcel, else the caller's reference.
    pub number: Option<String>,
    /// Units of the order that were shipped before it, and those that are shipped with it; the same
    /// if the parcel is recorded already.
    pub shipped: (u32, u32),
    /// Units of the order that are not cancelled.
    pub units: u32,
}

/// What came of an import of shipments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShipmentImportReport {
    /// How many rows the file has.
    pub rows: usize,
    /// How many shipments were created, or would be.
    pub created: usize,
    /// How many shipments were recorded already.
    pub unchanged: usize,
    /// Whether nothing was written in any case.
    pub dry_run: bool,
    /// What is wrong, by line.
    pub problems: Vec<RowProblem>,
    /// The first parcels that are right, by line; at most [`ShipmentImport::LISTED`].
    pub parcels: Vec<ImportedParcel>,
}

/// Imports shipments.
#[derive(Clone)]
pub struct ShipmentImport {
    orders: OrderService,
    stores: Arc<dyn StoreDirectory>,
    reach: Option<BTreeSet<StoreId>>,
}

#[derive(Debug, Default)]
struct Outcome {
    created: usize,
    unchanged: usize,
    problems: Vec<RowProblem>,
    parcels: Vec<ImportedParcel>,
}

type StoresByPrefix = HashMap<Prefix, StoreId>;

struct Run<'a> {
    import: &'a ShipmentImport,
    stores: StoresByPrefix,
    caller: Caller,
    progress: Option<Progress>,
}

impl Outcome {
    /// Adds parcels to the list, which keeps the first ones by line.
    fn list(&mut self, parcels: Vec<ImportedParcel>) {
        self.parcels.extend(parcels);
        self.parcels.sort_by_key(|parcel| parcel.line);
        self.parcels.truncate(ShipmentImport::LISTED);
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
    /// Returns an import of shipments of orders of these stores.
    pub fn new(orders: OrderService, stores: Arc<dyn StoreDirectory>) -> Self {
        Self {
            orders,
            stores,
            reach: None,
        }
    }

    /// Maximum number of parcels that a report lists.
    pub const LISTED: usize = 100;

    /// Returns the import for orders of these stores alone; `None` for all.
    pub fn within(&self, reach: Option<BTreeSet<StoreId>>) -> Self {
        Self {
            reach,
            ..self.clone()
        }
    }

    /// Checks all rows and, if none is wrong, records their shipments on behalf of an actor.
    ///
    /// # Errors
    /// As the repositories fail. What was written until then stays.
    pub async fn import(
        &self,
        file: ShipmentRows,
        mode: Mode,
        actor: Actor,
        progress: Option<Progress>,
    ) -> Result<ShipmentImportReport> {
        let rows = file.records.len();
        let mut reader = Reader::default();
        reader.problems.add_findings(file.findings);
        // Each row is dropped when it has been read.
        for record in file.records {
            reader.read(&record);
        }
        let Reader {
            mut problems,
            orders,
            ..
        } = reader;
        let run = Run {
            import: self,
            stores: self.stores_by_prefix().await?,
            caller: Caller {
                actor,
                request_id: None,
            },
            progress,
        };
        let mut done = run.each(&orders, Mode::DryRun, &mut problems).await?;
        if !problems.is_empty() {
            done.created = 0;
        } else if mode == Mode::Apply && done.created > 0 {
            done = run.each(&orders, Mode::Apply, &mut problems).await?;
        }
        Ok(ShipmentImportReport {
            rows,
            created: done.created,
            unchanged: done.unchanged,
            dry_run: mode == Mode::DryRun,
            problems: problems.sorted(),
            parcels: done.parcels,
        })
    }

    async fn stores_by_prefix(&self) -> Result<StoresByPrefix> {
        let records = self.stores.list().await?.into_iter();
        let is_reached = |id| self.reach.as_ref().is_none_or(|reach| reach.contains(&id));
        let reached = records.filter(|record| is_reached(record.store.id));
        let pairs = reached.map(|record| (record.store.prefix, record.store.id));
        Ok(pairs.collect())
    }
}

impl Run<'_> {
    async fn each(
        &self,
        orders: &[OrderRows],
        mode: Mode,
        problems: &mut Problems,
    ) -> Result<Outcome> {
        let total = orders.len();
        let outcomes = stream::iter(orders).map(|rows| self.order(rows, mode));
        let mut outcomes = outcomes.buffer_unordered(AT_ONCE);
        let (mut all, mut done) = (Outcome::default(), 0);
        while let Some(outcome) = outcomes.next().await {
            let outcome = outcome?;
            all.created += outcome.created;
            all.unchanged += outcome.unchanged;
            let of_order = outcome.problems.into_iter();
            of_order.for_each(|problem| problems.add(problem));
            all.list(outcome.parcels);
            done += 1;
            if let Some(progress) = &self.progress {
                progress(done, total);
            }
        }
        Ok(all)
    }

    /// Decides about the parcels of an order one after the other, and writes them if wanted.
    async fn order(&self, rows: &OrderRows, mode: Mode) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let Some(mut order) = self.stored(rows).await? else {
            let message = format!("there is no order {}", rows.order);
            let problem = RowProblem::new(rows.line, "order_id", "order_not_found", message);
            outcome.problems.push(problem);
            return Ok(outcome);
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
                    order = changed;
                }
                Err(problems) => outcome.problems.extend(problems),
            }
        }
        Ok(outcome)
    }

    /// Returns the order with a parcel, which is written if wanted; `None` if it is recorded already.
    async fn parcel(
        &self,
        order: &Order,
        parcel: &Parcel,
        rows: &OrderRows,
        mode: Mode,
    ) -> Result<Result<Option<Order>, Vec<RowProblem>>> {
        let orders = &self.import.orders;
        let now = orders.now();
        let id = ShipmentId::new(orders.next_id());
        let mut order = order.clone();
        for _ in 0..ATTEMPTS {
            let change = match parcel.decide(&order, id, &self.caller.at(now)) {
                Ok(Decision::Changed(change)) => *change,
                Ok(Decision::Unchanged) => return Ok(Ok(None)),
                Err(problems) => return Ok(Err(problems)),
            };
            if mode == Mode::DryRun {
                return Ok(Ok(Some(change.order)));
            }
            match orders.write(OrderWrite::change(change)).await {
                Ok(order) => return Ok(Ok(Some(order))),
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error),
            }
            if let Some(stored) = self.stored(rows).await? {
                order = stored;
            }
        }
        Err(RepositoryError::too_many_changes())
    }

    async fn stored(&self, rows: &OrderRows) -> Result<Option<Order>> {
        let Some(store) = self.stores.get(&rows.order.prefix) else {
            return Ok(None);
        };
        let lookup = Lookup::numbered(rows.order.number);
        self.import.orders.repository().find(*store, &lookup).await
    }
}
