//! A day's orders of a made-up store, so that operators have something to work with on the first run.
//!
//! They are placed and moved by the use cases of the service, with a clock that is set back.

mod batch;
mod lives;
mod samples;

use std::collections::BTreeMap;
use std::sync::Arc;

use pressline_backoffice::operator::Operator;
use pressline_backoffice::production::{ProductionError, ProductionService};
use pressline_backoffice::store::{NewStore, StoreAdmin, StoreError};
use pressline_domain::event::Actor;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::Caller;
use pressline_domain::money::Currency;
use pressline_domain::order::request::{
    MoveDraft, OrderToMoveDraft, ShipmentDraft, UnitsDraft, UpdateDraft,
};
use pressline_domain::order::{Order, OrderError, OrderService};
use pressline_domain::runtime::FixedClock;
use pressline_domain::store::{Store, StoreSettings};
use pressline_domain::time::Timestamp;

use self::lives::{Action, Happening, Life, Step, steps};

/// The name of the store with made-up orders.
pub const NAME: &str = "Sunday Prints";
/// What the numbers of its orders begin with.
const PREFIX: &str = "SUN";

/// Use cases by which orders are made up, at the time of `clock`.
pub struct OrderServices {
    /// Places, moves and sends orders.
    pub orders: OrderService,
    /// Makes a batch.
    pub production: ProductionService,
    /// Shows the present when the demo starts.
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
    /// Creates the store.
    ///
    /// # Errors
    /// The store cannot be created.
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

    /// Places the orders and lets them live up to `now`, in the order of time. Of some that are in production it then makes a
    /// batch.
    ///
    /// # Errors
    /// The first step that fails ends it; what was done by then stays.
    pub(crate) async fn play(&self, now: Timestamp) -> Result<(), ProductionError> {
        let mut placed = BTreeMap::new();
        let mut in_production = Vec::new();
        for Step { at, order, what } in steps(now) {
            self.clock.set(at);
            match what {
                Happening::Placed(life) => {
                    let order_of_store = self.place(order, life).await?;
                    if life == Life::Started {
                        in_production.extend(codes(&order_of_store));
                    }
                    placed.insert(order, order_of_store);
                }
                Happening::Taken(action) => {
                    if let Some(order) = placed.get(&order) {
                        self.take(action, order).await?;
                    }
                }
            }
        }
        self.make_batch(&in_production, now).await
    }

    /// Places an order. Only that of a store that still may change it has a window.
    async fn place(&self, order: usize, life: Life) -> Result<Order, OrderError> {
        let window = (life != Life::CoolingOff).then_some(0);
        let store = Store {
            settings: StoreSettings {
                cooling_off_seconds: window,
                ..self.store.settings.clone()
            },
            ..self.store.clone()
        };
        let draft = samples::order(order, life);
        let by = &self.by_store;
        let placed = match draft.shipping_address_label.is_absent() {
            true => self.service.create(&store, &draft, by).await?,
            false => self.service.create_label(&store, &draft, by).await?,
        };
        Ok(placed.order)
    }

    async fn take(&self, action: Action, order: &Order) -> Result<(), OrderError> {
        match action {
            Action::Start => self.move_order(order, "start", MoveDraft::default()).await,
            Action::AskForFee => self.ask_for_fee(order).await,
            Action::Hold => self.hold(order).await,
            Action::Cancel => self.cancel(order).await,
            Action::ChangeAddress => self.change_address(order).await,
            Action::ShipFirst => self.ship(order, true).await,
            Action::Ship => self.ship(order, false).await,
            Action::Deliver => self.track(order, "delivered").await,
            Action::Return => self.track(order, "returned").await,
        }
    }

    async fn move_order(
        &self,
        order: &Order,
        command: &str,
        draft: MoveDraft,
    ) -> Result<(), OrderError> {
        let named = OrderToMoveDraft {
            order_id: number(order),
            ..OrderToMoveDraft::default()
        };
        let draft = MoveDraft {
            command: command.into(),
            orders: Field::Value(vec![named.into()]),
            ..draft
        };
        let moved = self
            .service
            .move_orders((&self.store).into(), &draft, &self.by_operator);
        let moved = moved.await?;
        moved
            .orders
            .into_iter()
            .try_for_each(|one| one.result.map(drop))
    }

    async fn ask_for_fee(&self, order: &Order) -> Result<(), OrderError> {
        let need = MoveDraft {
            code: "fee_approval".into(),
            text:
                "The print reaches over the seam, which is printed by hand. May we charge for it?"
                    .into(),
            amount: "4.00".into(),
            ..MoveDraft::default()
        };
        self.move_order(order, "need", need).await
    }

    async fn hold(&self, order: &Order) -> Result<(), OrderError> {
        let hold = MoveDraft {
            reason: "The white ink has run out; the next delivery is due tomorrow".into(),
            ..MoveDraft::default()
        };
        self.move_order(order, "hold", hold).await
    }

    async fn cancel(&self, order: &Order) -> Result<(), OrderError> {
        let cancel = MoveDraft {
            reason: "The store wrote that its customer has ordered twice".into(),
            ..MoveDraft::default()
        };
        self.move_order(order, "cancel", cancel).await
    }

    /// The store asks for another address while the order is in production.
    async fn change_address(&self, order: &Order) -> Result<(), OrderError> {
        let draft = UpdateDraft {
            order_id: number(order),
            shipping_address: samples::other_address().into(),
            customer: samples::other_customer().into(),
            line_items: Field::Value(Vec::new()),
            reason: "The customer has moved".into(),
            ..UpdateDraft::default()
        };
        let asked = self.service.update(&self.store, &draft, &self.by_store);
        asked.await.map(drop)
    }

    /// Sends a parcel: with one unit of the first item, or with everything.
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

/// A number of its own for the parcel of each order.
fn tracking_number(order: &Order) -> Field<String> {
    Field::Value(format!(
        "94001118992200{:08}",
        order.service_order_id.number
    ))
}
