//! Orders that replace items of other orders.

use std::slice::from_ref;

use pressline_domain::check::Field;
use pressline_domain::fulfilment::{ItemStatus, place};
use pressline_domain::order::request::{LineItemDraft, ReplaceDraft, UnitsDraft};
use pressline_domain::order::{
    NewOrder, Order, OrderError, OrderRepository, OrderWrite, Placed, Source,
};

use super::Desk;
use crate::fixture::*;

fn mug(quantity: i64) -> LineItemDraft {
    LineItemDraft {
        file_urls: urls(&[URL]),
        ..item("MUG-11", quantity)
    }
}

/// Draft that replaces units of `items`, pairs of position and quantity, of the current version of
/// `order`.
fn replacing(order: &Order, items: &[(usize, i64)]) -> ReplaceDraft {
    let item = |(place, quantity): &(usize, i64)| {
        Field::Value(UnitsDraft {
            app_item_id: order.content.items[*place].id.to_string().as_str().into(),
            quantity: Field::Value(*quantity),
        })
    };
    ReplaceDraft {
        order_id: order.service_order_id.to_string().as_str().into(),
        version: Field::Value(i64::from(order.state.version)),
        reason: "damaged".into(),
        line_items: Field::Value(items.iter().map(item).collect()),
        charge: Field::Absent,
    }
}

async fn replace(shop: &Shop, draft: &ReplaceDraft) -> Result<Placed, OrderError> {
    let desk = Desk::new(shop);
    shop.service
        .place
        .replace(desk.scope(), draft, &desk.caller())
        .await
}

#[tokio::test]
async fn a_replacement_is_free_and_ready_and_linked_with_its_original() {
    let shop = Shop::open().await;
    let order = shop.place("T-1", vec![mug(3), mug(1)]).await.order;
    let draft = replacing(&order, &[(0, 2)]);
    let made = replace(&shop, &draft).await.unwrap();
    assert!(!made.replayed);
    let new = made.order;
    assert_eq!(new.service_order_id.to_string(), "DEMO-2");
    assert_eq!(new.shown_order_id(), "DEMO-2");
    assert_eq!(new.content.source, Source::App);
    assert_eq!(new.state.replaces.as_ref(), Some(&order.service_order_id));
    assert_eq!(new.state.item_statuses(), [ItemStatus::Ready]);
    assert_eq!(new.content.items.len(), 1);
    assert_eq!(new.content.items[0].quantity, 2);
    assert_ne!(new.content.items[0].id, order.content.items[0].id);
    assert_eq!(new.content.shipping_address, order.content.shipping_address);
    assert_eq!(new.bill().unwrap().total(), usd("0"));
    assert!(new.is_priced());
    let replaced = shop.stored("T-1").await.unwrap();
    assert_eq!(replaced.state.replaced_by, from_ref(&new.service_order_id));
    assert_eq!(replaced.state.version, 2);
    // A repeated request returns the replacement, although the order has a new version.
    let again = replace(&shop, &draft).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.order, new);
    assert_eq!(shop.stored("T-1").await, Some(replaced.clone()));
    let other = replacing(&order, &[(1, 1)]);
    let Err(OrderError::Duplicate {
        existing,
        differing,
    }) = replace(&shop, &other).await
    else {
        panic!("another request about the same version");
    };
    assert_eq!(
        (existing.order_id.as_str(), differing),
        ("DEMO-2", vec!["line_items".to_owned()])
    );
    let more = replace(&shop, &replacing(&replaced, &[(1, 1)]))
        .await
        .unwrap();
    assert_eq!(more.order.service_order_id.to_string(), "DEMO-3");
    let replaced = shop.stored("T-1").await.unwrap();
    assert_eq!(replaced.state.replaced_by.len(), 2);
}

#[tokio::test]
async fn a_repeated_request_completes_a_replacement_after_a_crash() {
    let shop = Shop::open().await;
    let order = shop.place("T-1", vec![mug(1)]).await.order;
    let new = replace(&shop, &replacing(&order, &[(0, 1)]))
        .await
        .unwrap()
        .order;
    // A second shop with the same ids in which only the new order was written, as after a crash.
    let crashed = Shop::open().await;
    let order = crashed.place("T-1", vec![mug(1)]).await.order;
    let parts = new.parts().clone();
    let context = Desk::new(&crashed).caller().at(parts.created_at());
    let placement = place(&parts, 0, &context).unwrap();
    let placement = placement.replacing(order.service_order_id.clone());
    let half = OrderWrite::create(NewOrder::new(parts, placement).unwrap());
    let half = crashed.orders.write(half).await.unwrap();
    assert_eq!(crashed.stored("T-1").await.unwrap().state.replaced_by, []);
    let completed = replace(&crashed, &replacing(&order, &[(0, 1)]))
        .await
        .unwrap();
    assert!(completed.replayed);
    assert_eq!(completed.order, half);
    let replaced = crashed.stored("T-1").await.unwrap();
    assert_eq!(replaced.state.replaced_by, from_ref(&half.service_order_id));
}

#[tokio::test]
async fn a_store_order_with_a_replacements_id_is_not_a_replacement() {
    let shop = Shop::open().await;
    let order = shop.place("T-1", vec![mug(1)]).await.order;
    shop.place("DEMO-1~r1", vec![mug(1)]).await;
    let refused = replace(&shop, &replacing(&order, &[(0, 1)])).await;
    assert!(matches!(refused, Err(OrderError::Duplicate { .. })));
    assert_eq!(shop.stored("T-1").await, Some(order));
}

#[tokio::test]
async fn a_replacement_can_be_charged() {
    let shop = Shop::open().await;
    let order = shop.place("T-1", vec![mug(2)]).await.order;
    let draft = ReplaceDraft {
        charge: Field::Value(true),
        ..replacing(&order, &[(0, 1)])
    };
    let made = replace(&shop, &draft).await.unwrap().order;
    // A mug at 5.00, shipping 4.00.
    assert_eq!(made.bill().unwrap().total(), usd("9"));
}

#[tokio::test]
async fn invalid_replacements_are_refused() {
    let shop = Shop::open().await;
    let order = shop.place("T-1", vec![mug(2)]).await.order;
    let good = || replacing(&order, &[(0, 1)]);
    let stale = ReplaceDraft {
        version: Field::Value(7),
        ..good()
    };
    let refused = replace(&shop, &stale).await;
    assert!(matches!(
        refused,
        Err(OrderError::VersionConflict { current: 1 })
    ));
    let unknown = shop.place("T-2", vec![mug(1)]).await.order;
    let unknown = ReplaceDraft {
        line_items: replacing(&unknown, &[(0, 1)]).line_items,
        ..good()
    };
    let refused = replace(&shop, &unknown).await;
    assert!(matches!(refused, Err(OrderError::UnknownItem(_))));
    let silent = ReplaceDraft {
        version: Field::Absent,
        reason: Field::Absent,
        line_items: Field::Absent,
        ..good()
    };
    expect(
        "what is required",
        replace(&shop, &silent).await,
        &[
            ("version", "required"),
            ("reason", "required"),
            ("line_items", "required"),
        ],
    );
    for (items, field) in [
        (vec![(0, 3)], "line_items[0].quantity"),
        (vec![(0, 0)], "line_items[0].quantity"),
        (vec![(0, 1), (0, 1)], "line_items[1].appItemId"),
    ] {
        let refused = replace(&shop, &replacing(&order, &items)).await;
        let Err(OrderError::Invalid { violations, .. }) = refused else {
            panic!("{items:?} is accepted");
        };
        assert_eq!(violations[0].field, field);
    }
    assert_eq!(shop.stored("T-1").await, Some(order));
}
