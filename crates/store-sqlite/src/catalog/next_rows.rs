//! Rows of variants and prices for the next generation of the catalog.

use diesel::QueryResult;
use diesel::result::Error::NotFound;
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::{
    ImportRow, PriceKey, PriceRow, Row as _, Sql, Values, VariantRow, Write,
};

use super::words;
use crate::error::Failure;
use crate::insert::Insert;
use crate::sql::{load_first, run};

static INSERT_PRODUCTS: Insert = Insert::new(include_str!("sql/insert_products.sql"));
static INSERT_PRICES: Insert = Insert::new(include_str!("sql/insert_prices.sql"));
static END_VARIANT: Sql = Sql::new(include_str!("sql/end_variant.sql"));
static END_PRICE: Sql = Sql::new(include_str!("sql/end_price.sql"));
static CURRENT_VARIANT: Sql = Sql::new(include_str!("sql/variant.sql"));
// The words of a variant may have the number of a deleted variant row. Two subqueries, because each
// reads only the end of an index.
static LAST_ROW: Sql = Sql::new(
    "SELECT max(
         COALESCE((SELECT max(row_id) FROM product_rows), 0),
         COALESCE((SELECT max(words_id) FROM product_rows), 0)
     ) AS row_id",
);
static RETIRE_NEXT: Sql = Sql::new(
    "UPDATE product_rows
     SET retired = 1
     WHERE sku = :sku
       AND since = :next",
);

/// Values of the row of a variant that begins with a generation.
fn variant_values(row_id: i64, since: i64, words_id: i64, variant: &VariantRow) -> Values<'_> {
    let mut values = vec![
        ("row_id", row_id.into()),
        ("since", since.into()),
        ("words_id", words_id.into()),
    ];
    values.extend(variant.parameters());
    values
}

/// The generation `next` is the first without the row. Returns the row id of the search words.
fn end_variant(connection: &mut SqliteConnection, sku: &str, next: i64) -> QueryResult<i64> {
    let values = [("next", next.into()), ("sku", sku.into())];
    load_first(connection, &END_VARIANT, &values)?.ok_or(NotFound)
}

pub(super) fn end_price(
    connection: &mut SqliteConnection,
    key: &PriceKey,
    next: i64,
) -> QueryResult<()> {
    let (store_id, sku, currency, valid_from) = key;
    let values = [
        ("next", next.into()),
        ("store_id", store_id.into()),
        ("sku", sku.into()),
        ("currency", currency.into()),
        ("valid_from", valid_from.into()),
    ];
    run(connection, &END_PRICE, &values)?;
    Ok(())
}

/// Returns a row id above the row ids of all variants and of their search words.
fn free_row(connection: &mut SqliteConnection) -> QueryResult<i64> {
    let last: Option<i64> = load_first(connection, &LAST_ROW, &[])?;
    Ok(last.unwrap_or_default() + 1)
}

pub(super) fn write_variants(
    connection: &mut SqliteConnection,
    writes: &[Write<VariantRow>],
    next: i64,
) -> Result<(), Failure> {
    let (mut rows, mut added) = (Values::new(), Vec::new());
    for (row_id, Write { row, old }) in (free_row(connection)?..).zip(writes) {
        let tokens = words::tokens(row)?;
        let mut words_id = row_id;
        if let Some(old) = old {
            let words_of_old = end_variant(connection, &row.sku, next)?;
            // Most changes only affect prices, and indexing words is most of the work.
            if words::tokens(old).is_ok_and(|old| old == tokens) {
                words_id = words_of_old;
            }
        }
        if words_id == row_id {
            added.push((words_id, tokens));
        }
        rows.extend(variant_values(row_id, next, words_id, row));
    }
    INSERT_PRODUCTS.run(connection, &rows)?;
    // Last, because the word index flushes its buffer before any statement of several rows.
    for (words_id, tokens) in added {
        words::add(connection, words_id, &tokens)?;
    }
    Ok(())
}

pub(super) fn retire_variant(
    connection: &mut SqliteConnection,
    sku: &str,
    next: i64,
) -> Result<(), Failure> {
    // If the import also changes the variant, its new row is updated.
    let values = [("sku", sku.into()), ("next", next.into())];
    let retired = run(connection, &RETIRE_NEXT, &values)?;
    if retired > 0 {
        return Ok(());
    }
    let current: Option<VariantRow> =
        load_first(connection, &CURRENT_VARIANT, &[("sku", sku.into())])?;
    let mut variant = current.ok_or(NotFound)?;
    variant.retired = true;
    let row_id = free_row(connection)?;
    let words_id = end_variant(connection, sku, next)?;
    let values = variant_values(row_id, next, words_id, &variant);
    INSERT_PRODUCTS.run(connection, &values)?;
    Ok(())
}

pub(super) fn write_prices(
    connection: &mut SqliteConnection,
    writes: &[Write<PriceRow>],
    next: i64,
) -> QueryResult<()> {
    for old in writes.iter().filter_map(|write| write.old.as_ref()) {
        end_price(connection, &old.key(), next)?;
    }
    let mut values = Values::new();
    for Write { row, .. } in writes {
        values.push(("since", next.into()));
        values.extend(row.parameters());
    }
    INSERT_PRICES.run(connection, &values)?;
    Ok(())
}
