//! Orders in various statuses, and the callers that change them.

use std::sync::atomic::{AtomicU64, Ordering};

use pressline_domain::catalog::{PrintArea, PrintAreaParts};
use pressline_domain::event::{Actor, EventType};
use pressline_domain::fulfilment::*;
use pressline_domain::order::fingerprint::{FORM, Fingerprint};
use pressline_domain::order::{Customer, LineItem, OrderParts, Source};
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use pressline_domain::value::*;
use uuid::Uuid;

/// 2024-06-08T03:49:12.905Z, in milliseconds since 1970.
pub(crate) const NOW: i64 = 1_717_818_552_905;
/// Cooling-off window of the test's store, in seconds.
pub(crate) const HOUR: u32 = 3600;
pub(crate) const URL: &str = "https://example.com/front.png";
/// Price of a unit, in minor units.
pub(crate) const UNIT: i64 = 500;
/// Shipping fee, in minor units.
pub(crate) const SHIPPING: i64 = 300;

static COUNT: AtomicU64 = AtomicU64::new(1);

/// Returns a new UUIDv7 with the time `NOW`.
pub(crate) fn uuid() -> Uuid {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let moment = u128::from(NOW.unsigned_abs()) << 80;
    Uuid::from_u128(moment | (7 << 76) | (0b10 << 62) | u128::from(count))
}

pub(crate) fn line_id() -> CorrectionId {
    CorrectionId::new(uuid())
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(NOW + seconds * 1000)
}

pub(crate) fn by(actor: Actor, seconds: i64) -> Context {
    Context {
        actor,
        now: at(seconds),
        request_id: Some("req-1".to_owned()),
        reason: None,
        version: None,
    }
}

pub(crate) fn store() -> Context {
    by(Actor::Store(KeyId::new(Uuid::from_u128(1))), 1)
}

pub(crate) fn operator() -> Context {
    Context {
        reason: Some("because".to_owned()),
        ..by(Actor::Operator(OperatorId::new(Uuid::from_u128(2))), 1)
    }
}

pub(crate) fn service(seconds: i64) -> Context {
    by(Actor::Service, seconds)
}

pub(crate) fn carrier() -> Context {
    by(Actor::Carrier(OperatorId::new(Uuid::from_u128(3))), 1)
}

pub(crate) fn area(id: &str, requirement: &str, require_for: &[&str]) -> PrintArea {
    PrintArea::new(PrintAreaParts {
        requirement: requirement.to_owned(),
        require_for: require_for.iter().map(|id| (*id).to_owned()).collect(),
        ..PrintAreaParts::named(id, id)
    })
    .unwrap()
}

/// Returns a complete item: it has a print area and its file.
pub(crate) fn line(quantity: u32) -> LineItem {
    LineItem {
        id: ItemId::new(uuid()),
        ref_id: None,
        name: Some("Mug".to_owned()),
        name_given: false,
        sku: "MUG-11".to_owned(),
        quantity,
        ship_class: None,
        file_urls: vec![URL.to_owned()],
        mockup_images: Vec::new(),
        areas: vec![PrintArea::main()],
        unit_cost: Amount::from_minor(UNIT).ok(),
    }
}

/// Returns an item without the file of its print area.
pub(crate) fn incomplete(quantity: u32) -> LineItem {
    LineItem {
        file_urls: Vec::new(),
        ..line(quantity)
    }
}

pub(crate) fn bill_of<'a>(items: impl Iterator<Item = &'a LineItem>) -> Bill {
    let fee_line = |fee, item, amount, rule: &str| FeeLine {
        fee,
        item,
        amount: Amount::from_minor(amount).unwrap(),
        rule: rule.to_owned(),
    };
    let mut lines: Vec<FeeLine> = items
        .map(|item| {
            let amount = UNIT * i64::from(item.quantity);
            fee_line(FeeType::Product, Some(item.id), amount, "units")
        })
        .collect();
    if !lines.is_empty() {
        lines.push(fee_line(FeeType::Shipping, None, SHIPPING, "Standard"));
    }
    Bill::new(lines, [FeeType::Surcharge]).unwrap()
}

pub(crate) fn content(items: Vec<LineItem>) -> OrderParts {
    let id = OrderId::new(uuid());
    OrderParts {
        id,
        store_id: StoreId::new(Uuid::from_u128(9)),
        order_id: "A-1".to_owned(),
        label_url: Some("https://example.com/label.pdf".to_owned()),
        source: Source::Store,
        test: false,
        currency: Currency::USD,
        email: None,
        shipping_address: None,
        billing_address: None,
        customer: Customer {
            first_name: Some("Ana".to_owned()),
            last_name: None,
        },
        production_note: None,
        bill: bill_of(items.iter()),
        items,
        priced_at: at(0),
        fingerprint: Fingerprint::from_bytes(&[&[FORM][..], &[9; 40]].concat()).unwrap(),
    }
}

pub(crate) fn placed(items: Vec<LineItem>, window: u32) -> Snapshot {
    let content = content(items);
    let context = Context {
        now: at(0),
        ..store()
    };
    let placement = place(&content, window, &context).unwrap();
    let number = "DEMO-1".parse().unwrap();
    placement.placed(content.into(), number, 1).unwrap()
}

/// Returns an order with a ready item for each of `quantities`.
pub(crate) fn ready(quantities: &[u32]) -> Snapshot {
    placed(quantities.iter().map(|q| line(*q)).collect(), 0)
}

/// Returns an order with an item of two units at `position`; `holder` holds it if that is on-hold.
pub(crate) fn order_at(position: Position, holder: Holder) -> Snapshot {
    let is_incomplete = position.base() == ItemStatus::PendingDesign;
    let item = if is_incomplete {
        incomplete(2)
    } else {
        line(2)
    };
    let mut parts = SnapshotParts::clone(&placed(vec![item], HOUR));
    let id = parts.content.items[0].id;
    let shipped = match position.status {
        ItemStatus::Fulfilled => Some(ShipmentStatus::Shipped),
        ItemStatus::Delivered => Some(ShipmentStatus::Delivered),
        ItemStatus::Returned => Some(ShipmentStatus::Returned),
        _ => None,
    };
    parts
        .shipments
        .extend(shipped.map(|status| parcel(id, 2, status)));
    let state = &mut parts.state;
    let item = &mut state.items[0];
    item.shipped_quantity = if shipped.is_some() { 2 } else { 0 };
    item.status = position.status;
    item.returns_to = position.returns_to;
    item.held_by = (position.status == ItemStatus::OnHold).then_some(holder);
    if position.status == ItemStatus::NeedAction {
        state.needs.push(need_for(id));
    }
    if position.status == ItemStatus::RequestChange {
        state.pending = Some(pending_for(id, position.base()));
    }
    state.due_at = due_at(state);
    Snapshot::new(parts).unwrap()
}

pub(crate) fn parcel(id: ItemId, quantity: u32, status: ShipmentStatus) -> Shipment {
    Shipment {
        id: ShipmentId::new(uuid()),
        reference: None,
        carrier: Some("UPS".to_owned()),
        tracking_number: Some("1Z1".to_owned()),
        tracking_url: None,
        status,
        items: vec![ShippedUnits { id, quantity }],
        shipped_at: at(0),
        delivered_at: None,
        returned_at: None,
    }
}

fn need_for(id: ItemId) -> Need {
    Need {
        id: NeedId::new(uuid()),
        code: NeedCode::Other,
        text: Some("Which colour?".to_owned()),
        amount: None,
        items: vec![id],
        change: None,
        requested_at: at(0),
        answer: None,
    }
}

fn pending_for(id: ItemId, before: ItemStatus) -> PendingChange {
    PendingChange {
        id: ChangeId::new(uuid()),
        request: ChangeRequest::Cancel { items: None },
        items: vec![id],
        asked: vec![RequestedItem {
            id,
            before,
            held_by: None,
            hold_until: None,
        }],
        changes: Vec::new(),
        reason: None,
        requested_at: at(0),
    }
}

/// Returns the order after a change, with a sequence for its event. Checks that undoing the event
/// restores `before`.
#[track_caller]
pub(crate) fn changed(
    before: &Snapshot,
    decision: Result<Decision, Refusal>,
    kind: EventType,
) -> Snapshot {
    let change = match decision {
        Ok(Decision::Changed(change)) => *change,
        other => panic!("not a change: {other:?}"),
    };
    assert_eq!(change.event.kind, kind);
    assert_eq!(change.expected_version(), before.state.version);
    let undone = pressline_domain::event::undo(&change.order, &change.event).unwrap();
    assert_eq!(undone, *before);
    change
        .order
        .changed(|parts| parts.state.last_sequence += 1)
        .unwrap()
}

/// Returns the order after the release of all items that `by` may release.
#[track_caller]
pub(crate) fn released(order: &Snapshot, by: &Context) -> Snapshot {
    changed(order, release(order, None, by), EventType::OrderReleased)
}

/// Returns the order after the store has withdrawn its request.
#[track_caller]
pub(crate) fn withdrawn(order: &Snapshot) -> Snapshot {
    let withdrawn = withdraw_change(order, &store());
    changed(order, withdrawn, EventType::OrderChangeWithdrawn)
}

#[track_caller]
pub(crate) fn updated(order: &Snapshot, edited: OrderParts, by: &Context) -> Snapshot {
    changed(order, update(order, edited, by), EventType::OrderUpdated)
}

/// Returns the order after an operator has started all items.
#[track_caller]
pub(crate) fn started(order: &Snapshot) -> Snapshot {
    let started = move_items(Command::Start, order, None, &operator());
    changed(order, started, EventType::OrderStatusChanged)
}

/// Returns an order of two items. `by` holds the item at `place`; the other item cools off.
#[track_caller]
pub(crate) fn with_held_item(place: usize, by: &Context) -> Snapshot {
    let order = placed(vec![line(1), line(1)], HOUR);
    let item = Some(vec![id(&order, place)]);
    let held = hold(&order, &hold_of(item, None), by);
    changed(&order, held, EventType::OrderHeld)
}

#[track_caller]
pub(crate) fn is_so(decision: Result<Decision, Refusal>) {
    assert_eq!(decision, Ok(Decision::Unchanged));
}

pub(crate) fn statuses(order: &Snapshot) -> Vec<&'static str> {
    let items = order.state.items.iter();
    items.map(|item| item.status.as_str()).collect()
}

pub(crate) fn id(order: &Snapshot, place: usize) -> ItemId {
    order.state.items[place].id
}

pub(crate) fn cancel_of(items: Option<Vec<ItemId>>) -> CancelCommand {
    CancelCommand {
        items,
        keep_fees: false,
        change: ChangeId::new(uuid()),
    }
}

pub(crate) fn hold_of(items: Option<Vec<ItemId>>, until: Option<Timestamp>) -> HoldCommand {
    HoldCommand {
        items,
        until,
        change: ChangeId::new(uuid()),
    }
}

pub(crate) fn ship_of(items: Option<Vec<ShippedUnits>>, number: &str) -> ShipCommand {
    ShipCommand {
        id: ShipmentId::new(uuid()),
        items,
        values: ShipmentUpdate {
            carrier: Some("UPS".to_owned()),
            tracking_number: Some(number.to_owned()),
            ..ShipmentUpdate::default()
        },
    }
}

pub(crate) fn need_of(code: NeedCode, amount: Option<i64>) -> NeedCommand {
    NeedCommand {
        items: None,
        id: NeedId::new(uuid()),
        code,
        text: Some("Which colour?".to_owned()),
        amount: amount.map(|minor| Amount::from_minor(minor).unwrap()),
    }
}

/// Returns a resolution of the needs of all items.
pub(crate) fn resolve_all(resolution: Resolution) -> ResolveCommand {
    ResolveCommand {
        items: None,
        resolution,
    }
}

pub(crate) fn answer_of(text: Option<&str>, accept: Option<bool>) -> AnswerCommand {
    AnswerCommand {
        items: None,
        text: text.map(str::to_owned),
        accept,
    }
}

pub(crate) fn verdict(verdict: Verdict) -> DecideCommand {
    DecideCommand {
        change: None,
        verdict,
    }
}

pub(crate) fn approve(edited: Option<OrderParts>) -> DecideCommand {
    verdict(Verdict::Approve {
        edited: edited.map(Box::new),
        keep_fees: false,
    })
}
