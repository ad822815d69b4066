//! Records of finished units, and misprints.

use pressline_backoffice::production::{ProductionError, RecordDraft};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderError;
use pressline_domain::value::Currency;

use super::floor::{Floor, done};
use crate::desk::Desk;

#[tokio::test]
async fn the_first_record_starts_a_ready_item_and_steps_follow_in_order() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    assert_eq!(floor.status("DEMO-1-1").await, ItemStatus::Ready);
    let some = floor.record("DEMO-1-1", "print", Some(3)).await.unwrap();
    assert_eq!((done(&some.item), some.replayed), (vec![3, 0, 0], false));
    assert_eq!(some.item.state.status, ItemStatus::InProduction);
    assert_eq!(floor.scan("DEMO-1-1", "check").await, [3, 3, 0]);
    assert_eq!(floor.scan("DEMO-1-1", "print").await, [5, 3, 0]);
    assert_eq!(floor.scan("DEMO-1-1", "check").await, [5, 5, 0]);
    let last = floor.record("DEMO-1-1", "pack", None).await.unwrap().item;
    assert_eq!(done(&last), [5, 5, 5]);
    assert!(last.production.units.is_complete());
    // Only the start changes the order: progress is stored outside it.
    let order = floor.shop.stored("T-1").await.unwrap();
    assert_eq!(order.state.version, 2);
}

#[tokio::test]
async fn no_step_gets_ahead_of_its_predecessor() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    for (step, units, available) in [
        ("check", None, 0),
        ("pack", Some(1), 0),
        ("print", Some(6), 5),
    ] {
        let refused = floor.record("DEMO-1-1", step, units).await.unwrap_err();
        let ProductionError::OutOfOrder(error) = refused else {
            panic!("{step}: {refused}");
        };
        assert_eq!(error.available, available, "{step}");
    }
    // A refused record does not start the item.
    assert_eq!(floor.status("DEMO-1-1").await, ItemStatus::Ready);
    floor.record("DEMO-1-1", "print", Some(2)).await.unwrap();
    let refused = floor.record("DEMO-1-1", "check", Some(3)).await;
    let message = refused.unwrap_err().to_string();
    assert_eq!(message, "check for 3 units: at most 2 can be recorded now");
}

#[tokio::test]
async fn a_repeated_scan_changes_nothing() {
    let floor = Floor::open().await;
    let order = floor.ready("T-1", &[5]).await;
    floor.record("DEMO-1-1", "print", Some(3)).await.unwrap();
    floor.scan("DEMO-1-1", "check").await;
    for (step, units) in [("check", None), ("print", Some(2)), ("print", Some(2))] {
        let before = done(&floor.item("DEMO-1-1").await);
        let again = floor.record("DEMO-1-1", step, units).await.unwrap();
        let first_time = step == "print" && before[0] == 3;
        assert_eq!(again.replayed, !first_time, "{step}");
    }
    assert_eq!(done(&floor.item("DEMO-1-1").await), [5, 3, 0]);
    // Also after shipping, which completes all steps.
    floor.ship(&order, "box", 5).await;
    let late = floor.record("DEMO-1-1", "pack", None).await.unwrap();
    assert!(late.replayed);
    assert_eq!(late.item.state.status, ItemStatus::Fulfilled);
}

#[tokio::test]
async fn a_request_with_an_idempotency_key_is_recorded_once() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    let operator = &floor.desk.operator;
    let named = |units: i64, once: &str| RecordDraft {
        item_code: "DEMO-1-1".into(),
        step: "print".into(),
        units: units.into(),
        once: once.into(),
    };
    for (units, once, replayed, total) in [
        (1, "a", false, 1),
        (1, "a", true, 1),
        (1, "b", false, 2),
        (1, "a", true, 2),
    ] {
        let recorded = floor.try_record(operator, &named(units, once)).await;
        let recorded = recorded.unwrap();
        assert_eq!(recorded.replayed, replayed, "{once}");
        assert_eq!(done(&recorded.item)[0], total, "{once}");
    }
    let other = floor.try_record(operator, &named(2, "a")).await;
    let error = other.unwrap_err();
    assert!(matches!(
        error,
        ProductionError::Order(OrderError::Invalid { violations, .. }) if violations[0].field == "once"
    ));
}

#[tokio::test]
async fn items_on_hold_or_cancelled_accept_no_records() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    floor.scan("DEMO-1-1", "print").await;
    for (command, status) in [
        ("hold", ItemStatus::OnHold),
        ("release", ItemStatus::InProduction),
        ("cancel", ItemStatus::Cancelled),
    ] {
        floor.give(command, "DEMO-1").await;
        let outcome = floor.record("DEMO-1-1", "check", Some(1)).await;
        if status == ItemStatus::InProduction {
            outcome.unwrap();
            continue;
        }
        let ProductionError::Order(OrderError::IllegalTransition { from, to, .. }) =
            outcome.unwrap_err()
        else {
            panic!("{command}");
        };
        assert_eq!((from, to), (status, Some(ItemStatus::InProduction)));
        let misprint = floor.misprint("DEMO-1-1", 1).await.unwrap_err();
        assert!(matches!(
            misprint,
            ProductionError::Order(OrderError::IllegalTransition { .. })
        ));
    }
}

#[tokio::test]
async fn misprinted_units_are_done_again_at_every_step_and_counted() {
    let floor = Floor::open().await;
    let order = floor.ready("T-1", &[5]).await;
    floor.scan("DEMO-1-1", "print").await;
    floor.record("DEMO-1-1", "check", Some(3)).await.unwrap();
    floor.record("DEMO-1-1", "pack", Some(2)).await.unwrap();
    for (units, after, in_all) in [(1, [4, 3, 2], 1), (2, [2, 2, 2], 3)] {
        let item = floor.misprint("DEMO-1-1", units).await.unwrap().item;
        assert_eq!(
            (done(&item), item.production.misprints),
            (after.to_vec(), in_all)
        );
    }
    floor.ship(&order, "box 1", 1).await;
    let refused = floor.misprint("DEMO-1-1", 2).await.unwrap_err();
    let message = "misprint for 2 units: at most 1 can be recorded now";
    assert_eq!(refused.to_string(), message);
    let one = floor.misprint("DEMO-1-1", 1).await.unwrap().item;
    assert_eq!(done(&one), [1, 1, 1]);
    assert_eq!(floor.scan("DEMO-1-1", "print").await, [5, 1, 1]);
}

#[tokio::test]
async fn an_item_that_was_put_back_keeps_its_printed_units() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    floor.record("DEMO-1-1", "print", Some(3)).await.unwrap();
    floor.give("put-back", "DEMO-1").await;
    assert_eq!(floor.status("DEMO-1-1").await, ItemStatus::Ready);
    assert_eq!(floor.scan("DEMO-1-1", "check").await, [3, 3, 0]);
    assert_eq!(floor.status("DEMO-1-1").await, ItemStatus::InProduction);
}

#[tokio::test]
async fn changed_steps_keep_recorded_units() {
    let mut floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    floor.scan("DEMO-1-1", "print").await;
    floor.record("DEMO-1-1", "check", Some(3)).await.unwrap();
    // A new step counts as done for units that have passed a later step.
    floor.with_steps(&["print", "press", "check", "pack"]);
    assert_eq!(done(&floor.item("DEMO-1-1").await), [5, 3, 3, 0]);
    assert_eq!(floor.scan("DEMO-1-1", "press").await, [5, 5, 3, 0]);
    floor.with_steps(&["print", "pack"]);
    assert_eq!(done(&floor.item("DEMO-1-1").await), [5, 0]);
    // A misprint resets also the steps that are configured out at the time.
    floor.misprint("DEMO-1-1", 4).await.unwrap();
    floor.with_steps(&["print", "press", "check", "pack"]);
    assert_eq!(done(&floor.item("DEMO-1-1").await), [1, 1, 1, 0]);
}

#[tokio::test]
async fn all_problems_of_a_record_are_reported_together() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    let draft = RecordDraft {
        item_code: "DEMO-1".into(),
        step: "iron".into(),
        units: 0.into(),
        once: "x".repeat(65).into(),
    };
    let refused = floor.try_record(&floor.desk.operator, &draft).await;
    let Err(ProductionError::Order(OrderError::Invalid { violations, .. })) = refused else {
        panic!("accepted");
    };
    let fields: Vec<&str> = violations.iter().map(|v| v.field.as_str()).collect();
    assert_eq!(fields, ["itemCode", "step", "units", "once"]);
    assert_eq!(violations[1].message, "not one of print, check, pack");
}

#[tokio::test]
async fn items_outside_the_operators_scope_are_not_found() {
    let floor = Floor::open().await;
    let other = floor.shop.add_store("OTHER", Currency::USD).await;
    floor.ready("T-1", &[5]).await;
    floor.ready_in(&other, "T-2", &[5]).await;
    let bound = Desk::bound_to(&floor.shop, &[other.id]).operator;
    let of = |code: &str| RecordDraft {
        item_code: code.into(),
        step: "print".into(),
        ..RecordDraft::default()
    };
    assert!(floor.try_record(&bound, &of("OTHER-1-1")).await.is_ok());
    for unknown in ["DEMO-1-1", "NONE-1-1", "OTHER-2-1"] {
        let refused = floor.try_record(&bound, &of(unknown)).await.unwrap_err();
        let is_unknown = matches!(refused, ProductionError::Order(OrderError::NotFound));
        assert!(is_unknown, "{unknown}: {refused}");
    }
    let refused = floor.try_record(&bound, &of("OTHER-1-2")).await;
    assert!(matches!(
        refused,
        Err(ProductionError::Order(OrderError::UnknownItem(_)))
    ));
}

#[tokio::test]
async fn an_order_in_production_lists_items_and_records_with_operators() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5, 2]).await;
    floor.record("DEMO-1-1", "print", Some(3)).await.unwrap();
    floor.misprint("DEMO-1-1", 1).await.unwrap();
    floor.scan("DEMO-1-2", "print").await;
    let name = "DEMO-1".into();
    let operator = &floor.desk.operator;
    let found = floor.production.of_order(operator, &name).await.unwrap();
    let items: Vec<_> = found.items.iter().map(done).collect();
    assert_eq!(items, [[2, 0, 0], [2, 0, 0]]);
    assert_eq!(found.records.len(), 3);
    assert_eq!(found.names[&found.records[0].stamp.by], "Ana");
}
