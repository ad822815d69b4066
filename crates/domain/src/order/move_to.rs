//! Moving an order of a test store to a status, as the print shop and carriers would.

use super::find::NamedOrder;
use super::journey::{Next, Step, next};
use super::writer::{DecisionResult, too_many_changes};
use super::{Order, OrderError, OrderMover, Placed};
use crate::check::limits;
use crate::event::{Actor, Role};
use crate::fulfilment::{
    Caller, Command, Context, ItemStatus, MoveCommand, NeedCode, Resolution, ShipCommand,
    ShipmentUpdate, allowed_actions_of, process_now, ship, track,
};
use crate::store::Store;
use crate::value::{ItemId, OperatorId, ShipmentId, Timestamp};

/// Given for cancellations, which require a reason.
const REASON: &str = "tried out in the sandbox";
const CARRIER: &str = "Sandbox";
const NEED: &str = "A question of the sandbox: answer it as you would answer the print shop.";
/// A report on each shipment, the other commands, and attempts for concurrent changes.
const STEPS: usize = limits::SHIPMENTS + 16;

impl OrderMover {
    /// Moves the order `name` of the test store `store` to the status `to`, by giving all commands
    /// in between. Each command creates an event; its actor is `by`, or an operator or a carrier of
    /// the sandbox. The caller must check that `store` is a test store.
    ///
    /// # Errors
    /// Errors of the commands; [`OrderError::IllegalTransition`] if no command leads to `to`. If a
    /// command fails, the commands before it stay in effect.
    pub async fn move_to(
        &self,
        store: &Store,
        name: &str,
        to: ItemStatus,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let named_order = NamedOrder::of_store(store, name);
        let mut has_moved = false;
        for _ in 0..STEPS {
            let order = self.writer.reader.stored(&named_order).await?;
            let step = match next(&order, to) {
                Next::Step(step) => step,
                Next::Arrived => {
                    return Ok(Placed {
                        order,
                        warnings: Vec::new(),
                        replayed: !has_moved,
                    });
                }
                Next::Blocked(items) => return Err(blocked(&order, items, to, self.writer.now())),
            };
            // No other step requires a reason.
            let reason = Some(REASON.to_owned()).filter(|_| step == Step::Cancel);
            let context = self
                .writer
                .context(&in_place_of(step.actor(by), by), &reason, None);
            let decide = |order: &Order, context: &Context| {
                let decided = self.decide_step(step, order, context);
                decided.map_err(|refusal| OrderError::refused(refusal, order))
            };
            let carried_out = self.writer.carry_out(&named_order, &context, decide).await;
            let placed = carried_out.map_err(|refused| towards(to, refused.error))?;
            // Cancelled once: items that cannot be cancelled keep their status.
            if step == Step::Cancel {
                return Ok(placed);
            }
            has_moved |= !placed.replayed;
        }
        Err(too_many_changes())
    }

    fn decide_step(&self, step: Step, order: &Order, context: &Context) -> DecisionResult {
        let command = match step {
            Step::ProcessNow => return process_now(order, context),
            Step::Track(shipment, tracking) => {
                return track(order, shipment, tracking, None, context);
            }
            Step::Ship => return ship(order, &self.made_up(order), context),
            Step::Release => MoveCommand::Release,
            Step::Start => MoveCommand::Plain(Command::Start),
            Step::Resolve => MoveCommand::Resolve(Resolution::Return),
            Step::Need => MoveCommand::Need {
                code: NeedCode::Other,
                text: Some(NEED.to_owned()),
                amount: None,
            },
            Step::Cancel => MoveCommand::Cancel { keep_fees: false },
        };
        self.writer.decide_move(order, &command, None, context)
    }

    fn made_up(&self, order: &Order) -> ShipCommand {
        // Makes the tracking numbers of an order's parcels distinct.
        let parcel = order.shipments.len() + 1;
        ShipCommand {
            id: ShipmentId::new(self.writer.ids.next(self.writer.now())),
            items: None,
            values: ShipmentUpdate {
                carrier: Some(CARRIER.to_owned()),
                tracking_number: Some(format!("TEST-{}-{parcel}", order.service_order_id)),
                ..ShipmentUpdate::default()
            },
        }
    }
}

impl Step {
    fn actor(self, by: &Caller) -> Actor {
        match self {
            Self::ProcessNow => by.actor,
            Self::Track(..) => Actor::Carrier(OperatorId::SANDBOX),
            _ => Actor::Operator(OperatorId::SANDBOX),
        }
    }
}

fn in_place_of(actor: Actor, by: &Caller) -> Caller {
    Caller {
        actor,
        request_id: by.request_id.clone(),
    }
}

fn blocked(order: &Order, items: Vec<ItemId>, to: ItemStatus, now: Timestamp) -> OrderError {
    let first = items.first().and_then(|id| order.state.item(*id));
    let Some(item) = first else {
        return OrderError::NotFound;
    };
    let actions = allowed_actions_of(order, item, Role::Operator, now);
    let allowed: Vec<Command> = actions.into_iter().map(|allowed| allowed.action).collect();
    OrderError::IllegalTransition {
        from: item.status,
        to: Some(to),
        allowed,
        items,
    }
}

fn towards(to: ItemStatus, mut error: OrderError) -> OrderError {
    // The error names the status that the caller wants, not the next step towards it.
    if let OrderError::IllegalTransition { to: target, .. } = &mut error {
        *target = Some(to);
    }
    error
}
