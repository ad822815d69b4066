//! Backups: `pg_dump` reads every accepted order, and a search in the restored database finds the
//! order by its words.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text};
use diesel::{PgConnection, sql_query};
use pressline_contract::{WIDEST_ITEMS, wide_order};
use pressline_domain::order::{NewOrder, Order, OrderRepository, OrderWrite};
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::patient;
use pressline_testkit::{Database, client_program};

use crate::databases::{connection, prepared};
use crate::orders::{create, is_found_by_its_words};
use crate::{databases, fixtures};

fn connect(database: &Database) -> PostgresStore {
    PostgresStore::connect(database.url(), &patient()).unwrap()
}

/// Runs a client program of PostgreSQL, which must succeed without output on standard error.
fn run(program: &Path, database: &Database, arguments: &[&str]) {
    let output = Command::new(program)
        .arg("--dbname")
        .arg(database.url())
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.is_empty(),
        "{}: {text}",
        program.display()
    );
}

#[derive(QueryableByName)]
struct Lexemes {
    #[diesel(sql_type = Array<Text>)]
    lexemes: Vec<String>,
}

/// Returns the stored words of `order`, without the prefix of its chunk.
fn stored_words(database: &Database, order: &Order) -> BTreeSet<String> {
    let Lexemes { lexemes } =
        sql_query("SELECT tsvector_to_array(words) AS lexemes FROM order_words WHERE id = $1")
            .bind::<Text, _>(order.parts().id.to_string())
            .get_result(&mut connection(database))
            .unwrap();
    lexemes
        .iter()
        .map(|lexeme| lexeme.get(4..).unwrap().to_owned())
        .collect()
}

/// Returns the largest valid order, and an order with strings that grow sixfold when folded.
fn wide_orders() -> [NewOrder; 2] {
    let widest = wide_order(fixtures::store_id(1), "widest", WIDEST_ITEMS).unwrap();
    let mut grown = wide_order(fixtures::store_id(1), "grown", 0).unwrap();
    // Both orders come from the same seed.
    grown.id = fixtures::parts(2, 0).id;
    for (number, item) in grown.items.iter_mut().enumerate() {
        item.sku = format!("{number}{}", "\u{3316}".repeat(250));
        item.name = Some(format!("n{}", item.sku));
        item.ref_id = Some(format!("r{}", item.sku));
    }
    [widest, grown].map(fixtures::placed)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_orders_are_found_after_a_dump_and_restore() {
    let [dump, psql] = ["pg_dump", "psql"].map(|program| client_program(program).unwrap());
    let (database, store) = prepared(&patient(), 1).await;
    let mut orders = vec![create(&store, 1, 3).await.unwrap()];
    for order in wide_orders() {
        orders.push(store.write(OrderWrite::create(order)).await.unwrap());
    }

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup.sql");
    let file = file.to_str().unwrap();
    let restored = databases::database();
    run(&dump, &database, &["--no-owner", "--file", file]);
    run(
        &psql,
        &restored,
        &[
            "--quiet",
            "--no-psqlrc",
            "--output=/dev/null",
            "--set=ON_ERROR_STOP=1",
            "--file",
            file,
        ],
    );

    let copy = connect(&restored);
    copy.ping().await.unwrap();
    for order in &orders {
        let mut words: BTreeSet<String> = order.words().iter().map(str::to_owned).collect();
        // The words of the number are stored even if they are prefixes of other words.
        words.extend([
            order.service_order_id.to_string().to_lowercase(),
            order.service_order_id.number.to_string(),
        ]);
        assert_eq!(stored_words(&database, order), words);
        assert_eq!(stored_words(&restored, order), words);
        is_found_by_its_words(&store, order).await;
        is_found_by_its_words(&copy, order).await;
    }
}

/// The last line of defence, against words that no adapter should send.
#[tokio::test(flavor = "multi_thread")]
async fn the_schema_refuses_words_that_a_tsvector_cannot_hold() {
    let (database, store) = prepared(&patient(), 1).await;
    create(&store, 1, 1).await.unwrap();
    let mut connection = connection(&database);
    connection
        .batch_execute("INSERT INTO products (sku, name, currency, areas, words) VALUES ('A', 'A', 'USD', '[]', '')")
        .unwrap();
    for (table, constraint) in [
        ("order_words", "order_words_fit"),
        ("products", "products_words_fit"),
    ] {
        // 1,038,894 bytes of text fit, but with 4 bytes for each of 10,000 words the value is too
        // large.
        let error = refused_words(&mut connection, table, 10_000, 100);
        assert!(error.contains(constraint), "{error}");
        // Newer servers reject text of more than 1 MiB before they check the constraint.
        let error = refused_words(&mut connection, table, 6_000, 200);
        assert!(
            error.contains(constraint) || error.contains("string is too long for tsvector"),
            "{error}"
        );
    }
}

/// Tries to store `words` words, each a number and `padding` further characters. Returns the
/// server's error.
fn refused_words(connection: &mut PgConnection, table: &str, words: u32, padding: u32) -> String {
    let statement = format!(
        "UPDATE {table} SET words = array_to_tsvector(ARRAY(SELECT n || repeat('x', {padding}) FROM generate_series(1, {words}) AS n))"
    );
    connection
        .batch_execute(&statement)
        .unwrap_err()
        .to_string()
}
