//! Updates: the items that they concern, and their results.

use super::fixture::*;
use pressline_domain::check::Field;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::*;
use pressline_domain::order::OrderParts;
use pressline_domain::order::request::UpdateDraft;
use pressline_domain::value::ChangeId;

fn edit(order: &Snapshot, change: impl FnOnce(&mut OrderParts)) -> OrderParts {
    let mut edited = OrderParts::clone(&order.content);
    change(&mut edited);
    edited
}

fn request(email: &str) -> ChangeRequest {
    ChangeRequest::Update(Box::new(UpdateDraft {
        email: Field::from(email),
        ..UpdateDraft::default()
    }))
}

fn plan(order: &Snapshot, edited: &OrderParts, context: &Context) -> Result<UpdatePlan, Refusal> {
    plan_update(order, edited, &request("other"), context)
}

fn note(order: &Snapshot) -> OrderParts {
    edit(order, |parts| {
        parts.production_note = Some("gift".to_owned())
    })
}

fn quantity(order: &Snapshot, place: usize, quantity: u32) -> OrderParts {
    edit(order, |parts| parts.items[place].quantity = quantity)
}

#[test]
fn an_early_order_is_changed_at_once() {
    let order = placed(vec![line(1), incomplete(1)], HOUR);
    is_unchanged(&order);
    let edited = edit(&order, |parts| {
        parts.production_note = Some("gift".to_owned());
        parts.items[1].file_urls = vec![URL.to_owned()];
    });
    assert_eq!(plan(&order, &edited, &store()), Ok(UpdatePlan::Apply));
    let later = Context {
        now: at(100),
        ..store()
    };
    let order = updated(&order, edited, &later);
    assert_eq!(statuses(&order), ["cooling-off", "cooling-off"]);
    // The window of the newly complete item began later, and the items become ready together.
    assert_eq!(order.state.due_at, Some(at(3700)));
    let without = edit(&order, |parts| parts.items[0].file_urls.clear());
    let order = updated(&order, without, &later);
    assert_eq!(statuses(&order), ["pending-design", "cooling-off"]);
    assert_eq!(order.state.due_at, None);
}

fn is_unchanged(order: &Snapshot) {
    let same = OrderParts::clone(&order.content);
    assert_eq!(plan(order, &same, &store()), Ok(UpdatePlan::Unchanged));
}

#[test]
fn the_files_of_a_held_item_change_where_it_returns_to() {
    let order = placed(vec![incomplete(1)], HOUR);
    let held = hold(&order, &hold_of(None, None), &store());
    let order = changed(&order, held, EventType::OrderHeld);
    let edited = edit(&order, |parts| {
        parts.items[0].file_urls = vec![URL.to_owned()]
    });
    let order = updated(&order, edited, &store());
    let item = &order.state.items[0];
    assert_eq!(item.status, ItemStatus::OnHold);
    assert_eq!(item.returns_to, Some(ItemStatus::CoolingOff));
}

#[test]
fn items_are_added_and_removed() {
    let order = placed(vec![line(1), line(1), line(1)], HOUR);
    let edited = edit(&order, |parts| {
        parts.items.remove(1);
        parts.items.push(line(4));
    });
    let later = Context {
        now: at(100),
        ..store()
    };
    let order = updated(&order, edited, &later);
    let numbers: Vec<u32> = order.state.items.iter().map(|item| item.number).collect();
    assert_eq!(numbers, [1, 3, 4]);
    assert_eq!(order.state.items[2].window_end, Some(at(3700)));
    // The number of a removed item is not used again.
    let edited = edit(&order, |parts| {
        parts.items.pop();
        parts.items.push(line(1));
    });
    let order = updated(&order, edited, &later);
    assert_eq!(order.state.items[2].number, 5);
}

#[test]
fn an_update_of_items_at_work_becomes_a_request_as_a_whole() {
    let order = ready(&[2, 1]);
    let email = edit(&order, |parts| {
        parts.email = Some("a@example.com".to_owned())
    });
    assert_eq!(plan(&order, &email, &store()), Ok(UpdatePlan::Apply));
    let edited = quantity(&order, 0, 5);
    assert_eq!(plan(&order, &edited, &store()), Ok(UpdatePlan::Ask));
    let id = ChangeId::new(uuid());
    let asked = ask_update(&order, &edited, request("x"), id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    assert_eq!(statuses(&order), ["request-change", "ready"]);
    let pending = order.state.pending.clone().unwrap();
    assert_eq!(pending.changes.len(), 1);
    assert!(pending.changes[0].path.ends_with("].quantity"));
    // The same request, and the same changes in another request.
    let again = plan_update(&order, &note(&order), &request("x"), &store());
    assert_eq!(again, Ok(UpdatePlan::Unchanged));
    let edited = quantity(&order, 0, 5);
    assert_eq!(plan(&order, &edited, &store()), Ok(UpdatePlan::Unchanged));
    let other = plan(&order, &note(&order), &store());
    assert!(matches!(other, Err(Refusal::ChangePending { .. })));
    // A change that concerns no item is applied while the other change is pending.
    let email = edit(&order, |parts| {
        parts.email = Some("a@example.com".to_owned())
    });
    assert_eq!(plan(&order, &email, &store()), Ok(UpdatePlan::Apply));
    let approved = decide(&order, approve(Some(edited)), &line_id, &operator());
    let order = changed(&order, approved, EventType::OrderChangeApproved);
    assert_eq!(statuses(&order), ["ready", "ready"]);
    assert_eq!(order.content.items[0].quantity, 5);
}

#[test]
fn what_is_done_is_not_changed() {
    let order = ready(&[1, 1]);
    let first = id(&order, 0);
    let units = Some(vec![ShippedUnits {
        id: first,
        quantity: 1,
    }]);
    let shipped = ship(&order, &ship_of(units, "1"), &operator());
    let order = changed(&order, shipped, EventType::ShipmentCreated);
    let named = |refused| match refused {
        Err(Refusal::NotEditable { items, .. }) => items,
        other => panic!("{other:?}"),
    };
    for context in [store(), operator()] {
        assert_eq!(
            named(plan(&order, &quantity(&order, 0, 2), &context)),
            [first]
        );
    }
    // A note concerns all items that are not done.
    assert_eq!(plan(&order, &note(&order), &store()), Ok(UpdatePlan::Ask));
    assert_eq!(
        plan(&order, &note(&order), &operator()),
        Ok(UpdatePlan::Apply)
    );
    let shipped = ship(&order, &ship_of(None, "2"), &operator());
    let order = changed(&order, shipped, EventType::ShipmentCreated);
    let email = edit(&order, |parts| {
        parts.email = Some("a@example.com".to_owned())
    });
    assert_eq!(named(plan(&order, &email, &store())).len(), 2);
}

#[test]
fn a_quantity_lowered_to_what_is_shipped_fulfils_the_item() {
    let order = ready(&[10]);
    let units = Some(vec![ShippedUnits {
        id: id(&order, 0),
        quantity: 6,
    }]);
    let shipped = ship(&order, &ship_of(units, "1"), &operator());
    let order = changed(&order, shipped, EventType::ShipmentCreated);
    let too_low = update(&order, quantity(&order, 0, 5), &operator());
    assert!(matches!(too_low, Err(Refusal::NotEditable { .. })));
    let lowered = update(&order, quantity(&order, 0, 6), &operator());
    let order = changed(&order, lowered, EventType::OrderUpdated);
    assert_eq!(statuses(&order), ["fulfilled"]);
}

#[test]
fn a_store_is_offered_what_it_can_do() {
    let actions = |order: &Snapshot, context: &Context| -> Vec<String> {
        let allowed = allowed_actions(order, context.role(), context.now);
        let named =
            |offer: AllowedAction| format!("{} {}", offer.action.as_str(), offer.effect.as_str());
        allowed.into_iter().map(named).collect()
    };
    let early = placed(vec![line(1)], HOUR);
    let now = [
        "update now",
        "update-label now",
        "cancel now",
        "hold now",
        "process-now now",
    ];
    assert_eq!(actions(&early, &store()), now);
    let ready = ready(&[1]);
    let asked = [
        "update request",
        "update-label request",
        "cancel request",
        "hold request",
    ];
    assert_eq!(actions(&ready, &store()), asked);
    let operators = [
        "update now",
        "cancel now",
        "hold now",
        "start now",
        "need now",
        "ship now",
    ];
    assert_eq!(actions(&ready, &operator()), operators);
}

#[test]
fn a_request_for_another_label_is_recognised() {
    let order = ready(&[1]);
    let url = "https://example.com/other.pdf".to_owned();
    let edited = edit(&order, |parts| parts.label_url = Some(url.clone()));
    let request = ChangeRequest::Label { url };
    let plan = |order: &Snapshot| plan_update(order, &edited, &request, &store());
    assert_eq!(plan(&order), Ok(UpdatePlan::Ask));
    let id = ChangeId::new(uuid());
    let asked = ask_update(&order, &edited, request.clone(), id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    assert_eq!(plan(&order), Ok(UpdatePlan::Unchanged));
    let approved = decide(&order, approve(Some(edited.clone())), &line_id, &operator());
    let order = changed(&order, approved, EventType::OrderChangeApproved);
    assert_eq!(order.content.label_url, edited.label_url);
}

#[test]
fn an_order_names_those_that_replace_it() {
    let order = ready(&[1]);
    let other: pressline_domain::value::ServiceOrderId = "DEMO-2".parse().unwrap();
    let replaced = replace(&order, other.clone(), &operator());
    let order = changed(&order, replaced, EventType::OrderReplaced);
    assert_eq!(order.state.replaced_by, vec![other.clone()]);
    is_so(replace(&order, other, &operator()));
}

#[test]
fn a_request_to_remove_another_item_is_another_request() {
    let order = ready(&[1, 1]);
    let without =
        |order: &Snapshot, place: usize| edit(order, |parts| drop(parts.items.remove(place)));
    let first = without(&order, 0);
    assert_eq!(plan(&order, &first, &store()), Ok(UpdatePlan::Ask));
    let id = ChangeId::new(uuid());
    let asked = ask_update(&order, &first, request("x"), id, &store());
    let order = changed(&order, asked, EventType::OrderChangeRequested);
    assert_eq!(
        plan(&order, &without(&order, 0), &store()),
        Ok(UpdatePlan::Unchanged)
    );
    let other = plan(&order, &without(&order, 1), &store());
    assert!(matches!(other, Err(Refusal::ChangePending { .. })));
}
