//! The tables that variants and prices are imported into.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_store_rows::schema::{prices, products};
use pressline_store_rows::{ImportRow, ImportTable, PriceRow, VariantRow, Write};

use super::words::{self, variant_numbers};
use crate::error::Failure;

/// Variants, within a transaction. One small statement a row, which the connection has prepared: nothing travels, so that
/// nothing is gained by fewer.
pub(super) struct Variants<'c>(pub(super) &'c mut SqliteConnection);

impl ImportTable<VariantRow> for Variants<'_> {
    type Failure = Failure;

    fn there(&mut self, rows: &[VariantRow]) -> Result<Vec<VariantRow>, Failure> {
        let mut there = Vec::new();
        for row in rows {
            let same = products::table.find(&row.sku).select(VariantRow::as_select());
            there.extend(same.first(self.0).optional()?);
        }
        Ok(there)
    }

    fn write(&mut self, writes: &[Write<'_, VariantRow>]) -> Result<(), Failure> {
        for Write { row, old } in writes {
            let tokens = words::tokens(row)?;
            if let Some(old) = old {
                diesel::update(products::table.find(&row.sku)).set(*row).execute(self.0)?;
                // Most changes are of prices, and to put words in is most of the work.
                if words::tokens(old).is_ok_and(|old| old == tokens) {
                    continue;
                }
            } else {
                diesel::insert_into(products::table).values(*row).execute(self.0)?;
            }
            let row_id: i64 = diesel::update(variant_numbers::table.find(&row.sku))
                .set(variant_numbers::has_words.eq(true))
                .returning(variant_numbers::row_id)
                .get_result(self.0)?;
            words::put(self.0, row_id, &tokens)?;
        }
        Ok(())
    }

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        Ok(products::table.filter(products::retired.eq(false)).select(products::sku).load(self.0)?)
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        for sku in skus {
            diesel::update(products::table.find(sku)).set(products::retired.eq(true)).execute(self.0)?;
        }
        Ok(())
    }
}

/// Price lists, within a transaction.
pub(super) struct Prices<'c>(pub(super) &'c mut SqliteConnection);

type PriceKey = <PriceRow as ImportRow>::Key;

impl ImportTable<PriceRow> for Prices<'_> {
    type Failure = Failure;

    fn there(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceRow>, Failure> {
        let mut there = Vec::new();
        for row in rows {
            let key = (&row.store_id, &row.sku, &row.currency, row.valid_from);
            there.extend(prices::table.find(key).select(PriceRow::as_select()).first(self.0).optional()?);
        }
        Ok(there)
    }

    fn write(&mut self, writes: &[Write<'_, PriceRow>]) -> Result<(), Failure> {
        for Write { row, .. } in writes {
            diesel::replace_into(prices::table).values(*row).execute(self.0)?;
        }
        Ok(())
    }

    /// Those of the lists that come.
    fn all(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceKey>, Failure> {
        let mut lists: Vec<&str> = rows.iter().map(|row| row.store_id.as_str()).collect();
        lists.dedup();
        let mut keys = Vec::new();
        for list in lists {
            let key = (prices::store_id, prices::sku, prices::currency, prices::valid_from);
            let of_list: Vec<PriceKey> =
                prices::table.filter(prices::store_id.eq(list)).select(key).load(self.0)?;
            keys.extend(of_list);
        }
        Ok(keys)
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        for (store_id, sku, currency, valid_from) in keys {
            diesel::delete(prices::table.find((store_id, sku, currency, *valid_from))).execute(self.0)?;
        }
        Ok(())
    }
}
