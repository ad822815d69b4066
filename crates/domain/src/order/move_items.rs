//! Gives a command for some items of many orders.

use std::collections::HashMap;

use super::request::Move;
use super::writer::Refused;
use super::{ChosenItems, OrderError, OrderMover, OrderScope};
use crate::error::RepositoryError;
use crate::fulfilment::Caller;
use crate::value::{ItemId, ServiceOrderId};

/// Numbers of items that a command moved or left unchanged, and the refused items.
#[derive(Debug, Default)]
pub struct MovedItems {
    /// Number of items in orders with at least one change.
    pub moved: usize,
    /// Number of items in orders without any change.
    pub unchanged: usize,
    /// Items that were not moved, with the reason, except items left unchanged.
    pub refused: Vec<RefusedItem>,
    /// Latest error of the storage, if any. The items that it affected are in `refused`.
    pub failure: Option<RepositoryError>,
}

/// An item that was not moved, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedItem {
    /// Number of the item's order.
    pub order: ServiceOrderId,
    /// Id of the item.
    pub item: ItemId,
    /// Reason for not moving the item, in few words, such as the current status of the item.
    pub reason: String,
}

impl MovedItems {
    fn refuse(&mut self, order: &ServiceOrderId, items: Vec<ItemId>, reason: &str) {
        let refused = items.into_iter().map(|item| RefusedItem {
            order: order.clone(),
            item,
            reason: reason.to_owned(),
        });
        self.refused.extend(refused);
    }

    fn refuse_order(&mut self, chosen: ChosenItems, error: OrderError) {
        let reason = match error {
            OrderError::NotFound => "not found".to_owned(),
            OrderError::ChangePending { .. } => "with a pending change".to_owned(),
            OrderError::Invalid { violations, .. } => {
                let first = violations.into_iter().next();
                first.map_or_else(String::new, |first| first.message)
            }
            OrderError::Repository(error) => {
                let reason = error.to_string();
                self.failure = Some(error);
                reason
            }
            other => other.to_string(),
        };
        self.refuse(&chosen.order, chosen.items, &reason);
    }

    /// Counts the refused items. Returns the other items of the order, to try them again.
    fn refuse_some(&mut self, chosen: ChosenItems, error: OrderError) -> Option<ChosenItems> {
        let OrderError::IllegalTransition { from, items, .. } = error else {
            self.refuse_order(chosen, error);
            return None;
        };
        let ChosenItems { order, items: all } = chosen;
        let (refused, other): (Vec<_>, Vec<_>) = all.into_iter().partition(|id| items.contains(id));
        // Each round has fewer items, so the rounds end.
        let can_retry = !refused.is_empty() && !other.is_empty();
        self.refuse(&order, refused, from.as_str());
        can_retry.then_some(ChosenItems {
            order,
            items: other,
        })
    }
}

impl OrderMover {
    /// Gives a command for `items` of up to [`MOVED_ORDERS`](crate::check::limits::MOVED_ORDERS)
    /// orders. If some items of an order are refused because of their status, the command is given
    /// again for the order's other items. To get a result for each order instead of counts, call
    /// [`move_chosen`](Self::move_chosen).
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if there are too many orders; then no item is moved.
    #[pressline_kit::boxed]
    pub async fn move_items<'a>(
        &'a self,
        scope: OrderScope<'a>,
        items: &[(ServiceOrderId, ItemId)],
        given: &Move,
        by: &Caller,
    ) -> Result<MovedItems, OrderError> {
        let mut counted = MovedItems::default();
        let mut waiting = by_order(items);
        while !waiting.is_empty() {
            let results = self.move_each(scope, &waiting, given, by).await?;
            let mut again = Vec::new();
            for (chosen, result) in waiting.into_iter().zip(results) {
                match result {
                    Ok(placed) if placed.replayed => counted.unchanged += chosen.items.len(),
                    Ok(_) => counted.moved += chosen.items.len(),
                    Err(Refused { error, .. }) => {
                        again.extend(counted.refuse_some(chosen, error));
                    }
                }
            }
            waiting = again;
        }
        Ok(counted)
    }
}

/// Groups `items` by their orders, in the sequence in which the orders first appear.
fn by_order(items: &[(ServiceOrderId, ItemId)]) -> Vec<ChosenItems> {
    let mut places: HashMap<&ServiceOrderId, usize> = HashMap::new();
    let mut chosen: Vec<ChosenItems> = Vec::new();
    for (order, item) in items {
        let place = *places.entry(order).or_insert(chosen.len());
        match chosen.get_mut(place) {
            Some(chosen) => chosen.items.push(*item),
            None => chosen.push(ChosenItems {
                order: order.clone(),
                items: vec![*item],
            }),
        }
    }
    chosen
}
