//! Imports variants and prices into the catalog.

use async_trait::async_trait;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_types::{Array, BigInt, Text};
use pressline_domain::catalog::product_names::StoredVariant;
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_domain::error::Result;
use pressline_store_kit::schema::{prices, products};
use pressline_store_kit::{
    CancelGuard, CatalogTables, ComparedRow, ImportPlan, ImportRows, ImportTable, ImportTarget,
    Parameters, PriceKey, PriceRow, SqlText, VariantRow, VariantTable, Write, statement_text,
    unknown_parameter,
};

use crate::columns::{PriceColumns, VariantColumns};
use crate::dialect::DIALECT;
use crate::error::Failure;
use crate::session::without_time_limit;
use crate::{PostgresStore, words};

pub(crate) struct Tables<'c>(&'c mut PgConnection);

/// Imports in a single transaction.
#[async_trait]
impl<R> ImportRows<R> for PostgresStore
where
    R: for<'c> ComparedRow<Tables<'c>> + Send + 'static,
    for<'c> Tables<'c>: ImportTarget<R>,
{
    async fn import(&self, plan: ImportPlan<R>, options: ImportOptions) -> Result<ImportSummary> {
        // Dropped if the caller stops waiting, which cancels the import.
        let guard = CancelGuard::default();
        let token = guard.token();
        let import = move |connection: &mut PgConnection| {
            if options.dry_run {
                // One snapshot, and no lock that other transactions would wait for.
                let mut transaction = connection.build_transaction().repeatable_read().read_only();
                let changes = transaction.run(|connection| {
                    R::compare(&plan, &mut Tables(connection), &options, &token)
                })?;
                return Ok(changes.imported);
            }
            connection.transaction(|connection| {
                without_time_limit(connection)?;
                CatalogTables(connection).lock(DIALECT.locks)?;
                let changes = R::compare(&plan, &mut Tables(connection), &options, &token)?;
                changes.write(&mut Tables(connection), &options, &token)?;
                // Servers that cache the catalog read it again if its version has changed.
                if !changes.is_empty() {
                    CatalogTables(connection).count_version()?;
                }
                Ok(changes.imported)
            })
        };
        self.pool.call_outside(import).await
    }
}

impl ImportTable<VariantRow> for Tables<'_> {
    fn stored(&mut self, skus: &[String]) -> Result<Vec<VariantRow>, Failure> {
        let stored = products::table
            .filter(products::sku.eq_any(skus))
            .select(VariantRow::as_select());
        Ok(stored.load(self.0)?)
    }

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        Ok(CatalogTables(self.0).skus_on_sale()?)
    }
}

impl ImportTarget<VariantRow> for Tables<'_> {
    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        let words = |write: &Write<VariantRow>| Ok(words::joined(&write.row.words()?));
        WriteVariants {
            columns: VariantColumns::of(writes.iter().map(|write| &write.row)),
            words: writes.iter().map(words).collect::<Result<_, Failure>>()?,
        }
        .execute(self.0)?;
        Ok(())
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        let retiring = products::table.filter(products::sku.eq_any(skus));
        diesel::update(retiring)
            .set(products::retired.eq(true))
            .execute(self.0)?;
        Ok(())
    }
}

impl VariantTable for Tables<'_> {
    fn of_products(&mut self, ids: &[&str]) -> Result<Vec<StoredVariant>, Failure> {
        CatalogTables(self.0).of_products(ids, &DIALECT)
    }
}

impl ImportTable<PriceRow> for Tables<'_> {
    fn stored(&mut self, keys: &[PriceKey]) -> Result<Vec<PriceRow>, Failure> {
        Ok(SelectPrices(PriceKeys::new(keys)).load(self.0)?)
    }

    fn all(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceKey>, Failure> {
        Ok(CatalogTables(self.0).keys_of_lists(rows)?)
    }
}

impl ImportTarget<PriceRow> for Tables<'_> {
    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        WritePrices(PriceColumns::of(writes.iter().map(|write| &write.row))).execute(self.0)?;
        Ok(())
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        DeletePrices(PriceKeys::new(keys)).execute(self.0)?;
        Ok(())
    }
}

struct WriteVariants<'a> {
    columns: VariantColumns<'a>,
    words: Vec<String>,
}

impl Parameters<Pg> for WriteVariants<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "variants" => self.columns.push(out),
            "words" => out.push_bind_param::<Array<Text>, _>(&self.words),
            _ => Err(unknown_parameter(name)),
        }
    }
}

struct WritePrices<'a>(PriceColumns<'a>);

impl Parameters<Pg> for WritePrices<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "prices" => self.0.push(out),
            _ => Err(unknown_parameter(name)),
        }
    }
}

struct PriceKeys<'a> {
    stores: Vec<&'a str>,
    skus: Vec<&'a str>,
    currencies: Vec<&'a str>,
    times: Vec<i64>,
}

impl<'a> PriceKeys<'a> {
    fn new(keys: &'a [PriceKey]) -> Self {
        Self {
            stores: keys.iter().map(|key| key.0.as_str()).collect(),
            skus: keys.iter().map(|key| key.1.as_str()).collect(),
            currencies: keys.iter().map(|key| key.2.as_str()).collect(),
            times: keys.iter().map(|key| key.3).collect(),
        }
    }
}

impl Parameters<Pg> for PriceKeys<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "stores" => out.push_bind_param::<Array<Text>, _>(&self.stores),
            "skus" => out.push_bind_param::<Array<Text>, _>(&self.skus),
            "currencies" => out.push_bind_param::<Array<Text>, _>(&self.currencies),
            "times" => out.push_bind_param::<Array<BigInt>, _>(&self.times),
            _ => Err(unknown_parameter(name)),
        }
    }
}

struct SelectPrices<'a>(PriceKeys<'a>);
struct DeletePrices<'a>(PriceKeys<'a>);

/// Implements [`Parameters`] for statements with the price keys as their only parameters.
macro_rules! by_keys {
    ($($name:ident)*) => {$(
        impl Parameters<Pg> for $name<'_> {
            fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                self.0.bind(name, out)
            }
        }
    )*};
}

by_keys!(SelectPrices DeletePrices);

/// Replaces `{having_keys}` in `statement` with the condition that a row has one of the price keys.
fn with_keys(statement: &str) -> SqlText {
    SqlText::new(
        statement,
        &[("having_keys", include_str!("sql/price_keys.sql"))],
    )
}

statement_text!(
    WriteVariants<'_>,
    WriteVariants<'static>,
    Pg,
    (),
    SqlText::new(include_str!("sql/write_variants.sql"), &[])
);
statement_text!(
    WritePrices<'_>,
    WritePrices<'static>,
    Pg,
    (),
    SqlText::new(include_str!("sql/write_prices.sql"), &[])
);
statement_text!(
    SelectPrices<'_>,
    SelectPrices<'static>,
    Pg,
    prices::SqlType,
    with_keys("SELECT prices.* FROM prices WHERE {having_keys}")
);
statement_text!(
    DeletePrices<'_>,
    DeletePrices<'static>,
    Pg,
    (),
    with_keys("DELETE FROM prices WHERE {having_keys}")
);
