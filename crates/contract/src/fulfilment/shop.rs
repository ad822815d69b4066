//! Gives commands through the use cases, over the adapters of a test and a manual clock.

use std::sync::Arc;

use pressline_domain::check::Field;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::{
    Caller, Change, Command as TableCommand, Context, Decision, Refusal, reprice,
};
use pressline_domain::order::request::{CommandDraft, ItemNameDraft};
use pressline_domain::order::{
    Lookup, Order, OrderError, OrderParts, OrderRepository, OrderService, OrderWrite, Placed,
};
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::runtime::{Clock, FixedClock, IdSource};
use pressline_domain::store::{Store, StoreDirectory, StoreRecord, StoreSettings};
use pressline_domain::value::{Currency, ItemId, KeyId, OperatorId, StoreId};
use uuid::Uuid;

use super::command::{Command, CommandCase, Edit, ItemIndexes, Values, items_at};
use super::drafts::update_draft;
use super::goods;
use super::rendezvous::Rendezvous;
use crate::samples::at;
use crate::{Adapters, CaseError, HookedOrders};

/// Maximum number of decisions for a command while other changes interfere.
const ATTEMPTS: usize = 64;

/// Use cases over the adapters of a test.
pub(super) struct Shop {
    pub(super) service: OrderService,
    pub(super) orders: Arc<HookedOrders<Rendezvous>>,
    pub(super) clock: Arc<FixedClock>,
    pub(super) ids: Arc<dyn IdSource>,
    stores: Arc<dyn StoreDirectory>,
    /// Keeps the database until the end of the test.
    _adapters: Adapters,
}

#[derive(Debug)]
pub(super) enum Outcome {
    /// The order after the command. `is_replay`: the use case reported no change.
    Done { order: Box<Order>, is_replay: bool },
    /// The command was refused.
    Denied(Denied),
}

/// Refusal of a command: error code and affected items.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Denied {
    pub(super) code: &'static str,
    pub(super) items: Vec<ItemId>,
}

impl Shop {
    pub(super) async fn open(adapters: Adapters) -> Result<Self, CaseError> {
        let clock = Arc::new(FixedClock::at(at(0)));
        let ids: Arc<dyn IdSource> = Arc::new(MonotonicIds::new());
        let orders = Arc::new(HookedOrders {
            orders: Arc::clone(&adapters.orders),
            hooks: Rendezvous::default(),
        });
        goods::stock(adapters.catalog_admin.as_ref()).await?;
        let catalog = Arc::clone(&adapters.catalog);
        Ok(Self {
            service: OrderService::new(orders.clone(), catalog, clock.clone(), ids.clone()),
            orders,
            clock,
            ids,
            stores: Arc::clone(&adapters.stores),
            _adapters: adapters,
        })
    }

    /// Adds a store with a cooling-off window of `window` seconds.
    pub(super) async fn add_store(&self, prefix: &str, window: u32) -> Result<Store, CaseError> {
        let created_at = self.clock.now();
        let settings = StoreSettings {
            cooling_off_seconds: Some(window),
            ..StoreSettings::default()
        };
        let id = StoreId::new(self.ids.next(created_at));
        let store = Store {
            settings,
            ..Store::new(id, prefix.parse()?, Currency::USD, created_at)
        };
        let record = StoreRecord::new(store.clone(), Vec::new());
        self.stores.add(&record).await?;
        Ok(store)
    }

    pub(super) async fn find(
        &self,
        store: &Store,
        order_id: &str,
    ) -> Result<Option<Order>, CaseError> {
        let lookup = Lookup::by_order_id(order_id);
        Ok(self.orders.find(store.id, &lookup).await?.map(Order::from))
    }

    /// Returns the stored order `order_id`; an error if it does not exist.
    pub(super) async fn stored(&self, store: &Store, order_id: &str) -> Result<Order, CaseError> {
        let found = self.find(store, order_id).await?;
        found.ok_or_else(|| CaseError::new(format!("{order_id} is not stored")))
    }

    /// Gives a command. Its positions refer to the version `seen`.
    pub(super) async fn give(
        &self,
        store: &Store,
        seen: &Order,
        given: &CommandCase,
    ) -> Result<Outcome, CaseError> {
        let done = self.give_to(store, seen, given).await;
        let what = || format!("{given:?} to {:?}", seen.state.item_statuses());
        done.map_err(|error| error.in_context(&what()))
    }

    async fn give_to(
        &self,
        store: &Store,
        seen: &Order,
        given: &CommandCase,
    ) -> Result<Outcome, CaseError> {
        if given.by == Role::Service {
            return self.move_due(store, seen).await;
        }
        let by_store = match given.by {
            Role::Store => self.by_store(store, seen, given).await,
            _ => None,
        };
        match by_store {
            Some(placed) => outcome(placed),
            None => self.by_decision(store, seen, given).await,
        }
    }

    /// Applies due changes of an order.
    async fn move_due(&self, store: &Store, seen: &Order) -> Result<Outcome, CaseError> {
        let ids = [seen.content.id];
        let mut changes = 0;
        for order in self
            .service
            .due
            .load_due(store.id, &mut ids.as_slice())
            .await?
        {
            changes += self.service.due.move_due(order).await?;
        }
        let order = self.stored(store, &seen.content.order_id).await?;
        Ok(Outcome::Done {
            order: Box::new(order),
            is_replay: changes == 0,
        })
    }

    /// Gives a command through the store's use case; `None` if there is no use case for it.
    async fn by_store(
        &self,
        store: &Store,
        seen: &Order,
        given: &CommandCase,
    ) -> Option<Result<Placed, OrderError>> {
        let (service, by) = (&self.service, &caller(Role::Store));
        let mut draft = CommandDraft {
            order_id: seen.content.order_id.as_str().into(),
            reason: given.reason.map(str::to_owned).into(),
            line_items: names(seen, &given.command.named_items()),
            ..CommandDraft::default()
        };
        Some(match &given.command {
            Command::ProcessNow => service.moves.process_now(store, &draft, by).await,
            Command::Move {
                command, values, ..
            } => match (command, values) {
                (TableCommand::Hold, Values::Hold { ends_in }) => {
                    let end = ends_in.map(|millis| self.clock.now().as_millis() + millis);
                    draft.until = end.into();
                    service.moves.hold(store, &draft, by).await
                }
                (TableCommand::Release, _) => service.moves.release(store, &draft, by).await,
                (TableCommand::Cancel, _) => service.moves.cancel(store, &draft, by).await,
                // Stores have no use case for the other commands.
                _ => return None,
            },
            Command::WithdrawChange => service.change.withdraw_change(store, &draft, by).await,
            Command::Answer {
                items,
                text,
                accept,
            } => {
                draft.line_items = names(seen, items);
                draft.text = text.clone().into();
                draft.accept = (*accept).into();
                service.change.answer(store, &draft, by).await
            }
            Command::Update(edit) => {
                let draft = update_draft(seen, edit);
                service.change.update(store, &draft, by).await
            }
            _ => return None,
        })
    }

    /// Gives a command through its decision: loads the order, decides, and writes the change.
    async fn by_decision(
        &self,
        store: &Store,
        seen: &Order,
        given: &CommandCase,
    ) -> Result<Outcome, CaseError> {
        for _ in 0..ATTEMPTS {
            let stored = self.stored(store, &seen.content.order_id).await?;
            let adds_item = matches!(given.command, Command::Update(Edit::Add(_)));
            let context = Context {
                reason: given.reason.map(str::to_owned),
                // The version prevents a repeated request from adding the item twice.
                version: adds_item.then_some(seen.state.version),
                ..caller(given.by).at(self.clock.now())
            };
            let change = match self.decide(&stored, seen, given, &context)? {
                Err(refusal) => return denied(refusal).map(Outcome::Denied),
                Ok(Decision::Unchanged) => {
                    return Ok(Outcome::Done {
                        order: Box::new(stored),
                        is_replay: true,
                    });
                }
                Ok(Decision::Changed(change)) => priced(&stored, *change, &context)?,
            };
            match self.orders.write(OrderWrite::change(change)).await {
                Ok(order) => {
                    return Ok(Outcome::Done {
                        order: Box::new(order),
                        is_replay: false,
                    });
                }
                // Another change came first: decide again on the new version.
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(CaseError::new("too many changes at once"))
    }
}

/// Returns `change`, with new prices if it needs them.
fn priced(before: &Order, change: Change, context: &Context) -> Result<Change, CaseError> {
    if !change.needs_price {
        return Ok(change);
    }
    let after = &change.order;
    let content = OrderParts {
        bill: goods::bill(after.content.kind(), after.priced_items())?,
        priced_at: context.now,
        ..OrderParts::clone(&after.content)
    };
    match reprice(before, &change, content, context)? {
        Decision::Changed(change) => Ok(*change),
        Decision::Unchanged => Err(CaseError::new("a change is none when it is priced")),
    }
}

/// Returns the caller for commands of `role`.
pub(super) fn caller(role: Role) -> Caller {
    use pressline_domain::event::Actor;
    let operator = OperatorId::new(Uuid::from_u128(2));
    Caller {
        actor: match role {
            Role::Store => Actor::Store(KeyId::new(Uuid::from_u128(1))),
            Role::Operator => Actor::Operator(operator),
            Role::Service => Actor::Service,
            Role::Carrier => Actor::Carrier(operator),
        },
        request_id: Some("req-1".to_owned()),
    }
}

/// Returns the items at `places` in the form of a request.
fn names(seen: &Order, places: &ItemIndexes) -> Field<Vec<Field<ItemNameDraft>>> {
    let items = items_at(seen, places);
    let name = |id: ItemId| {
        Field::Value(ItemNameDraft {
            app_item_id: id.to_string().into(),
        })
    };
    items
        .map(|items| items.into_iter().map(name).collect())
        .into()
}

fn outcome(placed: Result<Placed, OrderError>) -> Result<Outcome, CaseError> {
    let refusal = match placed {
        Ok(placed) => {
            return Ok(Outcome::Done {
                is_replay: placed.replayed,
                order: Box::new(placed.order),
            });
        }
        Err(error) => error,
    };
    let (code, items) = match refusal {
        OrderError::IllegalTransition { items, .. } => ("illegal_transition", items),
        OrderError::NotEditable { items, .. } => ("order_not_editable", items),
        OrderError::ChangePending { items } => ("change_pending", items),
        OrderError::UnknownItem(_) => ("unknown_item", Vec::new()),
        OrderError::Invalid { .. } => ("validation_failed", Vec::new()),
        OrderError::VersionConflict { .. } => ("version_conflict", Vec::new()),
        // Any other error is a defect, not a refusal.
        other => return Err(other.into()),
    };
    Ok(Outcome::Denied(Denied { code, items }))
}

/// Converts `refusal`; an error if the refusal shows a defect of the test.
fn denied(refusal: Refusal) -> Result<Denied, CaseError> {
    let (code, items) = match refusal {
        Refusal::IllegalTransition { items, .. } => ("illegal_transition", items),
        Refusal::NotEditable { items, .. } => ("order_not_editable", items),
        Refusal::ChangePending { items } => ("change_pending", items),
        Refusal::UnknownItem(_) => ("unknown_item", Vec::new()),
        Refusal::Invalid(_) => ("validation_failed", Vec::new()),
        Refusal::VersionConflict { .. } => ("version_conflict", Vec::new()),
        Refusal::UnknownShipment => ("shipment_not_found", Vec::new()),
        Refusal::DuplicateShipment(_) => ("duplicate_shipment", Vec::new()),
        // Any other error is a defect, not a refusal.
        other => return Err(other.into()),
    };
    Ok(Denied { code, items })
}
