//! Start of all items of a batch.

use std::collections::BTreeSet;

use super::ProductionError;
use super::batch::{Batch, ItemRef};
use super::batches::{BatchView, orders_of};
use super::draft::BatchNameDraft;
use super::record::{order_to_start, start_command};
use super::service::ProductionService;
use crate::operator::Operator;
use pressline_domain::check::field::Field;
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::{Caller, ItemState};
use pressline_domain::order::request::{MoveDraft, OrderToMoveDraft};
use pressline_domain::order::{MoveResult, MovedOrder, Order};

fn items_to_start<'a>(order: &'a Order, batch: &BTreeSet<ItemRef>) -> Vec<&'a ItemState> {
    let mut items: Vec<_> = order.state.items.iter().collect();
    items.retain(|item| batch.contains(&ItemRef::new(order, item.id)));
    let is_producible = |item: &&ItemState| item.status.is_at_work();
    // If no item can be produced, all of them are named, so that the refusal says why.
    if items.iter().any(is_producible) {
        items.retain(is_producible);
    }
    items
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

impl ProductionService {
    /// Starts the ready items of the batch that `draft` names. If an order refuses the start, the
    /// other orders are not affected. A repeated call starts items that have become ready since.
    ///
    /// # Errors
    /// [`ProductionError::BatchClosed`] if the batch is closed; otherwise the same errors as
    /// [`ProductionService::get_batch`].
    #[pressline_kit::boxed]
    pub async fn start_batch(
        &self,
        operator: &Operator,
        draft: &BatchNameDraft,
        by: &Caller,
    ) -> Result<StartedBatch, ProductionError> {
        let Batch { header, items } = self.find_batch(operator, draft.check()?).await?;
        if !header.is_open() {
            return Err(ProductionError::BatchClosed(header.number));
        }
        let was_started = header.started.is_some();
        let draft = self.to_start(&items).await?;
        let is_empty = draft.orders.value().is_none_or(Vec::is_empty);
        let orders = if is_empty {
            Vec::new()
        } else {
            let (orders, scope) = (&self.ports.orders, self.scope(operator));
            orders.move_orders(scope, &draft, by).await?.orders
        };
        // Stored after the items were started: after a crash in between, a repeated call starts the
        // others.
        let stamp = self.stamp(operator);
        let started = self.ports.batches.start(header.number, stamp).await?;
        let header = started.ok_or(ProductionError::BatchNotFound)?;
        let is_moved = |order: &MovedOrder| matches!(order.result, Ok(MoveResult::Moved));
        let has_moved = orders.iter().any(is_moved);
        Ok(StartedBatch {
            batch: self.view(header, &items).await?,
            orders,
            replayed: was_started && !has_moved,
        })
    }

    async fn to_start(&self, items: &[ItemRef]) -> Result<MoveDraft, RepositoryError> {
        let batch: BTreeSet<ItemRef> = items.iter().copied().collect();
        let mut orders: Vec<Field<OrderToMoveDraft>> = Vec::new();
        let mut rest = orders_of(items);
        while let Some((read, unread)) = self.read_orders(rest).await? {
            for order in &read {
                let items = items_to_start(order, &batch);
                if !items.is_empty() {
                    orders.push(order_to_start(order, &items));
                }
            }
            rest = unread;
        }
        Ok(start_command(orders))
    }
}
