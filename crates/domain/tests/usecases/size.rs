//! The maximum size of an order, and pages of large orders.

use pressline_domain::check::{Field, limits};
use pressline_domain::order::OrderError;
use pressline_domain::order::request::{LineItemDraft, OrderDraft};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::value::page::PageDraft;

use super::fixture::*;

/// Returns `count` mugs with `images` images each, whose URLs have 2,000 bytes.
fn mugs(count: usize, images: usize) -> Vec<LineItemDraft> {
    let url = format!("https://example.com/{}", "x".repeat(1980));
    let mug = LineItemDraft {
        mockup_images: urls(&vec![url.as_str(); images]),
        ..item("MUG-11", 1)
    };
    vec![mug; count]
}

fn content(order: &pressline_domain::order::Order) -> u64 {
    order.parts().content_bytes()
}

#[track_caller]
fn assert_too_large(result: Result<impl std::fmt::Debug, OrderError>) {
    let Err(OrderError::Invalid { violations, .. }) = result else {
        panic!("{result:?}")
    };
    let [violation] = violations.as_slice() else {
        panic!("{violations:?}")
    };
    assert_eq!(
        (violation.field.as_str(), violation.code.as_str()),
        ("line_items", "too_long")
    );
    let size = violation
        .message
        .split(' ')
        .find_map(|word| word.parse::<u64>().ok())
        .unwrap();
    assert!(size > limits::ORDER_CONTENT, "{violation:?}");
    assert!(
        violation
            .message
            .contains(&limits::ORDER_CONTENT.to_string()),
        "{violation:?}"
    );
}

#[tokio::test]
async fn a_new_order_has_at_most_a_mebibyte_of_content() {
    let shop = Shop::open().await;
    let draft = order_of("T-1", mugs(60, 9));
    assert_too_large(shop.create(&draft).await);
    assert_too_large(shop.estimate(&draft).await);
    assert_eq!(shop.stored("T-1").await, None);
    // To the byte: the last image URL fills the order up.
    let small = shop
        .create(&order_of("T-2", mugs(52, 10)))
        .await
        .unwrap()
        .order;
    let missing = usize::try_from(limits::ORDER_CONTENT - content(&small)).unwrap();
    let (whole, rest) = (missing / 2000, missing % 2000);
    let filled = |more: usize| {
        let url = format!("https://example.com/{}", "x".repeat(rest + more - 20));
        let mut items = mugs(52, 10);
        let long = format!("https://example.com/{}", "x".repeat(1980));
        let images: Vec<&str> = std::iter::repeat_n(long.as_str(), 10 + whole)
            .chain([url.as_str()])
            .collect();
        items[0].mockup_images = urls(&images);
        OrderDraft {
            order_id: "T-3".into(),
            ..order_of("T-3", items)
        }
    };
    assert_too_large(shop.create(&filled(1)).await);
    let largest = shop.create(&filled(0)).await.unwrap().order;
    assert_eq!(content(&largest), limits::ORDER_CONTENT);
}

#[tokio::test]
async fn updates_cannot_make_an_order_larger_than_it_may_be() {
    let shop = Shop::open().await;
    let before = shop.place("T-1", mugs(50, 10)).await.order;
    let id = before.parts().items[0].id;
    let with_images = |images| mugs(1, images).remove(0);
    // Changed items, and new items.
    let grown = update_items(
        "T-1",
        vec![
            change(id, with_images(20)),
            change(before.parts().items[1].id, with_images(20)),
        ],
    );
    let mut more = grown.clone();
    if let Field::Value(changes) = &mut more.line_items {
        for item in &before.parts().items[2..4] {
            changes.push(Field::Value(change(item.id, with_images(20))));
        }
    }
    let grown = shop.update(&grown).await.unwrap().order;
    assert!(content(&grown) > content(&before));
    assert_too_large(shop.update(&more).await);
    assert_too_large(shop.dry_run_update(&more).await);
    assert_eq!(
        shop.stored("T-1").await.as_ref(),
        Some(&grown),
        "nothing was changed"
    );
    let smaller = shop
        .update_items("T-1", vec![change(id, with_images(0))])
        .await
        .unwrap()
        .order;
    assert!(content(&smaller) < content(&grown));
}

#[tokio::test]
async fn a_page_of_large_orders_is_read_batch_by_batch() {
    let shop = Shop::open().await;
    for number in 0..6 {
        shop.place(&format!("T-{number}"), mugs(20, 10)).await;
    }
    let draft = SearchDraft {
        paging: PageDraft {
            size: 5.into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    };
    let page = shop.service.read.search(&shop.store, &draft).await.unwrap();
    assert!(
        page.page.has_next() && page.page.next_cursor.is_some(),
        "known before the page is read to its end"
    );
    let mut rest = page.rest.unwrap();
    let mut batches = vec![page.page.entries];
    assert_eq!(
        rest.largest_batch(),
        batches[0]
            .iter()
            .map(|order| order.parts().loaded_bytes())
            .sum::<u64>()
    );
    while let Some(batch) = rest.next().await.unwrap() {
        batches.push(batch);
    }
    let ids: Vec<Vec<&str>> = batches
        .iter()
        .map(|batch| {
            batch
                .iter()
                .map(|order| order.parts().order_id.as_str())
                .collect()
        })
        .collect();
    assert_eq!(ids, [vec!["T-5", "T-4"], vec!["T-3", "T-2"], vec!["T-1"]]);
    assert!(rest.next().await.unwrap().is_none(), "it stays at its end");
    // The next page begins after the last order of this page.
    let after = SearchDraft {
        paging: PageDraft {
            cursor: page.page.next_cursor.as_deref().unwrap_or_default().into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    };
    let last = shop.service.read.search(&shop.store, &after).await.unwrap();
    assert_eq!(
        (
            last.page.entries[0].parts().order_id.as_str(),
            last.page.has_next(),
            last.rest.is_none()
        ),
        ("T-0", false, true)
    );
}

#[tokio::test]
async fn an_order_that_has_grown_meanwhile_is_read_on_its_own() {
    let shop = Shop::open().await;
    for number in 0..4 {
        shop.place(&format!("T-{number}"), mugs(20, 10)).await;
    }
    let page = shop
        .service
        .read
        .search(&shop.store, &SearchDraft::default())
        .await
        .unwrap();
    let mut rest = page.rest.unwrap();
    let grown = shop.stored("T-0").await.unwrap();
    let larger = grown
        .parts()
        .items
        .iter()
        .map(|item| change(item.id, mugs(1, 20).remove(0)))
        .collect();
    shop.update_items("T-0", larger).await.unwrap();
    for id in ["T-1", "T-0"] {
        let batch = rest.next().await.unwrap().unwrap();
        assert_eq!((batch.len(), batch[0].parts().order_id.as_str()), (1, id));
    }
    assert!(rest.next().await.unwrap().is_none());
}
