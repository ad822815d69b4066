//! Paging by cursor.

use super::*;

/// Returns the search for the second page of two orders, with a key.
async fn second_page(shop: &Shop) -> SearchDraft {
    let first = SearchDraft {
        search_key: "T".into(),
        from_time: NOW.into(),
        paging: PageDraft {
            size: 2.into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    };
    let page = search(shop, &first).await.unwrap().page;
    SearchDraft {
        paging: PageDraft {
            cursor: page.next_cursor.unwrap().as_str().into(),
            ..first.paging.clone()
        },
        ..first
    }
}

#[tokio::test]
async fn a_cursor_continues_its_search() {
    let shop = shop_of(5).await;
    let mut next = second_page(&shop).await;
    let found = search(&shop, &next).await.unwrap();
    assert_eq!(order_ids(&found), ["T-2", "T-1"]);
    assert_eq!(
        (
            found.page.number,
            found.page.has_previous,
            found.page.has_next()
        ),
        (None, true, true)
    );
    // A cursor does not depend on the page size, or on case and white space of the key.
    next.paging.size = 50.into();
    next.search_key = " t ".into();
    assert_eq!(
        order_ids(&search(&shop, &next).await.unwrap()),
        ["T-2", "T-1", "T-0"]
    );
}

/// Name of the case, change of the search, and the code of the violation.
type Misuse = (&'static str, fn(&mut SearchDraft), &'static str);

const MISUSES: [Misuse; 7] = [
    (
        "another key",
        |d| d.search_key = "T-1".into(),
        "invalid_format",
    ),
    ("no key", |d| d.search_key = Field::Absent, "invalid_format"),
    (
        "another time",
        |d| d.from_time = (NOW + 1).into(),
        "invalid_format",
    ),
    (
        "one time more",
        |d| d.to_time = (NOW + 90_000).into(),
        "invalid_format",
    ),
    (
        "a status",
        |d| d.statuses = Field::Value(vec!["ready".into()]),
        "invalid_format",
    ),
    (
        "broken",
        |d| {
            if let Field::Value(cursor) = &mut d.paging.cursor {
                cursor.replace_range(..1, "x");
            }
        },
        "invalid_format",
    ),
    ("with a page", |d| d.paging.page = 2.into(), "conflict"),
];

#[tokio::test]
async fn a_cursor_belongs_to_its_filters_and_not_to_a_page() {
    let shop = shop_of(5).await;
    let next = second_page(&shop).await;
    for (what, spoil, code) in MISUSES {
        let mut draft = next.clone();
        spoil(&mut draft);
        expect(what, search(&shop, &draft).await, &[("cursor", code)]);
    }
}

#[tokio::test]
async fn a_walk_meets_every_order_once_while_others_arrive() {
    let shop = shop_of(23).await;
    let mut met = Vec::new();
    let mut draft = SearchDraft {
        paging: PageDraft {
            size: 5.into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    };
    loop {
        let found = search(&shop, &draft).await.unwrap();
        assert_eq!(found.page.has_next(), found.page.next_cursor.is_some());
        met.extend(
            found
                .page
                .entries
                .iter()
                .map(|order| order.parts().order_id.clone()),
        );
        shop.place(&format!("new-{}", met.len()), vec![item("MUG-11", 1)])
            .await;
        shop.clock.advance(1);
        match found.page.next_cursor {
            Some(cursor) => draft.paging.cursor = cursor.as_str().into(),
            None => break,
        }
    }
    let wanted: Vec<String> = (0..23).rev().map(|number| format!("T-{number}")).collect();
    assert_eq!(met, wanted);
    assert_eq!(met.iter().collect::<HashSet<_>>().len(), 23);
}

#[tokio::test]
async fn stores_find_their_own_orders_only() {
    let shop = shop_of(2).await;
    let other = shop.add_store("OTHER", currency("USD")).await;
    let found = shop
        .service
        .read
        .search(&other, &SearchDraft::default())
        .await
        .unwrap();
    assert_eq!(
        (
            found.page.entries.len(),
            found.page.has_next(),
            found.page.has_previous
        ),
        (0, false, false)
    );
    // A cursor is only valid for its own store.
    let cursor = search(&shop, &page(1, 1))
        .await
        .unwrap()
        .page
        .next_cursor
        .unwrap();
    let draft = SearchDraft {
        paging: PageDraft {
            cursor: cursor.as_str().into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    };
    assert_eq!(
        shop.service
            .read
            .search(&shop.store, &draft)
            .await
            .unwrap()
            .page
            .entries
            .len(),
        1
    );
    let error = shop.service.read.search(&other, &draft).await.unwrap_err();
    assert!(
        matches!(&error, OrderError::Invalid { violations, .. } if violations[0].field == "cursor"),
        "{error:?}"
    );
}
