//! Contents of events, and events that cannot be undone.

use super::fixture::*;
use pressline_domain::event::{Event, NewEvent, Role, UndoError, Value, at_version, undo};
use pressline_domain::fulfilment::*;
use pressline_domain::order::{Address, OrderParts};

fn event_of(decision: Result<Decision, Refusal>) -> (Snapshot, NewEvent) {
    match decision {
        Ok(Decision::Changed(change)) => (change.order, change.event),
        other => panic!("not a change: {other:?}"),
    }
}

#[test]
fn an_event_has_the_paths_of_responses() {
    let mut items = content(vec![line(1)]);
    items.shipping_address = Some(Address {
        city: Some("Huế".to_owned()),
        ..Address::default()
    });
    let placement = place(&items, HOUR, &store()).unwrap();
    let content = items.into();
    let order = placement
        .placed(content, "DEMO-1".parse().unwrap(), 1)
        .unwrap();
    let mut edited = OrderParts::clone(&order.content);
    edited.shipping_address.as_mut().unwrap().city = Some("Hội An".to_owned());
    edited.items[0].quantity = 2;
    edited.email = Some("a@example.com".to_owned());
    let (after, event) = event_of(update(&order, edited, &store()));
    let paths: Vec<&str> = event
        .changes
        .iter()
        .map(|change| change.path.as_str())
        .collect();
    let quantity = format!("childDetails[{}].quantity", id(&order, 0));
    assert_eq!(paths, [quantity.as_str(), "email", "shippingAddress.city"]);
    let email = &event.changes[1];
    assert_eq!(email.old, Value::None);
    assert_eq!(email.new, Value::Text("a@example.com".to_owned()));
    assert_eq!(
        (event.actor.role(), event.reason.as_deref()),
        (Role::Store, None)
    );
    assert_eq!(undo(&after, &event), Ok(order));
}

#[test]
fn a_move_shows_statuses_only() {
    let order = placed(vec![line(1)], HOUR);
    let (_, event) = event_of(due(&order, &service(3600)));
    assert_eq!(event.items.len(), 1);
    assert!(event.changes.iter().all(|change| !change.is_shown()));
    assert_eq!(event.previous.map(|previous| previous.sequence), Some(1));
}

#[test]
fn only_the_latest_event_can_be_undone() {
    let order = ready(&[1]);
    let (begun, event) = event_of(move_items(Command::Start, &order, None, &operator()));
    let not_the_latest = undo(&order, &event);
    let expected = UndoError::NotTheLatest { event: 2, order: 1 };
    assert_eq!(not_the_latest, Err(expected));
    let event = Event { sequence: 2, event };
    assert_eq!(at_version(&begun, [&event], 1), Ok(order));
    assert_eq!(at_version(&begun, [], 1), Err(UndoError::Missing));
    assert_eq!(at_version(&begun, [&event], 3), Err(UndoError::Missing));
}

#[test]
fn a_damaged_event_is_not_undone() {
    let order = ready(&[1]);
    let held = hold(&order, &hold_of(None, None), &operator());
    let (held, event) = event_of(held);
    let damaged = event.changed(|parts| parts.changes[0].old = Value::Flag(true));
    let path = event.changes[0].path.clone();
    assert_eq!(undo(&held, &damaged.unwrap()), Err(UndoError::Field(path)));
    let lost = event.changed(|parts| parts.changes.clear()).unwrap();
    assert!(matches!(undo(&held, &lost), Err(UndoError::Broken(_))));
}

#[test]
fn the_event_of_three_items_that_become_ready_is_small() {
    let order = placed(vec![line(1), line(1), line(1)], HOUR);
    let (_, event) = event_of(due(&order, &service(3600)));
    let bytes = serde_json::to_string(&event).unwrap().len();
    assert!(bytes < 1024, "{bytes} bytes");
}
