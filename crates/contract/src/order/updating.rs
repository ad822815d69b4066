//! Changes of orders.

use pressline_domain::id::OrderId;
use pressline_domain::order::OrderParts;
use pressline_domain::time::Timestamp;

use super::writing::same_order;
use super::{Shop, update};
use crate::check::{is_stale, same};
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    an_update_replaces_the_whole_order,
    whether_a_name_was_given_is_kept,
    a_stale_update_changes_nothing,
];

/// Without anything that an order can lack.
fn emptied(parts: &mut OrderParts) {
    parts.label_url = Some("https://example.com/label.pdf".to_owned());
    parts.email = None;
    parts.shipping_address = None;
    parts.billing_address = None;
    parts.production_note = None;
    parts.bill = pressline_domain::pricing::fees::Bill::default();
    parts.items.truncate(1);
    for item in &mut parts.items {
        item.ref_id = None;
        item.name = None;
        item.ship_class = None;
        item.file_urls.clear();
        item.mockup_images.clear();
        item.status = None;
        item.unit_cost = None;
    }
}

async fn an_update_replaces_the_whole_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.place("other").await?;
    let mut order = shop.place("T-1").await?;
    for round in 1..30 {
        let mut parts = shop.rewritten(&order)?;
        match round % 4 {
            // An item that stays, after ones that are new.
            0 => parts.items.extend(order.parts().items.first().cloned()),
            1 => parts.items = order.parts().items.iter().rev().cloned().collect(),
            2 => emptied(&mut parts),
            _ => {}
        }
        let what = format!("round {round} ({})", shop.random);
        let next = order.changed(parts, Timestamp::from_millis(1_717_818_553_000 + round))?;
        let expected = order.parts().version;
        let stored = update(&shop.orders, &next, expected).await?;
        same_order(&format!("{what}, as returned"), Some(&stored), &next)?;
        same_order(
            &format!("{what}, as found"),
            shop.find(shop.store, "T-1").await?.as_ref(),
            &next,
        )?;
        order = next;
    }
    same_order(
        "another order",
        shop.find(shop.store, "other").await?.as_ref(),
        &other,
    )?;
    same("orders", &shop.all(shop.store).await?.len(), &2)
}

/// Nothing else of the order changes, so that no other difference makes a store write the items.
async fn whether_a_name_was_given_is_kept(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut order = shop.place("T-1").await?;
    for given in [true, false, true] {
        let mut parts = order.parts().clone();
        for item in &mut parts.items {
            item.name_given = given;
        }
        let changed = order.changed(parts, order.parts().updated_at)?;
        update(&shop.orders, &changed, order.parts().version).await?;
        same_order(
            "as found",
            shop.find(shop.store, "T-1").await?.as_ref(),
            &changed,
        )?;
        order = changed;
    }
    Ok(())
}

async fn a_stale_update_changes_nothing(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let first = shop.place("T-1").await?;
    let parts = shop.rewritten(&first)?;
    let second = first.changed(parts, Timestamp::from_millis(7))?;
    update(&shop.orders, &second, 1).await?;
    for wrong in [0, 1, 3] {
        let parts = shop.rewritten(&second)?;
        let other = second.changed(parts, Timestamp::from_millis(8))?;
        is_stale(
            &format!("version {wrong}"),
            update(&shop.orders, &other, wrong).await,
        )?;
    }
    same_order(
        "the order",
        shop.find(shop.store, "T-1").await?.as_ref(),
        &second,
    )?;
    let mut unknown = shop.rewritten(&second)?;
    unknown.id = OrderId::new(shop.random.uuid());
    unknown.order_id = "T-2".to_owned();
    let unknown = second.changed(unknown, Timestamp::from_millis(9))?;
    is_stale(
        "an order that does not exist",
        update(&shop.orders, &unknown, 2).await,
    )?;
    same("all orders", &shop.all(shop.store).await?, &vec![second])
}
