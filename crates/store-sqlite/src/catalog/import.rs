//! The tables that variants and prices are imported into.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::product_names::StoredVariant;
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_store_kit::schema::{prices, products};
use pressline_store_kit::{
    CancelToken, Changes, ImportPlan, ImportRow, ImportTable, ImportTarget, PriceRow, VariantRow,
    VariantTable, Write,
};

use super::next_rows::{end_price, retire_variant, write_prices, write_variants};
use super::staging::{PORTION, Staging};
use crate::error::Failure;

/// An import into `products` or `prices`.
pub(super) trait Import: Send + Sync + 'static {
    type Changes: Send + 'static;

    fn compare(
        &self,
        connection: &mut SqliteConnection,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Self::Changes, Failure>;

    /// Writes `changes` into the next generation.
    fn write(
        changes: &Self::Changes,
        staging: &mut Staging,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<(), Failure>;

    fn is_empty(changes: &Self::Changes) -> bool;

    fn outcome(changes: Self::Changes) -> ImportSummary;
}

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
                staging: &mut Staging,
                options: &ImportOptions,
                token: &CancelToken,
            ) -> Result<(), Failure> {
                changes.write(&mut $table(staging), options, token)
            }

            fn is_empty(changes: &Changes<$row>) -> bool {
                changes.is_empty()
            }

            fn outcome(changes: Changes<$row>) -> ImportSummary {
                changes.imported
            }
        }
    )+};
}

imports!(VariantRow into Variants, PriceRow into Prices);

/// Variants, read on a connection or written to the next generation. Uses a small prepared
/// statement for each row: without a network, larger statements would gain nothing.
pub(super) struct Variants<'c, C = SqliteConnection>(pub(super) &'c mut C);

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

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        Ok(products::table
            .filter(products::retired.eq(false))
            .select(products::sku)
            .load(self.0)?)
    }
}

impl ImportTarget<VariantRow> for Variants<'_, Staging> {
    type Failure = Failure;

    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        for writes in writes.chunks(PORTION) {
            self.0
                .portion(|connection, next| write_variants(connection, writes, next))?;
        }
        Ok(())
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        for skus in skus.chunks(PORTION) {
            self.0.portion(|connection, next| {
                skus.iter()
                    .try_for_each(|sku| retire_variant(connection, sku, next))
            })?;
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

/// Price lists, read or written like [`Variants`].
pub(super) struct Prices<'c, C = SqliteConnection>(pub(super) &'c mut C);

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

    /// Keys of the stored prices of each list that occurs in `rows`.
    fn all(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceKey>, Failure> {
        let mut lists: Vec<&str> = rows.iter().map(|row| row.store_id.as_str()).collect();
        // The rows are sorted by store, so that this leaves each list once.
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
}

impl ImportTarget<PriceRow> for Prices<'_, Staging> {
    type Failure = Failure;

    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        for writes in writes.chunks(PORTION) {
            self.0
                .portion(|connection, next| Ok(write_prices(connection, writes, next)?))?;
        }
        Ok(())
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        for keys in keys.chunks(PORTION) {
            self.0.portion(|connection, next| {
                keys.iter()
                    .try_for_each(|key| Ok(end_price(connection, key, next)?))
            })?;
        }
        Ok(())
    }
}
