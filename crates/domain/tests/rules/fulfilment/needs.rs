//! Needs: questions of the print shop to the store.

use super::fixture::*;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::*;
use pressline_domain::pricing::fees::FeeType;

fn needing(code: NeedCode, amount: Option<i64>) -> Snapshot {
    let order = ready(&[1]);
    let order = started(&order);
    let command = need_of(code, amount);
    let needed = need(&order, &command, &operator());
    let order = changed(&order, needed, EventType::OrderActionNeeded);
    is_so(need(&order, &command, &operator()));
    order
}

#[test]
fn an_answer_waits_for_the_operator() {
    let order = needing(NeedCode::Other, None);
    let missing = answer(&order, &answer_of(None, None), &line_id, &store());
    assert!(matches!(missing, Err(Refusal::Invalid(_))));
    let no_fee = answer(
        &order,
        &answer_of(Some("Blue."), Some(true)),
        &line_id,
        &store(),
    );
    assert!(matches!(no_fee, Err(Refusal::Invalid(_))));
    let blue = answer_of(Some("Blue."), None);
    let answered = answer(&order, &blue, &line_id, &store());
    let order = changed(&order, answered, EventType::OrderActionAnswered);
    assert_eq!(statuses(&order), ["need-action"]);
    let given = order.state.needs[0].answer.as_ref().unwrap();
    assert_eq!(
        (given.text.as_deref(), given.answered_at),
        (Some("Blue."), at(1))
    );
    // A repeated answer changes nothing, not even its time.
    let later = Context {
        now: at(50),
        ..store()
    };
    is_so(answer(&order, &blue, &line_id, &later));
    let command = resolve_all(Resolution::Return);
    let resolved = resolve(&order, &command, &line_id, &operator());
    let order = changed(&order, resolved, EventType::OrderActionResolved);
    assert_eq!(statuses(&order), ["in-production"]);
    is_so(resolve(&order, &command, &line_id, &operator()));
    let nothing = answer(&order, &blue, &line_id, &store());
    assert!(matches!(nothing, Err(Refusal::IllegalTransition { .. })));
}

#[test]
fn an_accepted_fee_is_charged_at_once() {
    let order = needing(NeedCode::FeeApproval, Some(250));
    let missing = answer(&order, &answer_of(None, None), &line_id, &store());
    assert!(matches!(missing, Err(Refusal::Invalid(_))));
    let declined = answer(&order, &answer_of(None, Some(false)), &line_id, &store());
    let declined = changed(&order, declined, EventType::OrderActionAnswered);
    assert_eq!(statuses(&declined), ["need-action"]);
    let accepted = answer(&order, &answer_of(None, Some(true)), &line_id, &store());
    let order = changed(&order, accepted, EventType::OrderActionAnswered);
    assert_eq!(statuses(&order), ["in-production"]);
    assert!(order.state.needs.is_empty());
    let bill = order.bill().unwrap();
    assert_eq!(bill.fee(FeeType::Other).unwrap().minor_units(), 250);
    assert_eq!(bill.total().minor_units(), UNIT + SHIPPING + 250);
}

#[test]
fn an_item_that_needs_something_can_be_cancelled() {
    let order = needing(NeedCode::OutOfStock, None);
    let command = resolve_all(Resolution::Cancel { keep_fees: false });
    let resolved = resolve(&order, &command, &line_id, &operator());
    let order = changed(&order, resolved, EventType::OrderActionResolved);
    assert_eq!(statuses(&order), ["cancelled"]);
    assert!(order.state.needs.is_empty());
    is_so(resolve(&order, &command, &line_id, &operator()));
}

#[test]
fn only_a_fee_has_an_amount() {
    let order = ready(&[1]);
    for wrong in [
        need_of(NeedCode::FeeApproval, None),
        need_of(NeedCode::FeeApproval, Some(0)),
        need_of(NeedCode::OutOfStock, Some(5)),
    ] {
        let refused = need(&order, &wrong, &operator());
        assert!(matches!(refused, Err(Refusal::Invalid(_))), "{refused:?}");
    }
}

#[test]
fn a_fee_that_is_accepted_for_one_item_ends_the_need_of_the_others_too() {
    let order = ready(&[1, 1]);
    let asked = need(
        &order,
        &need_of(NeedCode::FeeApproval, Some(250)),
        &operator(),
    );
    let order = changed(&order, asked, EventType::OrderActionNeeded);
    // The second item waits for its cancellation and would return to need-action.
    let second = Some(vec![id(&order, 1)]);
    let asked = cancel(&order, &cancel_of(second), &line_id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    let accepted = answer(&order, &answer_of(None, Some(true)), &line_id, &store());
    let order = changed(&order, accepted, EventType::OrderActionAnswered);
    assert_eq!(statuses(&order), ["ready", "request-change"]);
    assert!(order.state.needs.is_empty());
    // The need is over, so the item does not return to need-action.
    let withdrawn = withdrawn(&order);
    assert_eq!(statuses(&withdrawn), ["ready", "ready"]);
    let refused = decide(&order, verdict(Verdict::Refuse), &line_id, &operator());
    let refused = changed(&order, refused, EventType::OrderChangeRefused);
    assert_eq!(statuses(&refused), ["ready", "ready"]);
}
