//! Moving many orders with one command of an operator.

use super::command::{CommandInput, DecisionResult, Refused};
use super::concurrent::Concurrent;
use super::find::OrderScope;
use super::request::{MoveCommand, MoveDraft, OrderToMove, ValidCommand, ValidMove};
use super::{Order, OrderError, OrderService, Placed};
use crate::check::{IssueCode, Path, Warning};
use crate::fulfilment::{
    Caller, CancelCommand, HoldCommand, ItemStatus, NeedCommand, Refusal, ResolveCommand, cancel,
    hold, move_items, need, release, resolve,
};
use crate::value::{Amount, NeedId};

/// Enough to share commits, and few enough to leave connections to other callers.
const AT_ONCE: usize = 8;

/// Results of one command for several orders, with warnings.
#[derive(Debug)]
pub struct MovedOrders {
    /// Result for each order, in the sequence of the request.
    pub orders: Vec<MovedOrder>,
    /// Problems that did not prevent the command; `field` contains the order's index in `orders`.
    pub warnings: Vec<Warning>,
}

/// Result of one order in a call that moves several orders.
#[derive(Debug)]
pub struct MovedOrder {
    /// Service order id, as the request has it.
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
    fn new(order_id: &str, outcome: Result<Placed, Refused>) -> Self {
        let order_id = order_id.to_owned();
        match outcome {
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

impl OrderService {
    /// Gives the command of `draft` for each order in `draft`. If the command is refused for an
    /// order, it is still given for the other orders. The `field` of a warning about an order
    /// contains the order's index in the request.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` has problems that do not depend on the orders, and
    /// [`OrderError::Repository`] if every order failed because the storage was unavailable;
    /// nothing is moved then.
    #[pressline_kit::boxed]
    pub async fn move_orders<'a>(
        &'a self,
        reach: OrderScope<'a>,
        draft: &MoveDraft,
        by: &Caller,
    ) -> Result<MovedOrders, OrderError> {
        let moved = self.move_each(reach, draft, by).await?;
        moved.unless_unavailable()
    }

    /// Like [`move_orders`](Self::move_orders), but never fails because of the storage.
    pub(super) async fn move_each(
        &self,
        reach: OrderScope<'_>,
        draft: &MoveDraft,
        by: &Caller,
    ) -> Result<MovedOrders, OrderError> {
        let valid = draft.check()?;
        let outcomes = self.try_each(reach, &valid, by).await;
        let mut warnings = valid.warnings.clone();
        for (index, outcome) in &outcomes {
            let of_order = outcome.as_ref().map_or(&[][..], |placed| &placed.warnings);
            warnings.extend(of_order.iter().map(|warning| Warning {
                field: Path::Root.key("orders").index(*index).to_string(),
                ..warning.clone()
            }));
        }
        let orders = valid.orders.iter().zip(outcomes);
        Ok(MovedOrders {
            orders: orders
                .map(|(order, (_, outcome))| MovedOrder::new(&order.order_id, outcome))
                .collect(),
            warnings,
        })
    }

    /// Returns the index and the result of each order, in the sequence of the request.
    async fn try_each(
        &self,
        reach: OrderScope<'_>,
        valid: &ValidMove,
        by: &Caller,
    ) -> Vec<(usize, Result<Placed, Refused>)> {
        let moves = valid
            .orders
            .iter()
            .enumerate()
            .map(|(index, order)| async move {
                (index, self.try_to_move(reach, valid, order, by).await)
            });
        let mut moves = Concurrent::new(moves.collect(), AT_ONCE);
        let mut outcomes = Vec::new();
        while let Some(outcome) = moves.next().await {
            outcomes.push(outcome);
        }
        outcomes.sort_unstable_by_key(|(index, _)| *index);
        outcomes
    }

    async fn try_to_move(
        &self,
        reach: OrderScope<'_>,
        valid: &ValidMove,
        order: &OrderToMove,
        by: &Caller,
    ) -> Result<Placed, Refused> {
        let named = self.named(reach, &order.order_id).await?;
        let command = ValidCommand::of_move(valid, order);
        let decide = |given: CommandInput<'_>| self.decided_move(&valid.command, given);
        self.carry_out(&named, &command, by, decide).await
    }

    pub(super) fn decided_move(
        &self,
        command: &MoveCommand,
        given: CommandInput<'_>,
    ) -> DecisionResult {
        let CommandInput {
            order,
            items,
            context,
            ..
        } = given;
        let new_line = || self.correction_id(context);
        match command {
            MoveCommand::Plain(command) => move_items(*command, order, items.as_deref(), context),
            MoveCommand::Release => release(order, items.as_deref(), context),
            MoveCommand::Hold { until } => {
                let command = HoldCommand {
                    items,
                    until: *until,
                    change: self.change_id(context),
                };
                hold(order, &command, context)
            }
            MoveCommand::Cancel { keep_fees } => {
                let command = CancelCommand {
                    items,
                    keep_fees: *keep_fees,
                    change: self.change_id(context),
                };
                cancel(order, &command, &new_line, context)
            }
            MoveCommand::Need { code, text, amount } => {
                let command = NeedCommand {
                    items,
                    id: NeedId::new(self.ids.next(context.now)),
                    code: *code,
                    text: text.clone(),
                    amount: fee(amount.as_deref(), order)?,
                };
                need(order, &command, context)
            }
            MoveCommand::Resolve(resolution) => {
                let command = ResolveCommand {
                    items,
                    resolution: *resolution,
                };
                resolve(order, &command, &new_line, context)
            }
        }
    }
}

fn fee(text: Option<&str>, order: &Order) -> Result<Option<Amount>, Refusal> {
    let amount = text.map(|text| Amount::parse(text, order.content.currency));
    let amount = amount.transpose();
    amount.map_err(|error| Refusal::invalid("amount", IssueCode::OutOfRange, error.to_string()))
}
