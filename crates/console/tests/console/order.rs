//! Orders that a store places.

use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::request::{
    AddressDraft, CommandDraft, CustomerDraft, LineItemDraft, MoveDraft, MoveValues, OrderDraft,
};
use pressline_domain::order::{Order, OrderError};
use pressline_domain::store::{Store, StoreSettings};
use pressline_domain::value::{KeyId, OperatorId};
use uuid::Uuid;

use crate::shop::store;
use crate::world::World;

/// A string that runs scripts on a page that does not escape it.
pub(crate) const HOSTILE: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";

impl World {
    /// Creates a world with an order of the store `SUN` for each of `orders`, which have the SKUs
    /// of its items. The ids of the orders are `shop-1`, `shop-2` and so on.
    pub(crate) async fn with_orders(orders: &[&[&str]]) -> Self {
        let world = Self::new().await;
        let shop = Shop::new(&world);
        for (skus, number) in orders.iter().zip(1..) {
            shop.order(&format!("shop-{number}"), skus).await;
        }
        world
    }
}

/// A store with orders that are ready for production immediately.
pub(crate) struct Shop<'w> {
    world: &'w World,
    pub(crate) store: Store,
}

impl<'w> Shop<'w> {
    /// The store `SUN`, in the scope of bound operators.
    pub(crate) fn new(world: &'w World) -> Self {
        Self::with(world, "SUN")
    }

    /// The store `MOON`, outside the scope of bound operators.
    pub(crate) fn other(world: &'w World) -> Self {
        Self::with(world, "MOON")
    }

    fn with(world: &'w World, prefix: &str) -> Self {
        Self {
            world,
            store: Store {
                settings: StoreSettings {
                    cooling_off_seconds: Some(0),
                    ..StoreSettings::default()
                },
                ..store(prefix)
            },
        }
    }

    /// Places an order with an item of two units for each of `skus`.
    pub(crate) async fn order(&self, order_id: &str, skus: &[&str]) -> Order {
        self.place(&draft(order_id, skus)).await
    }

    pub(crate) async fn place(&self, draft: &OrderDraft) -> Order {
        self.try_place(draft).await.unwrap()
    }

    pub(crate) async fn try_place(&self, draft: &OrderDraft) -> Result<Order, OrderError> {
        let orders = &self.world.orders;
        let placed = orders
            .place
            .create(&self.store, draft, &self.caller())
            .await?;
        Ok(placed.order)
    }

    pub(crate) async fn ask_to_cancel(&self, order: &Order) -> Order {
        let draft = CommandDraft {
            order_id: order.service_order_id.to_string().into(),
            reason: "changed their mind".into(),
            ..CommandDraft::default()
        };
        let orders = &self.world.orders;
        let asked = orders
            .moves
            .cancel(&self.store, &draft, &self.caller())
            .await;
        asked.unwrap().order
    }

    pub(crate) async fn answer(&self, number: &str, text: &str) {
        let draft = CommandDraft {
            order_id: number.into(),
            text: text.into(),
            ..CommandDraft::default()
        };
        let orders = &self.world.orders;
        let answered = orders
            .change
            .answer(&self.store, &draft, &self.caller())
            .await;
        answered.unwrap();
    }

    pub(crate) async fn cancel(&self, order_id: &str) {
        let draft = MoveDraft {
            values: MoveValues {
                reason: "changed their mind".into(),
                ..MoveValues::default()
            },
            ..MoveDraft::for_order("cancel", order_id)
        };
        let (orders, by) = (&self.world.orders, operator());
        let moved = orders
            .moves
            .move_orders((&self.store).into(), &draft, &by)
            .await;
        moved.unwrap().orders.remove(0).result.unwrap();
    }

    fn caller(&self) -> Caller {
        Caller {
            actor: Actor::Store(KeyId::new(Uuid::from_u128(1))),
            request_id: None,
        }
    }
}

pub(crate) fn draft(order_id: &str, skus: &[&str]) -> OrderDraft {
    let items = skus.iter().map(|sku| {
        Field::Value(LineItemDraft {
            sku: (*sku).into(),
            quantity: 2.into(),
            file_urls: Field::Value(vec!["https://files.example/front.png".into()]),
            ..LineItemDraft::default()
        })
    });
    OrderDraft {
        order_id: order_id.into(),
        shipping_address: Field::Value(AddressDraft {
            name: "Zoë O'Brien".into(),
            address1: "1 Main St".into(),
            city: "Springfield".into(),
            zip: "62701".into(),
            province_code: "US-IL".into(),
            country_code: "US".into(),
            ..AddressDraft::default()
        }),
        customer: Field::Value(CustomerDraft {
            first_name: "Ana".into(),
            last_name: "Lima".into(),
        }),
        line_items: Field::Value(items.collect()),
        ..OrderDraft::default()
    }
}

pub(crate) fn operator() -> Caller {
    Caller {
        actor: Actor::Operator(OperatorId::new(Uuid::from_u128(2))),
        request_id: None,
    }
}
