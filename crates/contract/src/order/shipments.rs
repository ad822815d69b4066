//! Cases about shipment lookups across stores.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use pressline_domain::catalog::PrintArea;
use pressline_domain::fulfilment::{
    CanonicalNumber, Decision, Refusal, ShipCommand, Shipment, ShipmentUpdate, ShippedUnits,
    process_now, ship, update_shipment, void,
};
use pressline_domain::order::{Order, OrderRepository, ShipmentLookup, ShipmentMatch};
use pressline_domain::value::{OrderId, ShipmentId, StoreId};
use uuid::Uuid;

use super::life::{operator, store};
use super::{Shop, create, update};
use crate::check::same;
use crate::samples::made;
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    shipments_are_found_in_the_given_stores,
    a_shipment_is_found_by_its_present_number,
    the_shipments_of_the_newest_orders_come_first,
    shipments_are_walked_from_order_to_order,
];

/// A limit above the number of shipments in any case.
const MANY: u32 = 100;

/// Creates an order in store `of` with ready items of ten units each.
async fn ready(shop: &mut Shop, of: StoreId, order_id: &str) -> Result<Order, CaseError> {
    let mut parts = shop.random.order(of, order_id)?;
    for item in &mut parts.items {
        item.quantity = 10;
        item.areas = vec![PrintArea::main()];
        item.file_urls = vec!["https://example.com/front.png".to_owned()];
    }
    let placed = create(&shop.orders, parts).await??;
    write(shop, process_now(&placed, &store())).await
}

async fn write(shop: &Shop, decided: Result<Decision, Refusal>) -> Result<Order, CaseError> {
    Ok(update(&shop.orders, &made(decided?)?).await?)
}

/// Ships a unit of the first item in a parcel with `id` and tracking number `number`.
async fn sent(shop: &Shop, order: &Order, id: u128, number: &str) -> Result<Order, CaseError> {
    let first = order
        .content
        .items
        .first()
        .ok_or_else(|| CaseError::new("no item"))?;
    let command = ShipCommand {
        id: shipment_id(id),
        items: Some(vec![ShippedUnits {
            id: first.id,
            quantity: 1,
        }]),
        values: ShipmentUpdate {
            reference: Some(format!("parcel {id}")),
            carrier: Some("UPS".to_owned()),
            tracking_number: Some(number.to_owned()),
            ..ShipmentUpdate::default()
        },
    };
    write(shop, ship(order, &command, &operator())).await
}

fn shipment_id(id: u128) -> ShipmentId {
    ShipmentId::new(Uuid::from_u128(id))
}

fn numbered(number: &str) -> ShipmentLookup {
    ShipmentLookup::TrackingNumber(CanonicalNumber::new(number))
}

async fn found(
    orders: &Arc<dyn OrderRepository>,
    stores: &[StoreId],
    lookup: ShipmentLookup,
) -> Result<Vec<ShipmentMatch>, CaseError> {
    let stores: BTreeSet<StoreId> = stores.iter().copied().collect();
    Ok(orders.find_shipments(Some(&stores), &lookup, MANY).await?)
}

/// Returns the expected result for a shipment of `order`.
fn of(order: &Order, shipment: &Shipment) -> ShipmentMatch {
    ShipmentMatch {
        store: order.content.store_id,
        order: order.content.id,
        service_order_id: order.service_order_id.clone(),
        shipment: shipment.clone(),
    }
}

/// Returns the expected results for all shipments of `order`, latest first.
fn all_of(order: &Order) -> Vec<ShipmentMatch> {
    let latest_first = order.shipments.iter().rev();
    latest_first.map(|shipment| of(order, shipment)).collect()
}

/// Returns the expected results for all shipments of `orders`, newest order first.
fn newest_first<'a>(orders: impl IntoIterator<Item = &'a Order>) -> Vec<ShipmentMatch> {
    let mut all: Vec<_> = orders.into_iter().flat_map(all_of).collect();
    all.sort_by_key(|found| Reverse(found.order));
    all
}

async fn shipments_are_found_in_the_given_stores(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (own, other) = (shop.store, shop.another("OTHER").await?);
    let (first, second) = (
        ready(&mut shop, own, "T-1").await?,
        ready(&mut shop, other, "T-1").await?,
    );
    let first = sent(&shop, &first, 1, "1Z-1").await?;
    let second = sent(&shop, &second, 2, "1Z-1").await?;
    let orders = Arc::clone(&shop.orders);
    let in_own = found(&orders, &[own], numbered("1Z-1")).await?;
    same("in one store", &in_own, &all_of(&first))?;
    let in_other = found(&orders, &[other], numbered("1Z-1")).await?;
    same("in the other store", &in_other, &all_of(&second))?;
    let both = newest_first([&first, &second]);
    let in_both = found(&orders, &[own, other], numbered("1Z-1")).await?;
    same("in both stores", &in_both, &both)?;
    let in_all = orders.find_shipments(None, &numbered("1Z-1"), MANY).await?;
    same("in all stores", &in_all, &both)?;
    let by_id = ShipmentLookup::Id(shipment_id(1));
    let in_all = orders.find_shipments(None, &by_id, MANY).await?;
    same("by its id", &in_all, &all_of(&first))?;
    let elsewhere = found(&orders, &[other], by_id).await?;
    same("by its id, elsewhere", &elsewhere, &Vec::new())?;
    let nowhere = found(&orders, &[], numbered("1Z-1")).await?;
    same("in no store", &nowhere, &Vec::new())
}

async fn a_shipment_is_found_by_its_present_number(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let own = shop.store;
    let order = ready(&mut shop, own, "T-1").await?;
    let order = sent(&shop, &order, 1, "1Z-1").await?;
    let update = ShipmentUpdate {
        tracking_number: Some("1z-2 '%\\".to_owned()),
        ..ShipmentUpdate::default()
    };
    let changed = update_shipment(&order, shipment_id(1), update, &operator());
    let order = write(&shop, changed).await?;
    let order = write(&shop, void(&order, shipment_id(1), &operator())).await?;
    let orders = Arc::clone(&shop.orders);
    // Letter case, white space and invisible characters do not count.
    for present in ["1z-2 '%\\", "1Z-2'%\\", " 1z\u{200b}-2\u{a0}'%\\"] {
        let found = found(&orders, &[own], numbered(present)).await?;
        same("the present number", &found, &all_of(&order))?;
    }
    // All other characters count: there are no patterns.
    for other in ["1Z-1", "1Z2'%\\", "1z-2", "", "%"] {
        let none = found(&orders, &[own], numbered(other)).await?;
        same("another number", &none, &Vec::new())?;
    }
    let other_id = ShipmentLookup::Id(shipment_id(2));
    same(
        "another id",
        &found(&orders, &[own], other_id).await?,
        &Vec::new(),
    )
}

/// Creates `count` orders, alternately in the two stores of `stores`. Ships a unit of each with
/// the number that `number` returns, and a unit with the number `none`.
async fn sent_twice(
    shop: &mut Shop,
    stores: [StoreId; 2],
    count: u128,
    number: impl Fn(u128) -> String,
) -> Result<Vec<Order>, CaseError> {
    let mut orders = Vec::new();
    for (place, store) in (0..count).zip(stores.into_iter().cycle()) {
        let order = ready(shop, store, &format!("T-{place}")).await?;
        let order = sent(shop, &order, 2 * place, &number(place)).await?;
        orders.push(sent(shop, &order, 2 * place + 1, "none").await?);
    }
    Ok(orders)
}

async fn the_shipments_of_the_newest_orders_come_first(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (own, other) = (shop.store, shop.another("OTHER").await?);
    let orders = sent_twice(&mut shop, [own, other], 6, |_| "none".to_owned()).await?;
    let all = newest_first(&orders);
    // Limits within and between the two shipments of an order.
    for count in [1_u32, 3, 4, 11, 12, MANY] {
        let lookup = numbered("none");
        let found = shop.orders.find_shipments(None, &lookup, count).await?;
        let first: Vec<_> = all.iter().take(usize::try_from(count)?).cloned().collect();
        same(&format!("the first {count}"), &found, &first)?;
    }
    Ok(())
}

async fn shipments_are_walked_from_order_to_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (own, other) = (shop.store, shop.another("OTHER").await?);
    let number = |place| format!("1Z-{place}");
    let orders = sent_twice(&mut shop, [own, other], 5, number).await?;
    let all = newest_first(&orders);
    let any = Arc::clone(&shop.orders);
    let both = [own, other];
    let before = |order: OrderId| ShipmentLookup::OfOrdersBefore(order);
    let found_first = found(&any, &both, before(OrderId::HIGHEST)).await?;
    same("from the newest", &found_first, &all)?;
    for order in &orders {
        let id = order.content.id;
        let older: Vec<_> = all
            .iter()
            .filter(|found| found.order < id)
            .cloned()
            .collect();
        same(
            "before an order",
            &found(&any, &both, before(id)).await?,
            &older,
        )?;
        let first = any.find_shipments(None, &before(id), 3).await?;
        let three: Vec<_> = older.into_iter().take(3).collect();
        same("the first three", &first, &three)?;
    }
    let in_own = found(&any, &[own], before(OrderId::HIGHEST)).await?;
    let of_own: Vec<_> = all.into_iter().filter(|found| found.store == own).collect();
    same("in one store", &in_own, &of_own)?;
    let nowhere = found(&any, &[], before(OrderId::HIGHEST)).await?;
    same("in no store", &nowhere, &Vec::new())
}
