//! Walks by cursor.

use super::*;

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "its cases read best in one piece")]
async fn a_cursor_belongs_to_its_filters_and_not_to_a_page() {
    let shop = shop_of(5).await;
    let first = SearchDraft {
        search_key: "T".into(),
        from_time: NOW.into(),
        paging: PageDraft {
            size: 2.into(),
            ..PageDraft::default()
        },
        ..SearchDraft::default()
    };
    let cursor = search(&shop, &first)
        .await
        .unwrap()
        .page
        .next_cursor
        .unwrap();
    let next = SearchDraft {
        paging: PageDraft {
            cursor: cursor.as_str().into(),
            ..first.paging.clone()
        },
        ..first
    };
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
    // The size is no filter, and a key is the same however it is written.
    let wider = SearchDraft {
        paging: PageDraft {
            size: 50.into(),
            ..next.paging.clone()
        },
        search_key: " t ".into(),
        ..next.clone()
    };
    assert_eq!(
        order_ids(&search(&shop, &wider).await.unwrap()),
        ["T-2", "T-1", "T-0"]
    );

    let mut broken = cursor.clone();
    broken.replace_range(..1, "2");
    for (what, draft, code) in [
        (
            "another key",
            SearchDraft {
                search_key: "T-1".into(),
                ..next.clone()
            },
            "invalid_format",
        ),
        (
            "no key",
            SearchDraft {
                search_key: Field::Absent,
                ..next.clone()
            },
            "invalid_format",
        ),
        (
            "another time",
            SearchDraft {
                from_time: (NOW + 1).into(),
                ..next.clone()
            },
            "invalid_format",
        ),
        (
            "one time more",
            SearchDraft {
                to_time: (NOW + 90_000).into(),
                ..next.clone()
            },
            "invalid_format",
        ),
        (
            "broken",
            SearchDraft {
                paging: PageDraft {
                    cursor: broken.as_str().into(),
                    ..next.paging.clone()
                },
                ..next.clone()
            },
            "invalid_format",
        ),
        (
            "with a page",
            SearchDraft {
                paging: PageDraft {
                    page: 2.into(),
                    ..next.paging.clone()
                },
                ..next.clone()
            },
            "conflict",
        ),
    ] {
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
    // A cursor is good for the store that it was given to, and for no other.
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
            .search(&shop.store, &draft)
            .await
            .unwrap()
            .page
            .entries
            .len(),
        1
    );
    let error = shop.service.search(&other, &draft).await.unwrap_err();
    assert!(
        matches!(&error, OrderError::Invalid { violations, .. } if violations[0].field == "cursor"),
        "{error:?}"
    );
}
