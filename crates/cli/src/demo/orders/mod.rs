//! Made-up store with orders of the last four days, so that operators have work on the first run.
//!
//! CSV files describe the orders. Use cases of the service place and change them, with a clock that
//! is set back.

mod batch;
mod plan;
mod samples;

use std::collections::BTreeMap;
use std::sync::Arc;

use pressline_backoffice::operator::Operator;
use pressline_backoffice::production::{ProductionError, ProductionService};
use pressline_backoffice::store::{NewStore, StoreAdmin, StoreError};
use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::request::{
    MoveDraft, MoveValues, ShipmentDraft, UnitsDraft, UpdateDraft,
};
use pressline_domain::order::{Order, OrderError, OrderService};
use pressline_domain::runtime::FixedClock;
use pressline_domain::store::{Store, StoreSettings};
use pressline_domain::value::{Currency, Timestamp};

use self::plan::{PLACE, PlannedOrder, Step, steps};

/// Name of the store with made-up orders.
pub const NAME: &str = "Sunday Prints";
const COOLING_OFF: &str = "cooling-off";
/// Value of the column `life` in `orders.csv` that marks orders with items in the demo's batch.
const STARTED: &str = "started";
const PREFIX: &str = "SUN";

/// Use cases that make up the demo's orders, at the times of `clock`.
pub struct OrderServices {
    /// Places, moves and ships orders.
    pub orders: OrderService,
    /// Creates the demo's batch, and records work on its items.
    pub production: ProductionService,
    /// Clock of `orders` and `production`. It shows the current time when the demo starts, and then
    /// the time of each change.
    pub clock: Arc<FixedClock>,
}

pub(crate) struct DemoOrders {
    service: OrderService,
    production: ProductionService,
    clock: Arc<FixedClock>,
    operator: Operator,
    store: Store,
    by_store: Caller,
    by_operator: Caller,
}

impl DemoOrders {
    pub(crate) async fn of_new_store(
        admin: &StoreAdmin,
        services: OrderServices,
        operator: Operator,
    ) -> Result<Self, StoreError> {
        let new = NewStore {
            name: NAME.to_owned(),
            prefix: PREFIX.parse().ok(),
            currency: Currency::USD,
            test: false,
            settings: StoreSettings::default(),
        };
        let made = admin.create(new).await?;
        Ok(Self {
            service: services.orders,
            production: services.production,
            clock: services.clock,
            by_store: by(Actor::Store(made.key_id)),
            by_operator: by(operator.actor()),
            operator,
            store: made.record.store,
        })
    }

    /// Takes the steps in order of time. Stops at the first error; earlier changes remain.
    pub(crate) async fn play(&self, now: Timestamp) -> Result<(), ProductionError> {
        let mut placed = BTreeMap::new();
        let mut in_production = Vec::new();
        for step in steps(now) {
            self.clock.set(step.at);
            if step.call == PLACE {
                let order = self.place(step.order).await?;
                if step.order.life == STARTED {
                    in_production.extend(codes(&order));
                }
                placed.insert(step.order.position, order);
            } else if let Some(order) = placed.get(&step.order.position) {
                self.take(step, order).await?;
            }
        }
        self.make_batch(&in_production, now).await
    }

    async fn place(&self, planned: PlannedOrder) -> Result<Order, OrderError> {
        // The window comes from the store's settings, so the order is placed for a changed copy.
        let store = Store {
            settings: StoreSettings {
                cooling_off_seconds: (planned.life != COOLING_OFF).then_some(0),
                ..self.store.settings.clone()
            },
            ..self.store.clone()
        };
        let draft = samples::order(planned);
        let by = &self.by_store;
        let placed = match planned.has_label {
            false => self.service.place.create(&store, &draft, by).await?,
            true => self.service.place.create_label(&store, &draft, by).await?,
        };
        Ok(placed.order)
    }

    async fn take(&self, step: Step, order: &Order) -> Result<(), OrderError> {
        let (value, text) = (step.value, step.text);
        match step.call {
            "ask" => {
                let need = MoveValues {
                    code: "fee_approval".into(),
                    text: text.into(),
                    amount: value.into(),
                    ..MoveValues::default()
                };
                self.move_order(order, "need", need).await
            }
            "update" => self.change_address(order, value, text).await,
            "ship" => self.ship(order, value == "first").await,
            "track" => self.track(order, value).await,
            _ => {
                let reason = Some(text.to_owned()).filter(|text| !text.is_empty());
                let values = MoveValues {
                    reason: reason.into(),
                    ..MoveValues::default()
                };
                self.move_order(order, value, values).await
            }
        }
    }

    async fn move_order(
        &self,
        order: &Order,
        command: &str,
        values: MoveValues,
    ) -> Result<(), OrderError> {
        let draft = MoveDraft {
            values,
            ..MoveDraft::for_order(command, &order.service_order_id.to_string())
        };
        let moved = self
            .service
            .moves
            .move_orders((&self.store).into(), &draft, &self.by_operator)
            .await?;
        moved
            .orders
            .into_iter()
            .try_for_each(|one| one.result.map(drop))
    }

    /// Requests, as the store, that `order` gets the address and the name of `person`.
    async fn change_address(
        &self,
        order: &Order,
        person: &str,
        reason: &str,
    ) -> Result<(), OrderError> {
        let draft = UpdateDraft {
            order_id: number(order),
            shipping_address: samples::address(person).into(),
            customer: samples::customer(person).into(),
            line_items: Field::Value(Vec::new()),
            reason: reason.into(),
            ..UpdateDraft::default()
        };
        let asked = self
            .service
            .change
            .update(&self.store, &draft, &self.by_store);
        asked.await.map(drop)
    }

    /// Ships one unit of the first item if `first_only` is true, else all units of the order.
    async fn ship(&self, order: &Order, first_only: bool) -> Result<(), OrderError> {
        let first = order.content.items.first().filter(|_| first_only);
        let units = first.map(|item| {
            let units = UnitsDraft {
                app_item_id: item.id.to_string().as_str().into(),
                quantity: 1.into(),
            };
            vec![units.into()]
        });
        let draft = ShipmentDraft {
            order_id: number(order),
            carrier: samples::CARRIER.into(),
            tracking_number: tracking_number(order),
            line_items: units.into(),
            ..ShipmentDraft::default()
        };
        let sent = self
            .service
            .ship
            .create_shipment(&self.store, &draft, &self.by_operator);
        sent.await.map(drop)
    }

    async fn track(&self, order: &Order, status: &str) -> Result<(), OrderError> {
        let draft = ShipmentDraft {
            carrier: samples::CARRIER.into(),
            tracking_number: tracking_number(order),
            status: status.into(),
            ..ShipmentDraft::default()
        };
        let noted = self
            .service
            .ship
            .track_shipment(&self.store, &draft, &self.by_operator);
        noted.await.map(drop)
    }
}

fn by(actor: Actor) -> Caller {
    Caller {
        actor,
        request_id: None,
    }
}

fn codes(order: &Order) -> impl Iterator<Item = String> {
    let states = order.state.items.iter();
    states.map(|state| state.code(&order.service_order_id))
}

fn number(order: &Order) -> Field<String> {
    Field::Value(order.service_order_id.to_string())
}

fn tracking_number(order: &Order) -> Field<String> {
    Field::Value(format!(
        "94001118992200{:08}",
        order.service_order_id.number
    ))
}
