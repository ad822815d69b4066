//! Commands that call the domain's decisions directly: commands of operators and carriers, and
//! commands that the sender may not give.

use pressline_domain::check::Field;
use pressline_domain::fulfilment::{
    AnswerCommand, ChangeRequest, Command as TableCommand, Context, DecideCommand, Decision,
    MoveCommand, NeedCode, Refusal, Resolution, ShipCommand, ShipmentUpdate, ShippedUnits,
    UpdatePlan, Verdict, answer, ask_update, correct_fees, decide, decide_move, due, plan_update,
    process_now, ship, track, update, update_shipment, void, withdraw_change,
};
use pressline_domain::order::Order;
use pressline_domain::order::request::UpdateDraft;
use pressline_domain::pricing::corrections::CorrectionParts;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::{ChangeId, CorrectionId, ItemId, NeedId, ShipmentId, Timestamp};
use uuid::Uuid;

use super::command::{Command, CommandCase, Edit, Values, item_at, items_at, shipment_at};
use super::shop::Shop;
use crate::CaseError;

/// The outer error is a defect, the inner error a refusal.
type DecisionResult = Result<Result<Decision, Refusal>, CaseError>;

impl Shop {
    /// Decides a command about the order `stored`. The sender chose its items from the version
    /// `seen`.
    pub(super) fn decide(
        &self,
        stored: &Order,
        seen: &Order,
        given: &CommandCase,
        context: &Context,
    ) -> DecisionResult {
        let items = items_at(seen, &given.command.named_items());
        let id = || self.ids.next(context.now);
        let decided = match &given.command {
            Command::Due => due(stored, context),
            Command::ProcessNow => process_now(stored, context),
            Command::Move {
                command, values, ..
            } => {
                let command = move_command(*command, values, context.now);
                decide_move(stored, &command, items, &id, context)
            }
            Command::Update(edit) => return self.update(stored, seen, edit, context),
            Command::WithdrawChange => withdraw_change(stored, context),
            Command::Approve { .. } | Command::Refuse | Command::AskBack => {
                return self.rule(stored, seen, &given.command, context);
            }
            Command::Answer {
                items,
                text,
                accept,
            } => {
                let command = AnswerCommand {
                    items: items_at(seen, items),
                    text: text.clone(),
                    accept: *accept,
                };
                answer(stored, &command, &|| CorrectionId::new(id()), context)
            }
            shipping => self.ship(stored, seen, shipping, context),
        };
        Ok(decided)
    }

    fn ship(
        &self,
        stored: &Order,
        seen: &Order,
        command: &Command,
        context: &Context,
    ) -> Result<Decision, Refusal> {
        let id = self.ids.next(context.now);
        match command {
            Command::Ship { parcel, units } => {
                let command = parcel_of(seen, ShipmentId::new(id), *parcel, units.as_deref());
                ship(stored, &command, context)
            }
            Command::UpdateShipment { shipment, parcel } => {
                let changes = ShipmentUpdate {
                    tracking_number: Some(format!("1Z{parcel}")),
                    ..ShipmentUpdate::default()
                };
                update_shipment(stored, shipment_at(seen, *shipment), changes, context)
            }
            Command::Void(shipment) => void(stored, shipment_at(seen, *shipment), context),
            Command::Track(shipment, tracking) => {
                let shipment = shipment_at(seen, *shipment);
                track(stored, shipment, *tracking, None, context)
            }
            Command::Correct { fee, item, amount } => {
                let item = item.map(|place| item_at(seen, place));
                correct_fees(stored, correction(id, *fee, item, *amount), context)
            }
            // `decide` handles all other commands.
            _ => Ok(Decision::Unchanged),
        }
    }

    /// Plans, prices and decides an update, as the use case does.
    fn update(
        &self,
        stored: &Order,
        seen: &Order,
        edit: &Edit,
        context: &Context,
    ) -> DecisionResult {
        let Some(edited) = self.edited(stored, seen, edit)? else {
            return Ok(Err(Refusal::UnknownItem(Vec::new())));
        };
        let request = ChangeRequest::Update(Box::new(UpdateDraft {
            order_id: Field::Value(format!("{edit:?}")),
            ..UpdateDraft::default()
        }));
        let plan = plan_update(stored, &edited, &request, context);
        Ok(plan.and_then(|plan| match plan {
            UpdatePlan::Unchanged => Ok(Decision::Unchanged),
            UpdatePlan::Apply => update(stored, edited, context),
            UpdatePlan::Ask => {
                let id = ChangeId::new(self.ids.next(context.now));
                ask_update(stored, &edited, request, id, context)
            }
        }))
    }

    /// Decides the pending change: `command` approves it, refuses it or asks back.
    fn rule(
        &self,
        stored: &Order,
        seen: &Order,
        command: &Command,
        context: &Context,
    ) -> DecisionResult {
        let id = || self.ids.next(context.now);
        let verdict = match command {
            Command::Approve { edit, keep_fees } => {
                let edited = self.edited(stored, seen, edit)?;
                // If the edit does not fit the order, the content stays as it is.
                let edited = edited.unwrap_or_else(|| stored.content.as_ref().clone());
                Verdict::Approve {
                    edited: Some(Box::new(edited)),
                    keep_fees: *keep_fees,
                }
            }
            Command::AskBack => Verdict::Ask {
                need: NeedId::new(id()),
                text: "Are you sure?".to_owned(),
            },
            _ => Verdict::Refuse,
        };
        let command = DecideCommand {
            change: seen.state.pending.as_ref().map(|pending| pending.id),
            verdict,
        };
        let line_id = || CorrectionId::new(id());
        Ok(decide(stored, command, &line_id, context))
    }
}

fn move_command(command: TableCommand, values: &Values, now: Timestamp) -> MoveCommand {
    match values {
        Values::None if command == TableCommand::Release => MoveCommand::Release,
        Values::None => MoveCommand::Plain(command),
        Values::Hold { ends_in } => {
            let end = ends_in.map(|millis| now.plus_millis(millis));
            MoveCommand::Hold { until: end }
        }
        Values::Cancel { keep_fees } => MoveCommand::Cancel {
            keep_fees: *keep_fees,
        },
        Values::Need { fee } => MoveCommand::Need {
            code: match fee {
                Some(_) => NeedCode::FeeApproval,
                None => NeedCode::OutOfStock,
            },
            text: Some("Which colour?".to_owned()),
            amount: fee.map(str::to_owned),
        },
        Values::Resolve { cancels } => {
            let keep = |keep_fees| Resolution::Cancel { keep_fees };
            MoveCommand::Resolve(cancels.map_or(Resolution::Return, keep))
        }
    }
}

fn parcel_of(
    seen: &Order,
    id: ShipmentId,
    parcel: u64,
    units: Option<&[(usize, u32)]>,
) -> ShipCommand {
    let unit = |(place, quantity): &(usize, u32)| ShippedUnits {
        id: item_at(seen, *place),
        quantity: *quantity,
    };
    ShipCommand {
        id,
        items: units.map(|units| units.iter().map(unit).collect()),
        values: ShipmentUpdate {
            reference: parcel.is_multiple_of(2).then(|| format!("P-{parcel}")),
            carrier: Some("UPS".to_owned()),
            tracking_number: Some(format!("1Z{parcel}")),
            ..ShipmentUpdate::default()
        },
    }
}

fn correction(id: Uuid, fee: FeeType, item: Option<ItemId>, amount: i64) -> CorrectionParts {
    CorrectionParts {
        id: CorrectionId::new(id),
        fee,
        item,
        amount,
        reason: "goodwill".to_owned(),
    }
}
