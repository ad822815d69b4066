//! Searching products to order.

use pressline_domain::catalog::{
    CatalogAdmin, ImportOptions, ListPriceParts, ProductError, ProductPage, ProductRef,
    ProductSearchDraft, VariantParts,
};
use pressline_domain::order::OrderError;
use pressline_domain::value::Timestamp;
use pressline_domain::value::page::PageDraft;

use super::fixture::*;

async fn search(shop: &Shop, draft: &ProductSearchDraft) -> Result<ProductPage, OrderError> {
    let found = shop.products().search(&shop.store, draft).await;
    found.map_err(|error| match error {
        ProductError::Invalid(report) => report.into(),
        ProductError::Repository(error) => error.into(),
    })
}

fn ids(page: &ProductPage) -> Vec<&str> {
    page.page
        .entries
        .iter()
        .map(|product| product.id.as_str())
        .collect()
}

fn page(number: i64, size: i64) -> ProductSearchDraft {
    ProductSearchDraft {
        paging: PageDraft {
            page: number.into(),
            size: size.into(),
            ..PageDraft::default()
        },
        ..ProductSearchDraft::default()
    }
}

fn keyed(key: &str, cursor: Option<&str>) -> ProductSearchDraft {
    let cursor = cursor.map(str::to_owned).into();
    ProductSearchDraft {
        search_key: key.into(),
        paging: PageDraft {
            size: 2.into(),
            cursor,
            ..PageDraft::default()
        },
    }
}

#[tokio::test]
async fn pages_are_by_id_and_count_all_matches() {
    let shop = Shop::open().await;
    for (number, size, wanted, next, previous) in [
        (1, 2, vec!["BOOK", "MUG-11"], true, false),
        (2, 2, vec!["POSTER", "RUG"], true, true),
        (3, 2, vec!["TEE-M"], false, true),
        (4, 2, vec![], false, true),
        (
            1,
            5,
            vec!["BOOK", "MUG-11", "POSTER", "RUG", "TEE-M"],
            false,
            false,
        ),
        (1_000_000, 100, vec![], false, true),
    ] {
        let found = search(&shop, &page(number, size)).await.unwrap();
        assert_eq!(ids(&found), wanted, "page {number}");
        assert_eq!(
            (found.page.has_next(), found.page.has_previous, found.count),
            (next, previous, 5),
            "page {number}"
        );
        assert_eq!(
            (found.page.number.map(i64::from), i64::from(found.page.size)),
            (Some(number), size)
        );
        assert_eq!(found.page.next_cursor.is_some(), next);
    }
    let found = search(&shop, &ProductSearchDraft::default()).await.unwrap();
    assert_eq!((found.page.number, found.page.size), (Some(1), 20));
    let blank = ProductSearchDraft {
        search_key: " ".into(),
        paging: PageDraft {
            cursor: "".into(),
            ..PageDraft::default()
        },
    };
    assert_eq!(search(&shop, &blank).await.unwrap(), found);
}

#[tokio::test]
async fn a_walk_continues_after_the_last_product_even_if_earlier_ones_are_added() {
    let shop = Shop::open().await;
    let first = search(&shop, &keyed("the", None)).await.unwrap();
    assert_eq!((ids(&first), first.count), (vec!["BOOK", "MUG-11"], 5));
    let new = ["APRON", "MUG-15"].map(|sku| product(sku, "USD", Some("1"), &[("Front", "0")]));
    shop.import(&new).await;
    let second = search(&shop, &keyed("THE", first.page.next_cursor.as_deref()))
        .await
        .unwrap();
    assert_eq!(
        (ids(&second), second.count, second.page.number),
        (vec!["MUG-15", "POSTER"], 7, None)
    );
    assert!(second.page.has_previous && second.page.has_next());
    let third = search(&shop, &keyed("the", second.page.next_cursor.as_deref()))
        .await
        .unwrap();
    assert_eq!(
        (ids(&third), &third.page.next_cursor),
        (vec!["RUG", "TEE-M"], &None)
    );
}

#[tokio::test]
async fn all_problems_are_reported_at_once() {
    let shop = Shop::open().await;
    let cursor = search(&shop, &keyed("the", None))
        .await
        .unwrap()
        .page
        .next_cursor;
    let other = search(&shop, &keyed("mug", cursor.as_deref())).await;
    expect("another key", other, &[("cursor", "invalid_format")]);
    let both = ProductSearchDraft {
        paging: PageDraft {
            page: 2.into(),
            ..keyed("the", cursor.as_deref()).paging
        },
        ..keyed("the", cursor.as_deref())
    };
    expect(
        "page and cursor",
        search(&shop, &both).await,
        &[("cursor", "conflict")],
    );
    let draft = ProductSearchDraft {
        search_key: wrong(),
        paging: PageDraft {
            page: 0.into(),
            size: 101.into(),
            cursor: wrong(),
        },
    };
    let wanted = [
        ("searchKey", "wrong_type"),
        ("size", "out_of_range"),
        ("page", "out_of_range"),
        ("cursor", "wrong_type"),
    ];
    expect("all", search(&shop, &draft).await, &wanted);
}

#[tokio::test]
async fn a_product_comes_with_its_variants_at_the_stores_prices() {
    let shop = Shop::open().await;
    let of_cap = |sku: &str, retired| {
        let change = |variant: &mut VariantParts| {
            variant.product = ProductRef {
                id: "CAP".to_owned(),
                name: Some("Cap".to_owned()),
            };
            variant.retired = retired;
        };
        let plain = product(sku, "USD", Some("3"), &[("Front", "0")]);
        plain.changed(change).unwrap()
    };
    let caps = [
        of_cap("CAP-RED", false),
        of_cap("CAP-BLUE", false),
        of_cap("CAP-GREEN", true),
    ];
    shop.import(&caps).await;
    let price = |store, amount| {
        valid(ListPriceParts {
            store,
            sku: "CAP-RED".to_owned(),
            currency: currency("USD"),
            valid_from: Timestamp::from_millis(NOW),
            amount: usd(amount),
        })
    };
    let other = shop.add_store("OTHER", currency("USD")).await;
    let prices = [price(Some(shop.store.id), "2.25"), price(None, "2.75")];
    shop.catalog
        .set_prices(&prices, &ImportOptions::default())
        .await
        .unwrap();
    for (store, red) in [(&shop.store, "2.25"), (&other, "2.75")] {
        let found = shop
            .products()
            .search(store, &keyed("red", None))
            .await
            .unwrap();
        assert_eq!(ids(&found), ["CAP"]);
        let shown: Vec<_> = found.page.entries[0]
            .variants
            .iter()
            .map(|of| {
                (
                    of.variant.sku.as_str(),
                    of.unit_price(found.currency, found.at).unwrap().amount,
                )
            })
            .collect();
        assert_eq!(shown, [("CAP-BLUE", usd("3")), ("CAP-RED", usd(red))]);
    }
}
