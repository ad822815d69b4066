//! Shipments of any store's orders, created by operators and carriers.

mod dispatch;

use std::collections::BTreeSet;

use pressline_domain::check::Field;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::{ItemStatus, ShipmentStatus};
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};
use pressline_domain::order::{HistoryDraft, OrderError};
use pressline_domain::value::Currency;

use super::fixture::*;
use dispatch::{Dispatch, about, parcel, parcel_of, reported, statuses};

#[tokio::test]
async fn a_partial_shipment_keeps_the_item_in_production() {
    let dispatch = Dispatch::open().await;
    let order = dispatch.of_shop("T-1", &[10]).await;
    let first = dispatch.ship(&parcel_of(&order, "1Z-1", 6)).await;
    assert!(!first.replayed);
    assert_eq!(statuses(&first), [ItemStatus::InProduction]);
    expect(
        "five of four units",
        dispatch.create(&parcel_of(&order, "1Z-2", 5)).await,
        &[("line_items[0].quantity", "out_of_range")],
    );
    let second = dispatch.ship(&parcel(&order, "1Z-2")).await;
    assert_eq!(second.shipment.items[0].quantity, 4);
    assert_eq!(statuses(&second), [ItemStatus::Fulfilled]);
    let numbers = second.order.shipments.iter();
    let numbers: Vec<_> = numbers
        .map(|shipment| shipment.tracking_number.clone())
        .collect();
    assert_eq!(numbers, [Some("1Z-1".to_owned()), Some("1Z-2".to_owned())]);
    assert_eq!(dispatch.shop.stored("T-1").await, Some(second.order));
}

#[tokio::test]
async fn a_repeated_parcel_is_the_same_shipment() {
    let dispatch = Dispatch::open().await;
    let order = dispatch.of_shop("T-1", &[10]).await;
    let with_ref = ShipmentDraft {
        reference: "R-1".into(),
        ..parcel_of(&order, "1Z-1", 6)
    };
    let first = dispatch.ship(&with_ref).await;
    // An absent field matches the stored value.
    let by_ref = ShipmentDraft {
        order_id: with_ref.order_id.clone(),
        reference: "R-1".into(),
        ..ShipmentDraft::default()
    };
    for same in [
        &with_ref,
        &by_ref,
        &parcel(&order, "1Z-1"),
        &parcel_of(&order, "1Z-1", 6),
    ] {
        let again = dispatch.ship(same).await;
        assert!(again.replayed, "{same:?}");
        assert_eq!(
            (&again.shipment, &again.order),
            (&first.shipment, &first.order)
        );
    }
    for other in [
        parcel_of(&order, "1Z-1", 5),
        ShipmentDraft {
            tracking_number: "1Z-9".into(),
            ..by_ref.clone()
        },
        ShipmentDraft {
            tracking_url: "https://example.com/1".into(),
            ..by_ref
        },
    ] {
        let refused = dispatch.create(&other).await;
        assert!(
            matches!(&refused, Err(OrderError::DuplicateShipment(id)) if *id == first.shipment.id),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn voiding_a_shipment_frees_its_units_and_reference() {
    let dispatch = Dispatch::open().await;
    let order = dispatch.of_shop("T-1", &[10]).await;
    let draft = ShipmentDraft {
        reference: "R-1".into(),
        ..parcel(&order, "1Z-1")
    };
    let first = dispatch.ship(&draft).await;
    let without_reason = ShipmentDraft {
        reason: Field::Absent,
        ..about(&first)
    };
    expect(
        "no reason",
        dispatch.void(&without_reason).await,
        &[("reason", "required")],
    );
    let voided = dispatch.void(&about(&first)).await.unwrap();
    assert_eq!(voided.shipment.status, ShipmentStatus::Void);
    assert_eq!(statuses(&voided), [ItemStatus::InProduction]);
    assert!(dispatch.void(&about(&first)).await.unwrap().replayed);
    let again = dispatch.ship(&draft).await;
    assert!(!again.replayed && again.shipment.id != first.shipment.id);
    assert_eq!(statuses(&again), [ItemStatus::Fulfilled]);
    // The report applies to the shipment that is not void, although both have the number.
    let delivered = dispatch
        .track(&reported("1Z-1", "delivered"))
        .await
        .unwrap();
    assert_eq!(delivered.shipment.id, again.shipment.id);
    assert_eq!(dispatch.found("1Z-1").await, ["DEMO-1", "DEMO-1"]);
}

#[tokio::test]
async fn late_and_repeated_reports_change_nothing() {
    let dispatch = Dispatch::open().await;
    let order = dispatch.of_shop("T-1", &[1]).await;
    let shipped = dispatch.ship(&parcel(&order, "1Z-1")).await;
    let at = NOW + 5;
    let report = ShipmentDraft {
        at: at.into(),
        ..reported("1Z-1", "delivered")
    };
    let delivered = dispatch.track(&report).await.unwrap();
    assert_eq!(delivered.shipment.delivered_at.unwrap().as_millis(), at);
    assert_eq!(statuses(&delivered), [ItemStatus::Delivered]);
    assert!(dispatch.track(&report).await.unwrap().replayed);
    let by_id = ShipmentDraft {
        status: "returned".into(),
        ..about(&shipped)
    };
    let returned = dispatch.track(&by_id).await.unwrap();
    assert_eq!(statuses(&returned), [ItemStatus::Returned]);
    let late = dispatch.track(&report).await.unwrap();
    assert!(late.replayed);
    assert_eq!(late.order, returned.order);
    let history = HistoryDraft {
        order_id: "T-1".into(),
        ..HistoryDraft::default()
    };
    let service = &dispatch.shop.service;
    let history = service.read.history(&dispatch.shop.store, &history).await;
    let roles: Vec<Role> = history
        .unwrap()
        .page
        .entries
        .iter()
        .map(|event| event.event.actor.role())
        .collect();
    let (carrier, operator, store) = (Role::Carrier, Role::Operator, Role::Store);
    assert_eq!(roles, [carrier, carrier, operator, store, store]);
}

#[tokio::test]
async fn an_ambiguous_report_changes_no_parcel() {
    let dispatch = Dispatch::open().await;
    let (first, second) = (
        dispatch.of_shop("T-1", &[1]).await,
        dispatch.of_shop("T-2", &[1]).await,
    );
    // One physical parcel contains two orders.
    let first = dispatch.ship(&parcel(&first, "1Z-1")).await;
    dispatch.ship(&parcel(&second, "1Z-1")).await;
    expect(
        "both under way",
        dispatch.track(&reported("1Z-1", "delivered")).await,
        &[
            ("trackingNumber", "ambiguous"),
            ("trackingNumber", "ambiguous"),
        ],
    );
    let by_id = ShipmentDraft {
        status: "delivered".into(),
        ..about(&first)
    };
    assert!(!dispatch.track(&by_id).await.unwrap().replayed);
    let in_order = ShipmentDraft {
        order_id: "DEMO-2".into(),
        ..reported("1Z-1", "delivered")
    };
    assert!(!dispatch.track(&in_order).await.unwrap().replayed);
    assert!(
        dispatch
            .track(&reported("1Z-1", "delivered"))
            .await
            .unwrap()
            .replayed
    );
    // The number belongs to a parcel of another carrier.
    let other = ShipmentDraft {
        carrier: "DHL".into(),
        ..reported("1Z-1", "delivered")
    };
    let refused = dispatch.track(&other).await;
    assert!(
        matches!(refused, Err(OrderError::UnknownShipment)),
        "{refused:?}"
    );
}

#[tokio::test]
async fn values_of_a_shipment_are_changed() {
    let dispatch = Dispatch::open().await;
    let order = dispatch.of_shop("T-1", &[2]).await;
    let shipped = dispatch.ship(&parcel_of(&order, "1Z-1", 1)).await;
    let other = dispatch.ship(&parcel_of(&order, "1Z-2", 1)).await;
    let update = ShipmentDraft {
        tracking_number: "1Z-3".into(),
        version: i64::from(other.order.state.version).into(),
        ..about(&shipped)
    };
    let updated = dispatch.update(&update).await.unwrap();
    assert_eq!(updated.shipment.tracking_number.as_deref(), Some("1Z-3"));
    assert_eq!(dispatch.found("1Z-1").await, Vec::<String>::new());
    assert_eq!(dispatch.found("1Z-3").await, ["DEMO-1"]);
    let stale = dispatch.update(&update).await;
    assert!(
        matches!(stale, Err(OrderError::VersionConflict { .. })),
        "{stale:?}"
    );
    let taken = ShipmentDraft {
        version: Field::Absent,
        tracking_number: "1Z-2".into(),
        ..update
    };
    let taken = dispatch.update(&taken).await;
    assert!(
        matches!(taken, Err(OrderError::DuplicateShipment(_))),
        "{taken:?}"
    );
}

#[tokio::test]
async fn shipments_outside_the_stores_of_an_operator_are_not_found() {
    let mut dispatch = Dispatch::open().await;
    let other = dispatch.shop.add_store("OTHER", Currency::USD).await;
    let own = dispatch.of_shop("T-1", &[1]).await;
    let order = dispatch.ready(&other, "T-1", &[1]).await;
    let shipped = dispatch.ship(&parcel(&own, "1Z-1")).await;
    dispatch.ship(&parcel(&order, "1Z-1")).await;
    assert_eq!(dispatch.found("1Z-1").await.len(), 2);
    dispatch.desk.operator.stores = Some(BTreeSet::from([other.id]));
    assert_eq!(dispatch.found("1Z-1").await, ["OTHER-1"]);
    for refused in [
        dispatch.update(&about(&shipped)).await,
        dispatch.void(&about(&shipped)).await,
        dispatch
            .track(&ShipmentDraft {
                status: "delivered".into(),
                ..about(&shipped)
            })
            .await,
    ] {
        assert!(
            matches!(refused, Err(OrderError::UnknownShipment)),
            "{refused:?}"
        );
    }
    let refused = dispatch.create(&parcel(&own, "1Z-1")).await;
    assert!(matches!(refused, Err(OrderError::NotFound)), "{refused:?}");
    // The number identifies the parcel of the operator's own store.
    let delivered = dispatch
        .track(&reported("1Z-1", "delivered"))
        .await
        .unwrap();
    assert_eq!(delivered.order.service_order_id.to_string(), "OTHER-1");
}

#[tokio::test]
async fn wrong_requests_are_refused_with_all_their_problems() {
    let dispatch = Dispatch::open().await;
    let order = dispatch.of_shop("T-1", &[1]).await;
    let wrong = ShipmentDraft {
        tracking_url: "javascript:alert(1)".into(),
        shipped_at: 1_717_818_552.into(),
        line_items: Field::Value(vec![
            Field::Value(UnitsDraft::default()),
            Field::Value(UnitsDraft {
                app_item_id: "x".into(),
                quantity: 1001.into(),
            }),
        ]),
        ..ShipmentDraft::default()
    };
    expect(
        "a new one",
        dispatch.create(&wrong).await,
        &[
            ("line_items[0].appItemId", "required"),
            ("line_items[0].quantity", "required"),
            ("line_items[1].quantity", "out_of_range"),
            ("order_id", "required"),
            ("trackingUrl", "invalid_format"),
            ("shippedAt", "out_of_range"),
        ],
    );
    expect(
        "a report",
        dispatch.track(&ShipmentDraft::default()).await,
        &[("shipmentId", "required"), ("status", "required")],
    );
    let both = ShipmentDraft {
        shipment_id: "x".into(),
        ..reported("1Z-1", "lost")
    };
    expect(
        "both names",
        dispatch.track(&both).await,
        &[("shipmentId", "conflict"), ("status", "invalid_format")],
    );
    expect(
        "no id",
        dispatch.void(&both).await,
        &[("shipmentId", "invalid_format")],
    );
    let unknown = ShipmentDraft {
        line_items: Field::Value(vec![Field::Value(UnitsDraft {
            app_item_id: "x".into(),
            quantity: 1.into(),
        })]),
        ..parcel(&order, "1Z-1")
    };
    let unknown = dispatch.create(&unknown).await;
    assert!(
        matches!(unknown, Err(OrderError::UnknownItem(_))),
        "{unknown:?}"
    );
}
