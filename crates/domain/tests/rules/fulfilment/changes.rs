//! Changes that the store requests and the print shop decides.

use super::fixture::*;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::*;

/// Returns an order in production with a pending cancellation of its first item.
fn asked() -> Snapshot {
    let order = ready(&[2, 1]);
    let first = id(&order, 0);
    let begun = move_items(Command::Start, &order, Some(&[first]), &operator());
    let order = changed(&order, begun, EventType::OrderStatusChanged);
    let asked = cancel(&order, &cancel_of(Some(vec![first])), &line_id, &store());
    changed(&order, asked, EventType::OrderChangeRequested)
}

fn is_offered(order: &Snapshot, place: usize, action: Command) -> bool {
    let (item, context) = (&order.state.items[place], store());
    let offers = allowed_actions_of(order, item, context.role(), context.now);
    offers.iter().any(|offer| offer.action == action)
}

#[test]
fn a_store_asks_for_what_it_cannot_do_itself() {
    let order = asked();
    assert_eq!(statuses(&order), ["request-change", "ready"]);
    let pending = order.state.pending.as_ref().unwrap();
    assert_eq!(pending.request.kind(), ChangeKind::Cancel);
    assert_eq!(pending.items, [id(&order, 0)]);
    // A repeated request is unchanged; a different request is refused.
    let same = cancel_of(Some(vec![id(&order, 0)]));
    is_so(cancel(&order, &same, &line_id, &store()));
    let second = Some(vec![id(&order, 1)]);
    for refused in [
        cancel(&order, &cancel_of(None), &line_id, &store()),
        hold(&order, &hold_of(None, None), &store()),
        hold(&order, &hold_of(second, None), &store()),
    ] {
        let items = vec![id(&order, 0)];
        assert_eq!(refused, Err(Refusal::ChangePending { items }));
    }
}

#[test]
fn a_call_that_covers_an_item_at_work_becomes_one_request() {
    let order = with_held_item(0, &store());
    let order = changed(
        &order,
        process_now(&order, &store()),
        EventType::OrderStatusChanged,
    );
    assert_eq!(statuses(&order), ["on-hold", "ready"]);
    let asked = cancel(&order, &cancel_of(None), &line_id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    // Only the item in production waits, but both items belong to the request.
    assert_eq!(statuses(&order), ["on-hold", "request-change"]);
    let pending = order.state.pending.as_ref().unwrap();
    assert_eq!((pending.items.len(), pending.asked.len()), (2, 1));
    // A change of the early item alone is applied immediately.
    released(&order, &store());
    let approved = decide(&order, approve(None), &line_id, &operator());
    let order = changed(&order, approved, EventType::OrderChangeApproved);
    assert_eq!(statuses(&order), ["cancelled", "cancelled"]);
}

#[test]
fn a_refused_change_leaves_items_as_they_were() {
    let order = asked();
    let silent = Context {
        reason: None,
        ..operator()
    };
    let refused = decide(&order, verdict(Verdict::Refuse), &line_id, &silent);
    assert!(matches!(refused, Err(Refusal::Invalid(_))));
    let refused = decide(&order, verdict(Verdict::Refuse), &line_id, &operator());
    let order = changed(&order, refused, EventType::OrderChangeRefused);
    assert_eq!(statuses(&order), ["in-production", "ready"]);
    assert_eq!(order.state.pending, None);
    let again = decide(&order, verdict(Verdict::Refuse), &line_id, &operator());
    assert!(matches!(again, Err(Refusal::IllegalTransition { .. })));
}

#[test]
fn a_question_back_leaves_the_change_pending() {
    let order = asked();
    let question = Verdict::Ask {
        need: pressline_domain::value::NeedId::new(uuid()),
        text: "It is printed. Cancel all the same?".to_owned(),
    };
    let asked_back = decide(&order, verdict(question), &line_id, &operator());
    let order = changed(&order, asked_back, EventType::OrderActionNeeded);
    assert_eq!(statuses(&order), ["need-action", "ready"]);
    let early = decide(&order, approve(None), &line_id, &operator());
    assert!(matches!(early, Err(Refusal::IllegalTransition { .. })));
    let answered = answer(&order, &answer_of(Some("Yes."), None), &line_id, &store());
    let order = changed(&order, answered, EventType::OrderActionAnswered);
    let command = resolve_all(Resolution::Return);
    let resolved = resolve(&order, &command, &line_id, &operator());
    let resolved = changed(&order, resolved, EventType::OrderActionResolved);
    assert_eq!(statuses(&resolved), ["request-change", "ready"]);
    assert!(resolved.state.needs.is_empty());
    // The store can withdraw its request while the question is open.
    let withdrawn = withdrawn(&order);
    assert_eq!(statuses(&withdrawn), ["in-production", "ready"]);
    assert!(withdrawn.state.needs.is_empty());
    is_so(withdraw_change(&withdrawn, &store()));
}

#[test]
fn a_change_is_not_decided_while_a_question_about_it_is_open() {
    let order = ready(&[2, 1]);
    let asked = cancel(&order, &cancel_of(None), &line_id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    let question = Verdict::Ask {
        need: pressline_domain::value::NeedId::new(uuid()),
        text: "Both?".to_owned(),
    };
    let asked_back = decide(&order, verdict(question), &line_id, &operator());
    let order = changed(&order, asked_back, EventType::OrderActionNeeded);
    let resolve_at = |order: &Snapshot, place: usize| {
        let command = ResolveCommand {
            items: Some(vec![id(order, place)]),
            resolution: Resolution::Return,
        };
        let resolved = resolve(order, &command, &line_id, &operator());
        changed(order, resolved, EventType::OrderActionResolved)
    };
    let order = resolve_at(&order, 0);
    assert_eq!(statuses(&order), ["request-change", "need-action"]);
    for ruling in [Verdict::Refuse, approve(None).verdict] {
        let early = decide(&order, verdict(ruling), &line_id, &operator());
        assert!(
            matches!(early, Err(Refusal::IllegalTransition { .. })),
            "{early:?}"
        );
    }
    let order = resolve_at(&order, 1);
    let refused = decide(&order, verdict(Verdict::Refuse), &line_id, &operator());
    let order = changed(&order, refused, EventType::OrderChangeRefused);
    assert_eq!(statuses(&order), ["ready", "ready"]);
}

#[test]
fn asking_never_ends_an_operators_hold() {
    let order = ready(&[1]);
    let held = hold(&order, &hold_of(None, Some(at(900))), &operator());
    let order = changed(&order, held, EventType::OrderHeld);
    let asked = cancel(&order, &cancel_of(None), &line_id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    assert_eq!(order.state.items[0].held_by, None);
    let order = withdrawn(&order);
    let item = &order.state.items[0];
    assert_eq!(item.status, ItemStatus::OnHold);
    assert_eq!(
        (item.held_by, item.hold_until),
        (Some(Holder::Operator), Some(at(900)))
    );
}

#[test]
fn an_operators_hold_over_a_request_returns_to_it() {
    let order = asked();
    let first = Some(vec![id(&order, 0)]);
    let held = hold(&order, &hold_of(first, None), &operator());
    let order = changed(&order, held, EventType::OrderHeld);
    assert_eq!(statuses(&order), ["on-hold", "ready"]);
    let free = released(&order, &operator());
    assert_eq!(statuses(&free), ["request-change", "ready"]);
    // Without the request, the item returns to its earlier status.
    assert!(is_offered(&order, 0, Command::WithdrawChange));
    let order = withdrawn(&order);
    assert_eq!(statuses(&order), ["on-hold", "ready"]);
    let order = released(&order, &operator());
    assert_eq!(statuses(&order), ["in-production", "ready"]);
}

#[test]
fn an_approved_hold_is_the_stores() {
    let order = ready(&[1]);
    let asked = hold(&order, &hold_of(None, Some(at(600))), &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    let approved = decide(&order, approve(None), &line_id, &operator());
    let order = changed(&order, approved, EventType::OrderChangeApproved);
    let item = &order.state.items[0];
    assert_eq!(
        (item.held_by, item.hold_until),
        (Some(Holder::Store), Some(at(600)))
    );
    // A hold is not offered for an item on hold: without another end, it would change nothing.
    assert!(!is_offered(&order, 0, Command::Hold));
    // The store changes and ends its own hold without a decision.
    let longer = hold(&order, &hold_of(None, Some(at(700))), &store());
    let order = changed(&order, longer, EventType::OrderHeld);
    let order = released(&order, &store());
    assert_eq!(statuses(&order), ["ready"]);
}

#[test]
fn a_change_whose_items_are_all_cancelled_is_gone() {
    let order = asked();
    let first = Some(vec![id(&order, 0)]);
    // An operator needs no decision to cancel.
    let done = cancel(&order, &cancel_of(first), &line_id, &operator());
    let order = changed(&order, done, EventType::OrderCancelled);
    assert_eq!(statuses(&order), ["cancelled", "ready"]);
    assert_eq!(order.state.pending, None);
}

#[test]
fn a_change_of_which_only_early_items_remain_can_be_withdrawn() {
    let order = with_held_item(1, &store());
    let later = due(&order, &service(3600));
    let order = changed(&order, later, EventType::OrderStatusChanged);
    assert_eq!(statuses(&order), ["ready", "on-hold"]);
    let asked = cancel(&order, &cancel_of(None), &line_id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    let first = Some(vec![id(&order, 0)]);
    let done = cancel(&order, &cancel_of(first), &line_id, &operator());
    let order = changed(&order, done, EventType::OrderCancelled);
    assert!(order.state.pending.is_some());
    assert!(!is_offered(&order, 0, Command::WithdrawChange));
    assert!(is_offered(&order, 1, Command::WithdrawChange));
    let order = withdrawn(&order);
    assert_eq!(statuses(&order), ["cancelled", "on-hold"]);
    assert!(!is_offered(&order, 1, Command::WithdrawChange));
}

#[test]
fn another_change_is_not_decided_by_mistake() {
    let order = asked();
    let command = DecideCommand {
        change: Some(pressline_domain::value::ChangeId::new(uuid())),
        ..approve(None)
    };
    let refused = decide(&order, command, &line_id, &operator());
    assert!(matches!(refused, Err(Refusal::IllegalTransition { .. })));
}
