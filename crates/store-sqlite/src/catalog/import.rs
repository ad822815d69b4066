//! The tables that variants and prices are imported into.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::product_names::StoredVariant;
use pressline_domain::catalog::{ImportOptions, Imported};
use pressline_store_kit::schema::{prices, products};
use pressline_store_kit::{
    CancelToken, Changes, ImportPlan, ImportRow, ImportTable, PriceRow, VariantRow, VariantTable,
    Write,
};

use super::words::{self, variant_numbers};
use crate::error::Failure;

/// An import into one of the tables. Comparing only reads, so that it needs no lock.
pub(super) trait Import: Send + Sync + 'static {
    type Changes: Send + 'static;

    /// Compares the import with what the connection sees.
    fn compare(
        &self,
        connection: &mut SqliteConnection,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Self::Changes, Failure>;

    /// Writes what a comparison found, within the transaction that the connection is in.
    fn write(
        changes: &Self::Changes,
        connection: &mut SqliteConnection,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<(), Failure>;

    /// Whether nothing is to be written.
    fn is_empty(changes: &Self::Changes) -> bool;

    /// The changes, counted and named.
    fn outcome(changes: Self::Changes) -> Imported;
}

/// Implements [`Import`] for the rows of a table.
macro_rules! imports {
    ($($row:ident into $table:ident),+) => {$(
        impl Import for ImportPlan<$row> {
            type Changes = Changes<$row>;

            fn compare(
                &self,
                connection: &mut SqliteConnection,
                options: &ImportOptions,
                token: &CancelToken,
            ) -> Result<Changes<$row>, Failure> {
                ImportPlan::<$row>::compare(self, &mut $table(connection), options, token)
            }

            fn write(
                changes: &Changes<$row>,
                connection: &mut SqliteConnection,
                options: &ImportOptions,
                token: &CancelToken,
            ) -> Result<(), Failure> {
                changes.write(&mut $table(connection), options, token)
            }

            fn is_empty(changes: &Changes<$row>) -> bool {
                changes.is_empty()
            }

            fn outcome(changes: Changes<$row>) -> Imported {
                changes.imported
            }
        }
    )+};
}

imports!(VariantRow into Variants, PriceRow into Prices);

/// Variants, within a transaction. One small statement a row, which the connection has prepared:
/// nothing travels, so that nothing is gained by fewer.
pub(super) struct Variants<'c>(pub(super) &'c mut SqliteConnection);

impl ImportTable<VariantRow> for Variants<'_> {
    type Failure = Failure;

    fn stored(&mut self, skus: &[String]) -> Result<Vec<VariantRow>, Failure> {
        let mut stored = Vec::new();
        for sku in skus {
            let same = products::table.find(sku).select(VariantRow::as_select());
            stored.extend(same.first(self.0).optional()?);
        }
        Ok(stored)
    }

    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        for Write { row, old } in writes {
            let tokens = words::tokens(row)?;
            if let Some(old) = old {
                diesel::update(products::table.find(&row.sku))
                    .set(row)
                    .execute(self.0)?;
                // Most changes are of prices, and to put words in is most of the work.
                if words::tokens(old).is_ok_and(|old| old == tokens) {
                    continue;
                }
            } else {
                diesel::insert_into(products::table)
                    .values(row)
                    .execute(self.0)?;
            }
            let row_id: i64 = variant_numbers::table
                .find(&row.sku)
                .select(variant_numbers::row_id)
                .first(self.0)?;
            words::put(self.0, row_id, &tokens)?;
        }
        Ok(())
    }

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        Ok(products::table
            .filter(products::retired.eq(false))
            .select(products::sku)
            .load(self.0)?)
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        for sku in skus {
            diesel::update(products::table.find(sku))
                .set(products::retired.eq(true))
                .execute(self.0)?;
        }
        Ok(())
    }
}

impl VariantTable for Variants<'_> {
    fn of_products(&mut self, ids: &[&str]) -> Result<Vec<StoredVariant>, Failure> {
        let ids = super::list(ids.iter().copied())?;
        let mut stored = Vec::new();
        // Literal conditions, so that each statement uses its partial index.
        for retired in ["retired = 0", "retired = 1"] {
            let of_products = diesel::dsl::sql::<Bool>(
                "COALESCE(product_id, sku) IN (SELECT value FROM json_each(",
            )
            .bind::<Text, _>(&ids)
            .sql(&format!(")) AND {retired}"));
            let columns = (
                products::sku,
                products::product_id,
                products::product_name,
                products::retired,
            );
            let rows: Vec<(String, Option<String>, Option<String>, bool)> = products::table
                .filter(of_products)
                .select(columns)
                .load(self.0)?;
            stored.extend(rows.into_iter().map(pressline_store_kit::stored_variant));
        }
        Ok(stored)
    }
}

/// Price lists, within a transaction.
pub(super) struct Prices<'c>(pub(super) &'c mut SqliteConnection);

type PriceKey = <PriceRow as ImportRow>::Key;

impl ImportTable<PriceRow> for Prices<'_> {
    type Failure = Failure;

    fn stored(&mut self, keys: &[PriceKey]) -> Result<Vec<PriceRow>, Failure> {
        let mut stored = Vec::new();
        for (store_id, sku, currency, valid_from) in keys {
            let same = prices::table
                .find((store_id, sku, currency, *valid_from))
                .select(PriceRow::as_select());
            stored.extend(same.first(self.0).optional()?);
        }
        Ok(stored)
    }

    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        for Write { row, .. } in writes {
            diesel::replace_into(prices::table)
                .values(row)
                .execute(self.0)?;
        }
        Ok(())
    }

    /// Those of the lists that come.
    fn all(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceKey>, Failure> {
        let mut lists: Vec<&str> = rows.iter().map(|row| row.store_id.as_str()).collect();
        lists.dedup();
        let mut keys = Vec::new();
        for list in lists {
            let key = (
                prices::store_id,
                prices::sku,
                prices::currency,
                prices::valid_from,
            );
            let of_list: Vec<PriceKey> = prices::table
                .filter(prices::store_id.eq(list))
                .select(key)
                .load(self.0)?;
            keys.extend(of_list);
        }
        Ok(keys)
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        for (store_id, sku, currency, valid_from) in keys {
            diesel::delete(prices::table.find((store_id, sku, currency, *valid_from)))
                .execute(self.0)?;
        }
        Ok(())
    }
}
