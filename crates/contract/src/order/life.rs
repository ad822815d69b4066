//! Cases about status changes of orders, and their events.

use std::collections::BTreeSet;
use std::sync::Arc;

use pressline_domain::event::{Actor, Event, at_version};
use pressline_domain::fulfilment::{
    Caller, CancelCommand, Change, Context, Decision, HoldCommand, NeedCode, NeedCommand, Refusal,
    ShipCommand, ShipmentUpdate, cancel, correct_fees, hold, need, process_now, release, ship,
};
use pressline_domain::order::{Order, OrderRepository};
use pressline_domain::pricing::corrections::CorrectionParts;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::{
    ChangeId, CorrectionId, KeyId, NeedId, OperatorId, ShipmentId, StoreId, Timestamp,
};
use uuid::Uuid;

use super::{Shop, create, update};
use crate::at_once::at_once;
use crate::check::{holds, is_duplicate, is_stale, same};
use crate::samples::{NOW, after, changed, made};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_move_leaves_the_content_alone,
    all_that_moves_is_kept,
    events_follow_the_chain_of_their_order,
    each_version_is_rebuilt_from_its_events,
    sequences_have_no_hole,
    sequences_of_calls_at_once_have_no_hole,
];

/// A minute after all orders of a case were placed, in Unix milliseconds.
pub(crate) const LATER: i64 = NOW + 60_000;

pub(super) fn by(actor: Actor, millis: i64) -> Context {
    let caller = Caller {
        actor,
        request_id: Some("req-2".to_owned()),
    };
    Context {
        reason: Some("because".to_owned()),
        ..caller.at(Timestamp::from_millis(millis))
    }
}

pub(super) fn store() -> Context {
    by(Actor::Store(KeyId::new(Uuid::from_u128(1))), LATER)
}

pub(super) fn operator() -> Context {
    by(Actor::Operator(OperatorId::new(Uuid::from_u128(2))), LATER)
}

pub(crate) fn held(order: &Order) -> Result<Decision, Refusal> {
    let command = HoldCommand {
        items: None,
        until: Some(Timestamp::from_millis(LATER + 1)),
        change: ChangeId::new(Uuid::from_u128(3)),
    };
    hold(order, &command, &store())
}

pub(crate) fn released(order: &Order) -> Result<Change, CaseError> {
    made(release(order, None, &store())?)
}

/// Writes the change of a decision, and checks that the stored order equals the decided order.
pub(super) async fn write(
    shop: &Shop,
    decided: Result<Decision, Refusal>,
) -> Result<Order, CaseError> {
    let change = made(decided?)?;
    let stored = update(&shop.orders, &change).await?;
    same("as returned", &stored, &after(&change, &stored))?;
    let order_id = &stored.content.order_id;
    let found = shop.find(shop.store, order_id).await?;
    same("as found", &found.as_ref(), &Some(&stored))?;
    let searched = shop.all(shop.store).await?;
    let searched = searched
        .iter()
        .find(|order| order.content.id == stored.content.id);
    same("as searched", &searched, &Some(&stored))?;
    Ok(stored)
}

/// Returns all events of an order, newest first.
async fn events(orders: &Arc<dyn OrderRepository>, order: &Order) -> Result<Vec<Event>, CaseError> {
    let (id, latest) = (order.content.id, order.state.last_sequence);
    Ok(orders
        .events(order.content.store_id, id, latest, 1000)
        .await?)
}

/// Creates the order `order_id`, whose items have all their files.
pub(super) async fn complete(shop: &mut Shop, order_id: &str) -> Result<Order, CaseError> {
    complete_in(shop, shop.store, order_id).await
}

/// Creates the order `order_id` of `store`, whose items have all their files.
pub(super) async fn complete_in(
    shop: &mut Shop,
    store: StoreId,
    order_id: &str,
) -> Result<Order, CaseError> {
    let mut parts = shop.random.order(store, order_id)?;
    for item in &mut parts.items {
        item.areas = vec![pressline_domain::catalog::PrintArea::main()];
        item.file_urls = vec!["https://example.com/front.png".to_owned()];
    }
    Ok(create(&shop.orders, parts).await??)
}

async fn a_move_leaves_the_content_alone(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.place("other").await?;
    let placed = shop.place("T-1").await?;
    let on_hold = update(&shop.orders, &made(held(&placed)?)?).await?;
    same("the content", &on_hold.content, &placed.content)?;
    same("the version", &on_hold.state.version, &2)?;
    let found = shop.find(shop.store, "T-1").await?;
    same("as found", &found.as_ref(), &Some(&on_hold))?;
    // A move decided on an earlier version is refused.
    is_stale(
        "a late move",
        update(&shop.orders, &made(held(&placed)?)?).await,
    )?;
    let free = update(&shop.orders, &released(&on_hold)?).await?;
    let found = shop.find(shop.store, "T-1").await?;
    same("as found again", &found.as_ref(), &Some(&free))?;
    let found = shop.find(shop.store, "other").await?;
    same("another order", &found.as_ref(), &Some(&other))
}

pub(super) fn need_of(order: &Order) -> Result<Decision, Refusal> {
    let command = NeedCommand {
        items: order.state.items.first().map(|item| vec![item.id]),
        id: NeedId::new(Uuid::from_u128(4)),
        code: NeedCode::Other,
        text: Some("Which 'colour'?".to_owned()),
        amount: None,
    };
    need(order, &command, &operator())
}

fn shipped(order: &Order, number: &str) -> Result<Decision, Refusal> {
    let command = ShipCommand {
        id: ShipmentId::new(Uuid::from_u128(number.len() as u128)),
        items: None,
        values: ShipmentUpdate {
            carrier: Some("UPS".to_owned()),
            tracking_number: Some(number.to_owned()),
            ..ShipmentUpdate::default()
        },
    };
    ship(order, &command, &operator())
}

fn fee(order: &Order, id: u128) -> Result<Decision, CaseError> {
    let line = CorrectionParts {
        id: CorrectionId::new(Uuid::from_u128(id)),
        fee: FeeType::Other,
        item: None,
        amount: 125,
        reason: "a \"rush\"".to_owned(),
    };
    Ok(correct_fees(order, line, &operator())?)
}

async fn all_that_moves_is_kept(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let placed = complete(&mut shop, "T-1").await?;
    let ready = write(&shop, process_now(&placed, &store())).await?;
    let fee_line = fee(&ready, 1)?;
    let with_fee = write(&shop, Ok(fee_line)).await?;
    let fee_line = fee(&with_fee, 2)?;
    let with_fees = write(&shop, Ok(fee_line)).await?;
    let command = CancelCommand {
        items: None,
        keep_fees: false,
        change: ChangeId::new(Uuid::from_u128(5)),
    };
    let no_line = || CorrectionId::new(Uuid::nil());
    let asked = write(&shop, cancel(&with_fees, &command, &no_line, &store())).await?;
    holds("a change is pending", asked.state.pending.is_some())?;
    let free = pressline_domain::fulfilment::withdraw_change(&asked, &store());
    let free = write(&shop, free).await?;
    let needed = write(&shop, need_of(&free)).await?;
    holds("something is needed", !needed.state.needs.is_empty())?;
    let other = complete(&mut shop, "T-2").await?;
    let other = write(&shop, process_now(&other, &store())).await?;
    let sent = write(&shop, shipped(&other, "1Z-1")).await?;
    holds("there is a shipment", sent.shipments.len() == 1)?;
    same("fee lines", &needed.corrections.len(), &2)
}

async fn events_follow_the_chain_of_their_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut order = shop.place("T-1").await?;
    let mut other = shop.place("T-2").await?;
    for _ in 0..3 {
        order = update(&shop.orders, &made(held(&order)?)?).await?;
        other = update(&shop.orders, &made(held(&other)?)?).await?;
        order = update(&shop.orders, &released(&order)?).await?;
        other = update(&shop.orders, &released(&other)?).await?;
    }
    let all = events(&shop.orders, &order).await?;
    let versions: Vec<u32> = all.iter().map(|event| event.event.version).collect();
    same("versions", &versions, &vec![7, 6, 5, 4, 3, 2, 1])?;
    let id = order.content.id;
    let own = all.iter().all(|event| event.event.order == id);
    holds("an event of another order", own)?;
    for (event, before) in all.iter().zip(all.iter().skip(1)) {
        let previous = event.event.previous.map(|previous| previous.sequence);
        same("the previous event", &previous, &Some(before.sequence))?;
    }
    // Reading can start at any event and is limited in number.
    let third = all.get(2).ok_or_else(|| CaseError::new("no event"))?;
    let some = shop
        .orders
        .events(shop.store, id, third.sequence, 2)
        .await?;
    same(
        "two events",
        &some.as_slice(),
        &all.get(2..4).unwrap_or_default(),
    )?;
    // Events are found neither by another order nor in another store.
    let latest = other.state.last_sequence;
    let none = shop.orders.events(shop.store, id, latest, 9).await?;
    same("events of the other order", &none, &Vec::new())?;
    let elsewhere = shop.another("OTHER").await?;
    let latest = order.state.last_sequence;
    let none = shop.orders.events(elsewhere, id, latest, 9).await?;
    same("events in another store", &none, &Vec::new())
}

async fn each_version_is_rebuilt_from_its_events(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut versions = vec![shop.place("T-1").await?];
    for round in 0..12_i64 {
        let latest = versions.last().ok_or_else(|| CaseError::new("no order"))?;
        // A hold, a release and a change of content in turn.
        let change = if round % 3 == 0 {
            made(held(latest)?)?
        } else if round % 3 == 1 {
            released(latest)?
        } else {
            let parts = shop.rewritten(latest)?;
            changed(latest, parts, Timestamp::from_millis(LATER + round))?
        };
        versions.push(update(&shop.orders, &change).await?);
    }
    let latest = versions.last().ok_or_else(|| CaseError::new("no order"))?;
    let events = events(&shop.orders, latest).await?;
    for wanted in &versions {
        let version = wanted.state.version;
        let what = format!("version {version} ({})", shop.random);
        same(&what, &at_version(latest, &events, version)?, wanted)?;
    }
    Ok(())
}

/// Checks that the sequence numbers of all events of `stored` are 1, 2, 3 …
async fn check_sequences(orders: &Arc<dyn OrderRepository>, stored: &[Order]) -> CaseResult {
    let mut sequences = BTreeSet::new();
    for order in stored {
        let events = events(orders, order).await?;
        sequences.extend(events.iter().map(|event| event.sequence));
    }
    let count = u64::try_from(sequences.len())?;
    same("sequences", &sequences, &(1..=count).collect())
}

async fn sequences_have_no_hole(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.another("OTHER").await?;
    for number in 0..8 {
        let order_id = format!("T-{number}");
        let order = shop.place(&order_id).await?;
        // Refused writes must not use up a sequence number.
        let again = shop.parts(&order_id)?;
        is_duplicate("the same order id", create(&shop.orders, again).await?)?;
        let elsewhere = shop.random.order(other, &order_id)?;
        create(&shop.orders, elsewhere).await??;
        update(&shop.orders, &made(held(&order)?)?).await?;
        is_stale(
            "a late move",
            update(&shop.orders, &made(held(&order)?)?).await,
        )?;
    }
    for store in [shop.store, other] {
        check_sequences(&shop.orders, &shop.all(store).await?).await?;
    }
    Ok(())
}

/// Creates and moves orders of a store; concurrent calls create some of the same orders.
async fn work(
    orders: Arc<dyn OrderRepository>,
    parts: Vec<pressline_domain::order::OrderParts>,
) -> CaseResult {
    for parts in parts {
        let Ok(order) = create(&orders, parts).await? else {
            continue;
        };
        let order = update(&orders, &made(held(&order)?)?).await?;
        update(&orders, &released(&order)?).await?;
        // A refused change must not use up a sequence number.
        is_stale("a late move", update(&orders, &released(&order)?).await)?;
    }
    Ok(())
}

async fn sequences_of_calls_at_once_have_no_hole(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.another("OTHER").await?;
    let mut calls = Vec::new();
    for call in 0..8 {
        let store = if call % 2 == 0 { shop.store } else { other };
        // Pairs of calls create the same orders, so that half of the creates are refused.
        let order_id = |number| format!("T-{}", call / 4 * 100 + number);
        let mut parts = Vec::new();
        for number in 0..4 {
            parts.push(shop.random.order(store, &order_id(number))?);
        }
        calls.push(work(Arc::clone(&shop.orders), parts));
    }
    for result in at_once(calls).await? {
        result?;
    }
    for store in [shop.store, other] {
        check_sequences(&shop.orders, &shop.all(store).await?).await?;
    }
    Ok(())
}
