//! A print shop that sends parcels, and shipment requests.

use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, ItemStatus};
use pressline_domain::order::request::{CommandDraft, LineItemDraft, ShipmentDraft, UnitsDraft};
use pressline_domain::order::{Order, OrderError, Shipped};
use pressline_domain::store::Store;

use crate::desk::Desk;
use crate::fixture::*;

pub(super) struct Dispatch {
    pub(super) shop: Shop,
    pub(super) desk: Desk,
}

impl Dispatch {
    pub(super) async fn open() -> Self {
        let shop = Shop::open().await;
        let desk = Desk::new(&shop);
        Self { shop, desk }
    }

    /// Places an order of `store`, with an item of ready mugs for each of `quantities`.
    pub(super) async fn ready(&self, store: &Store, order_id: &str, quantities: &[i64]) -> Order {
        let mug = |quantity: &i64| LineItemDraft {
            file_urls: urls(&[URL]),
            ..item("MUG-11", *quantity)
        };
        let draft = order_of(order_id, quantities.iter().map(mug).collect());
        let service = &self.shop.service;
        service
            .place
            .create(store, &draft, &caller())
            .await
            .unwrap();
        let now = CommandDraft {
            order_id: order_id.into(),
            ..CommandDraft::default()
        };
        let placed = service.moves.process_now(store, &now, &caller()).await;
        placed.unwrap().order
    }

    pub(super) async fn of_shop(&self, order_id: &str, quantities: &[i64]) -> Order {
        self.ready(&self.shop.store, order_id, quantities).await
    }

    pub(super) fn by(&self) -> Caller {
        Caller {
            actor: self.desk.operator.actor(),
            request_id: Some("call-1".to_owned()),
        }
    }

    pub(super) async fn create(&self, draft: &ShipmentDraft) -> Result<Shipped, OrderError> {
        let service = &self.shop.service;
        service
            .ship
            .create_shipment(self.desk.scope(), draft, &self.by())
            .await
    }

    /// Creates a shipment that must not be refused.
    pub(super) async fn ship(&self, draft: &ShipmentDraft) -> Shipped {
        self.create(draft).await.unwrap()
    }

    pub(super) async fn update(&self, draft: &ShipmentDraft) -> Result<Shipped, OrderError> {
        let service = &self.shop.service;
        service
            .ship
            .update_shipment(self.desk.scope(), draft, &self.by())
            .await
    }

    pub(super) async fn void(&self, draft: &ShipmentDraft) -> Result<Shipped, OrderError> {
        let service = &self.shop.service;
        service
            .ship
            .void_shipment(self.desk.scope(), draft, &self.by())
            .await
    }

    pub(super) async fn track(&self, draft: &ShipmentDraft) -> Result<Shipped, OrderError> {
        let service = &self.shop.service;
        let carrier = Caller {
            actor: Actor::Carrier(self.desk.operator.id),
            request_id: None,
        };
        service
            .ship
            .track_shipment(self.desk.scope(), draft, &carrier)
            .await
    }

    pub(super) async fn found(&self, number: &str) -> Vec<String> {
        let draft = ShipmentDraft {
            tracking_number: number.into(),
            ..ShipmentDraft::default()
        };
        let service = &self.shop.service;
        let found = service.read.find_shipments(self.desk.scope(), &draft).await;
        let shipments = found.unwrap().shipments.into_iter();
        shipments
            .map(|found| found.service_order_id.to_string())
            .collect()
    }
}

/// A parcel with all remaining units of `order`.
pub(super) fn parcel(order: &Order, number: &str) -> ShipmentDraft {
    ShipmentDraft {
        order_id: Field::Value(order.service_order_id.to_string()),
        carrier: "UPS".into(),
        tracking_number: number.into(),
        ..ShipmentDraft::default()
    }
}

/// A parcel with `quantity` units of the first item of `order`.
pub(super) fn parcel_of(order: &Order, number: &str, quantity: i64) -> ShipmentDraft {
    let units = UnitsDraft {
        app_item_id: Field::Value(order.state.items[0].id.to_string()),
        quantity: quantity.into(),
    };
    ShipmentDraft {
        line_items: Field::Value(vec![Field::Value(units)]),
        ..parcel(order, number)
    }
}

pub(super) fn about(shipped: &Shipped) -> ShipmentDraft {
    ShipmentDraft {
        shipment_id: Field::Value(shipped.shipment.id.to_string()),
        reason: "a mistake".into(),
        ..ShipmentDraft::default()
    }
}

pub(super) fn reported(number: &str, status: &str) -> ShipmentDraft {
    ShipmentDraft {
        carrier: "ups".into(),
        tracking_number: number.into(),
        status: status.into(),
        ..ShipmentDraft::default()
    }
}

pub(super) fn statuses(shipped: &Shipped) -> Vec<ItemStatus> {
    shipped.order.state.item_statuses()
}
