//! Batches with their items, and searches for batches.

use std::collections::{BTreeMap, BTreeSet};

use pressline_kit::boxed;

use super::ProductionError;
use super::batch::{Batch, BatchHeader, BatchNumber, ItemRef};
use super::draft::{BatchNameDraft, BatchesDraft};
use super::known::place_of;
use super::port::BatchQuery;
use super::produced_item::ProducedItem;
use super::service::ProductionService;
use crate::operator::{Operator, OperatorNames};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::Order;
use pressline_domain::order::search::BATCH_BYTES;
use pressline_domain::page::Page;
use pressline_domain::report::Warning;

/// Orders that are asked for at once. Fewer are read where they are large.
pub(super) const READ_AT_ONCE: usize = 100;

/// Orders of several stores, in ascending order of their ids.
pub(super) type OrdersByStore = BTreeMap<StoreId, Vec<OrderId>>;

/// A batch with its items as they are now.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchView {
    /// All but the items.
    pub header: BatchHeader,
    /// The items, in the order in which they were given.
    pub lines: Vec<BatchLine>,
    /// The names of operators.
    pub names: OperatorNames,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// An item of a batch as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchLine {
    /// Where it is.
    pub place: ItemRef,
    /// The item; `None` if it was removed from its order.
    pub item: Option<Box<ProducedItem>>,
}

/// Why an item of a batch is not produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// It has this status.
    Status(ItemStatus),
    /// It was removed from its order.
    Removed,
}

impl Exclusion {
    /// Returns all reasons.
    pub fn all() -> impl Iterator<Item = Self> {
        let statuses = ItemStatus::ALL.into_iter();
        let taking = statuses.filter(|status| excludes(*status));
        taking.map(Self::Status).chain([Self::Removed])
    }

    /// Returns the status, or `removed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Status(status) => status.as_str(),
            Self::Removed => "removed",
        }
    }
}

/// Returns whether an item in this status is not produced, and was not.
fn excludes(status: ItemStatus) -> bool {
    let was_sent = status.is_done() && status != ItemStatus::Cancelled;
    !status.is_at_work() && !was_sent
}

/// A page of batches.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchPage {
    /// The batches, newest first.
    pub page: Page<BatchHeader>,
    /// The names of operators.
    pub names: OperatorNames,
}

impl BatchLine {
    /// Returns why the item is not produced; `None` while it is, and when it has been.
    pub fn taken_out(&self) -> Option<Exclusion> {
        let Some(item) = &self.item else {
            return Some(Exclusion::Removed);
        };
        let status = item.state.status;
        excludes(status).then_some(Exclusion::Status(status))
    }
}

impl ProductionService {
    /// Returns a batch with its items as they are now.
    ///
    /// # Errors
    /// [`ProductionError::BatchNotFound`] if there is none, or it has an item of a store that the operator does not
    /// reach.
    #[boxed]
    pub async fn get_batch(
        &self,
        operator: &Operator,
        draft: &BatchNameDraft,
    ) -> Result<BatchView, ProductionError> {
        let batch = self.find_batch(operator, draft.check()?).await?;
        Ok(self.view(batch.header, &batch.items).await?)
    }

    /// Returns a page of batches, newest first: those all of whose items are of stores that the operator reaches.
    ///
    /// # Errors
    /// Those of a request that is not valid, and of the repository.
    #[boxed]
    pub async fn search_batches(
        &self,
        operator: &Operator,
        draft: &BatchesDraft,
    ) -> Result<BatchPage, ProductionError> {
        let valid = draft.check()?;
        let size = valid.window.size;
        let query = BatchQuery {
            open: valid.open,
            within: operator.stores.clone(),
            before: valid.before,
            // One more than the page has says whether there is a next page.
            count: size.saturating_add(1),
        };
        let mut found = self.ports.batches.search(&query).await?;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let more = found.len() > size;
        found.truncate(size);
        let last = found.last().filter(|_| more).map(|last| last.number);
        let names = self.batch_names(&found).await?;
        let page = Page {
            number: None,
            ..valid.window.page(found, last.as_ref())
        };
        Ok(BatchPage { page, names })
    }

    /// Closes a batch: its items can be in other batches then. One that is closed stays as it is.
    #[boxed]
    pub async fn close_batch(
        &self,
        operator: &Operator,
        draft: &BatchNameDraft,
    ) -> Result<(BatchView, bool), ProductionError> {
        let batch = self.find_batch(operator, draft.check()?).await?;
        let was_open = batch.header.is_open();
        let stamp = self.stamp(operator);
        let closed = self.ports.batches.close(batch.header.number, stamp).await?;
        let header = closed.ok_or(ProductionError::BatchNotFound)?;
        let view = self.view(header, &batch.items).await?;
        Ok((view, !was_open))
    }

    pub(super) async fn find_batch(
        &self,
        operator: &Operator,
        number: BatchNumber,
    ) -> Result<Batch, ProductionError> {
        let found = self.ports.batches.find(number).await?;
        let reaches = |batch: &Batch| batch.items.iter().all(|item| operator.reaches(item.store));
        found.filter(reaches).ok_or(ProductionError::BatchNotFound)
    }

    pub(super) async fn view(
        &self,
        header: BatchHeader,
        items: &[ItemRef],
    ) -> Result<BatchView, RepositoryError> {
        let wanted: BTreeSet<ItemRef> = items.iter().copied().collect();
        let mut produced = BTreeMap::new();
        let mut rest = orders_of(items);
        while let Some((orders, unread)) = self.read_orders(rest).await? {
            let orders: Vec<&Order> = orders.iter().collect();
            let known = self.known(&orders).await?;
            for order in orders {
                let pairs = order.content.items.iter().zip(&order.state.items);
                for (line, state) in pairs {
                    let place = place_of(order, state);
                    if wanted.contains(&place) {
                        let item = self.produced(&known, order, line, state);
                        produced.insert(place, Box::new(item));
                    }
                }
            }
            rest = unread;
        }
        let lines = items.iter().map(|place| BatchLine {
            place: *place,
            item: produced.remove(place),
        });
        Ok(BatchView {
            lines: lines.collect(),
            names: self.batch_names(std::slice::from_ref(&header)).await?,
            warnings: Vec::new(),
            header,
        })
    }

    /// Reads the first of these orders, as many of one store as may be in memory at once. Returns them with those that
    /// are left; `None` if there are none.
    pub(super) async fn read_orders(
        &self,
        mut orders: OrdersByStore,
    ) -> Result<Option<(Vec<Order>, OrdersByStore)>, RepositoryError> {
        let Some((store, mut ids)) = orders.pop_first() else {
            return Ok(None);
        };
        let later = ids.split_off(ids.len().min(READ_AT_ONCE));
        let read = self.ports.repository.load(store, &ids, BATCH_BYTES).await?;
        // Fewer than asked for where they are large; none of those behind the last one was read.
        let last = read.last().map(|order| order.content.id);
        let done = ids.iter().position(|id| Some(*id) == last);
        let mut unread = done.map_or_else(Vec::new, |done| ids.split_off(done + 1));
        unread.extend(later);
        if !unread.is_empty() {
            orders.insert(store, unread);
        }
        Ok(Some((read, orders)))
    }

    async fn batch_names(&self, batches: &[BatchHeader]) -> Result<OperatorNames, RepositoryError> {
        if batches.is_empty() {
            return Ok(OperatorNames::new());
        }
        self.ports.operators.names().await
    }
}

pub(super) fn orders_of(items: &[ItemRef]) -> OrdersByStore {
    let mut orders: BTreeMap<StoreId, BTreeSet<OrderId>> = BTreeMap::new();
    for place in items {
        orders.entry(place.store).or_default().insert(place.order);
    }
    let lists = orders.into_iter();
    let lists = lists.map(|(store, ids)| (store, ids.into_iter().collect()));
    lists.collect()
}
