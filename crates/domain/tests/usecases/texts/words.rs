//! Search keys, and orders with very many words.

use super::*;
use pressline_domain::order::OrderKind;

#[tokio::test]
async fn a_search_key_has_no_control_characters_and_its_white_space_only_separates() {
    let shop = Shop::open().await;
    shop.create(&order("shop-1-8533")).await.unwrap();
    for (key, found) in [
        (" 8533\n", 1),
        ("ana\tshop", 1),
        ("ana\r\nshop", 1),
        ("#8533", 1),
        ("ana -", 0),
        (" ", 1),
    ] {
        let draft = SearchDraft {
            search_key: key.into(),
            ..SearchDraft::default()
        };
        let page = shop.service.read.search(&shop.store, &draft).await.unwrap();
        assert_eq!(page.page.entries.len(), found, "{key:?}");
    }
    let draft = SearchDraft {
        search_key: "a\u{1}b".into(),
        ..SearchDraft::default()
    };
    expect(
        "a control character",
        shop.service.read.search(&shop.store, &draft).await,
        &[("searchKey", "invalid_format")],
    );
}

/// 100 items with three texts of as many distinct words as possible: U+3316 folds to six letters,
/// and each other letter takes four bytes and is a separate word.
#[tokio::test]
async fn an_order_with_more_words_than_can_be_stored_is_refused() {
    let shop = Shop::open().await;
    let mut letters = ('\u{20000}'..'\u{2a6d0}').cycle();
    let mut text = || -> String {
        let words: Vec<String> = letters.by_ref().take(127).map(String::from).collect();
        words.join("\u{10100}")
    };
    let mut list = |count: usize| -> Vec<LineItemDraft> {
        let mut full = || LineItemDraft {
            name: text().as_str().into(),
            ref_id: text().as_str().into(),
            ..item(&text(), 1)
        };
        (0..count).map(|_| full()).collect()
    };
    let widest = OrderDraft {
        line_items: items(list(80)),
        ..order("T-1")
    };
    assert!(shop.create(&widest).await.is_ok());
    let draft = OrderDraft {
        line_items: items(list(100)),
        ..order("T-2")
    };
    expect(
        "created",
        shop.create(&draft).await,
        &[("line_items", "too_long")],
    );
    assert_eq!(shop.stored("T-2").await, None);
    let dry_run = shop
        .service
        .place
        .dry_run_create(&shop.store, &draft, OrderKind::Manual)
        .await;
    assert!(
        matches!(&dry_run, Err(OrderError::Invalid { violations, .. }) if listed(violations) == [("line_items", "too_long")]),
        "{dry_run:?}"
    );

    // An update is refused too, and changes nothing.
    shop.create(&order("T-3")).await.unwrap();
    let added = list(99).into_iter().map(|item| {
        ItemChange {
            item,
            ..ItemChange::default()
        }
        .into()
    });
    let grown = UpdateDraft {
        version: 1.into(),
        line_items: Field::Value(added.collect()),
        ..update("T-3")
    };
    expect(
        "updated",
        shop.update(&grown).await,
        &[("line_items", "too_long")],
    );
    assert_eq!(shop.stored("T-3").await.unwrap().state.version, 1);
}

/// New product names would make the order too large, but it is already stored.
#[tokio::test]
async fn a_retry_is_answered_even_where_new_names_of_the_catalog_would_not_fit() {
    let shop = Shop::open().await;
    let mut letters = '\u{20000}'..'\u{2a6d0}';
    let mut text = || -> String {
        let words: Vec<String> = letters.by_ref().take(127).map(String::from).collect();
        words.join("\u{10100}")
    };
    let list: Vec<LineItemDraft> = (0..100)
        .map(|_| LineItemDraft {
            ref_id: text().as_str().into(),
            ..item(&text(), 1)
        })
        .collect();
    let named = list
        .iter()
        .map(|item| valid(VariantParts::single(item.sku.text().unwrap(), &text())))
        .collect::<Vec<_>>();
    let draft = OrderDraft {
        line_items: items(list),
        ..order("T-1")
    };
    let first = shop.create(&draft).await.unwrap().order;
    shop.import(&named).await;
    let again = shop.create(&draft).await.unwrap();
    assert_eq!((again.replayed, again.order), (true, first));
    let new = OrderDraft {
        order_id: "T-2".into(),
        ..draft
    };
    expect(
        "a new one",
        shop.create(&new).await,
        &[("line_items", "too_long")],
    );
}
