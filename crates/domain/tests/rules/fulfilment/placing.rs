//! Placing: completeness of items, and the time when they become ready.

use super::fixture::*;
use pressline_domain::catalog::PrintArea;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::*;
use pressline_domain::order::LineItem;

fn is_complete_with(areas: Vec<PrintArea>, files: &[&str]) -> bool {
    is_complete(&LineItem {
        areas,
        file_urls: files.iter().map(|url| (*url).to_owned()).collect(),
        ..line(1)
    })
}

#[test]
fn an_item_is_complete_by_the_requirements_of_its_areas() {
    let base = || area("a", "base_belongs", &[]);
    let required = || area("r", "required", &[]);
    let optional = || area("o", "optional", &[]);
    let names = |named: &[&str]| area("n", "base_belongs", named);
    for (areas, files, complete) in [
        (vec![base()], &[][..], false),
        (vec![base()], &[URL], true),
        (vec![base(), required()], &[URL], false),
        (vec![base(), required()], &["", URL], true),
        (vec![optional()], &[], true),
        (vec![optional(), base()], &[], false),
        (vec![optional(), base()], &[URL], true),
        (
            vec![names(&["r"]), area("r", "optional", &[])],
            &[URL],
            false,
        ),
        (
            vec![names(&["r"]), area("r", "optional", &[])],
            &[URL, URL],
            true,
        ),
        (
            vec![names(&["r"]), area("r", "optional", &[])],
            &["", URL],
            true,
        ),
        (vec![names(&["gone"])], &[URL], true),
        (vec![area("x", "whatever", &[])], &[], false),
    ] {
        let what = format!("{areas:?} {files:?}");
        assert_eq!(is_complete_with(areas, files), complete, "{what}");
    }
}

#[test]
fn items_wait_for_files_or_for_the_end_of_the_window() {
    let order = placed(vec![line(1), incomplete(1)], HOUR);
    assert_eq!(statuses(&order), ["cooling-off", "pending-design"]);
    // An incomplete item keeps the whole order waiting.
    assert_eq!(order.state.due_at, None);
    assert_eq!(editable_until(&order.state, &order.state.items[0]), None);
    let order = placed(vec![line(1), line(1)], HOUR);
    assert_eq!(order.state.due_at, Some(at(3600)));
    let end = editable_until(&order.state, &order.state.items[1]);
    assert_eq!(end, Some(at(3600)));
    assert_eq!(
        order.state.items[1].code(&order.service_order_id),
        "DEMO-1-2"
    );
}

#[test]
fn without_a_window_complete_orders_are_ready_at_once() {
    let order = ready(&[1, 1]);
    assert_eq!(statuses(&order), ["ready", "ready"]);
    assert_eq!(order.state.items[0].ready_at, Some(at(0)));
    assert_eq!(order.state.due_at, None);
    let waiting = placed(vec![line(1), incomplete(1)], 0);
    assert_eq!(statuses(&waiting), ["cooling-off", "pending-design"]);
}

#[test]
fn items_become_ready_together() {
    let order = placed(vec![line(1), line(1)], HOUR);
    is_so(due(&order, &service(3599)));
    let order = changed(
        &order,
        due(&order, &service(3600)),
        EventType::OrderStatusChanged,
    );
    assert_eq!(statuses(&order), ["ready", "ready"]);
    assert_eq!(order.state.items[1].ready_at, Some(at(3600)));
    is_so(due(&order, &service(9999)));
}

#[test]
fn the_store_ends_the_window_of_a_complete_order() {
    let order = placed(vec![line(1), line(1)], HOUR);
    let order = changed(
        &order,
        process_now(&order, &store()),
        EventType::OrderStatusChanged,
    );
    assert_eq!(statuses(&order), ["ready", "ready"]);
    is_so(process_now(&order, &store()));
    let waiting = placed(vec![line(1), incomplete(1)], HOUR);
    match process_now(&waiting, &store()) {
        Err(Refusal::IllegalTransition {
            from, to, items, ..
        }) => {
            assert_eq!(from, ItemStatus::PendingDesign);
            assert_eq!(to, Some(ItemStatus::Ready));
            assert_eq!(items, [id(&waiting, 1)]);
        }
        other => panic!("{other:?}"),
    }
}
