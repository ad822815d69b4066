//! Pins how SQLite answers the statements that read the catalog: by which index.

use pressline_kit::words::SearchKey;
use pressline_store_sqlite::test_support::{prices, product_page, products, variants};

use crate::plan;

fn page(key: &str) -> String {
    plan(product_page(SearchKey::parse(key).unwrap().as_ref()))
}

#[test]
fn offers_and_products_are_looked_up_by_their_keys() {
    let by_sku = plan(variants("[]"));
    assert!(
        by_sku.contains("SEARCH products USING INDEX sqlite_autoindex_products_1 (sku=?)"),
        "{by_sku}"
    );
    let of_skus = plan(prices("s", "[]"));
    assert!(
        of_skus.contains("SEARCH prices USING PRIMARY KEY (store_id=? AND sku=?)"),
        "{of_skus}"
    );
    let by_id = plan(products("[]"));
    assert!(
        by_id.contains("SEARCH products USING INDEX products_by_product (<expr>=?)"),
        "{by_id}"
    );
}

#[test]
fn all_products_are_counted_in_their_index_alone() {
    let plan = page("");
    assert!(
        plan.contains("SCAN products USING COVERING INDEX products_by_product"),
        "{plan}"
    );
}

#[test]
fn words_are_looked_up_before_products() {
    let plan = page("o'neil 8");
    let words = plan.find("SCAN product_words VIRTUAL TABLE INDEX").unwrap();
    let products = plan
        .find("SEARCH products USING INTEGER PRIMARY KEY")
        .unwrap();
    assert!(words < products, "{plan}");
}
