//! Moving items of many orders, each by itself.

use std::collections::BTreeMap;

use super::request::{ItemNameDraft, MoveDraft, OrderToMoveDraft};
use super::{MoveResult, OrderError, OrderScope, OrderService};
use crate::error::RepositoryError;
use crate::field::Field;
use crate::fulfilment::Caller;

/// Ids of items by the service order ids of their orders.
pub type ChosenItems = BTreeMap<String, Vec<String>>;

/// What became of items.
#[derive(Debug, Default)]
pub struct MovedItems {
    /// How many have moved.
    pub moved: usize,
    /// Of how many all was so already.
    pub unchanged: usize,
    /// Those that were refused.
    pub refused: Vec<RefusedItem>,
    /// Why the storage has failed at one of the orders; its items are refused for that.
    pub failure: Option<RepositoryError>,
}

/// An item that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedItem {
    /// The service order id.
    pub order: String,
    /// The item's id, as it was given.
    pub item: String,
    /// Why, in few words, such as the status that it has.
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
    /// Gives one command, whose orders are not read, for chosen items of at most
    /// [`MOVED_ORDERS`](crate::limits::MOVED_ORDERS) orders. Where it is refused because of some
    /// items of an order, it is given again for the others.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if the request has problems that do not depend on the orders; nothing is
    /// moved then.
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
                    Err(OrderError::IllegalTransition { from, items, .. }) => {
                        let named: Vec<String> = items.iter().map(ToString::to_string).collect();
                        let (cannot, can): (Vec<_>, Vec<_>) =
                            asked.into_iter().partition(|id| named.contains(id));
                        // Each turn has fewer items, so that it ends.
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
