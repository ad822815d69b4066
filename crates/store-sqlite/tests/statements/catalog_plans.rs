//! Pins how SQLite answers the statements that read the catalog: by which index.

use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Integer, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_kit::words::SearchKey;
use pressline_store_kit::StatementCounter;

use super::search::{SelectPage, SelectProducts};
use super::words::CATALOG;
use super::{SelectPrices, SelectVariants};
use crate::connection::{Opener, Purpose};
use crate::time_limit::TimeLimit;
use crate::{SqliteConfig, migrations, words};

struct Explain<T>(T);

impl<T: QueryFragment<Sqlite>> QueryFragment<Sqlite> for Explain<T> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("EXPLAIN QUERY PLAN ");
        self.0.walk_ast(out)
    }
}

impl<T> QueryId for Explain<T> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

/// Id, parent, unused, and what is done.
impl<T> Query for Explain<T> {
    type SqlType = (Integer, Integer, Integer, Text);
}

impl<T> RunQueryDsl<SqliteConnection> for Explain<T> {}

fn plan(statement: impl QueryFragment<Sqlite>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let opener = Opener::new(&path, &SqliteConfig::default(), StatementCounter::default()).unwrap();
    migrations::migrate(&opener).unwrap();
    let mut connection = opener.open(Purpose::Read).unwrap();
    TimeLimit::install(&mut connection).unwrap();
    let lines: Vec<(i32, i32, i32, String)> = Explain(statement).load(&mut connection).unwrap();
    lines
        .into_iter()
        .map(|line| line.3)
        .collect::<Vec<_>>()
        .join("\n")
}

fn page(key: &str) -> String {
    let words = SearchKey::parse(key)
        .unwrap()
        .map(|key| words::query(CATALOG, &key));
    plan(SelectPage {
        words,
        after: None,
        offset: 0,
        limit: 21,
    })
}

#[test]
fn offers_and_products_are_looked_up_by_their_keys() {
    let variants = plan(SelectVariants { skus: "[]" });
    assert!(
        variants.contains("SEARCH products USING INDEX sqlite_autoindex_products_1 (sku=?)"),
        "{variants}"
    );
    let prices = plan(SelectPrices {
        store_id: "s",
        skus: "[]",
    });
    assert!(
        prices.contains("SEARCH prices USING PRIMARY KEY (store_id=? AND sku=?)"),
        "{prices}"
    );
    let products = plan(SelectProducts { ids: "[]" });
    assert!(
        products.contains("SEARCH products USING INDEX products_by_product (<expr>=?)"),
        "{products}"
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
