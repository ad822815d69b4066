//! Search words of variants that a server wrote which made none.

use diesel::dsl::sql;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, Bool, Text};
use pressline_store_kit::VariantRow;
use pressline_store_kit::schema::products;

use super::admin::lock;
use crate::error::Failure;
use crate::words;

/// The lexemes of a variant, made in SQL of its joined words.
pub(super) const LEXEMES: &str = "array_to_tsvector(string_to_array(words, chr(1)))";

/// Variants that get their words in one transaction.
const CHUNK: i64 = 1000;

/// Gives each variant its words that has none.
pub(crate) fn fill(connection: &mut PgConnection) -> Result<(), Failure> {
    // Looks before it locks, so that a server that starts while others import waits for nothing.
    while !without(connection, 1)?.is_empty() {
        connection.transaction(|connection| {
            lock(connection)?;
            let rows = without(connection, CHUNK)?;
            let skus: Vec<&str> = rows.iter().map(|row| row.sku.as_str()).collect();
            let words = rows.iter().map(|row| Ok(words::joined(&row.words()?)));
            let words = words.collect::<Result<Vec<String>, Failure>>()?;
            let filled = sql_query(format!(
                "UPDATE products SET words = given.lexemes FROM (SELECT sku, {LEXEMES} AS lexemes \
                 FROM UNNEST($1, $2) AS given(sku, words)) AS given WHERE products.sku = given.sku"
            ))
            .bind::<Array<Text>, _>(skus)
            .bind::<Array<Text>, _>(words)
            .execute(connection)?;
            tracing::info!(variants = filled, "made search words");
            Ok::<(), Failure>(())
        })?;
    }
    Ok(())
}

fn without(connection: &mut PgConnection, limit: i64) -> QueryResult<Vec<VariantRow>> {
    products::table
        .filter(sql::<Bool>("words IS NULL"))
        .order(products::sku)
        .limit(limit)
        .select(VariantRow::as_select())
        .load(connection)
}
