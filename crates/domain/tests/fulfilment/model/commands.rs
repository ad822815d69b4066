//! Random commands.

use super::super::fixture::*;
use super::{Life, priced};
use pressline_domain::event::{Actor, Role};
use pressline_domain::field::Field;
use pressline_domain::fulfilment::*;
use pressline_domain::id::*;
use pressline_domain::order::OrderParts;
use pressline_domain::order::request::UpdateDraft;
use pressline_domain::pricing::corrections::CorrectionParts;
use pressline_domain::pricing::fees::FeeType;

/// A command with its values.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Due,
    ProcessNow,
    Hold(HoldCommand),
    Release(Option<Vec<ItemId>>),
    Cancel(CancelCommand),
    Update(Box<OrderParts>),
    Withdraw,
    Decide(DecideCommand),
    Start(Option<Vec<ItemId>>),
    PutBack(Option<Vec<ItemId>>),
    Need(NeedCommand),
    Answer(AnswerCommand),
    Resolve(ResolveCommand),
    Ship(ShipCommand),
    UpdateShipment(ShipmentId),
    Void(ShipmentId),
    Track(ShipmentId, Tracking),
    Correct(CorrectionParts),
}

impl Given {
    /// The commands of the table by which the items may move.
    pub(super) fn commands(&self) -> &'static [Command] {
        match self {
            Self::Due => &[Command::Release, Command::Due],
            Self::ProcessNow => &[Command::ProcessNow],
            Self::Hold(_) => &[Command::Hold, Command::Ask],
            Self::Release(_) => &[Command::Release],
            Self::Cancel(_) => &[Command::Cancel, Command::Ask],
            Self::Update(_) => &[Command::Update, Command::Ask],
            Self::Withdraw => &[Command::WithdrawChange],
            // What is approved is done to early items as well.
            Self::Decide(_) => &[Command::Decide, Command::Hold, Command::Cancel],
            Self::Start(_) => &[Command::Start],
            Self::PutBack(_) => &[Command::PutBack],
            Self::Need(_) => &[Command::Need],
            Self::Answer(_) => &[Command::Answer],
            Self::Resolve(_) => &[Command::Resolve],
            Self::Ship(_) => &[Command::Ship],
            Self::Void(_) => &[Command::Void],
            Self::Track(..) => &[Command::Deliver, Command::Return],
            Self::UpdateShipment(_) | Self::Correct(_) => &[],
        }
    }

    pub(super) fn give(&self, order: &Snapshot, context: &Context) -> Result<Decision, Refusal> {
        match self.clone() {
            Self::Due => due(order, context),
            Self::ProcessNow => process_now(order, context),
            Self::Hold(command) => hold(order, &command, context),
            Self::Release(items) => release(order, items.as_deref(), context),
            Self::Cancel(command) => cancel(order, &command, &line_id, context),
            Self::Update(edited) => plan_and_update(order, *edited, context),
            Self::Withdraw => withdraw_change(order, context),
            Self::Decide(command) => decide(order, command, &line_id, context),
            Self::Start(items) => start(order, items.as_deref(), context),
            Self::PutBack(items) => put_back(order, items.as_deref(), context),
            Self::Need(command) => need(order, &command, context),
            Self::Answer(command) => answer(order, &command, &line_id, context),
            Self::Resolve(command) => resolve(order, &command, &line_id, context),
            Self::Ship(command) => ship(order, &command, context),
            Self::UpdateShipment(id) => {
                let update = ShipmentUpdate {
                    tracking_url: Some(URL.to_owned()),
                    ..ShipmentUpdate::default()
                };
                update_shipment(order, id, update, context)
            }
            Self::Void(id) => void(order, id, context),
            Self::Track(id, tracking) => track(order, id, tracking, None, context),
            Self::Correct(line) => correct_fees(order, line, context),
        }
    }
}

/// What the use case does with an update: plan, price, and write.
fn plan_and_update(
    order: &Snapshot,
    edited: OrderParts,
    context: &Context,
) -> Result<Decision, Refusal> {
    let request = ChangeRequest::Update(Box::new(UpdateDraft {
        order_id: Field::from(edited.items.len().to_string().as_str()),
        ..UpdateDraft::default()
    }));
    match plan_update(order, &edited, &request, context)? {
        UpdatePlan::AlreadySo => Ok(Decision::AlreadySo),
        UpdatePlan::Ask => ask_update(order, &edited, request, ChangeId::new(uuid()), context),
        UpdatePlan::Apply => update(order, price_edited(order, edited), context),
    }
}

/// Prices the items of an edited content that are not cancelled.
pub(super) fn price_edited(order: &Snapshot, mut edited: OrderParts) -> OrderParts {
    let is_cancelled = |id| {
        let item = order.state.item(id);
        item.is_some_and(|item| item.status == ItemStatus::Cancelled)
    };
    edited.bill = bill_of(edited.items.iter().filter(|item| !is_cancelled(item.id)));
    edited
}

impl Life {
    /// Returns a random command with a caller who may give it, as a rule.
    pub(super) fn random_command(&mut self) -> (Given, Context) {
        let role = Role::ALL[[0, 0, 0, 1, 1, 1, 1, 2, 3][self.random.index(9)]];
        let given = match role {
            Role::Store => self.of_store(),
            Role::Operator => self.of_operator(),
            Role::Service => Given::Due,
            Role::Carrier => self.tracking().unwrap_or(Given::Due),
        };
        let actor = match role {
            Role::Store => store().actor,
            Role::Operator => operator().actor,
            Role::Service => Actor::Service,
            Role::Carrier => carrier().actor,
        };
        let context = Context {
            reason: (!self.random.once_in(8)).then(|| "because".to_owned()),
            ..by(actor, self.seconds)
        };
        (given, context)
    }

    fn of_store(&mut self) -> Given {
        let items = self.random.items(&self.order);
        match self.random.below(11) {
            0 if self.random.once_in(3) => Given::Cancel(cancel_of(items)),
            0 | 1 => Given::Hold(self.random_hold(items)),
            2 | 3 => Given::Release(items),
            4 => Given::ProcessNow,
            5 | 6 => Given::Update(Box::new(self.random_update())),
            7 => Given::Withdraw,
            _ => Given::Answer(AnswerCommand {
                items,
                text: Some(self.random.below(3).to_string()),
                accept: [None, None, Some(true), Some(false)][self.random.index(4)],
            }),
        }
    }

    fn of_operator(&mut self) -> Given {
        let items = self.random.items(&self.order);
        match self.random.below(20) {
            0 if self.random.once_in(3) => Given::Cancel(CancelCommand {
                keep_fees: self.random.once_in(2),
                ..cancel_of(items)
            }),
            0 | 1 => Given::Hold(self.random_hold(items)),
            2 => Given::Release(items),
            3 | 4 => Given::Start(items),
            5 => Given::PutBack(items),
            6 => Given::Need(self.random_need(items)),
            7 => Given::Resolve(self.random_resolve(items)),
            8..=10 => Given::Decide(self.random_decision()),
            11 => Given::Update(Box::new(self.random_update())),
            12 => Given::Correct(self.random_correction()),
            13 | 14 => Given::Ship(self.random_parcel()),
            _ => self.tracking().unwrap_or(Given::Start(items)),
        }
    }

    fn random_hold(&mut self, items: Option<Vec<ItemId>>) -> HoldCommand {
        let until = self.random.once_in(2).then(|| at(self.seconds + 500));
        hold_of(items, until)
    }

    fn random_need(&mut self, items: Option<Vec<ItemId>>) -> NeedCommand {
        let need = if self.random.once_in(2) {
            need_of(NeedCode::FeeApproval, Some(250))
        } else {
            need_of(NeedCode::OutOfStock, None)
        };
        NeedCommand { items, ..need }
    }

    fn random_resolve(&mut self, items: Option<Vec<ItemId>>) -> ResolveCommand {
        let keep_fees = self.random.once_in(2);
        let resolution = if self.random.once_in(3) {
            Resolution::Cancel { keep_fees }
        } else {
            Resolution::Return
        };
        ResolveCommand { items, resolution }
    }

    fn random_decision(&mut self) -> DecideCommand {
        match self.random.below(4) {
            0 => verdict(Verdict::Refuse),
            1 => verdict(Verdict::Ask {
                need: NeedId::new(uuid()),
                text: "Are you sure?".to_owned(),
            }),
            _ => {
                // The values that were asked for do not matter to the table.
                let edited = self.random_update();
                let edited = price_edited(&self.order, edited);
                verdict(Verdict::Approve {
                    edited: Some(Box::new(edited)),
                    keep_fees: self.random.once_in(2),
                })
            }
        }
    }

    fn random_update(&mut self) -> OrderParts {
        let mut edited = priced(&self.order);
        edited.bill = self.order.content.bill.clone();
        let place = self.random.index(edited.items.len());
        match self.random.below(7) {
            0 => edited.email = Some(format!("{}@example.com", self.random.below(3))),
            1 => edited.production_note = Some(self.random.below(3).to_string()),
            2 => edited.items[place].quantity = self.random.quantity(),
            3 => edited.items[place].file_urls = vec![URL.to_owned()],
            4 => edited.items[place].file_urls = Vec::new(),
            5 if edited.items.len() > 1 => drop(edited.items.remove(place)),
            _ if edited.items.len() < 6 => edited.items.push(self.random.line()),
            _ => edited.items[place].mockup_images = vec![URL.to_owned()],
        }
        edited
    }

    fn random_correction(&mut self) -> CorrectionParts {
        let amount = i64::try_from(self.random.below(900)).unwrap() - 450;
        CorrectionParts {
            id: line_id(),
            fee: [FeeType::Product, FeeType::Shipping, FeeType::Other][self.random.index(3)],
            item: None,
            amount,
            reason: "goodwill".to_owned(),
        }
    }

    fn random_parcel(&mut self) -> ShipCommand {
        let number = self.random.below(4).to_string();
        let place = self.random.index(self.order.state.items.len());
        let some = self.random.once_in(2).then(|| {
            let quantity = self.random.quantity();
            let id = id(&self.order, place);
            vec![ShippedUnits { id, quantity }]
        });
        ship_of(some, &number)
    }

    /// A message about a random parcel, if there is one.
    fn tracking(&mut self) -> Option<Given> {
        let count = self.order.shipments.len();
        if count == 0 {
            return None;
        }
        let id = self.order.shipments[self.random.index(count)].id;
        Some(match self.random.below(6) {
            0 => Given::UpdateShipment(id),
            1 => Given::Void(id),
            2 => Given::Track(id, Tracking::Returned),
            _ => Given::Track(id, Tracking::Delivered),
        })
    }
}
