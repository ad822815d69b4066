//! Rows of variants and prices for the next generation of the catalog.

use diesel::dsl::max;
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_types::BigInt;
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::schema::products;
use pressline_store_kit::{ImportRow, PriceKey, PriceRow, VariantRow, Write};

use super::tables::{FOREVER, price_rows, product_rows};
use super::words;
use crate::error::Failure;
use crate::insert::{Row, insert};

struct NewVariantRow<'a> {
    row_id: i64,
    since: i64,
    words_id: i64,
    variant: &'a VariantRow,
}

impl Row for NewVariantRow<'_> {
    type Table = product_rows::table;
    const NAME: &'static str = "product_rows";
    const COLUMNS: &'static [&'static str] = VariantRow::COLUMNS;
    const OWN_COLUMN: &'static str = "row_id, since, words_id, ";

    fn values<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        for number in [&self.row_id, &self.since, &self.words_id] {
            out.push_bind_param::<BigInt, _>(number)?;
            out.push_sql(", ");
        }
        self.variant.push_values(&mut out)
    }
}

struct NewPriceRow<'a> {
    since: i64,
    price: &'a PriceRow,
}

impl Row for NewPriceRow<'_> {
    type Table = price_rows::table;
    const NAME: &'static str = "price_rows";
    const COLUMNS: &'static [&'static str] = PriceRow::COLUMNS;
    const OWN_COLUMN: &'static str = "since, ";

    fn values<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_bind_param::<BigInt, _>(&self.since)?;
        out.push_sql(", ");
        self.price.push_values(&mut out)
    }
}

/// The generation `next` is the first without the row. Returns the row id of the search words.
fn end_variant(connection: &mut SqliteConnection, sku: &str, next: i64) -> QueryResult<i64> {
    let current = product_rows::table
        .filter(product_rows::sku.eq(sku))
        .filter(product_rows::since.lt(next))
        .filter(product_rows::until.eq(FOREVER));
    diesel::update(current)
        .set(product_rows::until.eq(next))
        .returning(product_rows::words_id)
        .get_result(connection)
}

pub(super) fn end_price(
    connection: &mut SqliteConnection,
    key: &PriceKey,
    next: i64,
) -> QueryResult<()> {
    let (store_id, sku, currency, valid_from) = key;
    let current = price_rows::table
        .filter(price_rows::store_id.eq(store_id))
        .filter(price_rows::sku.eq(sku))
        .filter(price_rows::currency.eq(currency))
        .filter(price_rows::valid_from.eq(*valid_from))
        .filter(price_rows::since.lt(next))
        .filter(price_rows::until.eq(FOREVER));
    diesel::update(current)
        .set(price_rows::until.eq(next))
        .execute(connection)?;
    Ok(())
}

/// Returns a row id above the row ids of all variants and of their search words.
fn free_row(connection: &mut SqliteConnection) -> QueryResult<i64> {
    let row: Option<i64> = product_rows::table
        .select(max(product_rows::row_id))
        .first(connection)?;
    // The words of a variant may have the number of a deleted variant row.
    let words: Option<i64> = product_rows::table
        .select(max(product_rows::words_id))
        .first(connection)?;
    Ok(row.max(words).unwrap_or_default() + 1)
}

pub(super) fn write_variants(
    connection: &mut SqliteConnection,
    writes: &[Write<VariantRow>],
    next: i64,
) -> Result<(), Failure> {
    let (mut rows, mut added) = (Vec::new(), Vec::new());
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
        rows.push(NewVariantRow {
            row_id,
            since: next,
            words_id,
            variant: row,
        });
    }
    insert(connection, &rows)?;
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
    let written = product_rows::table
        .filter(product_rows::sku.eq(sku))
        .filter(product_rows::since.eq(next));
    let retired = diesel::update(written)
        .set(product_rows::retired.eq(true))
        .execute(connection)?;
    if retired > 0 {
        return Ok(());
    }
    let mut variant: VariantRow = products::table
        .find(sku)
        .select(VariantRow::as_select())
        .first(connection)?;
    variant.retired = true;
    let row = NewVariantRow {
        row_id: free_row(connection)?,
        since: next,
        words_id: end_variant(connection, sku, next)?,
        variant: &variant,
    };
    insert(connection, &[row])?;
    Ok(())
}

pub(super) fn write_prices<'w>(
    connection: &mut SqliteConnection,
    writes: &'w [Write<PriceRow>],
    next: i64,
) -> QueryResult<()> {
    for old in writes.iter().filter_map(|write| write.old.as_ref()) {
        end_price(connection, &old.key(), next)?;
    }
    let new = |write: &'w Write<PriceRow>| NewPriceRow {
        since: next,
        price: &write.row,
    };
    insert(connection, &writes.iter().map(new).collect::<Vec<_>>())?;
    Ok(())
}
