//! Moving many orders with one command of an operator.

use super::concurrent::Concurrent;
use super::find::{NamedOrder, OrderScope};
use super::request::{Move, MoveDraft, OrderToMove, ValidMove, check_count};
use super::writer::Refused;
use super::{Order, OrderError, OrderMover, Placed};
use crate::check::{Path, Warning};
use crate::fulfilment::{Caller, Context, ItemStatus};
use crate::value::{ItemId, ServiceOrderId};

/// Enough to share commits, and few enough to leave connections to other callers.
const CONCURRENT_WRITES: usize = 8;

/// Results of one command for several orders, with warnings.
#[derive(Debug)]
pub struct MovedOrders {
    /// Result for each order, in the sequence of the request.
    pub orders: Vec<MovedOrder>,
    /// Problems that did not prevent the command; `field` contains the order's index in `orders`.
    pub warnings: Vec<Warning>,
}

/// Items of one order to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenItems {
    /// Number of the order.
    pub order: ServiceOrderId,
    /// Ids of the items, at least one.
    pub items: Vec<ItemId>,
}

/// Result of one order in a call that moves several orders.
#[derive(Debug)]
pub struct MovedOrder {
    /// Name of the order, as the request has it.
    pub order_id: String,
    /// State after the command; `None` if the order was not found or could not be read.
    pub order: Option<MovedState>,
    /// Whether the command changed the order, or the error of the command.
    pub result: Result<MoveResult, OrderError>,
}

/// Version and item statuses of an order after a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedState {
    /// Version of the order after the command.
    pub version: u32,
    /// Distinct statuses of the order's items.
    pub item_statuses: Vec<ItemStatus>,
}

/// Whether a command changed an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveResult {
    /// The command changed the order.
    Moved,
    /// The order did not change: it already is as the command would leave it.
    Unchanged,
}

impl From<&Order> for MovedState {
    fn from(order: &Order) -> Self {
        Self {
            version: order.state.version,
            item_statuses: order.state.item_statuses(),
        }
    }
}

impl MovedOrders {
    /// Returns the last error if every order failed because the storage was unavailable.
    fn unless_unavailable(mut self) -> Result<Self, OrderError> {
        let is_unavailable = |order: &MovedOrder| {
            let result = order.result.as_ref();
            result.is_err_and(OrderError::is_unavailable)
        };
        if !self.orders.iter().all(is_unavailable) {
            return Ok(self);
        }
        match self.orders.pop() {
            Some(MovedOrder {
                result: Err(error), ..
            }) => Err(error),
            _ => Ok(self),
        }
    }
}

impl MovedOrder {
    fn new(order_id: String, result: Result<Placed, Refused>) -> Self {
        match result {
            Ok(placed) => Self {
                order_id,
                order: Some(MovedState::from(&placed.order)),
                result: Ok(if placed.replayed {
                    MoveResult::Unchanged
                } else {
                    MoveResult::Moved
                }),
            },
            Err(refused) => Self {
                order_id,
                order: refused.order.as_deref().map(MovedState::from),
                result: Err(refused.error),
            },
        }
    }
}

impl OrderMover {
    /// Gives the command of `draft` for each order in `draft`. If the command is refused for an
    /// order, it is still given for the other orders. The `field` of a warning about an order
    /// contains the order's index in the request.
    ///
    /// For requests, whose orders and items are named by texts. A caller that has read the items
    /// calls [`move_chosen`](Self::move_chosen) or [`move_items`](Self::move_items) instead.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` has problems that do not depend on the orders, and
    /// [`OrderError::Repository`] if every order failed because the storage was unavailable;
    /// nothing is moved then.
    #[pressline_kit::boxed]
    pub async fn move_orders<'a>(
        &'a self,
        scope: OrderScope<'a>,
        draft: &MoveDraft,
        by: &Caller,
    ) -> Result<MovedOrders, OrderError> {
        let ValidMove { given, orders } = draft.check()?;
        let attempts = orders
            .iter()
            .map(|order| self.move_named(scope, order, &given, by));
        let results = in_sequence(attempts.collect()).await;
        let mut warnings = given.warnings.clone();
        for (index, result) in results.iter().enumerate() {
            let of_order = result.as_ref().map_or(&[][..], |placed| &placed.warnings);
            warnings.extend(of_order.iter().map(|warning| Warning {
                field: Path::Root.key("orders").index(index).to_string(),
                ..warning.clone()
            }));
        }
        let entries = orders
            .into_iter()
            .zip(results)
            .map(|(order, result)| MovedOrder::new(order.order_id, result));
        let moved = MovedOrders {
            orders: entries.collect(),
            warnings,
        };
        moved.unless_unavailable()
    }

    /// Moves items of many orders by their ids, like [`move_orders`](Self::move_orders). The
    /// results have the sequence of `chosen`.
    ///
    /// # Errors
    /// Same errors as [`move_orders`](Self::move_orders).
    #[pressline_kit::boxed]
    pub async fn move_chosen<'a>(
        &'a self,
        scope: OrderScope<'a>,
        chosen: &[ChosenItems],
        given: &Move,
        by: &Caller,
    ) -> Result<MovedOrders, OrderError> {
        let results = self.move_each(scope, chosen, given, by).await?;
        let entries = chosen
            .iter()
            .zip(results)
            .map(|(chosen, result)| MovedOrder::new(chosen.order.to_string(), result));
        let moved = MovedOrders {
            orders: entries.collect(),
            warnings: given.warnings.clone(),
        };
        moved.unless_unavailable()
    }

    /// Moves items of the order `name`, or with `None` all items that can be moved, if the order has
    /// this `version`.
    ///
    /// # Errors
    /// The error of the command, or of the storage.
    #[pressline_kit::boxed]
    pub async fn move_order<'a>(
        &'a self,
        scope: OrderScope<'a>,
        (name, version): (&str, Option<u32>),
        items: Option<&[ItemId]>,
        given: &Move,
        by: &Caller,
    ) -> Result<MoveResult, OrderError> {
        let named_order = self.writer.reader.named(scope, name).await?;
        let context = self.writer.context(by, &given.reason, version);
        let moved = self.move_items_of(&named_order, given, &context, |_| {
            Ok(items.map(<[_]>::to_vec))
        });
        MovedOrder::new(name.to_owned(), moved.await).result
    }

    /// Returns a result for each order, also if the storage fails.
    pub(super) async fn move_each(
        &self,
        scope: OrderScope<'_>,
        chosen: &[ChosenItems],
        given: &Move,
        by: &Caller,
    ) -> Result<Vec<Result<Placed, Refused>>, OrderError> {
        check_count(chosen.len())?;
        let attempts = chosen.iter().map(|chosen| async move {
            let named_order = self.writer.reader.numbered(scope, &chosen.order).await?;
            // Without a version, other changes of the order do not conflict.
            let context = self.writer.context(by, &given.reason, None);
            let items = |_: &Order| Ok(Some(chosen.items.clone()));
            self.move_items_of(&named_order, given, &context, items)
                .await
        });
        Ok(in_sequence(attempts.collect()).await)
    }

    async fn move_named(
        &self,
        scope: OrderScope<'_>,
        order: &OrderToMove,
        given: &Move,
        by: &Caller,
    ) -> Result<Placed, Refused> {
        let named_order = self.writer.reader.named(scope, &order.order_id).await?;
        let context = self.writer.context(by, &given.reason, order.version);
        let items = |stored: &Order| order.items_of(stored);
        self.move_items_of(&named_order, given, &context, items)
            .await
    }

    async fn move_items_of(
        &self,
        named_order: &NamedOrder<'_>,
        given: &Move,
        context: &Context,
        items: impl Fn(&Order) -> Result<Option<Vec<ItemId>>, OrderError> + Send + Sync,
    ) -> Result<Placed, Refused> {
        let decide = |order: &Order, context: &Context| {
            let decided = self
                .writer
                .decide_move(order, &given.command, items(order)?, context);
            decided.map_err(|refusal| OrderError::refused(refusal, order))
        };
        self.writer.carry_out(named_order, context, decide).await
    }
}

/// Runs some `attempts` at a time. Returns their results in the sequence of `attempts`.
async fn in_sequence<F: Future>(attempts: Vec<F>) -> Vec<F::Output> {
    let attempts = attempts
        .into_iter()
        .enumerate()
        .map(|(index, attempt)| async move { (index, attempt.await) });
    let mut running = Concurrent::new(attempts.collect(), CONCURRENT_WRITES);
    let mut results = Vec::new();
    while let Some(result) = running.next().await {
        results.push(result);
    }
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
