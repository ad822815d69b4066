//! Waiting products and problems, listed over many orders.

use pressline_backoffice::overview::{ProblemsDraft, WaitingProduct};
use pressline_backoffice::queue::QueueDraft;
use pressline_domain::order::request::LineItemDraft;
use pressline_domain::value::OrderId;
use pressline_domain::value::page::PageDraft;

use super::floor::Floor;
use super::today::service;
use crate::fixture::*;

/// Places an order without a price: the SKU `NOT-FOR-SALE` is not in the catalog.
async fn unpriced(floor: &Floor, order_id: &str) -> OrderId {
    let item = LineItemDraft {
        file_urls: urls(&[URL]),
        ..item("NOT-FOR-SALE", 1)
    };
    let draft = order_of(order_id, vec![item]);
    let (service, caller) = (&floor.shop.service, caller());
    let placed = service.place.create(&floor.shop.store, &draft, &caller);
    placed.await.unwrap().order.content.id
}

async fn products(floor: &Floor, draft: QueueDraft) -> Vec<WaitingProduct> {
    let operator = &floor.desk.operator;
    let found = service(floor).waiting_products(operator, &draft).await;
    found.unwrap()
}

#[tokio::test]
async fn waiting_items_are_grouped_by_product_with_any_filter() {
    let floor = Floor::open().await;
    for number in 0..30 {
        floor.ready(&format!("T-{number}"), &[2, 3]).await;
    }
    unpriced(&floor, "U-1").await;
    floor.ready("T-30", &[1]).await;
    floor.record("DEMO-1-1", "print", None).await.unwrap();
    let all = products(&floor, QueueDraft::default()).await;
    let counted = |product: &WaitingProduct| (product.sku.clone(), product.items, product.units);
    let counted: Vec<_> = all.iter().map(counted).collect();
    let wanted = [("MUG-11", 61, 151), ("NOT-FOR-SALE", 1, 1)];
    assert_eq!(
        counted,
        wanted.map(|(sku, items, units)| (sku.to_owned(), items, units))
    );
    // The filter by `ship_class` needs the whole orders.
    let standard = QueueDraft {
        ship_class: "standard".to_owned().into(),
        ..QueueDraft::default()
    };
    assert_eq!(products(&floor, standard).await, all);
    for sku in ["MUG-11", "NOT-FOR-SALE"] {
        let of_sku = QueueDraft {
            sku: sku.to_owned().into(),
            ..QueueDraft::default()
        };
        let found = products(&floor, of_sku).await;
        let wanted = all.iter().filter(|product| product.sku == sku);
        assert_eq!(found, wanted.cloned().collect::<Vec<_>>());
    }
    let at_work = QueueDraft {
        statuses: vec!["in-production".to_owned().into()].into(),
        ..QueueDraft::default()
    };
    let found = products(&floor, at_work).await;
    assert_eq!(found.iter().map(|product| product.items).sum::<u64>(), 1);
}

#[tokio::test]
async fn problems_are_found_behind_many_orders_without_problems() {
    let floor = Floor::open().await;
    let mut wanted = Vec::new();
    for number in 0..1100 {
        if [3, 199, 200, 201, 1050].contains(&number) {
            wanted.push(unpriced(&floor, &format!("U-{number}")).await);
        } else {
            floor.ready(&format!("T-{number}"), &[1]).await;
        }
    }
    for size in [1, 2, 5, 100] {
        let mut found = Vec::new();
        let mut draft = ProblemsDraft {
            paging: PageDraft {
                size: size.into(),
                ..PageDraft::default()
            },
            ..ProblemsDraft::default()
        };
        loop {
            let page = service(&floor).problems(&floor.desk.operator, &draft).await;
            let page = page.unwrap();
            let ids = page.entries.iter().map(|problem| problem.place.order.id);
            found.extend(ids);
            let Some(cursor) = page.next_cursor else {
                break;
            };
            draft.paging.cursor = cursor.into();
        }
        assert_eq!(found, wanted, "pages of {size}");
    }
}
