//! Gives a command for some items of many orders.

use std::collections::BTreeMap;

use super::request::{ItemNameDraft, MoveDraft, OrderToMoveDraft};
use super::{MoveResult, OrderError, OrderScope, OrderService};
use crate::check::Field;
use crate::error::RepositoryError;
use crate::fulfilment::Caller;

/// Ids of the items to move, keyed by the service order id of their order.
pub type ChosenItems = BTreeMap<String, Vec<String>>;

/// Numbers of items that a command moved or left unchanged, and the refused items.
#[derive(Debug, Default)]
pub struct MovedItems {
    /// Number of chosen items in orders with at least one change.
    pub moved: usize,
    /// Number of chosen items in orders without any change.
    pub unchanged: usize,
    /// Items that were not moved, with the reason, except items left unchanged.
    pub refused: Vec<RefusedItem>,
    /// Latest error of the storage, if any. The items that it affected are in `refused`.
    pub failure: Option<RepositoryError>,
}

/// An item that was not moved, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedItem {
    /// Service order id of the item's order.
    pub order: String,
    /// Id of the item, as the request has it.
    pub item: String,
    /// Reason for not moving the item, in few words, such as the current status of the item.
    pub reason: String,
}

impl MovedItems {
    fn refuse(&mut self, order: &str, items: Vec<String>, reason: &str) {
        let refused = items.into_iter().map(|item| RefusedItem {
            order: order.to_owned(),
            item,
            reason: reason.to_owned(),
        });
        self.refused.extend(refused);
    }

    fn refuse_order(&mut self, order: &str, items: Vec<String>, error: OrderError) {
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
        self.refuse(order, items, &reason);
    }
}

impl OrderService {
    /// Gives the command of `draft` for the items in `chosen`, instead of the orders in `draft`.
    /// `chosen` can have up to [`MOVED_ORDERS`](crate::check::limits::MOVED_ORDERS) orders. If some
    /// items of an order are refused because of their status, the command is given again for the
    /// order's other items.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` has problems that do not depend on the orders; then no
    /// item is moved.
    #[pressline_kit::boxed]
    pub async fn move_items<'a>(
        &'a self,
        reach: OrderScope<'a>,
        draft: &MoveDraft,
        chosen: ChosenItems,
        by: &Caller,
    ) -> Result<MovedItems, OrderError> {
        let mut done = MovedItems::default();
        let mut left = chosen;
        while !left.is_empty() {
            let draft = MoveDraft {
                orders: orders_draft(&left),
                ..draft.clone()
            };
            let moved = self.move_each(reach, &draft, by).await?;
            let mut again = ChosenItems::new();
            for order in moved.orders {
                let asked = left.remove(&order.order_id).unwrap_or_default();
                match order.result {
                    Ok(MoveResult::Moved) => done.moved += asked.len(),
                    Ok(MoveResult::Unchanged) => done.unchanged += asked.len(),
                    // The error names the items that cannot move, so the others can be tried again.
                    Err(OrderError::IllegalTransition { from, items, .. }) => {
                        let named: Vec<String> = items.iter().map(ToString::to_string).collect();
                        let (cannot, can): (Vec<_>, Vec<_>) =
                            asked.into_iter().partition(|id| named.contains(id));
                        // Each round has fewer items, so the loop ends.
                        if !can.is_empty() && !cannot.is_empty() {
                            again.insert(order.order_id.clone(), can);
                        }
                        done.refuse(&order.order_id, cannot, from.as_str());
                    }
                    Err(error) => done.refuse_order(&order.order_id, asked, error),
                }
            }
            left = again;
        }
        Ok(done)
    }
}

fn orders_draft(chosen: &ChosenItems) -> Field<Vec<Field<OrderToMoveDraft>>> {
    let orders = chosen.iter().map(|(number, items)| {
        let items = items.iter().map(|id| {
            Field::Value(ItemNameDraft {
                app_item_id: id.as_str().into(),
            })
        });
        Field::Value(OrderToMoveDraft {
            order_id: number.as_str().into(),
            version: Field::Absent,
            line_items: Field::Value(items.collect()),
        })
    });
    Field::Value(orders.collect())
}
