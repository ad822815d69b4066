//! Pins the query plans of the catalog's statements: the index that SQLite uses.

use pressline_domain::catalog::{ProductQuery, ProductStart};
use pressline_kit::words::SearchKey;
use pressline_store_sqlite::test_support::{
    ProductsOf, prices, product_page, products, variants, words_of_products,
};

use crate::plan;

/// Returns the plan of a page of products that begins after a product.
fn page(of: ProductsOf) -> String {
    let query = ProductQuery {
        key: None,
        start: ProductStart::After("TEE".to_owned()),
        size: 20,
        counted: None,
    };
    let words = words_of_products(&SearchKey::parse("o'neil 8").unwrap().unwrap());
    plan(product_page(of, &words, &query))
}

#[test]
fn offers_and_products_are_looked_up_by_their_keys() {
    let by_sku = plan(variants("[]"));
    assert!(
        by_sku.contains(
            "SEARCH product_rows USING INDEX sqlite_autoindex_product_rows_1 (sku=? AND since<?)"
        ),
        "{by_sku}"
    );
    let of_skus = plan(prices("s", "[]"));
    assert!(
        of_skus.contains("SEARCH price_rows USING PRIMARY KEY (store_id=? AND sku=?)"),
        "{of_skus}"
    );
    let by_id = plan(products("[]"));
    assert!(
        by_id.contains("SEARCH product_rows USING INDEX products_by_product (<expr>=?)"),
        "{by_id}"
    );
}

#[test]
fn all_products_are_paged_and_counted_by_an_index_only_scan() {
    let plan = page(ProductsOf::All);
    for step in [
        "SEARCH product_rows USING COVERING INDEX products_by_product (<expr>>?)",
        "SCAN product_rows USING COVERING INDEX products_by_product",
    ] {
        assert!(plan.contains(step), "{plan}");
    }
    assert!(!plan.contains("TEMP B-TREE FOR DISTINCT"), "{plan}");
}

#[test]
fn words_are_looked_up_before_products() {
    let plan = page(ProductsOf::Matching);
    let words = plan.find("SCAN product_words VIRTUAL TABLE INDEX").unwrap();
    let products = plan
        .find("SEARCH product_rows USING COVERING INDEX products_by_words (words_id=?)")
        .unwrap();
    assert!(words < products, "{plan}");
}

#[test]
fn common_words_are_looked_up_among_the_next_products() {
    let plan = page(ProductsOf::Next);
    for step in [
        "SEARCH product_rows USING COVERING INDEX products_by_product (<expr>>?)",
        // `M1` is MATCH; `>` and `<` are the bounds of the row id.
        "SCAN product_words VIRTUAL TABLE INDEX 0:M1><",
    ] {
        assert!(plan.contains(step), "{plan}");
    }
}
