//! Cases about updates of orders.

use pressline_domain::order::OrderParts;
use pressline_domain::value::{OrderId, Timestamp};

use super::writing::{is_found, same_order};
use super::{Shop, update};
use crate::check::{is_stale, same};
use crate::samples::{after, changed};
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    an_update_replaces_the_whole_order,
    whether_a_name_was_given_is_kept,
    a_stale_update_changes_nothing,
];

/// Removes every optional part but the label, and all items but the first.
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
            // A kept item comes after new items.
            0 => parts.items.extend(order.parts().items.first().cloned()),
            1 => parts.items = order.parts().items.iter().rev().cloned().collect(),
            2 => emptied(&mut parts),
            _ => {}
        }
        let what = format!("round {round} ({})", shop.random);
        let change = changed(
            &order,
            parts,
            Timestamp::from_millis(1_717_818_553_000 + round),
        )?;
        let stored = update(&shop.orders, &change).await?;
        let next = after(&change, &stored);
        same_order(&format!("{what}, as returned"), Some(&stored), &next)?;
        is_found(
            &shop,
            &format!("{what}, as found"),
            (shop.store, "T-1"),
            &next,
        )
        .await?;
        order = next;
    }
    is_found(&shop, "another order", (shop.store, "other"), &other).await?;
    same("orders", &shop.all(shop.store).await?.len(), &2)
}

/// Only `name_given` changes, so that no other difference makes an adapter write the items.
async fn whether_a_name_was_given_is_kept(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut order = shop.place("T-1").await?;
    for given in [true, false, true] {
        let mut parts = order.parts().clone();
        for item in &mut parts.items {
            item.name_given = given;
        }
        // `changed` refuses an update that changes nothing.
        if parts == *order.content {
            continue;
        }
        let change = changed(&order, parts, order.state.updated_at)?;
        order = update(&shop.orders, &change).await?;
        same_order(
            "as found",
            shop.find(shop.store, "T-1").await?.as_ref(),
            &after(&change, &order),
        )?;
    }
    Ok(())
}

async fn a_stale_update_changes_nothing(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let first = shop.place("T-1").await?;
    let parts = shop.rewritten(&first)?;
    let change = changed(&first, parts, Timestamp::from_millis(7))?;
    let second = update(&shop.orders, &change).await?;
    // The stored version is 2.
    for wrong in [1, 3, 4] {
        let parts = shop.rewritten(&second)?;
        let at_wrong = second.changed(|order| order.state.version = wrong)?;
        let other = changed(&at_wrong, parts, Timestamp::from_millis(8))?;
        is_stale(
            &format!("version {wrong}"),
            update(&shop.orders, &other).await,
        )?;
    }
    is_found(&shop, "the order", (shop.store, "T-1"), &second).await?;
    let mut unknown = shop.rewritten(&second)?;
    unknown.id = OrderId::new(shop.random.uuid());
    unknown.order_id = "T-2".to_owned();
    let unknown = changed(&second, unknown, Timestamp::from_millis(9))?;
    is_stale(
        "an order that does not exist",
        update(&shop.orders, &unknown).await,
    )?;
    same("all orders", &shop.all(shop.store).await?, &vec![second])
}
