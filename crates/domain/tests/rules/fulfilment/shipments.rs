//! Shipments: partial shipments, repeated requests, late reports.

use super::fixture::*;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::*;
use pressline_domain::value::ShipmentId;

fn units(order: &Snapshot, place: usize, quantity: u32) -> Option<Vec<ShippedUnits>> {
    let id = id(order, place);
    Some(vec![ShippedUnits { id, quantity }])
}

fn shipped(order: &Snapshot, units: Option<Vec<ShippedUnits>>, number: &str) -> Snapshot {
    let decision = ship(order, &ship_of(units, number), &operator());
    changed(order, decision, EventType::ShipmentCreated)
}

fn tracked(order: &Snapshot, place: usize, tracking: Tracking) -> Snapshot {
    let kind = match tracking {
        Tracking::Delivered => EventType::ShipmentDelivered,
        Tracking::Returned => EventType::ShipmentReturned,
    };
    let decision = track(order, order.shipments[place].id, tracking, None, &carrier());
    changed(order, decision, kind)
}

#[test]
fn an_item_stays_in_production_until_all_units_are_shipped() {
    let order = ready(&[10]);
    let order = shipped(&order, units(&order, 0, 6), "1");
    assert_eq!(statuses(&order), ["in-production"]);
    assert_eq!(order.state.items[0].shipped_quantity, 6);
    // The delivery of a first parcel moves nothing while units are unshipped.
    let order = tracked(&order, 0, Tracking::Delivered);
    assert_eq!(statuses(&order), ["in-production"]);
    let order = shipped(&order, None, "2");
    assert_eq!(order.shipments[1].items[0].quantity, 4);
    assert_eq!(statuses(&order), ["fulfilled"]);
    let order = tracked(&order, 1, Tracking::Delivered);
    assert_eq!(statuses(&order), ["delivered"]);
}

#[test]
fn more_units_than_are_left_are_refused() {
    let order = ready(&[3, 1]);
    for wrong in [units(&order, 0, 4), units(&order, 0, 0), Some(Vec::new())] {
        let refused = ship(&order, &ship_of(wrong, "1"), &operator());
        assert!(matches!(refused, Err(Refusal::Invalid(_))), "{refused:?}");
    }
    let order = shipped(&order, None, "1");
    assert_eq!(statuses(&order), ["fulfilled", "fulfilled"]);
    let none_left = ship(&order, &ship_of(None, "2"), &operator());
    assert!(matches!(none_left, Err(Refusal::IllegalTransition { .. })));
}

#[test]
fn a_given_address_takes_precedence_over_the_usual_carriers() {
    let order = ready(&[1]);
    let mut parcel = parcel(id(&order, 0), 1, ShipmentStatus::Shipped);
    let usual = "https://www.ups.com/track?tracknum=1Z1";
    assert_eq!(parcel.tracking_address().as_deref(), Some(usual));
    parcel.tracking_url = Some("https://example.com/1Z1".to_owned());
    assert_eq!(parcel.tracking_address(), parcel.tracking_url);
}

#[test]
fn the_same_parcel_again_is_the_same_shipment() {
    let order = ready(&[2]);
    let order = shipped(&order, units(&order, 0, 1), "1");
    is_so(ship(&order, &ship_of(None, "1"), &operator()));
    is_so(ship(
        &order,
        &ship_of(units(&order, 0, 1), "1"),
        &operator(),
    ));
    let other = ship(&order, &ship_of(units(&order, 0, 2), "1"), &operator());
    let stored = order.shipments[0].id;
    assert_eq!(other, Err(Refusal::DuplicateShipment(stored)));
    let update = ShipmentUpdate {
        reference: Some("R-1".to_owned()),
        ..ShipmentUpdate::default()
    };
    let updated = update_shipment(&order, stored, update.clone(), &operator());
    let order = changed(&order, updated, EventType::ShipmentUpdated);
    is_so(update_shipment(&order, stored, update.clone(), &operator()));
    let order = shipped(&order, None, "2");
    let second = order.shipments[1].id;
    let taken = update_shipment(&order, second, update, &operator());
    assert_eq!(taken, Err(Refusal::DuplicateShipment(stored)));
}

#[test]
fn a_void_shipment_gives_its_units_and_its_reference_back() {
    let order = ready(&[2]);
    let order = shipped(&order, None, "1");
    let first = order.shipments[0].id;
    let order = changed(
        &order,
        void(&order, first, &operator()),
        EventType::ShipmentVoided,
    );
    assert_eq!(statuses(&order), ["in-production"]);
    is_so(void(&order, first, &operator()));
    is_so(track(&order, first, Tracking::Delivered, None, &carrier()));
    let order = shipped(&order, None, "1");
    let order = tracked(&order, 1, Tracking::Delivered);
    let late = void(&order, order.shipments[1].id, &operator());
    match late {
        Err(Refusal::IllegalTransition { from, to, .. }) => {
            assert_eq!(
                (from, to),
                (ItemStatus::Delivered, Some(ItemStatus::InProduction))
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_message_moves_anything_backwards() {
    let order = ready(&[1]);
    let order = shipped(&order, None, "1");
    let parcel = order.shipments[0].id;
    let order = tracked(&order, 0, Tracking::Delivered);
    is_so(track(&order, parcel, Tracking::Delivered, None, &carrier()));
    let order = tracked(&order, 0, Tracking::Returned);
    assert_eq!(statuses(&order), ["returned"]);
    is_so(track(&order, parcel, Tracking::Delivered, None, &carrier()));
    let unknown = track(
        &order,
        ShipmentId::new(uuid()),
        Tracking::Returned,
        None,
        &carrier(),
    );
    assert_eq!(unknown, Err(Refusal::UnknownShipment));
}

#[test]
fn an_item_with_delivered_and_returned_parcels_is_returned_once_all_have_arrived() {
    let order = ready(&[2]);
    let order = shipped(&order, units(&order, 0, 1), "1");
    let order = shipped(&order, None, "2");
    let order = tracked(&order, 0, Tracking::Returned);
    assert_eq!(statuses(&order), ["fulfilled"]);
    let order = tracked(&order, 1, Tracking::Delivered);
    assert_eq!(statuses(&order), ["returned"]);
}

#[test]
fn an_item_with_shipped_units_is_neither_put_back_nor_cancelled() {
    let order = ready(&[2]);
    let order = shipped(&order, units(&order, 0, 1), "1");
    for refused in [
        move_items(Command::PutBack, &order, None, &operator()),
        cancel(&order, &cancel_of(None), &line_id, &operator()),
    ] {
        assert!(
            matches!(refused, Err(Refusal::IllegalTransition { .. })),
            "{refused:?}"
        );
    }
    // The store may request the cancellation, but it can no longer be approved.
    let asked = cancel(&order, &cancel_of(None), &line_id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    let approved = decide(&order, approve(None), &line_id, &operator());
    assert!(
        matches!(approved, Err(Refusal::NotEditable { .. })),
        "{approved:?}"
    );
}
