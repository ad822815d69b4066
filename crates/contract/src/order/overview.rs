//! Cases about the data of the overview.

use std::collections::BTreeMap;
use std::slice::from_ref;

use pressline_backoffice::overview::{HourCounts, Hours, OpenOrder};
use pressline_backoffice::production::{
    BatchNumber, CreatedBatch, ItemProgress, ItemRef, NewBatch, ProductionRecord, ProgressRecord,
    Stamp,
};
use pressline_backoffice::queue::{OrderRef, StoreFilter};
use pressline_domain::catalog::PrintArea;
use pressline_domain::fulfilment::{
    ShipCommand, ShipmentUpdate, ShippedUnits, process_now, ship, void,
};
use pressline_domain::order::Order;
use pressline_domain::value::{OperatorId, ShipmentId, StoreId};

use super::life::{operator, store};
use super::status::moved_orders;
use super::{Shop, create, update};
use crate::check::{holds, same};
use crate::samples::{at, made};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    open_orders_are_read_as_they_are_stored,
    open_orders_are_read_of_their_stores_only,
    what_happened_is_counted_by_hour,
];

const HOUR: i64 = 3_600_000;

/// Stored production data of items.
#[derive(Default)]
struct Production {
    progress: Vec<ItemProgress>,
    batches: BTreeMap<ItemRef, BatchNumber>,
}

impl Production {
    fn read_of(&self, order: &Order) -> OpenOrder {
        OpenOrder::new(order, &self.progress, |place| {
            self.batches.get(&place).copied()
        })
    }
}

fn item_refs(order: &Order) -> impl Iterator<Item = ItemRef> {
    let items = order.state.items.iter();
    items.map(|state| ItemRef {
        store: order.content.store_id,
        order: order.content.id,
        item: state.id,
    })
}

fn stamp() -> Stamp {
    Stamp {
        by: OperatorId::new(uuid::Uuid::from_u128(2)),
        at: at(0),
    }
}

/// Records `units` done of an item.
async fn record(shop: &Shop, place: ItemRef, units: u32) -> Result<ItemProgress, CaseError> {
    let progress = ItemProgress {
        revision: 1,
        done: [("print".parse()?, units)].into(),
        ..ItemProgress::none(place)
    };
    let record = ProductionRecord {
        place,
        revision: 1,
        stamp: stamp(),
        recorded: ProgressRecord::Done {
            step: "print".parse()?,
            units,
        },
        once: None,
    };
    shop.adapters.progress.record(&progress, &record).await?;
    Ok(progress)
}

/// Creates a batch of `items` and returns its number.
async fn batch(shop: &Shop, items: Vec<ItemRef>) -> Result<BatchNumber, CaseError> {
    let batch = NewBatch {
        name: None,
        created: stamp(),
        items,
    };
    match shop.adapters.batches.create(&batch).await? {
        CreatedBatch::Stored(header) => Ok(header.number),
        CreatedBatch::Taken(_) => Err(CaseError::new("an item is taken")),
    }
}

/// Records units of some items, and puts some items into an open batch and some into a closed
/// batch.
async fn produced(shop: &mut Shop, orders: &[Order]) -> Result<Production, CaseError> {
    let mut production = Production::default();
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    for place in orders.iter().flat_map(item_refs) {
        if shop.random.one_in(2) {
            let units = u32::try_from(1 + shop.random.below(1000))?;
            production.progress.push(record(shop, place, units).await?);
        }
        match shop.random.index(4) {
            0 => open.push(place),
            1 => closed.push(place),
            _ => {}
        }
    }
    let number = batch(shop, closed).await?;
    shop.adapters.batches.close(number, stamp()).await?;
    let number = batch(shop, open.clone()).await?;
    production
        .batches
        .extend(open.into_iter().map(|place| (place, number)));
    Ok(production)
}

async fn open_orders_are_read_as_they_are_stored(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut orders = moved_orders(&mut shop, 25).await?;
    orders.push(shop.place("incomplete").await?);
    shop.store = shop.another("OTHER").await?;
    orders.extend(moved_orders(&mut shop, 10).await?);
    let with_shipments = orders.iter().filter(|order| !order.shipments.is_empty());
    holds("some are shipped", with_shipments.count() > 0)?;
    let production = produced(&mut shop, &orders).await?;
    holds("some have progress", !production.progress.is_empty())?;
    let places: Vec<OrderRef> = orders.iter().map(OrderRef::new).collect();
    orders.sort_by_key(|order| order.content.id);
    let expected: Vec<OpenOrder> = orders
        .iter()
        .map(|order| production.read_of(order))
        .collect();
    let overview = &shop.adapters.overview;
    // One by one, so that a failure shows a single order.
    for (read, expected) in overview.orders(&places).await?.iter().zip(&expected) {
        same(&format!("an order ({})", shop.random), read, expected)?;
    }
    let read = overview.orders(&places).await?;
    same("their number", &read.len(), &expected.len())?;
    same("of no orders", &overview.orders(&[]).await?, &Vec::new())
}

async fn open_orders_are_read_of_their_stores_only(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let order = shop.place("T-1").await?;
    let other = shop.another("OTHER").await?;
    let own = OrderRef::new(&order);
    let elsewhere = OrderRef {
        store: other,
        ..own
    };
    let overview = &shop.adapters.overview;
    let read = overview.orders(from_ref(&elsewhere)).await?;
    same("of the other store", &read, &Vec::new())?;
    let read = overview.orders(&[own, elsewhere]).await?;
    let expected = Production::default().read_of(&order);
    same("of both", &read, &vec![expected])
}

/// Creates an order with ready items, `after_now` milliseconds after [`NOW`].
async fn ready_at(
    shop: &mut Shop,
    of: StoreId,
    (order_id, after_now): (&str, i64),
    test: bool,
) -> Result<Order, CaseError> {
    let mut parts = shop.random.order(of, order_id)?;
    parts.id = shop.random.order_id(after_now);
    parts.test = test;
    for item in &mut parts.items {
        item.quantity = 10;
        item.areas = vec![PrintArea::main()];
        item.file_urls = vec!["https://example.com/front.png".to_owned()];
    }
    let placed = create(&shop.orders, parts).await??;
    let ready = made(process_now(&placed, &store())?)?;
    Ok(update(&shop.orders, &ready).await?)
}

/// Ships `quantity` units of the first item in a parcel recorded `after_now` milliseconds after
/// [`NOW`].
async fn sent(
    shop: &mut Shop,
    order: &Order,
    quantity: u32,
    after_now: i64,
) -> Result<Order, CaseError> {
    let first = order.content.items.first();
    let id = first.ok_or_else(|| CaseError::new("no item"))?.id;
    let command = ShipCommand {
        id: ShipmentId::new(*shop.random.order_id(after_now).as_uuid()),
        items: Some(vec![ShippedUnits { id, quantity }]),
        values: ShipmentUpdate {
            reference: Some(format!("parcel {after_now}")),
            ..ShipmentUpdate::default()
        },
    };
    let shipped = made(ship(order, &command, &operator())?)?;
    Ok(update(&shop.orders, &shipped).await?)
}

/// Checks the hours until [`NOW`]. `expected` has index, orders and units of each hour that is not
/// empty.
async fn check(shop: &Shop, stores: &StoreFilter, expected: &[(usize, u64, u64)]) -> CaseResult {
    let hours = Hours::until(at(0));
    let counts = shop.adapters.overview.hours(stores, hours).await?;
    let mut wanted: Vec<HourCounts> = hours.empty();
    for (hour, orders, units) in expected {
        if let Some(counts) = wanted.get_mut(*hour) {
            (counts.orders, counts.units) = (*orders, *units);
        }
    }
    same(&format!("{stores:?}"), &counts, &wanted)
}

async fn what_happened_is_counted_by_hour(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (own, other) = (shop.store, shop.another("OTHER").await?);
    let mut record = shop.random.store("TEST")?;
    record.store.test = true;
    shop.adapters.stores.add(&record).await?;
    let trial = record.store.id;
    // The 24 hours end at `NOW`. Orders lie just inside and just outside both ends.
    let early = ready_at(&mut shop, own, ("too early", -24 * HOUR - 1), false).await?;
    ready_at(&mut shop, own, ("too late", 0), false).await?;
    ready_at(&mut shop, own, ("first", -24 * HOUR), false).await?;
    ready_at(&mut shop, own, ("last", -1), false).await?;
    ready_at(&mut shop, other, ("also last", -HOUR), false).await?;
    ready_at(&mut shop, trial, ("trial", -1), true).await?;
    let sent_before = sent(&mut shop, &early, 1, -24 * HOUR - 1).await?;
    let sent_twice = sent(&mut shop, &sent_before, 2, -HOUR - 1).await?;
    let sent_thrice = sent(&mut shop, &sent_twice, 3, -5).await?;
    let sent_last = sent(&mut shop, &sent_thrice, 4, -6).await?;
    // A void shipment must not count.
    let undone = sent_last
        .shipments
        .last()
        .ok_or_else(|| CaseError::new("no shipment"))?
        .id;
    let voided = made(void(&sent_last, undone, &operator())?)?;
    update(&shop.orders, &voided).await?;
    let asked = |set: Option<Vec<StoreId>>, with_test| StoreFilter {
        set: set.map(|ids| ids.into_iter().collect()),
        with_test,
    };
    let all = [(0, 1, 0), (22, 0, 2), (23, 2, 3)];
    check(&shop, &asked(None, false), &all).await?;
    check(&shop, &asked(Some(vec![own, other, trial]), false), &all).await?;
    check(&shop, &asked(Some(vec![other]), false), &[(23, 1, 0)]).await?;
    check(
        &shop,
        &asked(None, true),
        &[(0, 1, 0), (22, 0, 2), (23, 3, 3)],
    )
    .await?;
    check(&shop, &asked(Some(vec![trial]), true), &[(23, 1, 0)]).await?;
    check(&shop, &asked(Some(Vec::new()), false), &[]).await
}
