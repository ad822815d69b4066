//! Pins the query plans of the catalog's statements: the index that PostgreSQL uses. A page must
//! read its own products only.

use diesel::connection::SimpleConnection;
use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::QueryFragment;
use pressline_domain::catalog::{CatalogVersion, ProductCount, ProductQuery, ProductStart};
use pressline_kit::words::SearchKey;
use pressline_store_postgres::test_support::{ProductsOf, offer, products, words_of_products};
use pressline_testkit::Database;

use crate::{explained, migrated_database};

const STORE: &str = "0197f3c2-0001-7c3a-9d52-000000000001";

/// 20,000 variants of 5,000 products, of usual size, each with a price. One variant has the word
/// `rare`, all have `common`.
const ROWS: &str = "
    INSERT INTO products (sku, name, currency, areas, product_id, words)
    SELECT 'SKU-' || n, 'Tee', 'USD', repeat(md5(n::text), 20), 'TEE-' || n / 4, array_to_tsvector(ARRAY['common', 'sku-' || n,
        CASE WHEN n = 777 THEN 'rare' ELSE 'w' || n % 97 END])
    FROM generate_series(1, 20000) AS n;
    INSERT INTO prices SELECT '', 'SKU-' || n, 'USD', 0, n FROM generate_series(1, 20000) AS n";

fn filled() -> (Database, PgConnection) {
    let (database, mut connection) = migrated_database();
    connection.batch_execute(ROWS).unwrap();
    connection
        .batch_execute("VACUUM ANALYZE products, prices")
        .unwrap();
    (database, connection)
}

/// Returns the plan of the seventh execution: from the sixth on, the server may use a generic plan.
fn plan<T: QueryFragment<Pg>>(connection: &mut PgConnection, statement: impl Fn() -> T) -> String {
    let mut plan = String::new();
    for _ in 0..7 {
        plan = explained(connection, statement());
    }
    plan
}

/// Returns a query for the page after a product. `count` is the caller's count for the current
/// version.
fn after_a_product(key: &str, count: Option<u64>) -> ProductQuery {
    let counted = |count| ProductCount {
        version: CatalogVersion(1),
        count,
    };
    ProductQuery {
        key: SearchKey::parse(key).unwrap(),
        start: ProductStart::After("TEE-4000".to_owned()),
        size: 20,
        counted: count.map(counted),
    }
}

#[test]
fn a_page_of_products_reads_only_its_products() {
    let (_database, mut connection) = filled();
    for key in ["", "rare", "common w5"] {
        let query = after_a_product(key, None);
        let words = query.key.as_ref().map(words_of_products);
        let of = words
            .as_ref()
            .map_or(ProductsOf::All, |_| ProductsOf::Matching);
        let words = words.unwrap_or_default();
        let plan = plan(&mut connection, || products(of, STORE, &words, &query));
        let (ids, page) = plan.split_once("Nested Loop Left Join").unwrap();
        if !key.is_empty() {
            assert!(
                ids.contains("Bitmap Index Scan on products_words"),
                "{key}\n{plan}"
            );
            assert!(!ids.contains("Seq Scan"), "{key}\n{plan}");
        }
        assert!(
            page.contains("Index Scan using products_by_product"),
            "{key}\n{plan}"
        );
        assert!(
            page.contains("Index Scan using prices_pkey"),
            "{key}\n{plan}"
        );
        assert!(!page.contains("Seq Scan on products"), "{key}\n{plan}");
    }
}

/// Returns the total number of rows that the nodes whose line contains `node` returned.
fn rows_of(plan: &str, node: &str) -> u64 {
    let actual = |line: &str| {
        let rows = line.split_once("(actual rows=")?.1;
        rows.split_once([' ', '.'])?.0.parse::<u64>().ok()
    };
    plan.lines()
        .filter(|line| line.contains(node))
        .filter_map(actual)
        .sum()
}

#[test]
fn a_page_with_a_known_count_reads_only_its_products() {
    let (_database, mut connection) = filled();
    for key in ["", "common"] {
        let query = after_a_product(key, Some(5000));
        let words = query.key.as_ref().map(words_of_products);
        let of = words.as_ref().map_or(ProductsOf::All, |_| ProductsOf::Next);
        let words = words.unwrap_or_default();
        let plan = plan(&mut connection, || products(of, STORE, &words, &query));
        assert!(!plan.contains("products_words"), "{key}\n{plan}");
        let read = rows_of(&plan, "using products_by_product");
        // 21 products with 4 variants each, read first as ids and then product by product.
        assert!((84..=100).contains(&read), "{read} {key}\n{plan}");
    }
}

#[test]
fn an_offer_is_looked_up_by_the_keys_of_its_variants() {
    let (_database, mut connection) = filled();
    let skus: Vec<String> = (1..20).map(|number| format!("SKU-{number}")).collect();
    let plan = plan(&mut connection, || offer(STORE, &skus, Some(1)));
    assert!(
        plan.contains("products_pkey") && plan.contains("prices_pkey"),
        "{plan}"
    );
    assert!(
        !plan.contains("Seq Scan on products") && !plan.contains("Seq Scan on prices"),
        "{plan}"
    );
    // The caller already has the documents of this version.
    let documents: Vec<&str> = plan
        .lines()
        .filter(|line| line.contains("shipping_rates") || line.contains("fee_schedules"))
        .collect();
    assert!(
        documents.iter().all(|line| line.contains("never executed")) && documents.len() == 2,
        "{plan}"
    );
}
