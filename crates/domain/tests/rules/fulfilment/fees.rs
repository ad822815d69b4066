//! Fees of cancelled items, and operators' fee lines.

use super::fixture::*;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::*;
use pressline_domain::order::OrderParts;
use pressline_domain::pricing::corrections::{CorrectionParts, LineOrigin};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::CorrectionId;

fn total(order: &Snapshot) -> i64 {
    order.bill().unwrap().total().minor_units()
}

fn fee(order: &Snapshot, fee: FeeType) -> Option<i64> {
    let bill = order.bill().unwrap();
    bill.fee(fee).map(|amount| amount.minor_units())
}

fn lines_of(order: &Snapshot, fee: FeeType) -> Vec<i64> {
    let bill = order.bill().unwrap();
    let lines = bill.lines().iter().filter(|line| line.fee == fee);
    lines.map(|line| line.amount).collect()
}

fn correction(fee: FeeType, amount: i64) -> CorrectionParts {
    CorrectionParts {
        id: CorrectionId::new(uuid()),
        fee,
        item: None,
        amount,
        reason: "goodwill".to_owned(),
    }
}

fn corrected(order: &Snapshot, line: CorrectionParts) -> Snapshot {
    let decision = correct_fees(order, line, &operator());
    changed(order, decision, EventType::OrderFeesChanged)
}

fn cancelled(order: &Snapshot, place: usize, keep_fees: bool) -> Snapshot {
    let command = CancelCommand {
        keep_fees,
        ..cancel_of(Some(vec![id(order, place)]))
    };
    let decision = cancel(order, &command, &line_id, &operator());
    changed(order, decision, EventType::OrderCancelled)
}

#[test]
fn a_cancelled_item_loses_its_own_lines() {
    let order = ready(&[2, 1]);
    let order = cancelled(&order, 0, false);
    assert_eq!(total(&order), UNIT + SHIPPING);
    let order = cancelled(&order, 1, false);
    assert_eq!(fee(&order, FeeType::Shipping), None);
    assert_eq!(fee(&order, FeeType::Product), None);
    assert_eq!(total(&order), 0);
    assert!(order.is_priced());
}

#[test]
fn an_operator_keeps_the_lines_of_a_cancelled_item() {
    let order = ready(&[2, 1]);
    let order = cancelled(&order, 0, true);
    assert_eq!(total(&order), 3 * UNIT + SHIPPING);
    let bill = order.bill().unwrap();
    let kept = bill
        .lines()
        .iter()
        .find(|line| line.origin == LineOrigin::Operator);
    assert_eq!(
        kept.map(|line| (line.amount, line.rule)),
        Some((2 * UNIT, "because"))
    );
    let order = cancelled(&order, 1, false);
    assert_eq!(total(&order), 2 * UNIT);
}

#[test]
fn while_all_items_are_early_the_order_is_priced_again() {
    let order = placed(vec![line(2), line(1)], HOUR);
    let first = cancel_of(Some(vec![id(&order, 0)]));
    let Ok(Decision::Changed(change)) = cancel(&order, &first, &line_id, &store()) else {
        panic!("not cancelled");
    };
    assert!(change.needs_price);
    let priced = OrderParts {
        bill: bill_of(change.order.priced_items()),
        priced_at: at(9),
        ..OrderParts::clone(&change.order.content)
    };
    let again = reprice(&order, &change, priced, &store());
    let order = changed(&order, again, EventType::OrderCancelled);
    assert_eq!(order.state.version, 2);
    assert_eq!(total(&order), UNIT + SHIPPING);
    assert_eq!(order.content.priced_at, at(9));
}

#[test]
fn a_fee_never_falls_below_zero() {
    let order = ready(&[1, 1]);
    let refused = correct_fees(&order, correction(FeeType::Product, -1001), &operator());
    assert!(matches!(refused, Err(Refusal::Invalid(_))), "{refused:?}");
    let order = corrected(&order, correction(FeeType::Product, -900));
    assert_eq!(total(&order), 100 + SHIPPING);
    // The cancellation removes the amount from which the line was subtracted.
    let order = cancelled(&order, 0, false);
    assert_eq!(fee(&order, FeeType::Product), Some(0));
    let bill = order.bill().unwrap();
    assert_eq!(
        bill.lines().iter().map(|line| line.amount).sum::<i64>(),
        SHIPPING
    );
    let order = cancelled(&order, 1, false);
    assert_eq!((fee(&order, FeeType::Product), total(&order)), (None, 0));
    // An operator's fee line is charged even on a cancelled order.
    let order = corrected(&order, correction(FeeType::Other, 150));
    assert_eq!(total(&order), 150);
}

#[test]
fn a_fee_that_is_null_has_no_line() {
    let order = corrected(&ready(&[1]), correction(FeeType::Shipping, -SHIPPING));
    assert_eq!(fee(&order, FeeType::Shipping), Some(0));
    assert_eq!(lines_of(&order, FeeType::Shipping), [SHIPPING, -SHIPPING]);
    let order = cancelled(&order, 0, false);
    assert_eq!(fee(&order, FeeType::Shipping), None);
    assert_eq!(lines_of(&order, FeeType::Shipping), [0; 0]);
    // The first line was kept: with another line the fee is known again, and both lines count.
    let order = corrected(&order, correction(FeeType::Shipping, SHIPPING + 100));
    assert_eq!(fee(&order, FeeType::Shipping), Some(100));
    assert_eq!(
        lines_of(&order, FeeType::Shipping),
        [SHIPPING + 100, -SHIPPING]
    );
}

#[test]
fn lines_of_operators_survive_an_update() {
    let order = corrected(
        &placed(vec![line(1)], HOUR),
        correction(FeeType::Shipping, -100),
    );
    let mut edited = OrderParts::clone(&order.content);
    edited.items[0].quantity = 3;
    edited.bill = bill_of(edited.items.iter());
    let order = updated(&order, edited, &store());
    assert_eq!(total(&order), 3 * UNIT + SHIPPING - 100);
}

#[test]
fn a_line_has_an_amount_and_a_reason() {
    let order = ready(&[1]);
    let silent = CorrectionParts {
        reason: " ".to_owned(),
        ..correction(FeeType::Other, 5)
    };
    for wrong in [correction(FeeType::Other, 0), silent] {
        let refused = correct_fees(&order, wrong, &operator());
        assert!(matches!(refused, Err(Refusal::Invalid(_))), "{refused:?}");
    }
}
