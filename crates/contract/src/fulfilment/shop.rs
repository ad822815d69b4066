//! A shop over the adapters of a test, with a clock that is set by hand: how commands are given.

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_domain::event::Role;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::{Caller, Change, Context, Decision, Refusal, reprice};
use pressline_domain::id::{ItemId, KeyId, MonotonicIds, OperatorId, StoreId};
use pressline_domain::money::Currency;
use pressline_domain::order::request::{CommandDraft, ItemNameDraft};
use pressline_domain::order::{
    Lookup, Order, OrderError, OrderParts, OrderRepository, OrderService, OrderWrite, Placed,
};
use pressline_domain::runtime::{Clock, FixedClock, IdSource};
use pressline_domain::store::{Store, StoreDirectory, StoreRecord, StoreSettings};
use pressline_domain::time::Timestamp;
use uuid::Uuid;

use super::command::{Command, CommandCase, Edit, ItemIndexes, items_at};
use super::drafts::update_draft;
use super::goods;
use super::rendezvous::Rendezvous;
use crate::samples::NOW;
use crate::{Adapters, CaseError};

/// How often a command is decided again when another change came in between.
const ATTEMPTS: usize = 64;

/// The use cases over the adapters of a test.
pub(super) struct Shop {
    pub(super) service: OrderService,
    pub(super) orders: Arc<Rendezvous>,
    pub(super) clock: Arc<FixedClock>,
    pub(super) ids: Arc<dyn IdSource>,
    stores: Arc<dyn StoreDirectory>,
    /// Kept until the end.
    _adapters: Adapters,
}

/// What became of a command.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The order as it is after the command, and whether the use case says that it was so already.
    Done { order: Box<Order>, is_replay: bool },
    /// It was refused.
    Denied(Denied),
}

/// Why a command was refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Denied {
    pub(super) code: &'static str,
    pub(super) items: Vec<ItemId>,
}

impl Shop {
    pub(super) async fn open(adapters: Adapters) -> Result<Self, CaseError> {
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
        let ids: Arc<dyn IdSource> = Arc::new(MonotonicIds::new());
        let orders = Arc::new(Rendezvous::new(Arc::clone(&adapters.orders)));
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

    /// Adds a store whose new orders can be changed at will for so many seconds.
    pub(super) async fn add_store(&self, prefix: &str, window: u32) -> Result<Store, CaseError> {
        let created_at = self.clock.now();
        let settings = StoreSettings {
            cooling_off_seconds: Some(window),
            ..StoreSettings::default()
        };
        let store = Store {
            id: StoreId::new(self.ids.next(created_at)),
            name: prefix.to_owned(),
            prefix: prefix.parse()?,
            currency: Currency::USD,
            test: false,
            settings,
            enabled: true,
            created_at,
        };
        let record = StoreRecord {
            store: store.clone(),
            keys: Vec::new(),
            version: 1,
        };
        self.stores.add(&record).await?;
        Ok(store)
    }

    pub(super) async fn find(
        &self,
        store: &Store,
        order_id: &str,
    ) -> Result<Option<Order>, CaseError> {
        let lookup = Lookup {
            order_id: order_id.to_owned(),
            number: None,
        };
        Ok(self.orders.find(store.id, &lookup).await?)
    }

    /// The stored order, which must exist.
    pub(super) async fn stored(&self, store: &Store, order_id: &str) -> Result<Order, CaseError> {
        let found = self.find(store, order_id).await?;
        found.ok_or_else(|| CaseError::new(format!("{order_id} is not stored")))
    }

    /// Gives a command. Its items and shipments are those of the order as it was seen.
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
            return self.settle(store, seen).await;
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

    /// Does what is due of an order.
    async fn settle(&self, store: &Store, seen: &Order) -> Result<Outcome, CaseError> {
        let ids = [seen.content.id];
        let mut changes = 0;
        for order in self.service.load_due(store.id, &ids).await? {
            changes += self.service.settle_due(order).await?;
        }
        let order = self.stored(store, &seen.content.order_id).await?;
        Ok(Outcome::Done {
            order: Box::new(order),
            is_replay: changes == 0,
        })
    }

    /// Gives a command by the store's use case; `None` if there is none for it.
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
            Command::ProcessNow => service.process_now(store, &draft, by).await,
            Command::Hold { ends_in, .. } => {
                let end = ends_in.map(|millis| self.clock.now().as_millis() + millis);
                draft.until = end.into();
                service.hold(store, &draft, by).await
            }
            Command::Release(_) => service.release(store, &draft, by).await,
            Command::Cancel { .. } => service.cancel(store, &draft, by).await,
            Command::WithdrawChange => service.withdraw_change(store, &draft, by).await,
            Command::Answer {
                items,
                text,
                accept,
            } => {
                draft.line_items = names(seen, items);
                draft.text = text.clone().into();
                draft.accept = (*accept).into();
                service.answer(store, &draft, by).await
            }
            Command::Update(edit) => {
                let draft = update_draft(seen, edit);
                service.update(store, &draft, by).await
            }
            _ => return None,
        })
    }

    /// Gives a command by its decision: loads the order, decides, and writes the change.
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
                // A repeated request must not add the item twice.
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
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(CaseError::new("too many changes at once"))
    }
}

/// Returns the change, priced again where that is needed.
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

/// The one who gives commands as this kind of actor.
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

/// The items at these places, as a request names them.
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
        other => return Err(other.into()),
    };
    Ok(Outcome::Denied(Denied { code, items }))
}

/// Returns why a decision was refused, unless that is a defect.
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
        other => return Err(other.into()),
    };
    Ok(Denied { code, items })
}
