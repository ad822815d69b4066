//! Items and orders of several stores.

mod portions;

use std::collections::BTreeSet;

use pressline_backoffice::limits::LISTED_ORDERS;
use pressline_backoffice::operator::{Operator, OperatorRole};
use pressline_backoffice::queue::{OrdersDraft, QueueDraft, QueueItem, QueueService, StoresDraft};
use pressline_domain::check::Field;
use pressline_domain::check::limits::PAGE_SIZE;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderError;
use pressline_domain::order::request::LineItemDraft;
use pressline_domain::value::page::{Page, PageDraft};
use pressline_domain::value::{Currency, OperatorId};
use uuid::Uuid;

use super::fixture::*;

fn viewer(shop: &Shop, is_bound: bool) -> Operator {
    Operator {
        id: OperatorId::new(Uuid::from_u128(9)),
        name: "viewer".to_owned(),
        role: OperatorRole::Viewer,
        stores: is_bound.then(|| BTreeSet::from([shop.store.id])),
        created_at: shop.store.created_at,
    }
}

fn queue(shop: &Shop) -> QueueService {
    QueueService::new(shop.orders.clone(), shop.orders.clone())
}

async fn search(shop: &Shop, draft: &QueueDraft) -> Result<Page<QueueItem>, OrderError> {
    queue(shop).search(&viewer(shop, false), draft).await
}

fn shown(page: &Page<QueueItem>) -> Vec<(&str, &str)> {
    let entries = page.entries.iter();
    let shown = entries.map(|entry| {
        let (line, _) = entry.item().unwrap();
        (entry.order.content.order_id.as_str(), line.sku.as_str())
    });
    shown.collect()
}

fn texts(texts: &[&str]) -> Field<Vec<Field<String>>> {
    let texts = texts.iter().map(|text| Field::from(*text));
    Field::Value(texts.collect())
}

/// A shirt with `files` print files; the second file is for the back.
fn shirt(files: usize) -> LineItemDraft {
    let urls = (0..files).map(|number| format!("https://example.com/{number}.png"));
    LineItemDraft {
        file_urls: Field::Value(urls.map(Field::Value).collect()),
        ..item("TEE-M", 1)
    }
}

type Case = (
    &'static str,
    fn(&mut QueueDraft),
    &'static [(&'static str, &'static str)],
);

const CASES: [Case; 7] = [
    (
        "an area that is printed",
        |draft| draft.area = "Back".into(),
        &[("T-1", "TEE-M")],
    ),
    (
        "an area that no product has",
        |draft| draft.area = "Sleeve".into(),
        &[],
    ),
    (
        "a ship class in other letters",
        |draft| draft.ship_class = "EXPRESS".into(),
        &[("T-2", "MUG-11")],
    ),
    (
        "items without a ship class",
        |draft| draft.ship_class = "standard".into(),
        &[("T-0", "TEE-M"), ("T-1", "TEE-M"), ("T-1", "MUG-11")],
    ),
    (
        "a SKU",
        |draft| draft.sku = "MUG-11".into(),
        &[("T-1", "MUG-11"), ("T-2", "MUG-11")],
    ),
    (
        "a SKU with words",
        |draft| {
            draft.sku = "MUG-11".into();
            draft.search_key = "t-1".into();
        },
        &[("T-1", "MUG-11")],
    ),
    (
        "a time",
        |draft| draft.placed_before = (NOW + 1000).into(),
        &[("T-0", "TEE-M")],
    ),
];

#[tokio::test]
async fn items_are_found_by_their_properties() {
    let shop = Shop::open().await;
    let express = in_class(item("MUG-11", 1), "Express");
    let orders = [
        vec![shirt(1)],
        vec![shirt(2), item("MUG-11", 2)],
        vec![express],
    ];
    for (number, items) in orders.into_iter().enumerate() {
        shop.place(&format!("T-{number}"), items).await;
        shop.clock.advance(1000);
    }
    for (what, choose, expected) in CASES {
        let mut draft = QueueDraft::default();
        choose(&mut draft);
        let page = search(&shop, &draft).await.unwrap();
        assert_eq!(shown(&page), expected, "{what}");
    }
    let done = QueueDraft {
        statuses: texts(&["fulfilled", "cancelled"]),
        ..QueueDraft::default()
    };
    assert!(search(&shop, &done).await.unwrap().entries.is_empty());
}

/// The search reads orders in growing portions and must not skip an order between two of them.
#[tokio::test]
async fn a_rare_item_is_found_behind_many_others() {
    let shop = Shop::open().await;
    let rare = || in_class(item("MUG-11", 1), "Express");
    for number in 0..520 {
        let is_rare = [99, 100, 101, 499, 519].contains(&number);
        let item = if is_rare { rare() } else { item("MUG-11", 1) };
        shop.place(&format!("T-{number}"), vec![item]).await;
        shop.clock.advance(1);
    }
    let mut draft = QueueDraft {
        ship_class: "Express".into(),
        paging: PageDraft {
            size: 2.into(),
            ..PageDraft::default()
        },
        ..QueueDraft::default()
    };
    let mut met = Vec::new();
    loop {
        let page = search(&shop, &draft).await.unwrap();
        met.extend(
            shown(&page)
                .into_iter()
                .map(|(order_id, _)| order_id.to_owned()),
        );
        match page.next_cursor {
            Some(cursor) => draft.paging.cursor = cursor.as_str().into(),
            None => break,
        }
    }
    assert_eq!(met, ["T-99", "T-100", "T-101", "T-499", "T-519"]);
}

#[tokio::test]
async fn a_cursor_continues_within_an_order_and_belongs_to_its_filters() {
    let shop = Shop::open().await;
    let items = vec![item("MUG-11", 1), item("TEE-M", 1), item("POSTER", 1)];
    shop.place("T-0", items).await;
    let first = QueueDraft {
        paging: PageDraft {
            size: 2.into(),
            ..PageDraft::default()
        },
        ..QueueDraft::default()
    };
    let page = search(&shop, &first).await.unwrap();
    assert_eq!(shown(&page), [("T-0", "MUG-11"), ("T-0", "TEE-M")]);
    let mut next = first.clone();
    next.paging.cursor = page.next_cursor.unwrap().as_str().into();
    let rest = search(&shop, &next).await.unwrap();
    assert_eq!(shown(&rest), [("T-0", "POSTER")]);
    assert!(rest.next_cursor.is_none() && rest.number.is_none());
    next.sku = "POSTER".into();
    expect(
        "another SKU",
        search(&shop, &next).await,
        &[("cursor", "invalid_format")],
    );
    next.paging = PageDraft {
        page: 2.into(),
        ..PageDraft::default()
    };
    expect(
        "a page",
        search(&shop, &next).await,
        &[("page", "out_of_range")],
    );
}

#[tokio::test]
async fn an_operator_finds_items_of_its_stores_only() {
    let shop = Shop::open().await;
    let other = shop.add_store("OTHER", Currency::USD).await;
    shop.place("T-0", vec![item("MUG-11", 1)]).await;
    let draft = order_of("T-1", vec![item("MUG-11", 1)]);
    shop.service
        .place
        .create(&other, &draft, &caller())
        .await
        .unwrap();
    let queue = queue(&shop);
    for (is_bound, stores, expected) in [
        (false, vec![], vec!["T-1", "T-0"]),
        (false, vec![other.id], vec!["T-1"]),
        (true, vec![], vec!["T-0"]),
        (true, vec![shop.store.id, other.id], vec!["T-0"]),
        (true, vec![other.id], vec![]),
    ] {
        let operator = viewer(&shop, is_bound);
        let ids: Vec<String> = stores.iter().map(ToString::to_string).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let stores_draft = StoresDraft {
            ids: texts(&ids),
            ..StoresDraft::default()
        };
        let draft = OrdersDraft {
            stores: stores_draft.clone(),
            ..OrdersDraft::default()
        };
        let found = queue.orders(&operator, &draft, PAGE_SIZE).await.unwrap();
        let orders = found.page.entries.iter();
        let found: Vec<&str> = orders
            .map(|order| order.content.order_id.as_str())
            .collect();
        assert_eq!(found, expected, "{is_bound} {stores:?}");
        let counts = queue.counts(&operator, &stores_draft).await.unwrap();
        assert_eq!(counts.len(), ItemStatus::ALL.len());
        assert_eq!(counts.values().sum::<u64>(), expected.len() as u64);
    }
}

#[tokio::test]
async fn console_lists_have_larger_pages_than_api_calls() {
    let shop = Shop::open().await;
    for number in 0..203 {
        shop.place(&format!("T-{number}"), vec![item("MUG-11", 1)])
            .await;
    }
    let (queue, operator) = (queue(&shop), viewer(&shop, false));
    let draft = |size: i64| {
        let mut draft = OrdersDraft::default();
        draft.search.paging.size = size.into();
        draft
    };
    let called = queue.orders(&operator, &draft(101), PAGE_SIZE).await;
    expect("a call", called, &[("size", "out_of_range")]);
    let listed = queue.orders(&operator, &draft(201), LISTED_ORDERS).await;
    expect("a list", listed, &[("size", "out_of_range")]);
    let mut asked = draft(200);
    let first = queue.orders(&operator, &asked, LISTED_ORDERS).await;
    let first = first.unwrap().page;
    asked.search.paging.cursor = first.next_cursor.unwrap().into();
    let rest = queue.orders(&operator, &asked, LISTED_ORDERS).await;
    let rest = rest.unwrap().page;
    assert_eq!(rest.next_cursor, None);
    let all = first.entries.iter().chain(&rest.entries);
    let all: Vec<_> = all
        .map(|order| order.content.order_id.to_string())
        .collect();
    let newest_first = (0..203).rev().map(|number| format!("T-{number}"));
    assert_eq!(all, newest_first.collect::<Vec<_>>());
    assert_eq!(first.entries.len(), 200);
}

#[tokio::test]
async fn orders_of_test_stores_are_found_only_if_asked_for() {
    let shop = Shop::open().await;
    shop.place("LIVE", vec![item("MUG-11", 1)]).await;
    let test = shop.add_test_store("TEST").await;
    let draft = order_of("TRY", vec![item("MUG-11", 1)]);
    let placed = shop
        .service
        .place
        .create(&test, &draft, &caller())
        .await
        .unwrap();
    assert!(placed.order.content.test);
    let (queue, operator) = (queue(&shop), viewer(&shop, false));
    let both: &[&str] = &["LIVE", "TRY"];
    for (asked, expected) in [(Field::Absent, &both[..1]), (true.into(), both)] {
        let stores = StoresDraft {
            test: asked,
            ..StoresDraft::default()
        };
        let draft = OrdersDraft {
            stores: stores.clone(),
            ..OrdersDraft::default()
        };
        let found = queue
            .orders(&operator, &draft, PAGE_SIZE)
            .await
            .unwrap()
            .page
            .entries;
        let found: BTreeSet<_> = found
            .iter()
            .map(|order| order.content.order_id.as_str())
            .collect();
        assert_eq!(found, expected.iter().copied().collect());
        let draft = QueueDraft {
            stores: stores.clone(),
            ..QueueDraft::default()
        };
        let page = queue.search(&operator, &draft).await.unwrap();
        let items: Vec<_> = expected.iter().map(|order| (*order, "MUG-11")).collect();
        assert_eq!(shown(&page), items);
        let counts = queue.counts(&operator, &stores).await.unwrap();
        assert_eq!(counts.values().sum::<u64>(), expected.len() as u64);
    }
}
