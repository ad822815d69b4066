//! Batches with their items: reading, search, start and closing.

use std::collections::{BTreeMap, BTreeSet};

use super::ProductionError;
use super::batch::{Batch, BatchHeader, ItemRef};
use super::draft::{BatchNameDraft, BatchesDraft};
use super::port::{BatchQuery, BatchRepository};
use super::produced::{ProducedItem, was_sent};
use super::service::ProductionService;
use crate::operator::{Operator, OperatorNames};
use pressline_domain::check::Warning;
use pressline_domain::error::Result;
use pressline_domain::fulfilment::{Caller, ItemState, ItemStatus};
use pressline_domain::order::search::BATCH_BYTES;
use pressline_domain::order::{ChosenItems, MoveResult, MovedOrder, Order};
use pressline_domain::store::StoreSet;
use pressline_domain::value::page::Page;
use pressline_domain::value::{ItemId, OrderId, StoreId};
use pressline_kit::boxed;

/// Maximum number of orders to read together, so that few whole orders are in memory.
pub(super) const READ_AT_ONCE: usize = 100;

/// The ids of each store are in ascending order.
pub(super) type OrdersByStore = BTreeMap<StoreId, Vec<OrderId>>;

/// A batch with the current state of its items.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchView {
    /// Number and name; operator and time of creation, start and closing.
    pub header: BatchHeader,
    /// Items of the batch, in the order of production.
    pub lines: Vec<BatchLine>,
    /// Names of all operators of the print shop, keyed by id, to show the operators in `header`.
    pub names: OperatorNames,
    /// Warnings about the request that created the batch; empty in the answer to any other request.
    pub warnings: Vec<Warning>,
}

/// Item of a batch in its current state.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchLine {
    /// Store, order and id of the item.
    pub place: ItemRef,
    /// Item with its production state; `None` if the item was removed from its order.
    pub item: Option<Box<ProducedItem>>,
}

/// Reason why an item of a batch is excluded from production.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// The item has this status: neither ready, nor in production, nor sent.
    Status(ItemStatus),
    /// The item was removed from its order.
    Removed,
}

impl Exclusion {
    /// Returns all reasons: [`Self::Status`] for each possible status, then [`Self::Removed`].
    pub fn all() -> impl Iterator<Item = Self> {
        let statuses = ItemStatus::ALL.into_iter();
        let taking = statuses.filter(|status| excludes(*status));
        taking.map(Self::Status).chain([Self::Removed])
    }

    /// Returns the name of the status if the reason is a status, otherwise `removed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Status(status) => status.as_str(),
            Self::Removed => "removed",
        }
    }
}

fn excludes(status: ItemStatus) -> bool {
    !status.is_at_work() && !was_sent(status)
}

/// Page of found batches.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchPage {
    /// Headers of the found batches, highest numbers first.
    pub page: Page<BatchHeader>,
    /// Names of all operators, keyed by id; empty if `page` is empty.
    pub names: OperatorNames,
}

/// Result of starting a batch: the batch, and the result for each order with items to start.
#[derive(Debug)]
pub struct StartedBatch {
    /// Batch with the current state of its items.
    pub batch: BatchView,
    /// Result of the start for each order with items to start, sorted by store and order id.
    pub orders: Vec<MovedOrder>,
    /// `true` if the batch was started before, and this call started no item.
    pub replayed: bool,
}

impl BatchLine {
    /// Returns the reason of exclusion; `None` if the item is ready, in production or sent.
    pub fn taken_out(&self) -> Option<Exclusion> {
        let Some(item) = &self.item else {
            return Some(Exclusion::Removed);
        };
        let status = item.state.status;
        excludes(status).then_some(Exclusion::Status(status))
    }
}

impl ProductionService {
    /// Returns the batch that `draft` names, with the current state of its items.
    ///
    /// # Errors
    /// [`ProductionError::BatchNotFound`] if it does not exist or has items outside the scope.
    #[boxed]
    pub async fn get_batch(
        &self,
        operator: &Operator,
        draft: &BatchNameDraft,
    ) -> Result<BatchView, ProductionError> {
        let batch = find_batch(&*self.batches, &operator.stores, draft).await?;
        Ok(self.view(batch.header, &batch.items).await?)
    }

    /// Returns a page of the batches that `draft` selects, newest first. A batch is found only if
    /// the scope of `operator` includes the stores of all its items.
    ///
    /// # Errors
    /// [`ProductionError::Order`] if `draft` is invalid or the query fails.
    #[boxed]
    pub async fn search_batches(
        &self,
        operator: &Operator,
        draft: &BatchesDraft,
    ) -> Result<BatchPage, ProductionError> {
        let (open, window) = draft.check()?;
        let query = BatchQuery {
            open,
            within: operator.stores.clone(),
            before: window.after(),
            count: window.count(),
        };
        let mut batches = self.batches.search(&query).await?;
        let last = window.cut(&mut batches, |batch| batch.number);
        Ok(BatchPage {
            names: self.operators.names_if(!batches.is_empty()).await?,
            page: window.page(batches, last.as_ref()),
        })
    }

    /// Starts the ready items of the batch that `draft` names. If an order refuses the start, the
    /// other orders are not affected. A repeated call starts items that have become ready since.
    ///
    /// # Errors
    /// [`ProductionError::BatchClosed`] for a closed batch; else as [`Self::get_batch`].
    #[boxed]
    pub async fn start_batch(
        &self,
        operator: &Operator,
        draft: &BatchNameDraft,
        by: &Caller,
    ) -> Result<StartedBatch, ProductionError> {
        let Batch { header, items } = find_batch(&*self.batches, &operator.stores, draft).await?;
        if !header.is_open() {
            return Err(ProductionError::BatchClosed(header.number));
        }
        let was_started = header.started.is_some();
        let chosen = self.to_start(&items).await?;
        let orders = if chosen.is_empty() {
            Vec::new()
        } else {
            self.start(operator, &chosen, by).await?
        };
        // Stored after the items were started: after a crash in between, a repeated call starts the
        // others.
        let stamp = self.stamp(operator);
        let started = self.batches.start(header.number, stamp).await?;
        let header = started.ok_or(ProductionError::BatchNotFound)?;
        let is_moved = |order: &MovedOrder| matches!(order.result, Ok(MoveResult::Moved));
        let has_moved = orders.iter().any(is_moved);
        Ok(StartedBatch {
            batch: self.view(header, &items).await?,
            orders,
            replayed: was_started && !has_moved,
        })
    }

    /// Closes the batch that `draft` names, so that its items can join other batches. Returns the
    /// batch, and `true` if it was closed before this call.
    #[boxed]
    pub async fn close_batch(
        &self,
        operator: &Operator,
        draft: &BatchNameDraft,
    ) -> Result<(BatchView, bool), ProductionError> {
        let batch = find_batch(&*self.batches, &operator.stores, draft).await?;
        let was_open = batch.header.is_open();
        let stamp = self.stamp(operator);
        let closed = self.batches.close(batch.header.number, stamp).await?;
        let header = closed.ok_or(ProductionError::BatchNotFound)?;
        let view = self.view(header, &batch.items).await?;
        Ok((view, !was_open))
    }

    pub(super) async fn view(&self, header: BatchHeader, items: &[ItemRef]) -> Result<BatchView> {
        let wanted: BTreeSet<ItemRef> = items.iter().copied().collect();
        let mut produced = BTreeMap::new();
        let mut rest = orders_of(items);
        while let Some(orders) = self.read_orders(&mut rest).await? {
            let orders: Vec<&Order> = orders.iter().collect();
            let known = self.known(&orders).await?;
            for order in orders {
                let pairs = order.content.items.iter().zip(&order.state.items);
                for (line, state) in pairs {
                    let place = ItemRef::new(order, state.id);
                    if wanted.contains(&place) {
                        let item = self.produced(&known, order, line, state);
                        produced.insert(place, Box::new(item));
                    }
                }
            }
        }
        let lines = items.iter().map(|place| BatchLine {
            place: *place,
            item: produced.remove(place),
        });
        Ok(BatchView {
            lines: lines.collect(),
            names: self.operators.names().await?,
            warnings: Vec::new(),
            header,
        })
    }

    async fn to_start(&self, items: &[ItemRef]) -> Result<Vec<ChosenItems>> {
        let batch: BTreeSet<ItemRef> = items.iter().copied().collect();
        let mut chosen = Vec::new();
        let mut rest = orders_of(items);
        while let Some(read) = self.read_orders(&mut rest).await? {
            for order in &read {
                let items = items_to_start(order, &batch);
                if !items.is_empty() {
                    chosen.push(ChosenItems {
                        order: order.service_order_id.clone(),
                        items,
                    });
                }
            }
        }
        Ok(chosen)
    }

    /// Reads orders of one store: up to [`READ_AT_ONCE`], with up to `BATCH_BYTES` in total.
    /// Leaves in `orders` all ids still to read. Returns `None` if `orders` is empty.
    async fn read_orders(&self, orders: &mut OrdersByStore) -> Result<Option<Vec<Order>>> {
        let Some((store, mut ids)) = orders.pop_first() else {
            return Ok(None);
        };
        let later = ids.split_off(ids.len().min(READ_AT_ONCE));
        let mut rest = ids.as_slice();
        let read = self.orders.load_next(store, &mut rest, BATCH_BYTES).await?;
        let unread: Vec<OrderId> = rest.iter().copied().chain(later).collect();
        if !unread.is_empty() {
            orders.insert(store, unread);
        }
        Ok(Some(read))
    }
}

/// Fails if the batch has an item of a store outside `within`: it does not exist for the caller.
pub(super) async fn find_batch(
    batches: &dyn BatchRepository,
    within: &StoreSet,
    draft: &BatchNameDraft,
) -> Result<Batch, ProductionError> {
    let batch = batches.find(draft.check()?).await?;
    let reaches = |store: &StoreId| within.as_ref().is_none_or(|set| set.contains(store));
    let own = batch.filter(|batch| batch.items.iter().all(|item| reaches(&item.store)));
    own.ok_or(ProductionError::BatchNotFound)
}

pub(super) fn orders_of(items: &[ItemRef]) -> OrdersByStore {
    let mut orders: BTreeMap<StoreId, BTreeSet<OrderId>> = BTreeMap::new();
    for place in items {
        orders.entry(place.store).or_default().insert(place.order);
    }
    let lists = orders
        .into_iter()
        .map(|(store, ids)| (store, ids.into_iter().collect()));
    lists.collect()
}

fn items_to_start(order: &Order, batch: &BTreeSet<ItemRef>) -> Vec<ItemId> {
    let mut items: Vec<_> = order.state.items.iter().collect();
    items.retain(|item| batch.contains(&ItemRef::new(order, item.id)));
    let is_producible = |item: &&ItemState| item.status.is_at_work();
    // If no item can be produced, all of them are named, so that the refusal says why.
    if items.iter().any(is_producible) {
        items.retain(is_producible);
    }
    items.into_iter().map(|item| item.id).collect()
}
