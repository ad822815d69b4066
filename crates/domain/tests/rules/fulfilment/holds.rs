//! Holds, and cancellations without a decision.

use super::fixture::*;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::*;

#[test]
fn an_item_on_hold_does_not_delay_the_others() {
    let order = with_held_item(0, &store());
    let order = changed(
        &order,
        due(&order, &service(3600)),
        EventType::OrderStatusChanged,
    );
    assert_eq!(statuses(&order), ["on-hold", "ready"]);
    // The item's window has ended during the hold, so it becomes ready when it is released.
    let late = Context {
        now: at(4000),
        ..store()
    };
    let order = released(&order, &late);
    assert_eq!(statuses(&order), ["ready", "ready"]);
    is_so(release(&order, None, &late));
}

#[test]
fn a_hold_ends_by_itself() {
    let order = placed(vec![line(1)], HOUR);
    let held = hold(&order, &hold_of(None, Some(at(60))), &store());
    let order = changed(&order, held, EventType::OrderHeld);
    assert_eq!(order.state.due_at, Some(at(60)));
    is_so(due(&order, &service(59)));
    // Only the holder changes the end of a hold, and only to another time.
    is_so(hold(&order, &hold_of(None, Some(at(90))), &operator()));
    is_so(hold(&order, &hold_of(None, None), &store()));
    is_so(hold(&order, &hold_of(None, Some(at(60))), &store()));
    let longer = hold(&order, &hold_of(None, Some(at(90))), &store());
    let order = changed(&order, longer, EventType::OrderHeld);
    let order = changed(&order, due(&order, &service(90)), EventType::OrderReleased);
    assert_eq!(statuses(&order), ["cooling-off"]);
    for wrong in [at(1), at(0), at(400 * 24 * 3600)] {
        let refused = hold(&order, &hold_of(None, Some(wrong)), &store());
        assert!(matches!(refused, Err(Refusal::Invalid(_))), "{refused:?}");
    }
}

#[test]
fn a_store_does_not_end_an_operators_hold() {
    let order = with_held_item(0, &operator());
    for given in [None, Some(&[id(&order, 0)][..])] {
        match release(&order, given, &store()) {
            Err(Refusal::IllegalTransition { from, items, .. }) => {
                assert_eq!((from, items), (ItemStatus::OnHold, vec![id(&order, 0)]));
            }
            other => panic!("{other:?}"),
        }
    }
    is_so(release(&order, Some(&[id(&order, 1)]), &store()));
    released(&order, &operator());
}

#[test]
fn an_operators_hold_remembers_production() {
    let order = ready(&[1]);
    let order = started(&order);
    let needed = need(&order, &need_of(NeedCode::Other, None), &operator());
    let order = changed(&order, needed, EventType::OrderActionNeeded);
    let held = hold(&order, &hold_of(None, None), &operator());
    let order = changed(&order, held, EventType::OrderHeld);
    assert_eq!(
        order.state.items[0].returns_to,
        Some(ItemStatus::InProduction)
    );
    let order = released(&order, &operator());
    assert_eq!(statuses(&order), ["in-production"]);
    // Ending the hold also ended the need.
    assert!(order.state.needs.is_empty());
}

#[test]
fn early_items_are_cancelled_at_once() {
    let order = placed(vec![line(1), incomplete(1), line(1)], HOUR);
    let second = Some(vec![id(&order, 1)]);
    let done = cancel(&order, &cancel_of(second.clone()), &line_id, &store());
    let order = changed(&order, done, EventType::OrderCancelled);
    assert_eq!(
        statuses(&order),
        ["cooling-off", "cancelled", "cooling-off"]
    );
    // A cancelled item does not delay the other items.
    assert_eq!(order.state.due_at, Some(at(3600)));
    is_so(cancel(&order, &cancel_of(second), &line_id, &store()));
    let rest = cancel(&order, &cancel_of(None), &line_id, &store());
    let order = changed(&order, rest, EventType::OrderCancelled);
    assert!(order.state.is_cancelled());
    assert_eq!(order.state.due_at, None);
    match move_items(Command::Start, &order, None, &operator()) {
        Err(Refusal::IllegalTransition { allowed, .. }) => assert_eq!(allowed, []),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_due_time_that_the_service_has_moved_ahead_is_no_change() {
    let order = placed(vec![line(1)], HOUR);
    let later = |parts: &mut SnapshotParts| parts.state.due_at = Some(at(3660));
    let order = order.changed(later).unwrap();
    is_so(due(&order, &service(3599)));
}

#[test]
fn plain_moves_refuse_commands_with_several_targets() {
    let order = ready(&[1]);
    for command in [Command::Resolve, Command::Files] {
        let moved = move_items(command, &order, None, &operator());
        assert!(moved.is_err(), "{command:?}: {moved:?}");
    }
}
