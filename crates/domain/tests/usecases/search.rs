//! Searching orders.

mod cursors;

use std::collections::HashSet;

use pressline_domain::check::Field;
use pressline_domain::order::OrderError;
use pressline_domain::order::SearchPage;
use pressline_domain::order::request::OrderDraft;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::value::page::PageDraft;

use super::fixture::*;

/// Returns a shop with orders `T-0`, `T-1`, …, created at intervals of a second.
async fn shop_of(count: usize) -> Shop {
    let shop = Shop::open().await;
    for number in 0..count {
        shop.place(&format!("T-{number}"), vec![item("MUG-11", 1)])
            .await;
        shop.clock.advance(1000);
    }
    shop
}

fn order_ids(page: &SearchPage) -> Vec<&str> {
    page.page
        .entries
        .iter()
        .map(|order| order.parts().order_id.as_str())
        .collect()
}

async fn search(shop: &Shop, draft: &SearchDraft) -> Result<SearchPage, OrderError> {
    shop.service.read.search(&shop.store, draft).await
}

fn page(page: i64, size: i64) -> SearchDraft {
    SearchDraft {
        paging: PageDraft {
            page: page.into(),
            size: size.into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    }
}

#[tokio::test]
async fn pages_are_newest_first() {
    let shop = shop_of(5).await;
    for (number, size, wanted, next, previous) in [
        (1, 2, vec!["T-4", "T-3"], true, false),
        (2, 2, vec!["T-2", "T-1"], true, true),
        (3, 2, vec!["T-0"], false, true),
        (4, 2, vec![], false, true),
        (1, 5, vec!["T-4", "T-3", "T-2", "T-1", "T-0"], false, false),
        (1_000_000, 100, vec![], false, true),
    ] {
        let found = search(&shop, &page(number, size)).await.unwrap();
        assert_eq!(order_ids(&found), wanted, "page {number}");
        assert_eq!(
            (found.page.has_next(), found.page.has_previous),
            (next, previous),
            "page {number}"
        );
        assert_eq!(
            (found.page.number.map(i64::from), i64::from(found.page.size)),
            (Some(number), size)
        );
        assert_eq!(found.page.next_cursor.is_some(), next);
    }
}

#[tokio::test]
async fn by_default_the_first_page_of_twenty() {
    let shop = shop_of(21).await;
    let found = search(&shop, &SearchDraft::default()).await.unwrap();
    assert_eq!(
        (found.page.number, found.page.size, found.page.entries.len()),
        (Some(1), 20, 20)
    );
    assert!(found.page.has_next() && !found.page.has_previous);
    let blank = SearchDraft {
        search_key: "  ".into(),
        paging: PageDraft {
            cursor: "".into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    };
    let again = search(&shop, &blank).await.unwrap();
    assert_eq!(
        (
            &again.page.entries,
            again.page.number,
            &again.page.next_cursor
        ),
        (
            &found.page.entries,
            found.page.number,
            &found.page.next_cursor
        )
    );
}

#[tokio::test]
async fn of_one_moment_the_later_id_comes_first() {
    let shop = Shop::open().await;
    for number in 0..5 {
        shop.place(&format!("T-{number}"), vec![item("MUG-11", 1)])
            .await;
    }
    let found = search(&shop, &SearchDraft::default()).await.unwrap();
    assert_eq!(order_ids(&found), ["T-4", "T-3", "T-2", "T-1", "T-0"]);
}

#[tokio::test]
async fn times_are_milliseconds_and_both_ends_count() {
    let shop = shop_of(5).await;
    let between = |from: i64, to: i64| SearchDraft {
        from_time: from.into(),
        to_time: to.into(),
        ..SearchDraft::default()
    };
    for (from, to, wanted) in [
        (NOW + 1000, NOW + 3000, vec!["T-3", "T-2", "T-1"]),
        (NOW + 1001, NOW + 2999, vec!["T-2"]),
        (NOW + 2000, NOW + 2000, vec!["T-2"]),
        (0, NOW, vec!["T-0"]),
        (NOW + 4000, 0, vec!["T-4"]),
        (0, 0, vec!["T-4", "T-3", "T-2", "T-1", "T-0"]),
        (
            100_000_000_001,
            100_000_000_000_000,
            vec!["T-4", "T-3", "T-2", "T-1", "T-0"],
        ),
    ] {
        assert_eq!(
            order_ids(&search(&shop, &between(from, to)).await.unwrap()),
            wanted,
            "{from} to {to}"
        );
    }
}

type Rule = (
    &'static str,
    fn(&mut SearchDraft),
    &'static [(&'static str, &'static str)],
);

/// Name of the case, change of the search, and the violations.
const RULES: [Rule; 25] = [
    (
        "page 0",
        |d| d.paging.page = 0.into(),
        &[("page", "out_of_range")],
    ),
    (
        "page -1",
        |d| d.paging.page = (-1).into(),
        &[("page", "out_of_range")],
    ),
    (
        "page 1000001",
        |d| d.paging.page = 1_000_001.into(),
        &[("page", "out_of_range")],
    ),
    (
        "page of another type",
        |d| d.paging.page = wrong(),
        &[("page", "wrong_type")],
    ),
    (
        "size 0",
        |d| d.paging.size = 0.into(),
        &[("size", "out_of_range")],
    ),
    (
        "size 101",
        |d| d.paging.size = 101.into(),
        &[("size", "out_of_range")],
    ),
    (
        "size beyond all bounds",
        |d| d.paging.size = i64::MAX.into(),
        &[("size", "out_of_range")],
    ),
    (
        "size of another type",
        |d| d.paging.size = wrong(),
        &[("size", "wrong_type")],
    ),
    (
        "seconds",
        |d| d.from_time = 1_717_818_552.into(),
        &[("fromTime", "out_of_range")],
    ),
    (
        "one",
        |d| d.to_time = 1.into(),
        &[("toTime", "out_of_range")],
    ),
    (
        "10^11",
        |d| d.to_time = 100_000_000_000.into(),
        &[("toTime", "out_of_range")],
    ),
    (
        "negative",
        |d| d.from_time = (-1).into(),
        &[("fromTime", "out_of_range")],
    ),
    (
        "microseconds",
        |d| d.to_time = 1_717_818_552_905_000.into(),
        &[("toTime", "out_of_range")],
    ),
    (
        "time of another type",
        |d| d.to_time = wrong(),
        &[("toTime", "wrong_type")],
    ),
    (
        "from after to",
        |d| {
            d.from_time = NOW.into();
            d.to_time = (NOW - 1).into();
        },
        &[("fromTime", "out_of_range")],
    ),
    (
        "key of another type",
        |d| d.search_key = wrong(),
        &[("searchKey", "wrong_type")],
    ),
    (
        "key too long",
        |d| d.search_key = "a".repeat(256).into(),
        &[("searchKey", "too_long")],
    ),
    (
        "eleven words",
        |d| d.search_key = "a b c d e f g h i j k".into(),
        &[("searchKey", "too_long")],
    ),
    (
        "unknown status",
        |d| d.statuses = Field::Value(vec!["ready".into(), "redy".into()]),
        &[("statuses[1]", "invalid_format")],
    ),
    (
        "statuses of another type",
        |d| d.statuses = wrong(),
        &[("statuses", "wrong_type")],
    ),
    (
        "unknown type",
        |d| d.types = Field::Value(vec!["labels".into(), Field::Absent]),
        &[("types[0]", "invalid_format"), ("types[1]", "required")],
    ),
    (
        "no cursor",
        |d| d.paging.cursor = "abc".into(),
        &[("cursor", "invalid_format")],
    ),
    (
        "no cursor, but as long",
        |d| d.paging.cursor = "é".repeat(32).into(),
        &[("cursor", "invalid_format")],
    ),
    (
        "cursor of another type",
        |d| d.paging.cursor = wrong(),
        &[("cursor", "wrong_type")],
    ),
    (
        "all at once",
        |d| {
            d.from_time = (-5).into();
            d.search_key = wrong();
            d.paging.page = 0.into();
            d.paging.size = wrong();
        },
        &[
            ("fromTime", "out_of_range"),
            ("searchKey", "wrong_type"),
            ("size", "wrong_type"),
            ("page", "out_of_range"),
        ],
    ),
];

#[tokio::test]
async fn what_a_search_must_not_hold() {
    let shop = shop_of(1).await;
    for (what, spoil, wanted) in RULES {
        let mut draft = SearchDraft::default();
        spoil(&mut draft);
        expect(what, search(&shop, &draft).await, wanted);
    }
    let limit = SearchDraft {
        search_key: "t 0 t 0 t 0 t 0 t 0".into(),
        ..page(1, 100)
    };
    assert_eq!(search(&shop, &limit).await.unwrap().page.entries.len(), 1);
    let longest = SearchDraft {
        search_key: "é".repeat(255).into(),
        ..SearchDraft::default()
    };
    assert_eq!(search(&shop, &longest).await.unwrap().page.entries.len(), 0);
}

#[tokio::test]
async fn a_key_finds_beginnings_of_words() {
    let shop = shop_of(3).await;
    let draft = OrderDraft {
        email: "bob@example.org".into(),
        ..order("shop-1-8533")
    };
    shop.create(&draft).await.unwrap();
    for (key, wanted) in [
        ("t-1", vec!["T-1"]),
        ("DEMO-2", vec!["T-1"]),
        ("do", vec!["shop-1-8533", "T-2", "T-1", "T-0"]),
        ("8533", vec!["shop-1-8533"]),
        ("ANA 85", vec!["shop-1-8533"]),
        ("bob@", vec!["shop-1-8533"]),
        ("533", vec![]),
        ("%", vec![]),
        ("t_1", vec![]),
    ] {
        let draft = SearchDraft {
            search_key: key.into(),
            ..SearchDraft::default()
        };
        assert_eq!(
            order_ids(&search(&shop, &draft).await.unwrap()),
            wanted,
            "{key}"
        );
    }
}
